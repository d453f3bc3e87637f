"""TANQ's documents with the context that the prompt of a setting shows.

Closed book shows none. The oracle setting shows the proofs of the question's own record,
those of rows that fail its filter included, which are its distractors. The open-book
setting shows retrieved passages; see `lm_eval_tasks.context.open_book`.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, Final

import datasets

from lm_eval_tasks.data import tanq
from lm_eval_tasks.data.sources import TEST
from lm_eval_tasks.data.splits import (
    TEXT,
    THINKING,
    Document,
    Splits,
    name_some,
    to_dataset,
)
from lm_eval_tasks.errors import DataError
from lm_eval_tasks.prompts import by_page, evidence, render_pages


# A child of the harness's logger, so that its handler and level apply.
_log = logging.getLogger("lm_eval.tableqa.contexts")

FEATURES: Final = datasets.Features(
    {
        **{name: kind for name, kind in tanq.FEATURES.items() if name != "proofs"},
        "context": TEXT,
        "truncated": datasets.Value("bool"),  # proofs were left out of the context
    }
)


class Contexts(Mapping[str, datasets.Dataset]):
    """Splits whose documents have a context in place of `proofs`.

    Parameters
    ----------
    splits
        Of TANQ. Each is rendered when it is first asked for, the test split at once, so
        that a run that cannot work stops before it loads a model.
    render
        Called with the name of a split and its documents; returns them with the fields
        of their contexts.
    features
        Of each document, beside what `Splits` adds to all.
    """

    def __init__(
        self,
        splits: Splits,
        render: Callable[[str, list[Document]], list[Document]],
        features: datasets.Features = FEATURES,
    ) -> None:
        self._splits = splits
        self._render = render
        added = {k: v for k, v in splits[TEST].features.items() if k == THINKING}
        self._features = datasets.Features({**features, **added})
        self._rendered: dict[str, datasets.Dataset] = {}
        self[TEST]

    def __getitem__(self, name: str) -> datasets.Dataset:
        if name not in self._rendered:
            documents = self._render(name, list(self._splits[name]))
            self._rendered[name] = to_dataset(documents, self._features)
        return self._rendered[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._splits)

    def __len__(self) -> int:
        return len(self._splits)


def closed_book(splits: Splits) -> Contexts:
    """Return the splits without any context."""
    nothing = {"context": "", "truncated": False}
    return Contexts(splits, lambda _, documents: [d | nothing for d in documents])


def oracle(splits: Splits, max_chars: Any, *, task: str = "tanq_oracle") -> Contexts:
    """Return the splits with each question's own proofs as its context.

    Parameters
    ----------
    splits
        Of TANQ.
    max_chars
        Length of a context at most, in characters; see `render_pages`.
    task
        Whose documents these are, for messages.

    Raises
    ------
    DataError
        If no question of the test split has any proof, or if `max_chars` is no count.
    """
    max_chars = count("max_context_chars", max_chars)
    render = partial(_with_own_proofs, max_chars=max_chars, task=task)
    return Contexts(splits, render)


def count(key: str, value: Any) -> int:
    """Return the value of a key of the metadata that must be a positive number.

    Raises
    ------
    DataError
        If it is none.
    """
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        unit = "characters" if key == "max_context_chars" else "passages"
        raise DataError(f"{key} is {value!r}, not a positive number of {unit}")
    return value


def _with_own_proofs(
    name: str, documents: list[Document], max_chars: int, task: str
) -> list[Document]:
    bare = without_proofs(documents)
    if name == TEST and len(bare) == len(documents):
        raise DataError(
            f"{task}: {no_proof(bare)}, or ask these questions with tanq_closed_book"
        )
    if bare:
        _log.warning(
            "%s: %d of %d records of the %s split have no proofs and are asked without "
            "context: %s",
            task,
            len(bare),
            len(documents),
            name,
            name_some(bare),
        )
    shown = []
    for document in documents:
        pieces = by_page(map(evidence, document["proofs"]))
        context = render_pages(pieces, max_chars)
        shown.append(
            document | {"context": context.text, "truncated": context.truncated}
        )
    warn_of_cut(task, name, shown, max_chars)
    return shown


def warn_of_cut(
    task: str, name: str, documents: list[Document], max_chars: int
) -> None:
    """Say how many contexts of a split have lost a part for their length."""
    cut = sum(document["truncated"] for document in documents)
    if cut:
        _log.warning(
            "%s: %d of %d contexts of the %s split are cut at max_context_chars=%d",
            task,
            cut,
            len(documents),
            name,
            max_chars,
        )


def without_proofs(documents: list[Document]) -> list[str]:
    """Return the ids of the documents that have no proof."""
    return [document["id"] for document in documents if not document["proofs"]]


def no_proof(bare: list[str]) -> str:
    """Say that no record of the test split, of which these are the ids, has a proof."""
    return (
        f"none of the {len(bare)} records of the test split has any proof (the first is "
        f"{bare[0]}): use a file with answer_list"
    )
