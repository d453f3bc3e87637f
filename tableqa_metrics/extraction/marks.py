"""Marks around an answer: Markdown, quotes, LaTeX."""

from __future__ import annotations

import re
from typing import Final

from ..written.plain_text import holds_any, unescape_latex


_LAYOUT: Final = (
    *(("**", "**"), ("__", "__"), ("`", "`"), ("*", "*"), ("_", "_")),
    *(("\\(", "\\)"), ("\\[", "\\]"), ("$$", "$$"), ("$", "$")),
)
_QUOTES: Final = (
    *(('"', '"'), ("'", "'"), ("“", "”"), ("‘", "’"), ("«", "»")),
    *(("[", "]"), ("<", ">"), ("\\{", "\\}")),
)
_PLACEHOLDERS: Final = (("[", "]"), ("<", ">"), ('"', '"'), ("“", "”"))
# What may have been opened before "Answer:", as in **Answer: 5**.
_DANGLING: Final = ("**", "__", "`", "\\)", "\\]")
# How a text may begin or end that has a mark, where no backslash is in it.
_OPENING: Final = frozenset(mark[0] for mark, _ in (*_LAYOUT, *_QUOTES, *_PLACEHOLDERS))
_CLOSING: Final = frozenset(mark[-1] for mark in _DANGLING)
_COMMAND = re.compile(
    r"\\(?:boxed|fbox|text|textbf|mathbf|mathrm|textrm|mbox)\s?(?=\{)"
)
_MOST_LAYERS: Final = 8
_LONGEST_SCALE: Final = 60
_BLANKS = re.compile(r"(?<=\S) {2,}")
# As in Pandoc: blanks inside, or a number behind, make it a currency sign.
_MATH = re.compile(
    r"(?<![\\$\w])\$(?![\s$])((?:\\\$|[^$\n]){1,200}?)(?<![\s\\{(])\$(?!\.?\d|[($])"
)
_MATH_END = re.compile(
    r"\$(?<![\s\\{(]\$)(?!\.?\d|[($])"
)  # else none but of currencies
_LATEX_BLANK = re.compile(r"(?<=[\d}])~(?=\\?[A-Za-z])|\\q?quad(?![A-Za-z])")
_TAG = re.compile(
    r"<(?P<close>/?)(?:(?P<bold>b|strong)|(?P<item>li)|(?P<line>br|p|div|ul|ol|h[1-6])"
    r"|i|em|u|span|code|sup|sub|mark|font)(?:\s[^<>\n]{0,200})?/?>",
    re.IGNORECASE,
)
_STRUCK = re.compile(r"~~(?=\S)[^~\n]{1,500}~~")
_BRACE = re.compile(r"\\.|[{}]", re.DOTALL)
_GAP = re.compile(r"(?<=[\d)])\s(?=(?:MM|[KMB])$)")
_SCALE_WORDS = (
    r"(?:(?:US|U\.S\.)?\s?[$€£¥]\s?|USD\s|RMB\s)?(?P<%s>thousand|million|billion|percent)s?"
    r"(?:\sof\s(?:(?:US|U\.S\.)\s)?[A-Za-z]{2,12})?"
)
_SCALE_STEMS: Final = ("illion", "thousand", "percent")
_LETTERS: Final = ("M", "K", "B")
_CLOSING_BRACKETS: Final = (")", "]")
_STATED = re.compile(
    rf"(?<=[\d)%])(?:,\s|\s?\|\s?|\s?)(?:\((?:in\s)?{_SCALE_WORDS % 'round'}\)"
    rf"|\[(?:in\s)?{_SCALE_WORDS % 'square'}\]|(?:in\s)?{_SCALE_WORDS % 'bare'})$",
    re.IGNORECASE,
)


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


def unwrap_html(text: str) -> str:
    """Write HTML's tags for type, lines and lists as Markdown does.

    Examples
    --------
    >>> unwrap_html("<p>Answer: <b>5</b></p>"), unwrap_html("5 <6> <answer>7</answer>")
    ('\\nAnswer: **5**\\n', '5 <6> <answer>7</answer>')
    """
    return _TAG.sub(_as_markdown, text) if "<" in text else text


def _as_markdown(tag: re.Match[str]) -> str:
    if tag["bold"]:
        return "**"
    if tag["item"]:
        return "" if tag["close"] else "\n- "
    return "\n" if tag["line"] else ""


def unwrap_math(text: str) -> str:
    r"""Take the signs of LaTeX's inline mathematics off; currency signs stay.

    What is struck out goes, as it was taken back.

    Examples
    --------
    >>> unwrap_math("The ratio is $24.41\\%$."), unwrap_math("$5 or $6")
    ('The ratio is 24.41\\%.', '$5 or $6')
    >>> unwrap_math("~~4~~ 5")
    ' 5'
    """
    if "~~" in text:
        text = _STRUCK.sub("", text)
    may_have = text.count("$") > 1 and _MATH_END.search(text)
    return _MATH.sub(_math, text) if may_have else text


def _math(match: re.Match[str]) -> str:
    content: str = match[1]
    is_whole = content.count("{") == content.count("}")
    return content if is_whole else match[0]


def strip_placeholder(text: str) -> str:
    """Take off bold, code, LaTeX, quotes, and the brackets of a template filled in."""
    return _strip(text, (*_LAYOUT, *_PLACEHOLDERS))


def _strip(text: str, wrappers: tuple[tuple[str, str], ...]) -> str:
    size = -1
    text = text.strip()
    first, last = text[:1], text[-1:]
    if first not in _OPENING and last not in _CLOSING and "\\" not in text:
        return text  # most texts have no mark
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
        text = _BLANKS.sub(" ", unescape_latex(_LATEX_BLANK.sub(" ", text)))
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


def close_gap(text: str) -> str:
    """Write the scale behind a number as `parse_number` reads it: "5MM", "5 million".

    In a table of quantities "5 M" may be a length, in an answer about money it is not.

    Examples
    --------
    >>> close_gap("5 MM"), close_gap("$5 (in $ millions)"), close_gap("5 [million]")
    ('5MM', '$5 million', '5 million')
    """
    last = text.rstrip("\n")[-1:]
    if not last.isalpha() and last not in _CLOSING_BRACKETS:
        return text
    tail = text[-_LONGEST_SCALE:]
    if holds_any(tail, _SCALE_STEMS) and (stated := _STATED.search(tail)):
        end = len(text) - len(stated[0])
        return f"{text[:end]} {stated[str(stated.lastgroup)].lower()}"
    return _GAP.sub("", text) if last in _LETTERS else text


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
