"""What scoring keeps of each question: a database that is a temporary file once large.

Its tables: `question`, of the references; for each file of predictions `plan<n>`, which
question each row answers, and `score<n>`, the scores of each question; and `piece`, scores
by metric while figures are made of them. A place is a question's number among the
references, from 0, and a row one's in its file.
"""

from __future__ import annotations

import sqlite3
from typing import Final


_CACHE: Final = 8_000  # KiB in memory
_SETUP: Final = f"""
PRAGMA cache_size = -{_CACHE};
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
PRAGMA locking_mode = EXCLUSIVE;
CREATE TABLE question (
    place INTEGER PRIMARY KEY, name BLOB, groups INTEGER, record BLOB
);
BEGIN;
"""


class Store(sqlite3.Connection):
    """The database, empty at first.

    Its file has no name, and so is gone with the process, however that ends.
    """

    def __init__(self) -> None:
        super().__init__("", isolation_level=None, check_same_thread=False)
        self.executescript(_SETUP)
        self._numbers = 0

    def new_number(self) -> int:
        """Return a number for the tables of a file of predictions."""
        self._numbers += 1
        return self._numbers
