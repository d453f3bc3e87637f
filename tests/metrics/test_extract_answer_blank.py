"""Answer lines that the model left blank or closed like the row of a table."""

import pytest

from tableqa_metrics import extract_answer
from tableqa_metrics.extraction.answers import find_answer


@pytest.mark.parametrize("value", ["", " ", "** **", "#"])
@pytest.mark.parametrize("scale", ["", "none", "million", "percent."])
def test_a_blank_answer_line_is_no_answer(value, scale):
    line = f"The answer is: {value} #### and its corresponding scale is: {scale}"
    for response in (line, f"100 + 25 = 125\n\n{line}"):
        found = find_answer(response)
        assert found.answer is None
        assert found.reason == "nothing_found"


@pytest.mark.parametrize(
    ("response", "values"),
    [
        ("The answer is: 12 |", ("12",)),
        ("The answer is: 5.7#0.9 |", ("5.7", "0.9")),
        ("Answer: Oslo |\n", ("Oslo",)),
    ],
)
def test_a_pipe_that_closes_the_line_is_no_part_of_the_answer(response, values):
    assert extract_answer(response).values == values
