"""TANQ's documents with retrieved passages as the context of each question.

How passages are found, and what files a user can give, is in `lm_eval_tasks.context.retrieval`
and `lm_eval_tasks.context.passages`. Here they are chosen by rank for the length of a context,
and it is noted how much of what the answer needs is among them.
"""

from __future__ import annotations

import logging
import os
from functools import partial
from pathlib import Path
from typing import Any, Final

import datasets

from lm_eval_tasks.context.passages import Corpus, OwnPassages
from lm_eval_tasks.context.retrieval import Bm25, Search, pool, proof_recall
from lm_eval_tasks.context.tanq import (
    FEATURES,
    Contexts,
    count,
    no_proof,
    warn_of_cut,
    without_proofs,
)
from lm_eval_tasks.data.records import Document, name_some
from lm_eval_tasks.data.sources import TEST
from lm_eval_tasks.data.splits import Splits
from lm_eval_tasks.errors import DataError
from lm_eval_tasks.prompts import Evidence, best_that_fit, by_page, render_pages


# A child of the harness's logger, so that its handler and level apply.
_log = logging.getLogger("lm_eval.tableqa.open_book")

OPEN_BOOK_FEATURES: Final = datasets.Features(
    {**FEATURES, "retrieval_recall": datasets.Value("float64")}  # see `proof_recall`
)


def open_book(
    splits: Splits,
    *,
    max_chars: Any,
    top_k: Any,
    passages: Any = None,
    corpus: Any = None,
) -> Contexts:
    """Return the splits with retrieved passages as the context of each question.

    Parameters
    ----------
    splits
        Of TANQ. All proofs of all of them together are what is searched, unless a file
        is given.
    max_chars
        Length of a context at most, in characters; see `best_that_fit`.
    top_k
        How many passages are retrieved at most.
    passages
        Path of the user's own passages for each question of the test split. Questions
        of other splits that are not in it are left out, being no use as examples.
    corpus
        Path of passages to search in place of the proofs.

    Returns
    -------
    Contexts
        Documents with `context`, `truncated` (retrieved passages were left out for their
        length) and `retrieval_recall` (see `proof_recall`).

    Raises
    ------
    DataError
        If a count is none, if both files are given or one cannot be used, if a question
        of the test split has no passages in the user's file, or if there is no proof to
        search.
    TableqaError
        If a search is needed and its library is not installed.
    """
    max_chars, top_k = count("max_context_chars", max_chars), count("top_k", top_k)
    if passages is not None and corpus is not None:
        raise DataError("passages and corpus are both given: give one of them")
    search: Search
    if passages is not None:
        search = OwnPassages(_path("passages", passages), top_k)
    elif corpus is not None:
        search = Bm25(Corpus(_path("corpus", corpus)), top_k)
    else:
        search = Bm25(_pool(splits), top_k)
    render = partial(
        _with_passages, search=search, source=passages, max_chars=max_chars
    )
    return Contexts(splits, render, OPEN_BOOK_FEATURES)


def _path(key: str, value: Any) -> Path:
    if not isinstance(value, str | os.PathLike):
        raise DataError(f"{key}: {value!r} is no path")
    return Path(value).expanduser()


def _with_passages(
    name: str, documents: list[Document], search: Search, source: Any, max_chars: int
) -> list[Document]:
    shown = []
    unknown = []
    for document in documents:
        passages = search(document)
        if passages is None:
            unknown.append(document["id"])
            continue
        chosen = best_that_fit(passages, max_chars)
        text = render_pages(by_page(chosen, ranked=True), max_chars).text
        shown.append(
            document
            | {
                "context": text,
                "truncated": len(chosen) < len(passages),
                "retrieval_recall": proof_recall(document["proofs"], chosen),
            }
        )
    if unknown:
        missing = (
            f"tanq_open_book: {source} has no passages for {len(unknown)} of "
            f"{len(documents)} questions of the {name} split: {name_some(unknown)}"
        )
        if name == TEST:
            raise DataError(missing)
        _log.warning("%s; they are no few-shot examples", missing)
    warn_of_cut("tanq_open_book", name, shown, max_chars)
    _report_recall(name, shown)
    return shown


def _report_recall(name: str, documents: list[Document]) -> None:
    empty = [document["id"] for document in documents if not document["context"]]
    if empty:
        _log.warning(
            "tanq_open_book: %d of %d questions of the %s split are asked without a "
            "passage: %s",
            len(empty),
            len(documents),
            name,
            name_some(empty),
        )
    recalls = [document["retrieval_recall"] for document in documents]
    known = [recall for recall in recalls if recall is not None]
    if len(known) < len(recalls):
        _log.warning(
            "tanq_open_book: %d of %d records of the %s split have no proofs of their "
            "answer, so that their retrieval_recall is not known",
            len(recalls) - len(known),
            len(recalls),
            name,
        )
    if known and not any(known):
        _log.warning(
            "tanq_open_book: no proof of the %s split is in any passage: either nothing "
            "needed was found, or the passages say it in other words than the proofs, "
            "which retrieval_recall cannot see",
            name,
        )


def _pool(splits: Splits) -> list[Evidence]:
    documents = list(splits[TEST])
    bare = without_proofs(documents)
    if len(bare) == len(documents):
        raise DataError(
            f"tanq_open_book: {no_proof(bare)}, or name passages or a corpus of your "
            f"own (--metadata)"
        )
    found = [proof for name in splits for d in splits[name] for proof in d["proofs"]]
    passages = pool(found)
    _log.info(
        "tanq_open_book: searching %d proofs of %s",
        len(passages),
        ", ".join(f"{n} {name} records" for name in splits if (n := len(splits[name]))),
    )
    return passages
