"""Each folder of tasks, copied into the harness's own `lm_eval/tasks/`.

The harness's tests of new tasks and its README template are not in its wheel: what they
ask for stands here.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from once import made_once
from tasks.harness_copy import copy_harness
from tasks.sweeps import DATA_FILES, FOLDER, tat_llm_files


FOLDERS = sorted(path.parent for path in FOLDER.glob("*/README.md"))
HEADINGS = ("Paper", "Citation", "Groups, Tags, and Tasks", "Checklist", "Changelog")


class Loader(yaml.SafeLoader):
    """Reads `!function` as text."""


Loader.add_constructor("!function", lambda loader, node: node.value)


def configs(folder: Path) -> dict[str, dict]:
    """Return the YAML files of a folder, with what they include."""
    found = {}
    for path in sorted(folder.glob("*.yaml")):
        config = yaml.load(path.read_text(encoding="utf-8"), Loader=Loader)
        if "include" in config:
            included = folder / config["include"]
            shared = yaml.load(included.read_text(encoding="utf-8"), Loader=Loader)
            config = {**shared, **config}
        found[path.stem] = config
    return found


ALL = {name: config for folder in FOLDERS for name, config in configs(folder).items()}
TASKS = sorted(name for name, config in ALL.items() if "group" not in config)


@pytest.fixture(scope="session")
def upstream(tmp_path_factory) -> Path:
    """A folder with a copy of the harness, our folders among its own, and its facts."""
    return made_once(tmp_path_factory, "upstream", make_upstream)


@pytest.fixture(scope="session")
def found(upstream) -> dict:
    """What the harness makes of our tasks as tasks of its own."""
    return json.loads((upstream / "facts.json").read_text(encoding="utf-8"))


def make_upstream(root: Path) -> None:
    tasks = copy_harness(root)
    for folder in FOLDERS:
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(folder, tasks / folder.name, ignore=ignored)
    data = {**DATA_FILES, **tat_llm_files(root)}
    path = [root, FOLDER.parent, Path(__file__).parents[1]]
    done = subprocess.run(
        [
            *(sys.executable, "-m", "tasks.upstream_facts"),
            *(json.dumps({"data_files": data}), *TASKS),
        ],
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join(map(str, path)),
            "HF_HUB_OFFLINE": "1",
            "HF_DATASETS_OFFLINE": "1",
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "already registered" not in done.stderr.lower()
    (root / "facts.json").write_text(done.stdout, encoding="utf-8")


def test_there_are_folders_and_tasks():
    assert {folder.name for folder in FOLDERS} == {
        *("tanq", "tatqa", "tatdqa", "finqa", "tat_llm")
    }
    assert len(TASKS) > 15


def test_every_name_is_known(found):
    tags = {tag for config in ALL.values() if (tag := config.get("tag"))}
    assert set(found["known"]) >= ALL.keys() | tags


@pytest.mark.parametrize("name", TASKS)
class TestTask:
    """What the harness's tests of new tasks ask."""

    def test_it_is_the_copy_that_was_loaded(self, found, upstream, name):
        file = Path(found["tasks"][name]["file"])
        assert upstream.resolve() in file.parents

    def test_it_has_documents_in_declared_splits(self, found, name):
        task = found["tasks"][name]
        assert task["has_docs"] == [
            f"{split}_split" in ALL[name]
            for split in ("training", "validation", "test")
        ]
        assert task["has_docs"][2]
        assert task["decontaminate"] in (True, False)

    def test_ten_documents_are_built(self, found, name):
        task = found["tasks"][name]
        assert task["requests"] == len(task["built"]) == len(task["prompts"]) == 10

    def test_prompts_are_strings_without_trailing_space(self, found, name):
        task = found["tasks"][name]
        assert task["delimiter"].isspace()
        for prompt in (*task["prompts"], *task["built"]):
            assert isinstance(prompt, str)
            assert prompt
            assert not prompt[-1].isspace()
        for target in task["targets"]:
            assert isinstance(target, str)
            assert target

    def test_its_version_is_a_number(self, found, name):
        assert isinstance(found["tasks"][name]["version"], int | float)

    def test_every_metric_says_how_it_is_aggregated_and_which_way_is_up(
        self, found, name
    ):
        task = found["tasks"][name]
        assert task["metrics"] == task["aggregations"] == sorted(task["directions"])
        assert set(task["directions"].values()) <= {True, False}

    def test_it_generates_until_something(self, found, name):
        task = found["tasks"][name]
        assert task["output_type"] == "generate_until"
        assert task["generation"]["until"]


@pytest.mark.parametrize("name", sorted(ALL))
def test_a_yaml_file_is_named_after_what_it_defines(name):
    config = ALL[name]
    assert config.get("group", config["task"]) == name
    assert isinstance(config["metadata"]["version"], int | float)


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
class TestReadme:
    """The harness's template of a README, filled in."""

    @staticmethod
    def sections(folder: Path) -> dict[str, str]:
        text = (folder / "README.md").read_text(encoding="utf-8")
        parts = re.split(r"^### (.*)\n", text, flags=re.MULTILINE)
        return dict(zip(parts[1::2], parts[2::2], strict=True))

    def test_its_headings_are_those_of_the_template(self, folder):
        titles = list(self.sections(folder))
        assert [title for title in titles if title in HEADINGS] == list(HEADINGS)
        text = (folder / "README.md").read_text(encoding="utf-8")
        assert re.match(r"# \S.*\n\n### Paper\n", text)

    def test_the_paper_is_named_and_cited(self, folder):
        sections = self.sections(folder)
        assert re.search(r"^Title: `.+`$", sections["Paper"], re.MULTILINE)
        assert re.search(r"https://arxiv\.org/abs/\d{4}\.\d{5}", sections["Paper"])
        assert re.search(r"^```\n@\w+\{", sections["Citation"], re.MULTILINE)

    def test_every_group_tag_and_task_is_listed(self, folder):
        text = self.sections(folder)["Groups, Tags, and Tasks"]
        listed = re.split(r"^#### (.*)\n", text, flags=re.MULTILINE)
        by_kind = dict(zip(listed[1::2], listed[2::2], strict=True))
        for name, config in configs(folder).items():
            kind = "Groups" if "group" in config else "Tasks"
            # Two that differ in one word may share a line.
            assert re.search(rf"^\* .*`{name}`.*: ", by_kind[kind], re.MULTILINE), name
            if "tag" in config:
                assert f"* `{config['tag']}`: " in by_kind["Tags"]

    def test_the_checklist_is_done(self, folder):
        checklist = self.sections(folder)["Checklist"]
        assert checklist.count("* [x]") == 6
        assert "[ ]" not in checklist

    def test_the_changelog_names_each_version(self, folder):
        changelog = self.sections(folder)["Changelog"]
        for config in configs(folder).values():
            assert f"* {config['metadata']['version']}: " in changelog

    def test_its_stops_and_lengths_are_explained(self, folder):
        text = (folder / "README.md").read_text(encoding="utf-8")
        (stops,) = re.findall(r"^\* \*\*`until`\*\*: .*", text, re.MULTILINE)
        (lengths,) = re.findall(r"^\* \*\*`max_gen_toks`\*\*: .*", text, re.MULTILINE)
        found = [
            c["generation_kwargs"]
            for c in configs(folder).values()
            if "doc_to_text" in c
        ]
        assert found
        for generation in found:
            assert all(f"`{stop}`" in stops for stop in generation["until"])
            assert re.search(rf"\b{generation['max_gen_toks']:,}\b", lengths)

    def test_it_says_how_to_run_the_parity_check_again(self, folder):
        parity = self.sections(folder)["Re-running the parity check"]
        tests = re.findall(r"`(tests/\w+/test_\w+\.py)`", parity)
        assert tests
        for test in tests:
            assert (FOLDER.parent / test).is_file()


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
class TestFiles:
    """What may be in a folder, and what the harness's hooks before a commit ask of it."""

    def test_only_what_the_harness_takes_is_in_the_folder(self, folder):
        names = {path.name for path in folder.iterdir()} - {"__pycache__"}
        rest = {name for name in names if not name.endswith("yaml")}
        assert rest <= {"README.md", "utils.py", "samples"}

    def test_files_are_small_and_end_their_lines_alike(self, folder):
        files = [path for path in folder.rglob("*") if path.suffix != ".pyc"]
        for path in filter(Path.is_file, files):
            content = path.read_bytes()
            assert len(content) <= 500 * 1024, path
            assert content.endswith(b"\n"), path
            assert not content.endswith(b"\n\n"), path
            assert not content.startswith(b"\xef\xbb\xbf"), path
            assert not re.search(rb"[ \t\r]$", content, re.MULTILINE), path
            if path.suffix == ".json":
                json.loads(content)


class TestPullRequest:
    """The text that would go with the folders."""

    TEXT = (FOLDER / "UPSTREAM.md").read_text(encoding="utf-8")

    @pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
    def test_it_names_every_task_of_a_folder(self, folder):
        (row,) = re.findall(rf"^\| `{folder.name}` \|(.*?)\|", self.TEXT, re.MULTILINE)
        named = {name for text in re.findall(r"`(.+?)`", row) for name in expand(text)}
        assert named == configs(folder).keys()
        assert f"| [{folder.name}]({folder.name}/README.md) | " in self.TEXT

    def test_its_figures_are_those_of_the_readmes(self):
        rows = {
            "tanq": "34.5657, 12.9700, 15.6340",
            "tatqa": "0.4592, 0.5888, 0.9095 0.6899, 0.7590",
            "finqa": "0.6408, 0.6295",
            "tat_llm": "0.779",
        }
        for folder, figures in rows.items():
            readme = (FOLDER / folder / "README.md").read_text(encoding="utf-8")
            for figure in re.findall(r"[\d.]+", figures):
                assert figure in readme
                assert figure in self.TEXT


def expand(text: str) -> list[str]:
    """Expand braces as a shell does.

    >>> expand("a{b,c}d")
    ['abd', 'acd']
    """
    found = re.search(r"\{(.*?)\}", text)
    if found is None:
        return [text]
    return [
        name
        for part in found[1].split(",")
        for name in expand(text[: found.start()] + part + text[found.end() :])
    ]
