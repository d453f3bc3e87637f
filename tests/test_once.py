"""A folder that several workers use is made by one of them."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from once import made_once


class Factory:
    """Stands for `tmp_path_factory` of a worker."""

    def __init__(self, base):
        self.base = base

    def getbasetemp(self):
        return self.base


def test_workers_share_what_one_of_them_made(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTEST_XDIST_WORKER", "gw0")
    calls = []

    def make(folder):
        calls.append(folder)
        (folder / "file").write_text("made")

    workers = [Factory(tmp_path / f"popen-gw{n}") for n in range(4)]
    with ThreadPoolExecutor(4) as threads:
        made = list(threads.map(lambda each: made_once(each, "shared", make), workers))
    assert set(made) == set(calls) == {tmp_path / "shared"}
    assert len(calls) == 1
    assert (made[0] / "file").read_text() == "made"


def test_without_workers_it_lies_in_the_session_s_own_folder(tmp_path, monkeypatch):
    monkeypatch.delenv("PYTEST_XDIST_WORKER", raising=False)
    made = made_once(Factory(tmp_path), "shared", lambda folder: None)
    assert made == tmp_path / "shared"


def test_what_failed_is_tried_again_from_nothing(tmp_path, monkeypatch):
    monkeypatch.delenv("PYTEST_XDIST_WORKER", raising=False)

    def fail(folder):
        (folder / "half").touch()
        raise AssertionError

    with pytest.raises(AssertionError):
        made_once(Factory(tmp_path), "shared", fail)
    made = made_once(Factory(tmp_path), "shared", lambda folder: None)
    assert list(made.iterdir()) == []
