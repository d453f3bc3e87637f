"""Tests that need torch and transformers; see `backends` among pytest's markers."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from backends import tiny_models


@pytest.fixture(autouse=True, scope="session")
def quiet_and_offline() -> Iterator[None]:
    """No hub, also in the processes that a test starts, and one thread for each."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("HF_HUB_OFFLINE", "HF_DATASETS_OFFLINE", "TRANSFORMERS_OFFLINE"):
            patch.setenv(name, "1")
        patch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
        patch.setattr("datasets.config.HF_DATASETS_OFFLINE", True)
        patch.setenv("OMP_NUM_THREADS", "1")
        patch.setenv("NO_PROXY", "127.0.0.1")
        patch.setenv("PYTHONPATH", str(Path(__file__).parents[1]), prepend=os.pathsep)
        yield


@pytest.fixture(scope="session")
def random_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkpoint that answers each prompt differently, with nonsense."""
    return tiny_models.random_model(tmp_path_factory.mktemp("model") / "random")
