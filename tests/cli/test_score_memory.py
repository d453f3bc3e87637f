"""`tableqa score` on many responses: what is held in memory does not grow with them."""

import json
import tracemalloc

from score_cases import contexts, question

from tableqa_metrics.files import rowfile
from tableqa_metrics.scoring import command, plan, questions, sheet


SIZES = (1_000, 4_000)
PER_CONTEXT = 6


def lines(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(path)


def written(folder, size):
    asked = [question(f"question {n:08}", answer=n) for n in range(size)]
    starts = range(0, size, PER_CONTEXT)
    golds = [contexts(*asked[n : n + PER_CONTEXT])[0] for n in starts]
    text = "The answer is: {} #### and its corresponding scale is: million"
    rows = [
        {"id": each["uid"], "response": text.format(n // 2)}
        for n, each in enumerate(asked)
    ]
    return lines(folder / "references.jsonl", golds), lines(folder / "r.jsonl", rows)


def test_memory_does_not_grow_with_the_responses(tmp_path, monkeypatch, capsys):
    """Of four times as many; a part of them is held at a time, so that is made small."""
    monkeypatch.setattr(sheet, "_ROWS", 64)
    monkeypatch.setattr(rowfile, "_LINES", 4)
    monkeypatch.setattr(rowfile, "_CHUNK", 1 << 12)
    for module, name in ((questions, "_AT_ONCE"), (plan, "_GLANCE"), (plan, "_BATCH")):
        monkeypatch.setattr(module, name, {"rows": 16, "size": 1 << 12})
    peaks = []
    for size in (SIZES[0], *SIZES):  # the first time, what is imported counts
        references, responses = written(tmp_path, size)
        argv = ["tatqa", "--references", references, "--predictions", responses]
        output = tmp_path / "out.json"
        tracemalloc.start()
        assert command.main([*argv, "--output", str(output)]) == 0
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        capsys.readouterr()
        assert json.loads(output.read_text())["n"] == size
    assert peaks[2] < 1.2 * peaks[1]
