"""Passages for a question: a search with BM25, and how much of the proofs is found.

A search ranks the passages of a collection, the proofs of a data set or a user's corpus.
Equal scores are ranked in the order of the collection, and neither depends on a seed, so
that the same files give the same prompts. A word is a run of letters or digits, without
case and accents; English stop words are left out, and there is no stemming.
"""

from __future__ import annotations

import logging
import re
import sys
import unicodedata
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Any, Final, Protocol

import numpy as np

from lm_eval_tasks.data.records import Document
from lm_eval_tasks.errors import DataError, TableqaError
from lm_eval_tasks.prompts import Evidence, distinct, evidence


# A child of the harness's logger, so that its handler and level apply.
_log = logging.getLogger("lm_eval.tableqa.retrieval")

# The passages for a document, distinct, the best first; `None` where its question is not
# known.
Search = Callable[[Document], list[Evidence] | None]

# Those of Lucene and of bm25s, named so that a new version of bm25s changes no figure.
K1: Final = 1.5
B: Final = 0.75

_WORD = re.compile(r"[^\W_]+")
_ACCENTS = re.compile("[\u0300-\u036f]+")


def words(text: str) -> list[str]:
    """Return the words of a text, without case and accents.

    Examples
    --------
    >>> words("Amélie's start_time: 25 April 2001")
    ['amelie', 's', 'start', 'time', '25', 'april', '2001']
    """
    if not text.isascii():
        text = _ACCENTS.sub("", unicodedata.normalize("NFKD", text))
    return _WORD.findall(text.casefold())


class Collection(Protocol):
    """Passages by number; iteration yields them in the order of their numbers."""

    def __iter__(self) -> Iterator[Evidence]: ...

    def __getitem__(self, number: int) -> Evidence: ...


class Bm25:
    """A search by BM25 (Lucene's form of it, computed by the library bm25s).

    Parameters
    ----------
    passages
        What is searched. Title, section and text of a passage are words of it.
    top_k
        How many passages are found at most.

    Raises
    ------
    TableqaError
        If bm25s is not installed.
    DataError
        If no passage has a word that is searched for.
    """

    def __init__(self, passages: Collection, top_k: int) -> None:
        bm25s = _library()
        self._passages = passages
        self._top_k = top_k
        self._stop_words = frozenset(bm25s.stopwords.STOPWORDS_EN)
        self._vocabulary: dict[str, int] = {}
        lists = _Lists()
        for passage in passages:
            lists.append(self._numbers(passage))
        if not self._vocabulary:
            raise DataError("tanq_open_book: there is no passage with a word in it")
        _log.info("tanq_open_book: indexing %d passages", len(lists))
        self._index = bm25s.BM25(k1=K1, b=B, method="lucene")
        self._index.index(
            bm25s.tokenization.Tokenized(ids=lists, vocab=self._vocabulary),
            show_progress=sys.stderr.isatty(),
        )

    def __call__(self, document: Document) -> list[Evidence]:
        """Return the passages that share a word with the question, the best first."""
        return [self._passages[number] for number in self.search(document["question"])]

    def search(self, question: str) -> list[int]:
        """Return the numbers of the best passages; each word of the question counts once."""
        asked = [
            self._vocabulary[word]
            for word in dict.fromkeys(words(question))
            if word in self._vocabulary
        ]
        if not asked:
            return []
        scores = self._index.get_scores_from_ids(asked)
        count = min(self._top_k, len(scores))
        least = np.partition(scores, -count)[-count]
        found = np.flatnonzero((scores >= least) & (scores > 0))
        # The library's own selection breaks ties as its sort happens to.
        order = np.argsort(-scores[found], kind="stable")[:count]
        return found[order].tolist()

    def _numbers(self, passage: Evidence) -> list[int]:
        known = self._vocabulary
        return [
            known.setdefault(word, len(known))
            for word in words(f"{passage.page} {passage.section} {passage.body}")
            if word not in self._stop_words
        ]


class _Lists:
    """Lists of numbers in one array: lists of Python take several times its memory."""

    def __init__(self) -> None:
        self._numbers = array("i")
        self._ends = array("q", [0])

    def append(self, numbers: Iterable[int]) -> None:
        self._numbers.extend(numbers)
        self._ends.append(len(self._numbers))

    def __len__(self) -> int:
        return len(self._ends) - 1

    def __iter__(self) -> Iterator[array[int]]:
        for start, end in pairwise(self._ends):
            yield self._numbers[start:end]


def pool(proofs: Iterable[Mapping[str, Any]]) -> list[Evidence]:
    """Return proofs as passages, each once, in an order that is not that of the records.

    The order decides between passages of the same score, and shall not favour those of
    the first records.
    """
    pieces = map(evidence, proofs)
    return list(distinct(sorted(pieces, key=lambda p: (p.page, p.body, p.section))))


def proof_recall(
    proofs: Iterable[Mapping[str, Any]], passages: Iterable[Evidence]
) -> float | None:
    """Return the share of the proofs of a reference that is among passages.

    Parameters
    ----------
    proofs
        Of a document of TANQ. Those of rows that fail the filter do not count, since the
        answer does not need them.
    passages
        A proof is among them if one of them holds its words in its order, case, accents,
        punctuation and layout aside, and stands on the same page; a passage without a
        title stands on any page.

    Returns
    -------
    float or None
        From 0 to 100; `None` if there is no proof with a word in it.

    Examples
    --------
    >>> proof = dict.fromkeys(["section", "parent_section", "caption"], "") | {
    ...     "kind": "text", "page": "Oslo", "text": "It has 709,037 inhabitants."}
    >>> passages = [Evidence("", "", "text", "It has 709 037 inhabitants (2023).")]
    >>> proof_recall([{**proof, "filter_pass": True}], passages)
    100.0
    """
    # The caption of a table is no part of its rows in every form of it.
    pieces = [evidence({**p, "caption": ""}) for p in proofs if p["filter_pass"]]
    wanted = {
        (_folded(piece.page), _folded(piece.body))
        for piece in pieces
        if words(piece.body)
    }
    if not wanted:
        return None
    pages: dict[str, str] = {}
    for passage in passages:
        page = _folded(passage.page)
        # No word holds the bar, so that nothing is found across two passages.
        pages[page] = pages.get(page, "") + _folded(passage.body) + "|"
    everywhere = "".join(pages.values())
    nowhere = pages.get(_folded(""), "")
    found = sum(
        body in pages.get(page, "") or body in nowhere
        if page != _folded("")
        else body in everywhere
        for page, body in wanted
    )
    return 100 * found / len(wanted)


def _folded(text: str) -> str:
    return f" {' '.join(words(text))} "


def _library() -> Any:
    try:
        import bm25s
    except ModuleNotFoundError as error:
        if error.name != "bm25s":
            raise
        raise TableqaError(
            "tanq_open_book searches with the library bm25s, which is not installed: "
            'pip install "lm-eval-tableqa[openbook]", or give your own passages'
        ) from error
    # It sets its logger to its lowest level, which any handler would then print.
    logging.getLogger("bm25s").setLevel(logging.WARNING)
    return bm25s
