"""What the tests of the data layer share: a server, an empty cache, small files."""

import json
import logging
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tasks.http_server import Running, Server


@pytest.fixture
def running() -> Iterator[Running]:
    """A server that a test can also stop."""
    running = Running()
    yield running
    running.stop()


@pytest.fixture
def server(running: Running) -> Server:
    return running.server


@pytest.fixture
def downloads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty download cache, online, with no folder of the user's."""
    import datasets

    folder = tmp_path / "datasets" / "downloads"  # as with HF_HOME=tmp_path
    monkeypatch.setattr(datasets.config, "DOWNLOADED_DATASETS_PATH", folder)
    monkeypatch.setattr(datasets.config, "HF_DATASETS_OFFLINE", False)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", False)
    monkeypatch.delenv("HF_DATASETS_OFFLINE", raising=False)
    monkeypatch.delenv("TABLEQA_DATA_DIR", raising=False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    return folder


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    """Write a JSON file, or, where the name ends so, JSON lines."""

    def write(name: str, records: Any) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if name.endswith(".jsonl"):
            text = "".join(json.dumps(record) + "\n" for record in records)
        else:
            text = json.dumps(records)
        path.write_text(text, encoding="utf-8")
        return path

    return write


@pytest.fixture
def warned() -> Iterator[list[str]]:
    """What the data layer warns of, also where the harness has set its logger up."""
    messages: list[str] = []
    handler = logging.Handler(logging.WARNING)
    handler.emit = lambda record: messages.append(record.getMessage())
    logger = logging.getLogger("lm_eval.tableqa.data")
    logger.addHandler(handler)
    yield messages
    logger.removeHandler(handler)


@pytest.fixture
def harness_log(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> Iterator[pytest.LogCaptureFixture]:
    """Messages of the tasks, also where the harness has set up its own logging."""
    monkeypatch.setattr(logging.getLogger("lm_eval"), "propagate", True)
    with caplog.at_level(logging.INFO, logger="lm_eval"):
        yield caplog
