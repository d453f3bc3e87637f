"""What is kept of each question: in memory a bounded part, on disk a file without a name."""

import sys

import pytest

from tableqa_metrics.scoring.store import Store


RECORD = b"x" * 1000


@pytest.mark.skipif(sys.platform == "win32", reason="a file in use has a name there")
def test_its_file_has_no_name(tmp_path, monkeypatch):
    monkeypatch.setenv("SQLITE_TMPDIR", str(tmp_path))
    store = Store()
    rows = ((place, b"name", 0, RECORD) for place in range(30_000))
    store.executemany("INSERT INTO question VALUES (?, ?, ?, ?)", rows)
    assert list(tmp_path.iterdir()) == []
    (found,) = store.execute("SELECT sum(length(record)) FROM question").fetchone()
    assert found == 30_000 * len(RECORD)
