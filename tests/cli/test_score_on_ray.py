"""The recipe for Ray Data, as far as it needs no Ray."""

import sys

import pytest

from tableqa_metrics.scoring import ray_data


ARGV = ["tatqa", "--references", "r.json", "--predictions", "p.json", "--output", "o"]


def test_without_ray_one_line_names_the_extra(monkeypatch, capsys):
    monkeypatch.setattr(ray_data, "find_spec", lambda name: None)
    monkeypatch.setattr(sys, "argv", ["ray_data", *ARGV])
    assert ray_data.main() == 1
    said = capsys.readouterr().err
    assert said.startswith("tableqa: error: ")
    assert "lm-eval-tableqa[ray]" in said
    assert said.count("\n") == 1


def test_help_explains_each_option_with_an_example(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["ray_data", "--help"])
    with pytest.raises(SystemExit):
        ray_data.main()
    said = capsys.readouterr().out
    assert "examples:\n  python -m tableqa_metrics.scoring.ray_data" in said
    for action in ray_data._parser()._actions:
        assert action.help
