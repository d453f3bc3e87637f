r"""Forms that a model wrote down and did not fill in: "The answer is: X", `<answer>`.

They are no answers: a response that ends in one has as much of an answer as one that
ends in "The answer is:".
"""

from __future__ import annotations

import re
from typing import Final


_NAME = (
    r"(?i:(?:(?:your|the|an|insert|final|short|numeric(?:al)?)\s){0,3}answers?(?:\s?\d)?"
    r"(?:\s(?:here|text|value))?)"
)
# Words that are places only in brackets: <number>, [your value here].
_THING = (
    r"(?i:(?:(?:your|the|an?|insert|final|numeric(?:al)?)\s){0,3}(?:values?|numbers?|results?"
    r"|spans?|text|response|yes\sor\sno|yes/no|n)(?:\shere)?)"
)
_X = r"X(?:\d|\.X{1,3}|X\.X{1,3})?"
_PLACE = (
    rf"(?:\$?[<\[{{(]{{0,2}}\s?(?:{_X}(?:\s?\#{{1,4}}\s?[XYZ]\d?){{0,4}}|{_NAME})\s?[>\]}})]{{0,2}}"
    r"(?:\s?%|\s(?:thousand|million|billion|percent|Y\b))?"
    rf"|[<\[{{]{{1,2}}\s?{_THING}\s?[>\]}}]{{1,2}}|\.{{3,9}}|…|_{{2,60}})"
)
_MARKS_BEFORE = r"(?:\\\(|\\text\{|[ \t*_`\"'$]){0,4}"
_MARKS_BEHIND = r"(?:\\\)|[}.*_`\"'$)]){0,4}"
_PLACEHOLDER = re.compile(rf"{_MARKS_BEFORE}{_PLACE}{_MARKS_BEHIND}\s{{0,3}}")
_FORM = re.compile(
    r"(?P<marker>\b(?i:the\s{1,3}(?:final\s)?answer\s{1,3}is\s{0,3}[:：]?"
    rf"|(?:final\s)?answer[*_]{{0,3}}\s?[:：])[*_]{{0,3}}){_MARKS_BEFORE}{_PLACE}{_MARKS_BEHIND}"
    r"(?:[ \t]{0,3}#{2,9}[^\n]{0,120}|[ \t]{1,3}and\s[^\n]{0,60}\bscale\b[^\n]{0,20})?"
    # not a tag that is closed further down
    r"[ \t]{0,9}$(?!\n[^<\[]{0,500}[<\[]/)"
    rf"|\\boxed\s?\{{{_MARKS_BEFORE}{_PLACE}{_MARKS_BEHIND}\}}"
    rf"|<(?i:(?:final_)?answer)>\s{{0,9}}{_PLACE}?\s{{0,9}}</(?i:(?:final_)?answer)>"
    rf"|\b(?i:final_answer|finish|submit)\(['\"]{_PLACE}['\"]\)",
    re.MULTILINE,
)
_LONGEST: Final = 80


def is_placeholder(text: str) -> bool:
    """Whether a text is nothing but a place where an answer belongs.

    Examples
    --------
    >>> is_placeholder("X"), is_placeholder("<your answer>"), is_placeholder("Xerox")
    (True, True, False)
    """
    return len(text) <= _LONGEST and _PLACEHOLDER.fullmatch(text) is not None


def without_forms(text: str) -> str:
    """Take out the forms that were not filled in.

    Of one at the end, what leads to an answer stays.

    Examples
    --------
    >>> without_forms("So: The answer is: X #### and its corresponding scale is: Y")
    'So: The answer is:'
    >>> without_forms("<answer>...</answer> is the form. Answer: 5")
    ' is the form. Answer: 5'
    """
    if not _may_hold_a_form(text):
        return text
    size = len(text.rstrip(" \t\n*_`)"))

    def lead(form: re.Match[str]) -> str:
        return (form["marker"] or "Answer:") if form.end() >= size else ""

    return _FORM.sub(lead, text)


def _may_hold_a_form(text: str) -> bool:
    """Whether a text has what each form must contain: what leads to it, and a place."""
    names = text.count("nswer")
    boxed = text.count("boxed")
    if not (names or boxed or "NSWER" in text or "('" in text or '("' in text):
        return False
    if names > 1 or (boxed and names):  # "Answer: your answer"
        return True
    if "X" in text or "<" in text or "[" in text or "…" in text or "..." in text:
        return True
    if "NSWER" in text or ("_" in text and "__" in text):
        return True
    return text.count("{") > boxed  # not those of boxes
