"""Documents of TAT-QA and FinQA with the context that their prompts show."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

import datasets

from lm_eval_tasks.data.sources import TEST
from lm_eval_tasks.data.splits import TEXT, Splits
from lm_eval_tasks.prompts import markdown_table


_CONTEXT: Final = datasets.Features({"context": TEXT})


class WithContext(Mapping[str, datasets.Dataset]):
    """Splits whose documents also have `context`.

    Parameters
    ----------
    splits
        Of a benchmark. Each is rendered when it is first asked for, the test split at
        once, so that a run that cannot work stops before it loads a model.
    render
        Called with a document; returns its context.
    """

    def __init__(
        self, splits: Splits, render: Callable[[Mapping[str, Any]], str]
    ) -> None:
        self._splits = splits
        self._render = render
        self._rendered: dict[str, datasets.Dataset] = {}
        self[TEST]

    def __getitem__(self, name: str) -> datasets.Dataset:
        if name not in self._rendered:
            documents = self._splits[name]
            contexts = datasets.Dataset.from_dict(
                {"context": [self._render(document) for document in documents]},
                features=_CONTEXT,
            )
            self._rendered[name] = datasets.concatenate_datasets(
                [documents, contexts], axis=1
            )
        return self._rendered[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._splits)

    def __len__(self) -> int:
        return len(self._splits)


def tat_context(document: Mapping[str, Any]) -> str:
    """Print a TAT-QA document: its table, then its paragraphs in their order.

    Examples
    --------
    >>> rows = [["", "2019"], ["Revenue", "$5"]]
    >>> print(tat_context({"table": rows, "paragraphs": ["In millions."]}))
    |  | 2019 |
    | --- | --- |
    | Revenue | $5 |
    <BLANKLINE>
    In millions.
    """
    return _joined([markdown_table(document["table"]), *document["paragraphs"]])


def finqa_context(document: Mapping[str, Any]) -> str:
    """Print a FinQA document: the text before its table, the table, the text after it.

    The text is a list of sentences; they are joined by blanks.

    Examples
    --------
    >>> rows = [["", "2019"], ["revenue", "$ 5"]]
    >>> document = {"pre_text": ["results .", "in millions ."], "table": rows}
    >>> print(finqa_context({**document, "post_text": []}))
    results . in millions .
    <BLANKLINE>
    |  | 2019 |
    | --- | --- |
    | revenue | $ 5 |
    """
    before, after = (" ".join(document[name]) for name in ("pre_text", "post_text"))
    return _joined([before, markdown_table(document["table"]), after])


def _joined(parts: Iterable[str]) -> str:
    return "\n\n".join(part.strip() for part in parts if part.strip())
