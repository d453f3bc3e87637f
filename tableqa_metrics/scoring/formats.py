"""What a file of predictions holds: raw responses, or answers that were extracted.

The two are different things: a raw response is searched for its answer, an extracted
one is scored as it is. Which of them a file holds is told by its form, or named:

====================  =============  ===================================================
format                holds          form
====================  =============  ===================================================
tatqa                 extracted      TAT-QA's `{uid: [answer, scale]}`
program-of-thoughts   extracted      rows with `pred_answer` and `pred_scale`
finqa                 extracted      FinQA's rows of `{id, predicted: [tokens]}`
tanq                  extracted      TANQ's rows with `init_qid` and a table in its form
predictions           extracted      id and answer, in JSON, JSONL or CSV
tatllm                raw responses  TAT-LLM's rows of `{id, prediction}`, whole replies;
                                     scored by TAT-LLM's own scorer, too
samples               raw responses  a sample log of lm-evaluation-harness
batch                 raw responses  results of OpenAI's or Anthropic's batch interface
responses             raw responses  id and text, in JSON, JSONL or CSV
====================  =============  ===================================================

Where no format is named and a text stands by an id, it is a raw response, unless it
stands under TANQ's `init_qid` and any key but `response`. A file that mixes texts with
other values says neither, and is refused.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from ..files.jsonfile import InputFileError, brief
from ..files.records import BENCHMARKS, FINQA, TANQ, TATDQA, TATQA
from ..files.response_rows import (
    BATCH,
    PROGRAM_OF_THOUGHTS,
    ROWS,
    SAMPLES,
    TATQA_PAIRS,
    Responses,
)


@dataclass(frozen=True)
class Format:
    """A format that predictions may have.

    `form` is that of `tableqa_metrics.files`, and `benchmarks` are those whose
    predictions can have it.
    """

    name: str
    extracted: bool
    form: str
    benchmarks: tuple[str, ...]

    def check(self, where: str, value: Any) -> None:
        """Check that a value is of the kind that such a file holds.

        Raises
        ------
        InputFileError
            It is not.
        """
        if self.name == "finqa":
            wanted, right = "a list of tokens", isinstance(value, list)
        elif self.name == "tanq":
            wanted, right = "a table as text", isinstance(value, str)
        elif not self.extracted:
            wanted, right = "a text", isinstance(value, str)
        else:
            return
        if not right:
            raise InputFileError(
                f"{where}: {brief(value)} is not {wanted}, and the file was read as "
                f"format {self.name}; a file that holds both raw responses and "
                "extracted answers cannot be scored (--format predictions takes all of "
                "it as extracted)"
            )


_ALL: Final = (TANQ, TATQA, TATDQA, FINQA)
_TAT: Final = (TATQA, TATDQA)
FORMATS: Final[Mapping[str, Format]] = {
    each.name: each
    for each in (
        Format("tatqa", True, TATQA_PAIRS, _TAT),
        Format("program-of-thoughts", True, PROGRAM_OF_THOUGHTS, _TAT),
        Format("finqa", True, ROWS, (FINQA,)),
        Format("tanq", True, ROWS, (TANQ,)),
        Format("predictions", True, ROWS, _ALL),
        Format("tatllm", False, ROWS, (TATQA, TATDQA, FINQA)),
        Format("samples", False, SAMPLES, _ALL),
        Format("batch", False, BATCH, _ALL),
        Format("responses", False, ROWS, _ALL),
    )
}

# A reply of TAT-LLM begins with its steps, or ends in its answer line.
_STEPS: Final = re.compile(
    r"\|\s{0,9}step\s{0,9}\|\s{0,9}output\s{0,9}\|", re.IGNORECASE
)
_ANSWER_LINE: Final = "and its corresponding scale is:"


@dataclass(frozen=True)
class Predictions:
    """A file of predictions, and what it holds."""

    responses: Responses
    format: Format


def open_predictions(
    benchmark: str,
    path: str | Path,
    *,
    name: str | None = None,
    id_key: str | None = None,
    prediction_key: str | None = None,
) -> Predictions:
    """Open a file of predictions and find out what it holds.

    Parameters
    ----------
    benchmark
        Which they are of.
    path
        The file.
    name
        Of its format; `None` finds it by looking.
    id_key, prediction_key
        As `id_key` and `response_key` of `tableqa_metrics.files.read_responses`.

    Raises
    ------
    InputFileError
        The file cannot be read, or is of another format or benchmark.
    """
    responses = Responses(
        path,
        id_key=id_key,
        response_key=prediction_key,
        form=None if name is None else FORMATS[name].form,
        options=("--id-key", "--prediction-key"),
    )
    found = FORMATS[name or _look(responses)]
    if benchmark not in found.benchmarks:
        of = " or ".join(BENCHMARKS[other] for other in found.benchmarks)
        looks = "was to be read as" if name else "looks like"
        hint = "" if name else " (--format names another format)"
        raise InputFileError(
            f"{path}: {looks} format {found.name}, which {of} predictions have, and "
            f"{BENCHMARKS[benchmark]} predictions have not{hint}"
        )
    return Predictions(responses, found)


def _look(responses: Responses) -> str:
    layout = responses.layout
    if layout.form in (TATQA_PAIRS, PROGRAM_OF_THOUGHTS, SAMPLES, BATCH):
        return layout.form
    values = (item.values[0] for _, item in responses if item.values is not None)
    first = next(values, None)
    if isinstance(first, list) and layout.response_key == "predicted":
        return "finqa"
    if not isinstance(first, str):
        return "predictions"
    if layout.id_key == "init_qid" and layout.response_key != "response":
        return "tanq"
    if _STEPS.search(first) or (
        layout.response_key == "prediction" and _ANSWER_LINE in first.lower()
    ):
        return "tatllm"
    return "responses"
