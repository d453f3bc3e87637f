"""What a reader is told that metrics and causes of lost points are called."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from .answers import EXTRA_PART, MISSING_PART
from .cells import (
    EXTRA_CELL,
    EXTRA_COLUMN,
    EXTRA_ROW,
    MISSING_CELL,
    MISSING_COLUMN,
    MISSING_ROW,
    OTHER_NAME,
    PARTIAL,
    WRONG_ROW,
    WRONG_SCALE,
    WRONG_SIGN,
    WRONG_VALUE,
)
from .explain import NO_ANSWER, OTHER_FORM


METRICS: Final[Mapping[str, str]] = {
    "exe_acc": "Execution accuracy, official",
    "prog_acc": "Program accuracy, official",
    "em": "Exact match, official",
    "f1": "F1, official",
    "em_gold_scale": "Exact match, scale granted",
    "f1_gold_scale": "F1, scale granted",
    "scale_acc": "Scale accuracy, official",
    "tatllm_em": "Exact match, TAT-LLM's scorer (reads the reference)",
    "tatllm_f1": "F1, TAT-LLM's scorer (reads the reference)",
    "rms_f1": "RMS F1, official",
    "rms_precision": "RMS precision, official",
    "rms_recall": "RMS recall, official",
    "rms_f1_simple": "RMS F1, simple questions",
    "rms_f1_intersection": "RMS F1, intersection questions",
    "rms_f1_composition": "RMS F1, composition questions",
    "value_em": "Exact match by value",
    "value_f1": "F1 by value",
    "recipe_em": "Exact match, recipe",
    "recipe_f1": "F1, recipe",
    "retrieval_recall": "Needed proofs in the prompt (retrieval recall)",
    "no_answer": "Without an answer",
    "no_table": "Without a table",
    "off_format": "Answer in another form than asked for",
}
TANQ_METRICS: Final[Mapping[str, str]] = {
    "f1": "Cell F1, recipe",
    "precision": "Cell precision, recipe",
    "recall": "Cell recall, recipe",
}

CAUSES: Final[Mapping[str, str]] = {
    NO_ANSWER: "No answer",
    WRONG_SCALE: "Wrong scale",
    WRONG_SIGN: "Wrong sign",
    WRONG_VALUE: "Wrong value",
    PARTIAL: "Value right in part",
    MISSING_PART: "Part of the answer missing",
    EXTRA_PART: "More than the answer",
    OTHER_FORM: "Right value, other form",
    WRONG_ROW: "Value of another row",
    OTHER_NAME: "Other row or column name",
    MISSING_ROW: "Missing row",
    EXTRA_ROW: "Extra row",
    MISSING_COLUMN: "Missing column",
    EXTRA_COLUMN: "Extra column",
    MISSING_CELL: "Missing cell",
    EXTRA_CELL: "Extra cell",
}
