"""Signatures: one line that tells two settings apart."""

from dataclasses import fields, replace
from importlib import metadata

from tableqa_metrics.signature import Signature, installed_version


SIGNATURE = Signature(
    benchmark="tatqa",
    references=("48075c812af3fe66", "3d5d3b691af57264"),
    task="tatqa",
    format="samples",
    extracted=False,
    missing="error",
    interval="wilson+normal",
    version="0.1.0",
)
OTHER = {
    "benchmark": "finqa",
    "references": ("48075c812af3fe66",),
    "task": "tatqa_zeroshot",
    "format": "responses",
    "extracted": True,
    "missing": "drop",
    "interval": "normal",
    "version": None,
    "thinking": True,
}


def test_each_setting_shows():
    assert OTHER.keys() == {each.name for each in fields(Signature)}
    for name, value in OTHER.items():
        assert str(replace(SIGNATURE, **{name: value})) != str(SIGNATURE)


def test_the_form_is_pairs_between_bars_with_the_version_last():
    pairs = [pair.split(":") for pair in str(SIGNATURE).split("|")]
    assert all(len(pair) == 2 for pair in pairs)
    assert pairs[-1] == ["version", "0.1.0"]
    assert dict(pairs)["refs"] == "48075c81+3d5d3b69"


def test_the_version_is_that_of_the_installed_package():
    assert installed_version() == metadata.version("lm-eval-tableqa")
