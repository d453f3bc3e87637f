"""`tableqa link` and `unlink`, on copies of the installed harness."""

import hashlib
import importlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from lm_eval.api import registry
from tasks.harness_copy import copy_harness, installed

from lm_eval_tasks import cli, link as linking
from lm_eval_tasks.errors import TableqaError
from lm_eval_tasks.link import FOLDER, RECORD, State, clashes, inspect, link, unlink


OURS = cli.TASKS_DIR
SAMPLES = ("tanq_sample", "tatqa_sample", "finqa_sample", "tatdqa_sample")

# What differs between two equal runs in a file of results.
TIMES = ("date", "total_evaluation_time_seconds")

# The harness's dummy model asks for a tokenizer from the network up to 0.4.11.
PLAIN = """
import sys
from lm_eval.__main__ import cli_evaluate
from lm_eval.models import dummy
from lm_eval_tasks.cli import main

dummy.DummyLM.tokenizer = None
sys.exit({call}())
"""


def tree(folder: Path) -> dict[str, tuple[int, str]]:
    """Return mode and digest of everything below a folder."""
    found = {}
    for path in sorted(folder.rglob("*")):
        if path.is_symlink():
            content = f"to {os.readlink(path)}".encode()
        else:
            content = path.read_bytes() if path.is_file() else b""
        digest = hashlib.sha256(content).hexdigest()
        found[str(path.relative_to(folder))] = (path.lstat().st_mode, digest)
    return found


@pytest.fixture
def harness(tmp_path) -> Path:
    """A folder of tasks like the harness's, with one task."""
    folder = tmp_path / "lm_eval" / "tasks"
    (folder / "other").mkdir(parents=True)
    (folder / "other" / "other.yaml").write_text("task: other\ntag: [some, many]\n")
    (folder / "README.md").write_text("The harness's own.\n")
    return folder


@pytest.fixture
def linked(harness) -> Path:
    link(OURS, harness)
    return harness / FOLDER


def state(harness: Path) -> State:
    return inspect(OURS, harness).state


def test_link_adds_one_folder_and_unlink_leaves_no_trace(harness):
    before = tree(harness)
    assert state(harness) is State.ABSENT
    link(OURS, harness)
    assert state(harness) is State.CURRENT
    after = tree(harness)
    assert before.items() <= after.items()
    added = {Path(name).parts[0] for name in after.keys() - before.keys()}
    assert added == {FOLDER}
    unlink(OURS, harness)
    assert tree(harness) == before


def test_each_task_and_group_has_a_stub_of_its_own(linked):
    sources = sorted(OURS.glob("*/*.yaml"))
    assert len(sources) > 10
    assert len({path.name for path in sources}) == len(sources)
    assert {path.name for path in linked.iterdir()} == {
        *(path.name for path in sources),
        *("README.md", ".gitignore", RECORD),
    }
    stub = (linked / "tanq_oracle.yaml").read_text()
    assert f'include: "{OURS / "tanq" / "tanq_oracle.yaml"}"\n' in stub
    assert "tableqa unlink" in (linked / "README.md").read_text()


def test_a_link_made_again_is_the_same(harness, linked):
    before = {path: path.stat().st_mtime_ns for path in linked.iterdir()}
    link(OURS, harness)
    assert {path: path.stat().st_mtime_ns for path in linked.iterdir()} == before


def test_unlink_of_nothing_does_nothing(harness):
    before = tree(harness)
    unlink(OURS, harness)
    assert tree(harness) == before


def copy_ours(folder: Path) -> Path:
    ours = folder / "lm_eval_tasks"
    shutil.copytree(OURS, ours, ignore=shutil.ignore_patterns("__pycache__"))
    return ours


def test_another_place_or_version_of_the_package_needs_a_new_link(
    tmp_path, harness, linked
):
    moved = copy_ours(tmp_path / "a place with 'quotes' and \"more\"")
    assert inspect(moved, harness).state is State.OUTDATED
    link(moved, harness)
    assert inspect(moved, harness).state is State.CURRENT

    (moved / "finqa" / "finqa_program.yaml").unlink()
    assert inspect(moved, harness).state is State.OUTDATED
    link(moved, harness)
    assert not (linked / "finqa_program.yaml").exists()

    (linked / "tanq.yaml").unlink()
    assert inspect(moved, harness).state is State.OUTDATED
    unlink(OURS, harness)  # whichever version removes it
    assert not linked.exists()


def add_file(folder: Path) -> str:
    (folder / "mine.yaml").write_text("task: mine\n")
    return "mine.yaml"


def change_stub(folder: Path) -> str:
    with (folder / "tanq.yaml").open("a") as stub:
        stub.write("tag: mine\n")
    return "tanq.yaml"


def add_folder(folder: Path) -> str:
    (folder / "mine").mkdir()
    return "mine"


def add_symlink(folder: Path) -> str:
    (folder / "tanq.yaml").rename(folder.parent / "tanq.yaml")
    (folder / "tanq.yaml").symlink_to(folder.parent / "tanq.yaml")
    return "tanq.yaml"


@pytest.mark.parametrize("change", [add_file, change_stub, add_folder, add_symlink])
def test_what_link_did_not_write_is_left_alone(harness, linked, change):
    name = change(linked)
    before = tree(harness)
    assert state(harness) is State.CHANGED
    for act in (link, unlink):
        with pytest.raises(TableqaError, match=rf"changed .*\({name}\).*Nothing was"):
            act(OURS, harness)
    assert tree(harness) == before


def a_folder(place: Path) -> None:
    place.mkdir()
    (place / "upstream.yaml").write_text("task: upstream\n")


def an_empty_folder(place: Path) -> None:
    place.mkdir()


def a_file(place: Path) -> None:
    place.write_text("")


def a_dangling_symlink(place: Path) -> None:
    place.symlink_to(place.parent / "gone")


def a_symlink_to_a_linked_folder(place: Path) -> None:
    other = place.parent.parent / "tasks of another harness"
    other.mkdir()
    link(OURS, other)
    place.symlink_to(other / FOLDER)


def a_broken_record(place: Path) -> None:
    place.mkdir()
    (place / RECORD).write_text('{"sha256": []}')


@pytest.mark.parametrize(
    "other",
    [
        *(a_folder, an_empty_folder, a_file, a_dangling_symlink),
        *(a_symlink_to_a_linked_folder, a_broken_record),
    ],
)
def test_a_place_taken_by_another_is_left_alone(harness, other):
    other(harness / FOLDER)
    before = tree(harness.parent)
    assert state(harness) is State.FOREIGN
    for act in (link, unlink):
        with pytest.raises(TableqaError, match="not written by `tableqa link`"):
            act(OURS, harness)
    assert tree(harness.parent) == before


@pytest.mark.parametrize(
    ("file", "content", "name"),
    [
        ("finqa.yaml", "task: finqa\n", "finqa"),
        ("x.yaml", "group: tanq\ntask:\n- other\n", "tanq"),
        ("x.yaml", "task: x\ntag: tableqa\n", "tableqa"),
        ("x.yaml", "task: x\ntag:\n  - some\n  - tatqa\n", "tatqa"),
        ("_x_yaml", 'task: "tat_llm"\ndoc_to_text: !function utils.x\n', "tat_llm"),
    ],
)
def test_a_name_that_is_taken_is_refused(harness, file, content, name):
    (harness / "deep" / "er").mkdir(parents=True)
    (harness / "deep" / "er" / file).write_text(content)
    before = tree(harness)
    assert clashes(OURS, harness) == {name: Path("deep", "er", file)}
    with pytest.raises(TableqaError, match=rf"same name: {name} \(deep/er/{file}\)"):
        link(OURS, harness)
    assert tree(harness) == before


@pytest.mark.parametrize(
    "content",
    [
        "task: jfinqa\ntag: finqa-like\n",
        "task: x\ndescription: after finqa and tatqa\n",
        "group: x\ntask:\n- tanq\n- task: finqa\n",
        "- finqa\n",
        "task: [finqa\n",
        "",
    ],
)
def test_a_mention_is_no_clash(harness, content):
    (harness / "x.yaml").write_text(content)
    assert clashes(OURS, harness) == {}


def test_the_installed_harness_has_none_of_our_names():
    tasks = linking.harness_folder()
    assert tasks == installed() / "tasks"
    assert clashes(OURS, tasks) == {}


@pytest.mark.parametrize("failing", ["mkdir", "write_bytes", "rename"])
def test_a_folder_that_cannot_be_written_is_left_as_it_was(
    harness, failing, monkeypatch
):
    before = tree(harness)

    def refuse(self, *args, **kwargs):
        raise PermissionError(13, "Permission denied")

    with monkeypatch.context() as patch:
        patch.setattr(Path, failing, refuse)
        with pytest.raises(TableqaError, match="Permission denied.*--include_path"):
            link(OURS, harness)
    assert tree(harness) == before


def test_a_folder_that_cannot_be_removed_is_told_and_can_be_removed_later(
    harness, linked, monkeypatch
):
    def refuse(self, *args, **kwargs):
        raise PermissionError(13, "Permission denied")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "rmdir", refuse)
        patch.setattr(Path, "unlink", refuse)
        with pytest.raises(TableqaError, match="Permission denied"):
            unlink(OURS, harness)
    assert state(harness) is State.CURRENT
    # Stopped midway: the record was to go last.
    (linked / "tanq.yaml").unlink()
    unlink(OURS, harness)
    assert not linked.exists()


def test_no_harness_is_one_line(monkeypatch, capsys):
    monkeypatch.setattr(linking, "find_spec", lambda name: None)
    assert cli.main(["link"]) == 1
    assert "error: no lm-evaluation-harness is installed" in capsys.readouterr().err


def test_the_command(harness, monkeypatch, capsys):
    monkeypatch.setattr(linking, "harness_folder", lambda: harness)

    def run(*argv: str) -> tuple[int, str]:
        status = cli.main(list(argv))
        out, err = capsys.readouterr()
        assert (status == 0) or not err or err.startswith("tableqa: error: ")
        return status, out.removeprefix(str(harness / FOLDER))

    assert run("link", "--status") == (1, ": not linked\n")
    assert run("link") == (0, ": linked\n")
    assert run("link") == (0, ": linked\n")
    assert run("link", "--status") == (0, ": linked\n")
    name = add_file(harness / FOLDER)
    changed = f": changed since it was linked ({name})\n"
    assert run("link", "--status") == (1, changed)
    assert run("unlink") == (1, "")
    (harness / FOLDER / name).unlink()
    assert run("unlink") == (0, ": not linked\n")
    assert run("unlink") == (0, ": not linked\n")


class Plain:
    """`lm_eval` without any flag or help of ours, in a folder with nothing in it."""

    def __init__(self, site: Path, cwd: Path, ours: Path = OURS.parent) -> None:
        self.env = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join([str(site), str(ours)]),
            "HF_HUB_OFFLINE": "1",
            "HF_DATASETS_OFFLINE": "1",
            # Byte code would be written into the tree that is compared.
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        self.cwd = cwd
        cwd.mkdir(exist_ok=True)

    def __call__(self, *argv: str) -> subprocess.CompletedProcess[str]:
        return self.python("-c", PLAIN.format(call="cli_evaluate"), *argv)

    def tableqa(self, *argv: str) -> subprocess.CompletedProcess[str]:
        return self.python("-c", PLAIN.format(call="main"), *argv)

    def python(self, *argv: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, *argv],
            cwd=self.cwd,
            env=self.env,
            capture_output=True,
            text=True,
            check=False,
        )


def outcome(plain: Plain, command: Callable[..., Any], *run: str) -> dict[str, Any]:
    """Run a command and return all that it printed and wrote but times and places."""
    out = plain.cwd / "out"
    done = command(*run, "--output_path", str(out), "--log_samples")
    assert done.returncode == 0, done.stderr
    (path,) = out.rglob("results_*.json")
    # The harness writes a function of a configuration with its address.
    results = json.loads(re.sub(r" at 0x[0-9a-f]+>", ">", path.read_text()))
    for key in TIMES:
        del results[key]
    for config in results["configs"].values():
        config["metadata"].pop("config_source", None)  # ours or the stub
    samples = {}
    for path in out.rglob("samples_*.jsonl"):
        task = path.name.removeprefix("samples_").rsplit("_", 1)[0]
        samples[task] = [json.loads(line) for line in path.read_text().splitlines()]
    shutil.rmtree(out)
    return {"printed": done.stdout, "results": results, "samples": samples}


@pytest.mark.harness
def test_plain_lm_eval_runs_our_tasks_while_they_are_linked(tmp_path):
    site, ours = tmp_path / "site", tmp_path / "site of ours"
    tasks = copy_harness(site)
    copy_ours(ours)
    shutil.copytree(
        OURS.parent / "tableqa_metrics",
        ours / "tableqa_metrics",
        ignore=shutil.ignore_patterns("__pycache__"),
    )
    plain = Plain(site, tmp_path / "elsewhere", ours)
    before = tree(site)
    run = ("run", "--model", "dummy", "--tasks", ",".join(SAMPLES))

    refused = plain(*run)
    assert refused.returncode != 0
    assert "Tasks not found" in refused.stderr
    ours_alone = outcome(plain, plain.tableqa, *run)

    done = plain.tableqa("link")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"{tasks / FOLDER}: linked\n"

    linked = outcome(plain, plain, *run)
    for task in SAMPLES:
        assert f"|{task}" in linked["printed"]
    assert linked["results"]["results"].keys() == set(SAMPLES)
    assert linked["samples"].keys() == set(SAMPLES)
    # `tableqa run` is that command, with a link and without one.
    assert ours_alone == linked
    assert outcome(plain, plain.tableqa, *run) == linked
    listed = plain("ls", "tasks")
    assert listed.returncode == 0, listed.stderr
    for name in (*SAMPLES, "tanq", "tat_llm", "tableqa", "tableqa_sample", "gsm8k"):
        assert re.search(rf"^\|{name} *\|", listed.stdout, re.MULTILINE), name

    # A model is looked up before any code of a task is loaded.
    refused = plain("run", "--model", "replay", "--tasks", "tanq_sample")
    assert refused.returncode != 0
    known = "responses=PATH" in refused.stderr
    assert known == hasattr(registry, "import_plugins"), refused.stderr

    done = plain.tableqa("unlink")
    assert (done.returncode, done.stderr) == (0, "")
    assert tree(site) == before
    assert "Tasks not found" in plain(*run).stderr


def test_the_entry_point_names_the_replay_model():
    """What the harness's main branch looks models up by; released ones do not read it."""
    from lm_eval.api.registry import get_model

    text = (OURS.parent / "pyproject.toml").read_text(encoding="utf-8")
    group = text.split('[project.entry-points."lm_eval.models"]\n')[1].split("\n[")[0]
    (entry,) = re.findall(r'^(\S+) = "(\S+):(\S+)"$', group, re.MULTILINE)
    name, module, attribute = entry
    assert getattr(importlib.import_module(module), attribute) is get_model(name)
