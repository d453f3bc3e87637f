"""What holds for every YAML file of our tasks."""

from pathlib import Path
from typing import Any

import pytest
import yaml

import lm_eval_tasks


FOLDER = Path(lm_eval_tasks.__file__).parent
FILES = sorted([*FOLDER.glob("*/*.yaml"), *FOLDER.glob("*/_*_yaml")])
# What tables, numbers, thoughts and restated questions are made of.
HARMLESS = (
    "| entity | a, b |\n| --- | --- |\n| Mr. A's (1.5 %) |  |\n\nentity|a\nx|-1,234.5e3\n"
    '```csv\n```\n<table><tr><td><s>x</s><br></td></tr></table>\n[{"a": [1, null]}]\n'
    "<think>\n\n\n\nQuestion: ...\nAnswer: ####\n\n- so\n\n1. \n---\n***\n</think>\n\n\n"
    "[THINK] [/THINK] <|channel|>analysis<|message|> <|channel|>final<|message|>"
)


class UniqueKeyLoader(yaml.SafeLoader):
    """PyYAML, which keeps the last of two equal keys, with an error instead."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> Any:
        keys = [self.construct_object(key, deep=True) for key, _ in node.value]
        repeated = {key for key in keys if keys.count(key) > 1}
        if repeated:
            raise yaml.constructor.ConstructorError(
                None, None, f"repeated keys {repeated}", node.start_mark
            )
        return super().construct_mapping(node, deep)


UniqueKeyLoader.add_constructor("!function", lambda loader, node: node.value)


def read(path: Path) -> dict[str, Any]:
    return yaml.load(path.read_text(encoding="utf-8"), Loader=UniqueKeyLoader)


def test_the_loader_sees_a_repeated_key():
    with pytest.raises(yaml.constructor.ConstructorError, match="repeated"):
        yaml.load("a: {b: 1, b: 2}", Loader=UniqueKeyLoader)


def test_there_are_files():
    assert {path.parent.name for path in FILES} >= {"tanq"}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_no_key_is_repeated(path):
    assert read(path)


@pytest.mark.parametrize(
    "path", [p for p in FILES if p.suffix != ".yaml"], ids=lambda path: path.name
)
def test_templates_are_included_and_define_no_task(path):
    assert not {"task", "group", "tag"} & read(path).keys()
    siblings = [other for other in FILES if other.parent == path.parent]
    assert any(read(other).get("include") == path.name for other in siblings)


@pytest.mark.parametrize(
    "path",
    [p for p in FILES if "generation_kwargs:" in p.read_text(encoding="utf-8")],
    ids=lambda path: path.name,
)
def test_stop_strings_stop_no_answer(path):
    generation = read(path)["generation_kwargs"]
    until = generation["until"]
    assert isinstance(until, list)
    assert 1 <= len(until) <= 4
    for stop in until:
        assert stop.strip()
        assert stop not in HARMLESS
        assert not any(character.isdigit() for character in stop)
    assert generation["do_sample"] is False
    assert isinstance(generation["max_gen_toks"], int)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_metrics_say_how_they_aggregate_and_which_way_is_up(path):
    for metric in read(path).get("metric_list", ()):
        assert metric.keys() >= {"metric", "aggregation", "higher_is_better"}


@pytest.mark.parametrize(
    "path", [p for p in FILES if p.suffix == ".yaml"], ids=lambda path: path.name
)
def test_every_task_and_group_has_a_numeric_version(path):
    config = read(path)
    included = read(path.parent / config["include"]) if "include" in config else {}
    assert isinstance((included | config)["metadata"]["version"], int | float)
