"""What all tests share: an environment without the user's settings, and the real files."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings


SHARED = Path(
    os.environ.get("TABLEQA_SHARED") or Path(__file__).parents[1].parent / "shared"
).resolve()

# What would make a run another one, here and in the commands that tests start: gone before
# anything is imported that reads it.
for _name in list(os.environ):
    if _name.startswith("TABLEQA_") or _name in (
        *("WORLD_SIZE", "RANK", "LOCAL_RANK"),  # of torchrun
        *("LMEVAL_LOG_LEVEL", "LM_HARNESS_CACHE_PATH"),
        *("HF_HUB_OFFLINE", "HF_DATASETS_OFFLINE"),
    ):
        del os.environ[_name]


# A slow machine is no failure; costs are tested by ratios between sizes.
settings.register_profile("tableqa", deadline=None)
settings.load_profile("tableqa")


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real data; tests that need it skip on a user's machine, never in CI."""
    if not (SHARED / "reference").is_dir():
        reason = f"real data is not at {SHARED} (set TABLEQA_SHARED); it is not shipped"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    return SHARED


@pytest.fixture(scope="session")
def reference(shared: Path):
    """Load a file of the released scorers' answers by name."""

    def load(name: str) -> Any:
        text = (shared / "reference" / name).read_text(encoding="utf-8")
        if name.endswith(".jsonl"):
            return [json.loads(line) for line in text.splitlines()]
        return json.loads(text)

    return load
