"""Items of the benchmarks that are known to be wrong, or that a released scorer fails.

The list is for showing scores with and without these items; nothing is repaired, and no
score here or elsewhere leaves an item out by itself. It is short, and no audit: an entry
is either a public report or can be seen in the released files themselves, and tests look
it up there. Entries of benchmarks that this package does not run are here because they
were reported as if they were of one that it does run (ConvFinQA's for FinQA's).

Kinds
    `wrong_reference`: the reference does not answer the question.
    `scale_twice`: the reference's text names a scale, and so does its scale field. The
    released scorer multiplies by both, but for `(66)%`, which is -66 to it; so a
    prediction that says the scale once is wrong (`value_match` multiplies once).
    `scale_on_year`: the answer is a year, and the scale field is not empty.
    `blank_value`: one of several values of the reference is blank.
    `stray_mark`: the reference's text has a mark that does not belong to it, and that the
    released scorer asks for.
    `zero_reference`: the reference is 0, which the released scorer never accepts from a
    prediction that is a number (`if not prediction` in `tatqa_metric.py`); as text it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

from .shown import shown


KINDS: Final = (
    "wrong_reference",
    "scale_twice",
    "scale_on_year",
    "blank_value",
    "stray_mark",
    "zero_reference",
)
BENCHMARKS: Final = ("tanq", "tatqa", "tatdqa", "finqa", "convfinqa", "tablebench")


@dataclass(frozen=True)
class Defect:
    """One item that is known to be wrong.

    Parameters
    ----------
    benchmark
        One of `BENCHMARKS`. TAT-LLM's editions have the ids of theirs.
    split
        `"train"`, `"dev"` or `"test"` (for TAT-QA the file `test_gold`); `""` unknown.
    id
        The item's `uid` or `id`; `""` where the report gives none.
    kind
        One of `KINDS`.
    link
        The public report, else the file in which it can be seen.
    what
        What is wrong.
    """

    benchmark: str
    split: str
    id: str
    kind: str
    link: str
    what: str


def known_defects(benchmark: str) -> tuple[Defect, ...]:
    """Return the known defects of a benchmark.

    Examples
    --------
    >>> [(d.id, d.kind) for d in known_defects("finqa")]
    [('ANSS/2008/page_89.pdf-1', 'wrong_reference'), ('VLO/2018/page_25.pdf-1', 'wrong_reference')]
    """
    _check(benchmark)
    return tuple(defect for defect in DEFECTS if defect.benchmark == benchmark)


def _check(benchmark: str) -> None:
    if benchmark not in BENCHMARKS:
        raise ValueError(f"unknown benchmark {shown(benchmark)}; one of {BENCHMARKS}")


def kinds_of(benchmark: str, name: str) -> tuple[str, ...]:
    """Return the kinds of defect that one item has, in the order of `KINDS`.

    Examples
    --------
    >>> kinds_of("finqa", "VLO/2018/page_25.pdf-1"), kinds_of("finqa", "another")
    (('wrong_reference',), ())
    """
    return _kinds(benchmark).get(name, ())


@cache
def _kinds(benchmark: str) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for defect in sorted(known_defects(benchmark), key=lambda d: KINDS.index(d.kind)):
        earlier = found.get(defect.id, ())
        if defect.kind not in earlier:
            found[defect.id] = (*earlier, defect.kind)
    return found


def affected(benchmark: str, ids: Iterable[str]) -> dict[str, int]:
    """Count by kind how many of some items have a known defect.

    Parameters
    ----------
    benchmark
        One of `BENCHMARKS`.
    ids
        The items of a run, each counted once.

    Returns
    -------
    dict
        Only kinds that occur, in the order of `KINDS`; empty where there is none.

    Raises
    ------
    ValueError
        If the benchmark is unknown.

    Examples
    --------
    >>> affected("finqa", ["VLO/2018/page_25.pdf-1", "ETR/2016/page_23.pdf-2"])
    {'wrong_reference': 1}
    """
    _check(benchmark)
    known = _kinds(benchmark)
    counts = Counter(kind for name in set(ids) for kind in known.get(name, ()))
    return {kind: counts[kind] for kind in KINDS if counts[kind]}


_TATQA: Final = "https://github.com/NExTplusplus/TAT-QA/"
_TATQA_RAW: Final = (
    f"{_TATQA}blob/870accc41953dcde885aabeb963d94aabdc0fbc3/dataset_raw/tatqa_dataset_"
)
_TATLLM_RAW: Final = (
    "https://github.com/fengbinzhu/TAT-LLM/blob/4d3fd213049ab87ecc6e725bc4a2cfd2421ba6fc/"
    "data/original/tatdqa/tatdqa_dataset_"
)
_FILES: Final[dict[tuple[str, str], str]] = {
    ("tatqa", "dev"): f"{_TATQA_RAW}dev.json",
    ("tatqa", "test"): f"{_TATQA_RAW}test_gold.json",
    ("tatdqa", "dev"): f"{_TATLLM_RAW}dev.json",
    ("tatdqa", "test"): f"{_TATLLM_RAW}test.json",
}
_CONVFINQA_REPORT: Final = "https://github.com/czyssrs/ConvFinQA/issues/5"
_ROFE: Final = (
    "F19 is 15.2 and F18 17.1: the difference is -1.9, not 1.9 (it was subtracted the "
    "wrong way round)"
)
_RATIO: Final = (
    "the scale is percent, but the answer is the ratio, which is not times 100"
)

_REPORTED: Final = (
    Defect(
        "tatqa",
        "dev",
        "c91ad938-6ad1-4481-8f6b-43ccd2f69926",
        "wrong_reference",
        f"{_TATQA}issues/12",
        _ROFE,
    ),
    Defect(
        "tatdqa",
        "dev",
        "3786f59837dfc10694866c5ac045b04c",
        "wrong_reference",
        f"{_TATQA}issues/12",
        _ROFE,
    ),
    Defect(
        "finqa",
        "train",
        "ANSS/2008/page_89.pdf-1",
        "wrong_reference",
        "https://github.com/czyssrs/FinQA/issues/15",
        "an average over the five years 2009 to 2013 is the total divided by four",
    ),
    Defect(
        "finqa",
        "dev",
        "VLO/2018/page_25.pdf-1",
        "wrong_reference",
        _CONVFINQA_REPORT,
        "the question asks for the shares purchased in November (3655945); the program "
        "divides them by those of the quarter",
    ),
    Defect(
        "convfinqa",
        "dev",
        "Double_AOS/2004/page_11.pdf",
        "wrong_reference",
        _CONVFINQA_REPORT,
        "turn 0 asks for a percentage, and its answer is the numerator 275.1 alone; "
        "FinQA's own AOS/2004/page_11.pdf-1 has the division",
    ),
    Defect(
        "tablebench",
        "",
        "",
        "wrong_reference",
        "https://github.com/TableBench/TableBench/issues/10",
        "an average over a column that holds averages already is divided once more",
    ),
)

# What the released files show by themselves: benchmark, split, kind, what, ids.
_SEEN: Final[tuple[tuple[str, str, str, str, tuple[str, ...]], ...]] = (
    (
        "tatqa",
        "dev",
        "wrong_reference",
        _RATIO,
        (
            "a1fb1d57-243c-49e0-84ee-43d969cd41b0",
            "ed47e72c-c67c-4c61-abfa-9aefcf4caa89",
        ),
    ),
    (
        "*",
        "test",
        "wrong_reference",
        _RATIO,
        ("468395ce97b1d47b3f3c4822764ab35c", "766c916963b3345a8d45410020365935"),
    ),
    (
        "tatqa",
        "dev",
        "scale_twice",
        "the text and the scale field both say million",
        ("2f7a4413-9ca2-49a3-b6fb-dd74a7ea9152",),
    ),
    (
        "tatdqa",
        "dev",
        "scale_twice",
        "the text and the scale field both say million",
        ("35d10d38f2a965ab1fd3cc61edff79b6",),
    ),
    (
        "*",
        "test",
        "scale_twice",
        "the text and the scale field both say percent",
        ("fa85171aa5472ad30e2ed829262fd75a",),
    ),
    (
        "*",
        "test",
        "scale_twice",
        "the text and the scale field both say million",
        ("6dd8087f3eb7334e78512f7812d6b219", "e97d78d8942ccdd9324f780020f315e7"),
    ),
    (
        "*",
        "test",
        "scale_twice",
        "the text says million, the scale field thousand",
        ("f005fbea468ed191b98d44c447b868ba",),
    ),
    (
        "tatqa",
        "dev",
        "scale_on_year",
        "the answer is a year with a scale",
        (
            "8a0cd33c-2d0b-4f6e-8a6a-7ff9b6b61cdd",
            "97935e9b-9af4-4818-af31-57c77c63a6ed",
        ),
    ),
    (
        "tatdqa",
        "dev",
        "scale_on_year",
        "the answer is a year with a scale",
        ("3e97345e4d2417522411a32e4cc7acfe", "93d78d23bcdcb69869430ab469bdce6d"),
    ),
    (
        "tatqa",
        "dev",
        "blank_value",
        "the last of three spans is blank",
        ("d47306cf-e276-4836-a827-ebebdc47e078",),
    ),
    (
        "tatdqa",
        "dev",
        "blank_value",
        "the last of three spans is blank",
        ("078e5ef93db4ac5d8105e872d1766197",),
    ),
    (
        "tatqa",
        "dev",
        "stray_mark",
        "a backtick stands before the number",
        ("428f0639-82af-4a18-a169-b531c63f8fce",),
    ),
    (
        "tatdqa",
        "dev",
        "stray_mark",
        "a backtick stands before the number",
        ("f02b246e9c5379bdc073209444a79b1a",),
    ),
    (
        "tatqa",
        "dev",
        "zero_reference",
        "the answer is the number 0",
        (
            "79f06004-f4fc-4e82-a9fe-3c389a2f81b6",
            "ab7c4466-0cd7-4f3b-8d2a-73bb9abf0053",
            "8c6bc2ca-b758-49f8-82e3-c1ede110102b",
            "066fbf2d-e3e7-4f55-bbe0-a71ddeaa2685",
            "5fa12af1-123b-4683-b2ed-5a2b439c50f4",
        ),
    ),
    (
        "tatdqa",
        "dev",
        "zero_reference",
        "the answer is the number 0",
        (
            "e2b09c8d73e341dd1881cedeb5930f1c",
            "0f883bd4b1c448f448f52d4caca123cc",
            "4b5c30d6e5eac33b9f93dae78d720a8a",
            "ab874734b8e0f7bad333919de622d376",
            "91c9bc066bcc324bbaf20d1316f9e928",
        ),
    ),
    (
        "*",
        "test",
        "zero_reference",
        "the answer is the number 0",
        (
            "040780038bc919431b003eb107daf8f8",
            "28cfe0e549e18323cd9f1b0f1f49d85f",
            "cdc90a7d753adafe55336e437d965d01",
            "48f4cafcd78061339d631d6490c055e0",
            "5bbcaeb1ebcedc949361aba4d6559771",
            "d5da7f65e183feb832165f2d3215e6d4",
            "164cd3004b3e0d5fce4c32cc1914c7aa",
            "4ee51ad50716c139cce384e37747d190",
            "8f9d48bbbe6dcd36ee8023c9173097f3",
            "f585885778f95bf1dbb2a00151125624",
            "acf5fdb8be289c36f97930c4fcf72942",
            "a8d9b5d26bc2263938ab132a84a2c671",
        ),
    ),
)


def _seen() -> Iterator[Defect]:
    for listed, split, kind, what, ids in _SEEN:
        # The test questions of TAT-QA and TAT-DQA are the same, ids included.
        for benchmark in ("tatqa", "tatdqa") if listed == "*" else (listed,):
            link = _FILES[benchmark, split]
            for identity in ids:
                yield Defect(benchmark, split, identity, kind, link, what)


DEFECTS: Final = (*_REPORTED, *_seen())
