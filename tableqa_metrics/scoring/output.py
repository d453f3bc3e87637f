"""The result of `tableqa score` as JSON, written whole or not at all."""

from __future__ import annotations

import json
import platform
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from ..aggregate import Estimate
from ..compare import Comparison
from ..files.atomic import replacing
from ..files.layout import OBJECT, ROWS, TATQA_PAIRS
from ..signature import DISTRIBUTION, installed_version
from .references import References
from .run import FileScore


_LIBRARIES: Final = ("numpy", "scipy", "rapidfuzz")

# The key that stands for the samples until they are copied in.
_SAMPLES: Final = "samples"


def result(references: References, score: FileScore) -> dict[str, Any]:
    """Return the result of one file, without its samples.

    Its keys are `benchmark`, `signature`, `options`, `n`, `metrics`, `breakdowns`,
    `missing`, `extra`, `duplicates`, `files` and `versions`. `options` has what was used
    of each option that can change a figure, given or found by looking; a key is `None`
    where the format has none to be named. `missing` lists the ids that have no
    prediction, whether or not they were scored 0; `options` says which.
    """
    file = score.predictions.responses.file
    return {
        "benchmark": references.benchmark,
        "signature": str(score.signature),
        "options": _options(score),
        "n": score.n,
        "metrics": _metrics(score.figures.estimates),
        "breakdowns": {
            breakdown.name: [
                {
                    **dict(zip(breakdown.columns, group.labels, strict=True)),
                    "n": group.n,
                    "metrics": _metrics(group.estimates),
                }
                for group in groups
            ]
            for breakdown, groups in score.figures.groups
        },
        _SAMPLES: [],
        "missing": list(references.names(score.plan.missing)),
        "extra": list(score.plan.extra),
        "duplicates": list(score.plan.duplicates),
        "files": [
            *(
                {"role": "references", "name": name, "sha256": sha256}
                for name, sha256 in references.files
            ),
            {
                "role": "predictions",
                "name": str(file.path),
                "sha256": file.sha256,
                "model": score.model,
                "format": score.predictions.format.name,
                "input": "extracted" if score.predictions.format.extracted else "raw",
            },
        ],
        "versions": versions(),
    }


def _options(score: FileScore) -> dict[str, str | bool | None]:
    layout = score.predictions.responses.layout
    # One object of all predictions has no keys, and the others each their own.
    id_key = layout.id_key if layout.form not in (OBJECT, TATQA_PAIRS) else None
    prediction_key = layout.response_key if layout.form == ROWS else None
    return {
        "format": score.signature.format,
        "id_key": id_key,
        "prediction_key": prediction_key,
        "task": score.signature.task,
        "missing": score.signature.missing,
        "thinking": score.signature.thinking,
    }


def results(
    benchmark: str,
    runs: Sequence[Mapping[str, Any]],
    comparisons: Sequence[tuple[int, int, Mapping[str, Comparison]]],
) -> dict[str, Any]:
    """Return the result of several files: `benchmark`, `runs` and `comparisons`.

    A comparison names its two files by their places among the runs.
    """
    return {
        "benchmark": benchmark,
        "runs": list(runs),
        "comparisons": [
            {
                "first": first,
                "second": second,
                "metrics": {name: asdict(found) for name, found in metrics.items()},
            }
            for first, second, metrics in comparisons
        ],
    }


def versions() -> dict[str, str | None]:
    """Return the versions of what the figures come from."""
    return {
        DISTRIBUTION: installed_version(),
        "python": platform.python_version(),
        **{name: installed_version(name) for name in _LIBRARIES},
    }


def write_json(
    path: Path, content: Mapping[str, Any], samples: Sequence[Iterable[str]]
) -> None:
    """Write a result, each of its lists of samples piece by piece.

    Parameters
    ----------
    path
        The file. It appears when it is complete; until then, and if the writing fails,
        it is what it was before.
    content
        What `result` or `results` returned.
    samples
        Of each file of predictions, the text of the samples in pieces; see `BatchScores`.

    Raises
    ------
    OSError
        The file cannot be written.
    """
    sources = iter(samples)
    with replacing(path) as file:
        for piece in _pieces(content, sources):
            file.write(piece)
        file.write("\n")


def _pieces(
    content: Mapping[str, Any], sources: Iterator[Iterable[str]]
) -> Iterator[str]:
    separator = "{"
    for key, value in content.items():
        yield f"{separator}\n{json.dumps(key)}: "
        separator = ","
        if key == _SAMPLES:
            yield from _list(next(sources))
        elif key == "runs":
            yield "["
            for number, run in enumerate(value):
                yield ",\n" if number else "\n"
                yield from _pieces(run, sources)
            yield "\n]"
        else:
            yield json.dumps(value, allow_nan=False)
    yield "\n}"


def _list(pieces: Iterable[str]) -> Iterator[str]:
    yield "["
    for number, piece in enumerate(pieces):
        yield piece if number else f"\n{piece}"
    yield "\n]"


def _metrics(estimates: Mapping[str, Estimate]) -> dict[str, dict[str, Any]]:
    return {
        name: {"value": each.value, "stderr": each.stderr, "ci95": each.ci95}
        for name, each in estimates.items()
    }
