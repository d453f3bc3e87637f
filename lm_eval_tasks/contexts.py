"""TANQ's documents with the context that the prompt of a setting shows.

Closed book shows none. The oracle setting shows the proofs of the question's own record,
those of rows that fail its filter included, which are its distractors.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, Final

import datasets

from lm_eval_tasks.data import tanq
from lm_eval_tasks.data.sources import TEST
from lm_eval_tasks.data.splits import TEXT, Document, Splits, name_some, to_dataset
from lm_eval_tasks.errors import DataError
from lm_eval_tasks.prompts import Context, by_page, evidence, render_pages


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
    """Splits whose documents have `context` and `truncated` in place of `proofs`.

    Parameters
    ----------
    splits
        Of TANQ. Each is rendered when it is first asked for, the test split at once, so
        that a run that cannot work stops before it loads a model.
    render
        Called with the name of a split and its documents; returns their contexts.
    """

    def __init__(
        self, splits: Splits, render: Callable[[str, list[Document]], list[Context]]
    ) -> None:
        self._splits = splits
        self._render = render
        self._rendered: dict[str, datasets.Dataset] = {}
        self[TEST]

    def __getitem__(self, name: str) -> datasets.Dataset:
        if name not in self._rendered:
            documents = list(self._splits[name])
            contexts = self._render(name, documents)
            self._rendered[name] = to_dataset(
                [
                    {
                        **document,
                        "context": context.text,
                        "truncated": context.truncated,
                    }
                    for document, context in zip(documents, contexts, strict=True)
                ],
                FEATURES,
            )
        return self._rendered[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._splits)

    def __len__(self) -> int:
        return len(self._splits)


def closed_book(splits: Splits) -> Contexts:
    """Return the splits without any context."""
    return Contexts(splits, lambda _, documents: [Context("", False)] * len(documents))


def oracle(splits: Splits, max_chars: Any) -> Contexts:
    """Return the splits with each question's own proofs as its context.

    Parameters
    ----------
    splits
        Of TANQ.
    max_chars
        Length of a context at most, in characters; see `render_pages`.

    Raises
    ------
    DataError
        If no question of the test split has any proof, or if `max_chars` is no count.
    """
    if not isinstance(max_chars, int) or isinstance(max_chars, bool) or max_chars < 1:
        raise DataError(
            f"max_context_chars is {max_chars!r}, not a positive number of characters"
        )
    return Contexts(splits, partial(_own_proofs, max_chars=max_chars))


def _own_proofs(name: str, documents: list[Document], max_chars: int) -> list[Context]:
    bare = [document["id"] for document in documents if not document["proofs"]]
    if name == TEST and len(bare) == len(documents):
        raise DataError(
            f"tanq_oracle: none of the {len(bare)} records of the {name} split has any "
            f"proof (the first is {bare[0]}): use a file with answer_list, or ask "
            f"these questions with tanq_closed_book"
        )
    if bare:
        _log.warning(
            "tanq_oracle: %d of %d records of the %s split have no proofs and are asked "
            "without context: %s",
            len(bare),
            len(documents),
            name,
            name_some(bare),
        )
    contexts = [
        render_pages(by_page(map(evidence, document["proofs"])), max_chars)
        for document in documents
    ]
    cut = sum(context.truncated for context in contexts)
    if cut:
        _log.warning(
            "tanq_oracle: %d of %d contexts of the %s split are cut at max_context_chars="
            "%d",
            cut,
            len(contexts),
            name,
            max_chars,
        )
    return contexts
