"""Questions, their scores and the figures of these, kept on disk: as if held in lists."""

import math
from array import array
from collections import Counter

import pytest
from hypothesis import given, strategies as st

from tableqa_metrics.aggregate import estimate
from tableqa_metrics.files.jsonfile import InputFileError
from tableqa_metrics.scoring import (
    references as references_module,
    sheet as sheet_module,
)
from tableqa_metrics.scoring.breakdowns import BREAKDOWNS
from tableqa_metrics.scoring.figures import figures
from tableqa_metrics.scoring.glance import stored_name
from tableqa_metrics.scoring.questions import Found
from tableqa_metrics.scoring.references import References
from tableqa_metrics.scoring.scorer import BatchScores
from tableqa_metrics.scoring.sheet import Sheet


LABELS = ("arithmetic", "span", "odd")
NONE = math.nan


@pytest.fixture(autouse=True, scope="module")
def few_at_a_time():
    """So that the small cases here are many to them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sheet_module, "_ROWS", 3)
        patch.setattr(references_module, "_AT_ONCE", 2)
        yield


def read(*parts):
    """References of TAT-DQA that hold these questions, each (id, text, type)."""
    references = References("tatdqa")
    for part in parts:
        groups = [(((kind,),), (("none",),), (("none",),)) for _, _, kind in part]
        kinds = list(dict.fromkeys(groups))
        references.add(
            Found(
                [name.encode() for name, _, _ in part],
                [b'["%s", "FILE", {}]' % text.encode() for _, text, _ in part],
                kinds,
                [kinds.index(each) for each in groups],
                {},
                None,
            )
        )
    references.index()
    return references


# --- Questions that share an id ----------------------------------------------------------


def told_apart(questions):
    """One after another, with everything in memory: the ids, and where each id leads."""
    index, texts, names = {}, {}, []
    for place, (name, text) in enumerate(questions):
        if name in index:
            known = texts.setdefault(name, [questions[index[name]][1]])
            if text in known:
                raise InputFileError(name)
            known.append(text)
            name = f"{name}#{len(known)}"
        index[name] = place
        names.append(name)
    return names, index, texts


shared = st.lists(
    st.tuples(
        st.sampled_from(["a", "a#2", "a#2#2", "a#3", "b"]), st.text("xyz", max_size=1)
    ),
    max_size=12,
)


@given(questions=shared, cut=st.integers(0, 12))
def test_questions_that_share_an_id(questions, cut):
    """A twin's id may be that of another question, too."""
    typed = [(name, text, "span") for name, text in questions]
    try:
        names, index, texts = told_apart(questions)
    except InputFileError:
        with pytest.raises(InputFileError, match="is there twice"):
            read(typed[:cut], typed[cut:])
        return
    references = read(typed[:cut], typed[cut:])
    assert list(references.names()) == names
    asked = [*index, "none", "\ud800"]
    assert references.find([stored_name(name) for name in asked], {}) == [
        index.get(name) for name in asked
    ]
    for name, known in texts.items():
        for number, text in enumerate(known, 1):
            twin = f"{name}#{number}" if number > 1 else name
            assert references.find([name.encode()], {0: text}) == [index[twin]]


# --- Scores ------------------------------------------------------------------------------

values = st.sampled_from([0.0, 1.0, 0.5, 0.1, 1 / 3, NONE])
scored = st.tuples(st.sampled_from(LABELS), values, values | st.just(1.0))


@given(
    questions=st.lists(scored, max_size=25),
    order=st.randoms(use_true_random=False),
    size=st.integers(1, 7),
)
def test_figures_are_those_of_lists(questions, order, size):
    """In the order of the questions, whatever that of the predictions is."""
    references = read([(f"q{n}", "", kind) for n, (kind, _, _) in enumerate(questions)])
    places = list(range(len(questions)))
    order.shuffle(places)
    places = places[: len(places) * 3 // 4 + 1]
    sheet = Sheet(references)
    for start in range(0, len(places), size):
        some = places[start : start + size]
        records = [array("d", [*questions[p][1:], p % 2]).tobytes() for p in some]
        words = {"no_answer": Counter(["empty"] * sum(p % 2 for p in some))}
        sheet.add(
            BatchScores(some, ("em", "f1", "no_answer"), records, words, "", Counter())
        )
    found = figures(sheet)

    def expected(members):
        if not places:
            return {}
        columns = {
            "em": [questions[p][1] for p in members],
            "f1": [questions[p][2] for p in members],
            "no_answer": [float(p % 2) for p in members],
        }
        return {
            name: estimate([value for value in column if not math.isnan(value)])
            for name, column in columns.items()
        }

    assert found.estimates == expected(sorted(places))
    assert sheet.words.get("no_answer", Counter()) == Counter(
        empty=sum(p % 2 for p in places)
    )
    by_type = {group.labels: group for group in found.groups[0][1]}
    for kind in LABELS:
        members = sorted(p for p in places if questions[p][0] == kind)
        if members:
            assert by_type[kind,].n == len(members)
            assert by_type[kind,].estimates == expected(members)
        else:
            assert (kind,) not in by_type
    assert [each for each, _ in found.groups] == list(BREAKDOWNS["tatdqa"])


def test_a_metric_that_only_some_questions_have():
    """As those without a prediction, where they are scored as responses."""
    references = read([(f"q{n}", "", "span") for n in range(4)])
    sheet = Sheet(references)
    for places, names, row in (
        ([1, 2], ("em", "no_answer"), [1.0, 0.0]),
        ([0], ("f1", "no_answer"), [0.5, 1.0]),
    ):
        records = [array("d", row).tobytes()] * len(places)
        words = {"no_answer": Counter()}
        sheet.add(BatchScores(places, names, records, words, "", Counter()))
    assert sheet.names == ("em", "no_answer", "f1")
    assert list(map(str, sheet.values("em"))) == ["nan", "1.0", "1.0", "nan"]
    assert list(map(str, sheet.values("f1"))) == ["0.5", "nan", "nan", "nan"]
    found = figures(sheet).estimates
    assert (found["em"].n, found["f1"].n, found["no_answer"].n) == (2, 1, 3)
