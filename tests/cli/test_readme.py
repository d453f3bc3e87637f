"""The commands of the READMEs: those that need no model are run, the others parsed."""

import os
import re
import shlex
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from lm_eval_tasks import cli


ROOT = cli.TASKS_DIR.parent
README = ROOT / "README.md"
FILES = [README, *sorted(cli.TASKS_DIR.glob("*/README.md"))]
# What stands for something of the reader's own.
OWN = re.compile(r"…|\b[A-Z]{2,}\b|\.\.\./")
COMMANDS = ("tableqa ", "lm_eval ", "pip ", "pytest")
SHELL = """
set -euo pipefail
tableqa() { "$PYTHON" -m lm_eval_tasks.cli "$@"; }
"""


def blocks(path: Path) -> list[tuple[str, str]]:
    """Return the blocks of code of a file, each with the output that follows it, if any.

    One paragraph may stand between the two.
    """
    parts = path.read_text(encoding="utf-8").split("```\n")
    found = zip(parts[1::2], parts[2::2], [*parts[3::2], ""], strict=True)
    return [
        (
            code,
            ""
            if "\n\n" in between.strip() or following.startswith(COMMANDS)
            else following,
        )
        for code, between, following in found
    ]


def commands(path: Path) -> list[list[str]]:
    """Return the words of each command of ours or the harness's, in blocks and in lines."""
    text = path.read_text(encoding="utf-8")
    text = text.replace("\\\n", " ").replace(" && ", "\n")
    lines = re.findall(r"^(?:tableqa|lm_eval) .*", text, re.MULTILINE)
    lines += re.findall(r"`((?:tableqa|lm_eval) [^`]*)`", text)
    return [shlex.split(line, comments=True) for line in lines]


RUNS = [
    pytest.param(words, id=f"{path.parent.name}-{' '.join(words)}")
    for path in FILES
    for words in commands(path)
    if words[1:2] == ["run"] and len(words) > 2
]
OTHERS = [
    pytest.param(words, id=f"{path.parent.name}-{' '.join(words)}")
    for path in FILES
    for words in commands(path)
    if words[0] == "tableqa" and words[1:2] != ["run"]
]


def test_there_are_commands():
    assert len(RUNS) > 10
    assert {words.values[0][1] for words in OTHERS} >= {
        "demo",
        "score",
        "report",
        "link",
    }


@pytest.mark.parametrize("words", RUNS)
def test_the_harness_knows_the_flags_and_tasks_of_a_run(words, monkeypatch):
    from lm_eval._cli import HarnessCLI
    from lm_eval.tasks import TaskManager

    # An ellipsis is a value of the flag before it, or flags that the reader adds.
    given = [
        word
        for before, word in pairwise(words)
        if word != "…" or before.startswith("-")
    ]
    monkeypatch.setattr(sys, "argv", ["lm_eval", *given])
    args = HarnessCLI().parse_args()
    manager = TaskManager(include_path=str(cli.TASKS_DIR), include_defaults=False)
    asked = args.tasks if isinstance(args.tasks, list) else [args.tasks]
    names = {name for each in asked if each for name in each.split(",")}
    assert all(manager.match_tasks([name]) for name in names - {"gsm8k"})


@pytest.mark.parametrize("words", OTHERS)
def test_the_command_knows_its_flags(words, capsys):
    with pytest.raises(SystemExit) as stop:
        cli.main([*words[1:2], "--help"])
    assert stop.value.code == 0
    told = capsys.readouterr().out
    assert all(word in told for word in words if word.startswith("-"))


@pytest.mark.harness
def test_commands_without_a_model_print_what_the_readme_shows(shared, tmp_path):
    """In its order and in one folder: a later one reads what an earlier one wrote."""
    runnable = [
        (code, output)
        for code, output in blocks(README)
        if code.startswith("tableqa ")
        and not OWN.search(re.sub(r"\$\(.*?\)", "", code))
    ]
    assert len(runnable) >= 3
    assert sum(output != "" for _, output in runnable) >= 2
    for code, output in runnable:
        done = subprocess.run(
            ["bash", "-c", SHELL + code.replace("../shared", str(shared))],
            cwd=tmp_path,
            env={
                **os.environ,
                "PYTHON": sys.executable,
                "PYTHONPATH": str(ROOT),
                "HF_HUB_OFFLINE": "1",
                "HF_DATASETS_OFFLINE": "1",
            },
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert output in done.stdout
    assert {path.name for path in tmp_path.iterdir()} >= {"out", "scores.json"}
