"""What a file of predictions holds: raw responses, or answers that were extracted.

The two are different things: a raw response is searched for its answer, an extracted
one is scored as it is. Which of them a file holds is told by its form, or named:

====================  =============  ===================================================
format                holds          form
====================  =============  ===================================================
tatqa                 extracted      TAT-QA's `{uid: [answer, scale]}`, or rows of these
program-of-thoughts   extracted      rows with `pred_answer` and `pred_scale`
finqa                 extracted      FinQA's rows of `{id, predicted: [tokens]}`
tanq                  extracted      TANQ's rows with `init_qid` and a table in its form
predictions           extracted      id and answer, in JSON, JSONL or CSV, with a column
                                     `scale` or without
tatllm                raw responses  TAT-LLM's rows of `{id, prediction}`, whole replies;
                                     scored by TAT-LLM's own scorer, too
samples               raw responses  a sample log of lm-evaluation-harness
batch                 raw responses  results of OpenAI's or Anthropic's batch interface
responses             raw responses  id and text, in JSON, JSONL or CSV; or the messages,
                                     or what an interface returned
====================  =============  ===================================================

Where no format is named and a text stands by an id, it is a raw response, unless it
stands under TANQ's `init_qid` and any key but `response`, or a column of scales stands
beside its own. A file that mixes texts with other values says neither, and is refused.
Raw responses are replies of TAT-LLM if most of them begin with its table of steps, or,
under `prediction`, end in its answer line; a refusal among them changes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

from ..files.jsonfile import InputFileError, brief
from ..files.layout import BATCH, PROGRAM_OF_THOUGHTS, ROWS, SAMPLES, TATQA_PAIRS
from ..files.records import BENCHMARKS, FINQA, TANQ, TATDQA, TATQA
from ..files.response_rows import Responses
from ..files.values import ends_in_scale


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

    def check(self, place: str, value: Any, *, first: str, named: bool) -> None:
        """Check that a value is of the kind that such a file holds.

        Parameters
        ----------
        place
            Where the value stands.
        first
            Where the value stands that the format was told by.
        named
            Whether the format was named, and not found by looking.

        Raises
        ------
        InputFileError
            It is of another; the message says what, and where each of the two stands.
        """
        wanted = self._lacking(value, named)
        if wanted is not None:
            first_one = "" if named else f", which {first} holds"
            raise InputFileError(
                f"{place}: {brief(value)} is not {wanted}{first_one} (format "
                f"{self.name}); a file that holds both raw responses and extracted "
                "answers cannot be scored (--format predictions takes all of it as "
                "extracted)"
            )

    def _lacking(self, value: Any, named: bool) -> str | None:
        """Say what a value is not that it should be."""
        is_text = isinstance(value, str)
        if self.name == "finqa":
            wanted, right = "a list of tokens", isinstance(value, list)
        elif self.name == "tanq":
            wanted, right = "a table as text", is_text
        elif not self.extracted:
            wanted, right = "a text", is_text
        elif self.name != "predictions" or named:
            return None
        elif is_text:
            wanted, right = "an extracted value (a number, a list, an object)", False
        else:
            is_pair = ends_in_scale(value) and value[1]
            wanted, right = "an answer alone, without its scale", not is_pair
        return None if right else wanted


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

# A reply of TAT-LLM begins with its steps, or ends in its answer line; to FinQA it may be
# nothing but that line, which says yes and no in other words.
_STEPS: Final = re.compile(
    r"\|\s{0,9}step\s{0,9}\|\s{0,9}output\s{0,9}\|", re.IGNORECASE
)
_ANSWER_LINE: Final = "and its corresponding scale is:"
_LINE_OF_FINQA: Final = re.compile(
    r"\s{0,9}the answer is:(?P<answer>[^\n]{1,99})\s{0,9}", re.IGNORECASE
)
_LEAD: Final = "the answer is:"
_OTHER_TRUTHS: Final = ("yes", "no")


class Replies(NamedTuple):
    """How many texts there are, and how many have steps, or the line alone, of TAT-LLM.

    `others` are those that TAT-LLM does not write.
    """

    texts: int = 0
    steps: int = 0
    lines: int = 0
    others: int = 0

    def __add__(self, other: tuple[int, ...]) -> Replies:  # type: ignore[override]
        """Return the numbers of both."""
        return Replies(*map(int.__add__, self, other))


NO_REPLIES: Final = Replies()


def count_replies(benchmark: str, texts: Iterable[str]) -> Replies:
    """Count what is of the form of TAT-LLM's replies.

    Examples
    --------
    >>> line = "The answer is: 5 #### and its corresponding scale is: none"
    >>> count_replies("tatqa", [line, "I cannot say."])
    Replies(texts=2, steps=0, lines=1, others=0)
    >>> count_replies("finqa", ["The answer is: yes"])
    Replies(texts=1, steps=0, lines=0, others=1)
    """
    count = steps = lines = others = 0
    for text in texts:
        count += 1
        if _STEPS.search(text):
            steps += 1
        elif benchmark != FINQA:
            lines += _ANSWER_LINE in text.lower()
        elif line := _LINE_OF_FINQA.fullmatch(text):
            other = line["answer"].strip(" .").lower() in _OTHER_TRUTHS
            others += other
            lines += not other
    return Replies(count, steps, lines, others)


def is_whole_response(text: str) -> bool:
    """Whether a text that was taken for an extracted answer says that it is more.

    Examples
    --------
    >>> is_whole_response("So, the answer is: 5"), is_whole_response("the first answer")
    (True, False)
    """
    return _LEAD in text.lower() or _STEPS.search(text) is not None


@dataclass(frozen=True)
class Predictions:
    """A file of predictions, and what it holds.

    `named` says that its format was named, and not found by looking.
    """

    responses: Responses
    format: Format
    named: bool = False

    def of_tatllm(self, replies: Replies) -> bool:
        """Whether the responses are replies of TAT-LLM, given what all of them count."""
        if self.format.name != "responses" or self.named:
            return self.format.name == "tatllm"
        lines = (
            self.responses.layout.response_key == "prediction" and not replies.others
        )
        return 2 * (replies.steps + (replies.lines if lines else 0)) > replies.texts


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
        scales=name in (None, "predictions"),
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
    return Predictions(responses, found, named=name is not None)


def _look(responses: Responses) -> str:
    layout = responses.layout
    if layout.pairs:
        return "tatqa"
    if layout.form in (PROGRAM_OF_THOUGHTS, SAMPLES, BATCH):
        return layout.form
    values = (item.values[0] for _, item in responses if item.values is not None)
    first = next(values, None)
    if isinstance(first, list) and layout.response_key == "predicted":
        return "finqa"
    if not isinstance(first, str):
        return "predictions"
    if layout.id_key == "init_qid" and layout.response_key != "response":
        return "tanq"
    return "responses"  # of TAT-LLM perhaps, which all of them tell
