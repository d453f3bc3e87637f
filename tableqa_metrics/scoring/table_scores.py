"""Every score of one table, as the tasks and `tableqa score` report them.

The metrics are in their own modules; what is decided here is what each of them is given.
The official metric reads the table in TANQ's form, `FoundTable.text`; the recipe and the
value metric read its cells. Where no table was found, the official metric gets an empty
text, which has precision 100; the others score 0.
"""

from __future__ import annotations

from typing import Final

from ..cell_f1 import cell_score
from ..extraction.tables import FoundTable
from ..files.records import QUESTION_TYPES
from ..response import EMPTY, NOTHING_FOUND, REFUSAL, TRUNCATED_PROMPT
from ..rms import rms_score
from ..table import parse_serialized
from ..value.table import value_table_score


PROMPTED: Final = "github"  # finds a table in the form that the prompts ask for


def tanq_scores(
    reference: str,
    found: FoundTable,
    *,
    question_type: str,
    truncated: bool = False,
    prompted: str = PROMPTED,
) -> dict[str, float | str | None]:
    r"""Score the table of a response to a question of TANQ in every metric.

    Parameters
    ----------
    reference
        The gold table in TANQ's form, as stored in `answer_table`.
    found
        What `find_table` made of the response.
    question_type
        One of `QUESTION_TYPES`.
    truncated
        Whether the prompt had lost a part of its context: a response without a table is
        then put down to that.
    prompted
        The rule that finds a table in the form that the prompt asks for.

    Returns
    -------
    dict
        `f1`, `precision`, `recall`, `rms_f1`, `rms_precision`, `rms_recall` and
        `value_f1`, each a float in [0, 100]; `rms_f1_<question type>`, `None` for the
        types that this question is not of; `no_table`, the reason why there is no
        table, else `None`; `off_format`, the rule that found the table if it is not the
        prompted one, else `None`.

    Examples
    --------
    >>> from tableqa_metrics import find_table
    >>> found = find_table("|entity|year|\n|---|---|\n|High Anxiety|1977|")
    >>> gold = "entity|year\nHigh Anxiety|1977\n"
    >>> scores = tanq_scores(gold, found, question_type="simple")
    >>> scores["rms_f1"], scores["rms_f1_composition"], scores["no_table"]
    (100.0, None, None)
    """
    gold = parse_serialized(reference)
    recipe = cell_score(gold, found.table)
    official = rms_score(reference, found.text)
    value = value_table_score(gold, found.table)
    cut_off = truncated and found.reason in (EMPTY, REFUSAL, NOTHING_FOUND)
    return {
        "f1": 100 * recipe.f1,
        "precision": 100 * recipe.precision,
        "recall": 100 * recipe.recall,
        "rms_f1": 100 * official.f1,
        "rms_precision": 100 * official.precision,
        "rms_recall": 100 * official.recall,
        "value_f1": 100 * value.f1,
        **{
            f"rms_f1_{kind}": 100 * official.f1 if kind == question_type else None
            for kind in QUESTION_TYPES
        },
        "no_table": TRUNCATED_PROMPT if cut_off else found.reason,
        "off_format": None if found.rule == prompted else found.rule,
    }
