"""Under which settings a figure was made, in one line that a paper can print.

The form is sacreBLEU's (Post 2018): `key:value` pairs between bars, the version last.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import metadata
from typing import Final


DISTRIBUTION: Final = "lm-eval-tableqa"

_HASH_DIGITS: Final = 8


@dataclass(frozen=True)
class Signature:
    """The settings that a figure depends on.

    Parameters
    ----------
    benchmark
        Which one.
    references
        The SHA-256 of each file of references.
    task
        The task of the harness whose scoring this is.
    format
        Of the predictions, and so whether they were extracted answers or responses.
    extracted
        Whether the predictions were answers already, or were extracted here.
    missing
        What a question without a prediction counts: `error`, `zero` or `drop`.
    interval
        How the 95 % intervals were computed.
    version
        Of this package; `None` where it is not installed.
    thinking
        Whether the prompts ended inside a thought; only then is it written.
    """

    benchmark: str
    references: tuple[str, ...]
    task: str
    format: str
    extracted: bool
    missing: str
    interval: str
    version: str | None
    thinking: bool = False

    def __str__(self) -> str:
        """Write the signature.

        Examples
        --------
        >>> str(Signature(
        ...     "tatqa", ("48075c812af3fe66", "3d5d3b691af57264"), "tatqa", "samples",
        ...     False, "error", "wilson+normal", "0.1.0",
        ... ))
        'bench:tatqa|refs:48075c81+3d5d3b69|task:tatqa|format:samples|input:raw|\
missing:error|ci:wilson+normal|version:0.1.0'
        """
        pairs = {
            "bench": self.benchmark,
            "refs": "+".join(name[:_HASH_DIGITS] for name in self.references),
            "task": self.task,
            "format": self.format,
            "input": "extracted" if self.extracted else "raw",
            **({"thinking": "yes"} if self.thinking else {}),
            "missing": self.missing,
            "ci": self.interval,
            "version": self.version or "unknown",
        }
        return "|".join(f"{key}:{value}" for key, value in pairs.items())


def installed_version(distribution: str = DISTRIBUTION) -> str | None:
    """Return the version of an installed distribution, or `None`.

    Examples
    --------
    >>> installed_version("no-such-distribution") is None
    True
    """
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return None
