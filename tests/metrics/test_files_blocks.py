"""Blocks of rows: the rows of a file, all those before the place where it is damaged."""

import gzip
import random

import pytest

from tableqa_metrics.files.jsonfile import InputFileError
from tableqa_metrics.files.response_rows import Responses
from tableqa_metrics.files.rowfile import RowFile


def all_rows(rows):
    """Rows as far as they can be read, and what is wrong then."""
    found = []
    try:
        found.extend(rows)
    except InputFileError as error:
        return found, str(error)
    return found, None


def lines_of(count):
    lines = [
        f'{{"id": "q{n}", "response": "{"x" * (n * 7 % 40)}"}}' for n in range(count)
    ]
    return "\n".join(line + "\n" * (n % 5 == 0) for n, line in enumerate(lines)) + "\n"


BLOCK_FILES = {
    "rows.jsonl": lines_of(40).encode(),
    "bom.jsonl": b"\xef\xbb\xbf" + lines_of(3).encode(),
    "rows.jsonl.gz": gzip.compress(lines_of(40).encode()),
    "cut.jsonl.gz": gzip.compress(
        "".join(
            f'{{"id": "{random.Random(n).randbytes(99).hex()}"}}\n' for n in range(99)
        ).encode()
    )[:-4000],
    "list.json": b'[{"id": 1, "response": "a"}, {"id": 2, "response": "b"}, 3]',
    "table.csv": b'id,response\nq1,"a\nb"\n\nq2,c\nq3\n',
    "pairs.json": b'{"q1": [["a"], ""], "q2": [["b"], "million"], "q3": ["c", "d", 1]}',
    "object.json": b'{"q1": "a", "q2": "b", "q1": "c"}',
    "alone.json": b'{"id": "q1", "response": "a"}',
}


@pytest.mark.parametrize("rows", [1, 2, 16, 1000])
@pytest.mark.parametrize("size", [1, 100, 1_000_000])
@pytest.mark.parametrize("name", BLOCK_FILES)
def test_blocks_hold_the_rows_up_to_what_is_wrong(tmp_path, name, rows, size):
    path = tmp_path / name
    path.write_bytes(BLOCK_FILES[name])
    responses = Responses(path)
    blocks, wrong = all_rows(responses.blocks(rows=rows, size=size))
    assert all(blocks)
    joined = [row for block in blocks for row in block.rows()]
    assert (joined, wrong) == all_rows(responses.raw_rows())
    assert (wrong is not None) == (
        name in ("cut.jsonl.gz", "list.json", "table.csv", "pairs.json")
    )
    if rows == 1000 and size > 100:
        assert len(blocks) == 1
    if rows == 1 or size == 1:
        assert len(blocks) >= len(joined) / 16


def test_what_stands_before_a_damage_is_read(tmp_path):
    path = tmp_path / "cut.jsonl.gz"
    path.write_bytes(BLOCK_FILES["cut.jsonl.gz"])
    rows, wrong = all_rows(RowFile(path).rows())
    assert len(rows) > 20
    assert "damaged gzip file" in wrong
