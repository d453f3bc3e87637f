"""What stands beside an id, when it is no text: an answer with its scale, or lists."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final


_SCALES: Final = frozenset(("", "thousand", "million", "billion", "percent"))
_NO_SCALE: Final = frozenset(("none", "null", "n/a", "nan", "no scale"))
_PREDICTED: Final = ("pred_scale", "predicted_scale")
# Fields of a question's own record: the scale beside them is the reference's.
_OF_REFERENCES: Final = (
    *("answer", "answer_type", "answer_from", "derivation", "rel_paragraphs"),
    *("req_comparison", "gold", "target"),
)


def is_pair(value: object) -> bool:
    """Whether a value may be TAT-QA's `[answer, scale]`, the scale a word or null."""
    return (
        isinstance(value, list)
        and len(value) == 2
        and (value[1] is None or isinstance(value[1], str))
    )


def ends_in_scale(value: object) -> bool:
    """Whether a value is such a pair, and no list of two answers.

    Examples
    --------
    >>> ends_in_scale([12.5, "million"]), ends_in_scale([["a"], None])
    (True, True)
    >>> ends_in_scale(["Dutch", "Frisian"])
    False
    """
    if not (isinstance(value, list) and is_pair(value)):
        return False
    scale = value[1]
    return scale is None or scale in _SCALES or scale.strip().lower() in _NO_SCALE


def with_scale(answer: Any, scale: Any) -> dict[str, Any]:
    """Put an answer and its scale together; null and "none" are no scale.

    Examples
    --------
    >>> with_scale(12.5, "million"), with_scale(["a"], "None")
    ({'answer': 12.5, 'scale': 'million'}, {'answer': ['a'], 'scale': ''})
    """
    if scale is None or (isinstance(scale, str) and scale.strip().lower() in _NO_SCALE):
        scale = ""
    return {"answer": answer, "scale": scale}


def as_answer(value: Any) -> Any:
    """Return a value as it is scored: of an object with an answer, that and its scale.

    Examples
    --------
    >>> as_answer({"answer": 5, "scale": "none", "reasoning": "2 + 3"}), as_answer([5])
    ({'answer': 5, 'scale': ''}, [5])
    """
    if isinstance(value, dict) and "answer" in value:
        return with_scale(value["answer"], value.get("scale"))
    return value


def from_column(text: str) -> Any:
    """Read an answer that was written into a column of texts, a list as JSON.

    Raises
    ------
    ValueError
        It is a list of texts that is written otherwise, as Python does.

    Examples
    --------
    >>> from_column("12.5"), from_column('["a", "b"]')
    ('12.5', ['a', 'b'])
    """
    if text.startswith("["):
        try:
            value = json.loads(text)
        except (ValueError, RecursionError) as error:
            if text.startswith("['"):
                raise ValueError("is a list that is not written in JSON") from error
            return text
        if isinstance(value, list):
            return value
    return text


def scale_column(row: Mapping[str, Any], response_key: str | None) -> str | None:
    """Return the column that has the scale of the answer in another one.

    There is none where the row holds the question's own record, whose scale it is, nor
    beside a `response`: that is a model's whole text, and says its scale itself.

    Examples
    --------
    >>> scale_column({"id": 1, "prediction": "12.5", "scale": "million"}, "prediction")
    'scale'
    >>> row = {"id": 1, "answer": 12, "scale": "million", "prediction": "12.5"}
    >>> scale_column(row, "prediction") is None
    True
    """
    if response_key in (None, "response"):
        return None
    found = next((key for key in _PREDICTED if key in row), None)
    if found is None and "scale" in row and not is_references(row, response_key):
        return "scale"
    return found


def is_references(row: Mapping[str, Any], response_key: str | None) -> bool:
    """Whether a row holds the question's own record beside the response."""
    return any(key in row for key in _OF_REFERENCES if key != response_key)


def is_understood(value: Any) -> bool:
    """Whether an extracted value can be an answer: a text or number, or a list of these.

    Examples
    --------
    >>> is_understood([1, "b"]), is_understood({"answer": "a", "scale": ""})
    (True, True)
    >>> is_understood({"value": 5}), is_understood([["a"], 5])
    (False, False)
    """
    if isinstance(value, dict):
        return "answer" in value and not isinstance(value["answer"], dict)
    if isinstance(value, list):
        if len(value) == 1 and isinstance(value[0], list):
            (value,) = value
        return not any(isinstance(item, (list, dict)) for item in value)
    return True
