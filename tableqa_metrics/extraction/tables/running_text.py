"""Lines with pipes that are no table: prose, clauses, commands and mathematics."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final


SENTENCE_END: Final = (".", "!", "?", ":", ";", ",", "。", "：")
_WORDS_OF_PROSE: Final = 8
# Words that make a line a sentence; few headers and cells hold one.
_VERB = re.compile(
    r"\b(?:is|are|was|were|has|have|had|will|would|can|could|should|does|do|did|means?"
    r"|equals?|uses?|used|i|we|you|please|note)\b",
    re.IGNORECASE,
)
_WORDS_OF_CLAUSE: Final = 5
# Programs that read what another one writes.
_COMMAND = re.compile(
    r"\s*(?:sudo\s)?(?:grep|egrep|awk|sed|sort|uniq|wc|head|tail|cut|tr|xargs|tee|less|more"
    r"|jq|cat|column|perl|python3?|bash|sh)(?:\s|$)"
)
_OPERATOR = re.compile(r"=|->|[→∈]")
# |x|: unlike in a row, the blanks are outside of the two pipes.
_ABSOLUTE = re.compile(
    r"(?<![^\s=(+*/,<>-])\|(?=\S)[^|]{1,60}(?<=\S)\|(?![^\s=.,;:)+*/<>^-])"
)
_BRACKETS: Final = ("()", "[]", "{}")


def reads_as_prose(texts: Sequence[str]) -> bool:
    """Whether lines with pipes in them are sentences."""
    if not all(text.endswith(SENTENCE_END) for text in texts):
        return False
    n_words = sum(len(text.split()) for text in texts)
    return n_words > _WORDS_OF_PROSE * len(texts)


def reads_as_clauses(texts: Sequence[str]) -> bool:
    """Whether two lines with a pipe each are clauses, or have brackets around the pipe.

    Examples
    --------
    >>> reads_as_clauses(["Either a | b is right", "Or c | d was meant"])
    True
    >>> reads_as_clauses(["P(A | B) = 0.5", "P(B | A) = 0.7"])
    True
    >>> reads_as_clauses(["movie | composer", "Simha | Rajan-Nagendra"])
    False
    """
    if len(texts) > 2 or any(text.count("|") != 1 for text in texts):
        return False
    return all(map(is_clause, texts)) or any(
        cell.count("(") != cell.count(")") for text in texts for cell in text.split("|")
    )


def is_clause(text: str) -> bool:
    """Whether a line is longer than most rows and has a verb."""
    return len(text.split()) > _WORDS_OF_CLAUSE and _VERB.search(text) is not None


def reads_as_code(texts: Sequence[str]) -> bool:
    """Whether lines with pipes are commands, expressions or formulas.

    Examples
    --------
    >>> reads_as_code(["cat films.txt | grep 1977", "cat films.txt | wc -l"])
    True
    >>> reads_as_code(["def f(x: int | None):", "    return x | 1"])
    True
    >>> reads_as_code(["Let |x| be the norm.", "Then |x| + |y| >= |x + y|."])
    True
    >>> reads_as_code(["film | genre", "Rent | drama (musical)"])
    False
    """
    if texts[0].startswith("|"):
        return False
    header = texts[0].split("|")
    if any(cell.count(a) > cell.count(b) for cell in header for a, b in _BRACKETS):
        return True  # a pipe between brackets
    rows = [text for text in texts if "|" in text]
    if all(map(_OPERATOR.search, rows)):
        return True
    if all(_COMMAND.match(text.rpartition("|")[2]) for text in rows):
        return True
    return all("|" not in _ABSOLUTE.sub("", text) for text in rows)
