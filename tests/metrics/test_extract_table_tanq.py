"""TANQ's own form is passed on verbatim, so that its official score is kept."""

import json
from pathlib import Path
from typing import Any

import pytest

from tableqa_metrics import PRF, Table, find_table
from tableqa_metrics.rms import rms_score


# Predictions of `tanq_pairs.jsonl` whose score changes, because they are of another form
# or were mutated until nothing tells them apart from text.
OTHER_FORM = {
    6: "a GitHub table, which the released scorer cannot read",
    7: "divided by tabs",
    293: "one line with a pipe below the header, among lines without",
    384: "every line begins with a pipe",
    420: "a lone `entity`, then a table of another width",
    637: "no pipe in the header, and one line with a pipe",
    797: "a title, a blank line and a table",
    844: "no pipe in the header, and few lines with one",
    891: "a header with pipes above lines without",
    957: "a blank first line",
    1215: "no pipe in the first four lines",
}


def _differs(score: PRF, official: dict[str, float], scale: float = 1.0) -> bool:
    return any(
        abs(getattr(score, name) - value / scale) > 1e-12
        for name, value in official.items()
    )


def test_released_predictions(shared: Path, reference: Any) -> None:
    official = reference("tanq_official_samples.json")["per_example"]
    lines = (shared / "data/tanq/test_input.jsonl").read_text("utf-8").splitlines()
    assert len(lines) == len(official) == 10
    for record in map(json.loads, lines):
        found = find_table(record["prediction_table"])
        assert found.text == record["prediction_table"]
        assert found.rule == "tanq_lines"
        score = rms_score(record["answer_table"], found.text)
        assert not _differs(score, official[record["init_qid"]])


@pytest.mark.parametrize(
    "variation",
    [
        "identical",
        "no_trailing_newline",
        "columns_shuffled_first_moved",
        "transposed",
        "title_line",
        "snake_case_headers",
        "empty",
    ],
)
def test_variations(reference: Any, variation: str) -> None:
    examples = reference("tanq_variations.json")[variation]["per_example"]
    assert len(examples) == 10
    for example in examples:
        found = find_table(example["prediction"])
        assert found.text == example["prediction"]
        official = {name: example[name] for name in ("precision", "recall", "f1")}
        assert not _differs(rms_score(example["target"], found.text), official)


def test_markdown_variation_scores_full(reference: Any) -> None:
    """The released scorer gives these 6.97; what they say is right."""
    for example in reference("tanq_variations.json")["markdown"]["per_example"]:
        found = find_table(example["prediction"])
        assert found.rule == "github"
        assert rms_score(example["target"], found.text) == PRF(1.0, 1.0, 1.0)


def test_random_pairs(reference: Any) -> None:
    changed = {
        pair["id"]
        for pair in reference("tanq_pairs.jsonl")
        if _differs(
            rms_score(pair["target"], find_table(pair["prediction"]).text),
            pair["official"],
        )
    }
    assert changed == set(OTHER_FORM)


def test_quirks(reference: Any) -> None:
    changed = set()
    for case in reference("quirks_tanq.json"):
        inputs = case["inputs"]
        if isinstance(inputs.get("prediction"), str) and "target" in inputs:
            text = find_table(inputs["prediction"]).text
            score = rms_score(inputs["target"], text)
            if _differs(score, case["official"]):
                changed.add(case["name"])
    assert changed == {"blank_first_line", "code_fence", "markdown_separator_row"}


VERBATIM = [
    "entity|a|b\nR|1|2\nS|1\nT|1|2|3\n",
    "entity|a|b\nR||2\n|1|\n",
    "ENTITY|A \n  r r |X  \n",
    "title|films\nentity|a|b\nR|1|2",
    "entity|a\nR|**x** &amp; `y`\n",
    "entity|a\r\nR|x\r\n",
    "entity|a|b\nR|x\x0b|y",
    "entity|a\nA\nB|2\n",
    "entity | a\n\nA | 1\n\nB | 2",
]


@pytest.mark.parametrize("text", VERBATIM)
def test_text_is_verbatim(text: str) -> None:
    found = find_table(text)
    assert found.text == text
    assert found.rule == "tanq_lines"


@pytest.mark.parametrize("text", VERBATIM)
def test_text_among_prose_is_verbatim(text: str) -> None:
    if "\n\n" in text:
        text = text.replace("\n\n", "\n")
    body = text if text.endswith("\n") else text + "\n"
    for before in ("", "The table:\n", "<think>\nx|y\n1|2\n</think>\n", "\n\n\n"):
        found = find_table(f"{before}{body}\nThis is all that I could find.\n")
        assert found.text == body


def test_title_line_is_the_title_where_the_header_is_wider() -> None:
    found = find_table("title|films\nentity|a|b\nR|1|2\n")
    assert found.table == Table(("entity", "a", "b"), (("R", "1", "2"),), "films")
    found = find_table("title|director\nRent|Chris Columbus\n")
    assert found.table == Table(("title", "director"), (("Rent", "Chris Columbus"),))


def test_header_named_title_in_another_form_is_no_title_for_the_scorer() -> None:
    found = find_table("| title | year |\n|---|---|\n| Rent | 2005 |\n")
    assert found.table == Table(("title", "year"), (("Rent", "2005"),))
    assert rms_score("x|year\nRent|2005", found.text).f1 > 0.99
    assert rms_score("x|year\nRent|2005", "title|year\nRent|2005").f1 < 0.5


def test_captions_do_not_reach_the_scorer() -> None:
    rows = "<tr><th>entity<th>a<tr><td>R<td>1"
    found = find_table(f"<table><caption>Films</caption>{rows}</table>")
    assert found.text == "entity|a\nR|1\n"
    assert found.table is not None
    assert found.table.title is None
    found = find_table("## Films\n\n**Table 1: films**\n\n|entity|a|\n|-|-|\n|R|1|\n")
    assert found.text == "entity|a\nR|1\n"


@pytest.mark.parametrize(
    ("response", "header"),
    [("entity|a|b", ("entity", "a", "b")), ("a|b", None), ("entity", None)],
)
def test_lone_header(response: str, header: tuple[str, ...] | None) -> None:
    """Only `entity` shows that a lone line with pipes is a table, without rows."""
    table = find_table(response).table
    assert table == (None if header is None else Table(header, ()))


def test_one_column() -> None:
    found = find_table("entity\nRent\nHigh Anxiety\n")
    assert found.table == Table(("entity",), (("Rent",), ("High Anxiety",)))
    assert found.text == "entity\nRent\nHigh Anxiety\n"
