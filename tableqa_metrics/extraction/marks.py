"""Marks around an answer: Markdown, quotes, LaTeX."""

from __future__ import annotations

import re
from typing import Final

from ..written.plain_text import unescape_latex


_LAYOUT: Final = (
    *(("**", "**"), ("__", "__"), ("`", "`"), ("*", "*"), ("_", "_")),
    *(("\\(", "\\)"), ("\\[", "\\]"), ("$$", "$$"), ("$", "$")),
)
_QUOTES: Final = (
    *(('"', '"'), ("'", "'"), ("“", "”"), ("‘", "’"), ("«", "»")),
    *(("[", "]"), ("<", ">"), ("\\{", "\\}")),
)
# What may have been opened before "Answer:", as in **Answer: 5**.
_DANGLING: Final = ("**", "__", "`", "\\)", "\\]")
_COMMAND = re.compile(
    r"\\(?:boxed|fbox|text|textbf|mathbf|mathrm|textrm|mbox)\s?(?=\{)"
)
_MOST_LAYERS: Final = 8
_BLANKS = re.compile(r"(?<=\S) {2,}")
# As in Pandoc: blanks inside, or a number behind, make it a currency sign.
_MATH = re.compile(
    r"(?<![\\$\w])\$(?![\s$])([^$\n]{1,200}?)(?<![\s\\{(])\$(?!\.?\d|[($])"
)
_BRACE = re.compile(r"\\.|[{}]", re.DOTALL)


def strip_layout(text: str) -> str:
    """Take off only what no answer of its own has: bold, code and LaTeX, as pairs."""
    return _strip(text, _LAYOUT)


def strip_marks(text: str) -> str:
    r"""Take off what marks a text as an answer: bold, code, quotes, LaTeX.

    A mark comes off only as a pair around the whole.

    Examples
    --------
    >>> strip_marks('**"Level 1"**')
    'Level 1'
    >>> strip_marks('"Level 1" and "Level 2"')
    '"Level 1" and "Level 2"'
    """
    return _strip(text, _LAYOUT + _QUOTES)


def unwrap_math(text: str) -> str:
    r"""Take the signs of LaTeX's inline mathematics off; currency signs stay.

    Examples
    --------
    >>> unwrap_math("The ratio is $24.41\\%$."), unwrap_math("$5 or $6")
    ('The ratio is 24.41\\%.', '$5 or $6')
    """
    return _MATH.sub(_math, text)


def _math(match: re.Match[str]) -> str:
    content: str = match[1]
    is_whole = content.count("{") == content.count("}")
    return content if is_whole else match[0]


def strip_placeholder(text: str) -> str:
    """Take off bold, code, LaTeX, and the brackets of a template that was filled in."""
    return _strip(text, (*_LAYOUT, ("[", "]"), ("<", ">")))


def _strip(text: str, wrappers: tuple[tuple[str, str], ...]) -> str:
    size = -1
    text = text.strip()
    for _ in range(_MOST_LAYERS):
        if len(text) == size:
            break
        size = len(text)
        for opening, closing in wrappers:
            if text.startswith(opening):
                text = _unwrap(text, opening, closing)
        if match := _COMMAND.match(text):
            text = _unwrap(text, match[0] + "{", "}")
    for opening, closing in wrappers:
        if text.endswith(closing) and _is_dangling(text, opening, closing):
            text = text.removesuffix(closing)
    if "\\" in text:
        text = _BLANKS.sub(" ", unescape_latex(text))
    return text.strip()


def _unwrap(text: str, opening: str, closing: str) -> str:
    body = text.rstrip(".")
    inner = body[len(opening) : -len(closing)]
    whole = body.endswith(closing) and len(body) > len(opening + closing)
    if closing == "}":
        whole = whole and closing_brace(body, len(opening) - 1) == len(body) - 1
    else:
        whole = whole and opening not in inner and closing not in inner
    return inner.strip() if whole else text


def _is_dangling(text: str, opening: str, closing: str) -> bool:
    if closing not in _DANGLING:
        return False
    if opening == closing:
        return text.count(closing) % 2 == 1
    return text.count(opening) < text.count(closing)


def closing_brace(text: str, start: int) -> int:
    r"""Return where the brace at `start` is closed, or -1; `\{` and `\}` do not count."""
    depth = 0
    for match in _BRACE.finditer(text, start):
        if match[0] == "{":
            depth += 1
        elif match[0] == "}":
            depth -= 1
            if depth <= 0:
                return match.start()
    return -1
