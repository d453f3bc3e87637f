"""Errors that a user can act on: each message is one clear line, without a traceback."""


class TableqaError(Exception):
    """Something that the user can put right; the command line prints it and stops."""


class DataError(TableqaError):
    """A data file is missing, cannot be fetched, or is not what it should be."""
