"""A copy of the installed harness, for tests that write into its folder."""

import shutil
from pathlib import Path


# What a copy keeps of the tasks: to index all of them takes each run some ten seconds.
KEPT = ("gsm8k", "jfinqa", "__init__.py", "manager.py")


def installed() -> Path:
    import lm_eval

    return Path(lm_eval.__file__).parent


def copy_harness(folder: Path) -> Path:
    """Copy the installed harness with a few of its tasks; return its tasks' folder."""
    source = installed()

    def unwanted(at: str, names: list[str]) -> set[str]:
        own = {"__pycache__"}
        if Path(at) == source / "tasks":
            own |= {
                name
                for name in names
                if name not in KEPT and not (name.startswith("_") and "." in name)
            }
        return own

    shutil.copytree(source, folder / "lm_eval", ignore=unwanted)
    return folder / "lm_eval" / "tasks"
