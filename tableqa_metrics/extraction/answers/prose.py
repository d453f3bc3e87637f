"""Numbers in running text: where they stand, and which of them is the answer.

Used where the text of an answer is a sentence, and where nothing marks an answer. A number starts and ends
with a digit, a currency sign, a percent sign or a scale, and never inside a word, so
`48,` is 48 and neither `10-K` nor `FY2019` holds one. A bound or a range is taken
whole (`>= 37`, `5-10`), because its digits alone are not what was said.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from ...written.dates import parse_date
from ...written.money import CURRENCY_CODES, CURRENCY_SIGNS
from ...written.number_form import YEAR
from .changes import ABOUT, CHANGE, may_tell_change, with_sign


# Of a long text only the last numbers matter.
_MOST_TOKENS: Final = 64
_LONGEST_TAIL: Final = 20_000

_MONEY = rf"(?:[A-Z]{{0,3}}[{CURRENCY_SIGNS}]|{CURRENCY_CODES}|Rs\.?)"
# An arrow is no bound.
_BOUND = (
    r"(?:(?<![-=])[<>]=?|[≤≥]=?|(?i:(?:no )?(?:more|less|fewer|greater|higher|lower) than"
    r"|over|under|above|below|at least|at most|up to|nearly|almost))"
)
_BOUND_BEHIND = (
    r"(?:\+(?!\s?[\d(])|(?i:\s(?:or|and)\s(?:more|less|fewer|greater|higher|lower|above"
    r"|below|over|under))\b)"
)
_SIGN = r"(?:[-−–—]|(?i:negative\s|(?<![\d%)]\s)minus\s))"
_DIGITS = (
    r"(?:\d{1,3}\s\d{1,2}/\d{1,2}"
    r"|\d+(?:(?:\{,\}|[.,/:'’\xa0\u2009\u202f–—-])\d+)*(?:\s?[½⅓⅔¼¾])?|\.\d+|[½⅓⅔¼¾])"
    r"(?:[eE][+-]?\d{1,3}(?!\w))?"
)
_SCALE = (
    r"(?:\s?(?:\\?%|‰)|\s?-?(?i:hundred|thousand|million|billion|trillion|crore|lakh"
    r"|mn|mln|bn|tn|percent(?:age points?)?|per cent|pct|pp|bps|basis points?)s?(?!\w)"
    r"|(?:[kKbBT]|[mM]{1,2})(?!\w)"
    r"|\s(?:MM|[KMB])(?=\s?(?:[.,;:!?)*]|$))"
    r"|\s\((?:in\s)?(?:thousand|million|billion)s?(?:\sof\s[A-Za-z. ]{2,20})?\))"
)
_TOKEN = re.compile(
    # most words begin with a letter that no number, bound or sign begins with
    rf"(?<![\w.,\\])(?![cdeijkp-tv-z])(?:{_BOUND}\s?)?(?<![\w.,])"
    rf"(?:[-−]\s?(?=\\?[{CURRENCY_SIGNS}])|{_SIGN})?(?:\\?{_MONEY}\s?)?(?P<open>\()?"
    rf"{_SIGN}?(?:(?<=\()\\?{_MONEY}\s?)?{_DIGITS}{_SCALE}?(?(open)\s?\){_SCALE}?)"
    r"(?:\s(?:(?:US|U\.S\.)\s)?(?i:dollars|euros|USD|EUR|GBP)(?!\w))?"
    rf"{_BOUND_BEHIND}?(?!\w|-[A-Za-z])"
)
# Denials, and bounds of several words. What two years lie between is no range of values.
_BOUND_BEFORE = re.compile(
    r"(?<!\w)(?:(?:\w{2,6}n['’]t|not|never|cannot)"
    r"(?: (?:equal(?: to)?|reach(?:ed)?|be|exceed|(?:come|amount) to))?"
    r"|(?:exceed|surpass)(?:e?s|ed|ing)?|beyond|in excess of|upwards of|short of"
    r"|(?:larger|smaller|bigger) than"
    r"|(?:between|rang(?:es?|ed|ing) from) (?!(?:1[5-9]|20)\d\d\b)\S{1,20}"
    r"(?: (?:thousand|[mb]illion|percent))? (?:and|to))\s$",
    re.IGNORECASE,
)
_ENDS_OF_BOUNDS: Final = (
    *("n't ", "n’t ", "not ", "never ", "equal ", "to ", "reach ", "reached ", "be "),
    *(
        "exceed ",
        "eds ",
        "ses ",
        "ded ",
        "sed ",
        "ing ",
        "beyond ",
        "of ",
        "than ",
        "and ",
    ),
)
_LONGEST_BOUND: Final = 60
_AMOUNT = r"(?:loss|gain|total|average|profit|ratio|deficit|surplus|income|expense)"
_LINK = re.compile(
    r"(?:\b(?:is|was|are|were|be|(?:it|that)['’]s|equals?|equal to|(?:comes?|came|amounts?|amounted) to"
    r"|totals?|totall?ed|gets?|gives?|gave|yields?|yielded)\b|[-=]>|[=≈→⇒:：]|\\approx)"
    rf"\s{{0,3}}(?:an?\s(?:\w{{2,12}}\s){{0,2}}{_AMOUNT}\sof\s)?{ABOUT}(?:{CHANGE}\s(?:of|by)\s{ABOUT})?[\[*_`\"'“(\\]{{0,4}}$",
    re.IGNORECASE,
)
# Marks that close around a number, and a comma that no further number follows.
_CLOSING = r"(?:\\[)\]]|[\])*_`\"'”$]){0,4}\s{0,3}"
_COMMA = r",(?!\s{0,3}(?:and\s)?\\?[$€£]?\d)"
# "Sales fell by 5%" is an answer, "Sales fell by 5% due to …" an explanation.
_CHANGED = re.compile(
    rf"\b(?:{CHANGE}\sby|(?P<verb>increased|decreased|rose|fell|dropped|declined|grew))\s"
    rf"{ABOUT}[\[*_`\"'“(\\]{{0,4}}$",
    re.IGNORECASE,
)
_CHANGED_CLAUSE = re.compile(
    rf"{_CLOSING}(?:[.!]?$|,?\s?\b(?:from|to|year[- ]over[- ]year|compared|versus)\b|\()"
)
_LONGEST_CHANGE: Final = 200
# "5.2 in 2019, compared with 4.1 in 2018, an increase of 26.8%": the change is said of
# two numbers, not of one that is the answer.
_CHANGE_OF_TWO = re.compile(
    r"(?:[,;:(–—]|\b(?:and|or|is|was|represents|representing))\s?"
    rf"\ban?\s(?:\w{{2,14}}\s){{0,2}}{CHANGE}\sof\s{ABOUT}[\[*_`\"'“(\\]{{0,4}}$",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"[.!?]\s{1,3}(?=[A-Z])")
_END: Final = " \n.!*_)\"'`"
_PREDICATE = re.compile(
    r"[^.,;:!?\n]{0,100}?(?:\b(?:is|was|are|were|equals?)\b|=)\s{0,3}"
    rf"{ABOUT}(?=[\d(.]|\\?{_MONEY})",
    re.IGNORECASE,
)
_RELATIVE = re.compile(r"(?:\bwhich|\bthis|\bi\.e\.,?)\s$", re.IGNORECASE)
_CLAUSE = re.compile(
    rf"{_CLOSING}(?:$|[.;!?](?!\d)|{_COMMA}|\(|\b(?:in|for|as|at|during|per|which|because"
    r"|since|after|when|versus|compared|higher|lower|based|due|so)\b)"
)
_MARKS = re.compile(
    rf"(?P<change>(?:an?\s(?:\w{{2,12}}\s)?{CHANGE}\sof|{CHANGE}\s(?:\w{{2,12}}ly\s)?by"
    r"|(?:up|down)(?:\sby)?"
    rf"|(?:an?\s)?(?:(?:net|operating|gross|pre-?tax|comprehensive)\s){{0,2}}{_AMOUNT}\sof)\s"
    rf"|{CHANGE}\s(?:of\s)?(?=[^\s%]{{1,12}}\s?%))?{ABOUT}"
    r"(?P<marks>(?:\\\(|[$\[*_`\"'“]){0,4})",
    re.IGNORECASE,
)
# What may follow a percentage that is a change: "5% lower", "5% year over year".
_CHANGED_BY = (
    rf"(?i:{CHANGE}|lower|higher|change|yoy|y/y|qoq|year[- ](?:over|on)[- ]year"
    r"|(?:from|than|vs\.?|versus|compared\s(?:to|with))\s(?:the\s)?(?:prior|previous|last"
    r"|fiscal|FY|[12]\d{3}))\b"
)
_REMARK = re.compile(
    rf"{_CLOSING}(?:[.;!?](?!\d)|{_COMMA}|[(\[]|(?:[–—]\s?|--?\s)(?=[A-Za-z])|(?P<equation>=)|(?<=[%t]\s){_CHANGED_BY}"
    r"|(?:is|was)\s(?:the|our)\b|(?:and\s)?not\s|\b(?:rather\sthan|instead\sof)\b"
    r"|\b(?:(?P<when>in|during)|which|because|since|as)\b)",
)
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b"
)
_NO_VALUE_BEHIND = re.compile(
    rf"\s(?:{_MONTH}|decimals?\b|(?:decimal|significant)\s)", re.IGNORECASE
)
_LABEL = re.compile(
    rf"(?:\b{_MONTH}\.?\s|\b(?:step|notes?|item|level|table|row|column|figure|page"
    r"|section|part|option|question|example|form|rule|line|no\.)\s{0,2}|#\s?)$",
    re.IGNORECASE,
)
_YES_NO = re.compile(
    r"(?!no\.\s?\d)(?P<word>yes|no|true|false)(?=\s{0,3}[,.;:!(–—-]|\s{0,3}$)",
    re.IGNORECASE,
)
_COMPARED = re.compile(
    r"\b(?:compared\s(?:to|with)|versus|vs\.?|(?:up|down)\sfrom|than|instead\sof)\s{1,2}"
    r"[$€£(]{0,2}$",
    re.IGNORECASE,
)
_LAST_DATE = re.compile(
    r"\b(?:in|on|by|until|of|since|is|was|to)\s[*_`\"'“]{0,3}"
    rf"(?P<date>(?:{_MONTH}\.?\s(?:\d{{1,2}},?\s)?|\d{{1,2}}\s{_MONTH}\.?,?\s)?"
    rf"{YEAR.pattern})[\W_]{{0,8}}$",
    re.IGNORECASE,
)
_VERB = re.compile(
    r"\b(?:is|was|are|were|will|has|had|ends?|ended|expires?|expired|begins?|began|starts?"
    r"|started|occurred|happened|took|matures?|became)\b",
    re.IGNORECASE,
)
_LAST_YES_NO = re.compile(r"\b(?P<word>yes|no|true|false)[\W_]{0,8}$", re.IGNORECASE)


@dataclass(frozen=True)
class Token:
    """A number in running text, with its bound, and where it stands."""

    start: int
    end: int
    text: str


def tokens(text: str) -> Iterator[Token]:
    """Yield the last numbers of a text, the rightmost first."""
    start = max(0, len(text) - _LONGEST_TAIL)
    found = deque(_TOKEN.finditer(text, start), maxlen=_MOST_TOKENS)
    for match in reversed(found):
        begin, end = match.span()
        before = text[max(0, begin - 12) : begin].lower()
        if before.endswith(_ENDS_OF_BOUNDS):
            bound = _BOUND_BEFORE.search(text, max(0, begin - _LONGEST_BOUND), begin)
            begin = bound.start() if bound else begin
        yield Token(begin, end, text[begin:end])


def linked_number(text: str) -> str | None:
    """Return the last number that the text says something *is*.

    It follows a linking verb, `=` or `:`, or what grew or fell by it, and ends a
    sentence or a clause; one in a relative clause (", which is an increase of 5%")
    counts only where there is no other, unless the text ends in it and gives two numbers
    before it, whose change it is. (48) is a number in accounting brackets.

    Examples
    --------
    >>> linked_number("The total is 48, as the note shows.")
    '48'
    >>> linked_number("net = $90,000 - $43,500 = $46,500.")
    '$46,500'
    >>> linked_number("It was $5 in 2019 compared with $4 in 2018, an increase of 25%.")
    '25%'
    >>> linked_number("The amortization period is 13.0 years.") is None
    True
    """
    aside = None
    is_short = len(text) <= _LONGEST_CHANGE
    if is_short and " of " in text and (number := _change_of_two(text)):
        return number
    for token in tokens(text):
        before = text[max(0, token.start - 60) : token.start]
        if (
            is_short
            and may_tell_change(before)
            and _CHANGED_CLAUSE.match(text, token.end)
            and (change := _CHANGED.search(before))
            and not (change["verb"] and "%" not in token.text)
        ):
            return with_sign(token.text, text, token.start, token.end)
        if not _CLAUSE.match(text, token.end):
            continue
        link = _LINK.search(before)
        # a colon links a label to its value, not the words of an aside
        is_label = link and link[0].startswith(":") and "(" in before
        if link and not is_label:
            number = with_sign(token.text, text, token.start, token.end)
            if not _RELATIVE.search(before, 0, link.start()):
                return number
            aside = aside or number
    return aside


def _change_of_two(text: str) -> str | None:
    """Return the change that a sentence ends in, if it gives just two numbers before."""
    stops = deque(_SENTENCE_END.finditer(text.rstrip(_END)), maxlen=1)
    sentence = text[stops[0].end() :] if stops else text
    numbers = [token for token in tokens(sentence) if not YEAR.fullmatch(token.text)]
    if len(numbers) != 3:
        return None
    last = numbers[0]
    if sentence[last.end :].strip(_END):
        return None
    if not _CHANGE_OF_TWO.search(sentence[: last.start]):
        return None
    return with_sign(last.text, sentence, last.start, last.end)


def leading_number(text: str) -> str | None:
    """Return the number that a text begins with, if a sentence or clause ends there.

    Examples
    --------
    >>> leading_number("$46,500. This is the net amount.")
    '$46,500'
    >>> leading_number("2.5 years") is None
    True
    """
    marks = _MARKS.match(text)
    places = (0, marks.start("marks"), marks.end()) if marks else (0,)
    starts = dict.fromkeys(places)
    match = next(filter(None, (_TOKEN.match(text, start) for start in starts)), None)
    if match is None:
        return None
    number = with_sign(match[0], text, match.start(), match.end())
    remark = _REMARK.match(text, match.end())
    if remark is None:
        is_said = marks is not None and marks.start("marks") > 0
        is_whole = is_said and match.end() == len(text.rstrip(".!"))
        return number if is_whole else None
    if remark["when"] and last_number(text) != number:
        return None  # $5 in 2018 and $6 in 2019
    if remark["equation"] and YEAR.fullmatch(number):
        return None  # 2019 = 5
    return number


def last_number(text: str) -> str | None:
    """Return the last number of a text that is no label, no year and no day of a month.

    Here (48) is an aside, and a number in brackets, or what another is compared to, counts
    only where there is no other.

    Examples
    --------
    >>> last_number("The company sold 65 units by May 31, 2019, see note 7.")
    '65'
    >>> last_number("Founded in 1987.") is None
    True
    """
    aside = None
    for token in tokens(text):
        before = text[max(0, token.start - 12) : token.start]
        is_label = _LABEL.search(before) or _NO_VALUE_BEHIND.match(text, token.end)
        number = token.text
        if number.startswith("(") and number.endswith(")"):
            number = number[1:-1].strip()
        if is_label or YEAR.fullmatch(number):
            continue
        number = with_sign(number, text, token.start, token.end)
        near = max(0, token.start - 80)
        opened, closed = (text.rfind(c, near, token.start) for c in "()")
        if opened <= closed and not _COMPARED.search(text[near : token.start]):
            return number
        aside = aside or number
    return aside


def is_subject(text: str, end: int) -> bool:
    """Whether a text goes on, in the same clause, to say what number something is.

    Examples
    --------
    >>> is_subject("The average of 2018 and 2019 is $12.5 million.", 28)
    True
    """
    link = _PREDICATE.match(text, end)
    number = _TOKEN.match(text, link.end()) if link else None
    return number is not None and not YEAR.fullmatch(number[0])


def leading_yes_no(text: str) -> str | None:
    """Return "yes", "no", "true" or "false" where that is how the text begins.

    Examples
    --------
    >>> leading_yes_no("Yes, it rose.")
    'Yes'
    >>> leading_yes_no("No significant amounts were reclassified.") is None
    True
    """
    match = _YES_NO.match(text)
    return match["word"] if match else None


def closing_date(text: str) -> str | None:
    """Return the date that a sentence with a verb ends in.

    Examples
    --------
    >>> closing_date("The lease ends on December 31, 2019.")
    'December 31, 2019'
    """
    match = _LAST_DATE.search(text, max(0, len(text) - 40))
    if match is None or not parse_date(match["date"]):
        return None
    has_verb = _VERB.search(text, max(0, match.start() - 200), match.start() + 4)
    return match["date"] if has_verb else None


def closing_yes_no(text: str) -> str | None:
    """Return "yes", "no", "true" or "false" where that is the last word of a text."""
    match = _LAST_YES_NO.search(text, max(0, len(text) - 20))
    return match["word"] if match else None
