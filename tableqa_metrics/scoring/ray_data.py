"""Scoring past one machine: `tableqa score` as a pipeline of Ray Data.

    pip install "lm-eval-tableqa[ray]"
    python -m tableqa_metrics.scoring.ray_data tatqa \\
        --references tatqa_dataset_dev.json --predictions responses/*.jsonl --output scores

The figures are those of `tableqa score`, to the last bit, from the same files; the work
is Ray's. It reads the files of predictions where a processor is free, hands their rows
to copies of `Score`, as many as its cluster has processors for, and writes the scores
of each prediction into the folder `--output`, as Parquet. `score_on_ray` is the pipeline,
to copy where other steps come before or after.

On a cluster (`RAY_ADDRESS=… python -m …`), every machine needs this package and must see
the files under the same paths. All files of a run are of one format, and each question
must have just one prediction there: no process sees all of them before they are scored.
"""

from __future__ import annotations

import argparse
import json
import math
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from importlib.util import find_spec
from itertools import islice
from typing import TYPE_CHECKING, Final

from ..aggregate import Estimate, estimate
from ..command_line import exit_status, fail
from ..files.blocks import RawRow
from ..files.jsonfile import InputFileError, Row, some_of
from ..files.layout import Layout
from ..files.records import BENCHMARKS
from .formats import Format, Predictions, open_predictions
from .glance import Glance, first_glance, question_of, stored_name
from .questions import of_record
from .references import References, read_references
from .scorer import Job, Scorer
from .tasks import MAIN_TASK, PARTIAL, TASKS, WORDS
from .text import aligned


if TYPE_CHECKING:
    import pyarrow as pa
    from ray.data import Dataset


DESCRIPTION = """\
Score files of predictions on Ray, on this machine or on a cluster: the figures of tableqa
score, and the scores of each prediction as Parquet.
"""
EPILOG = """\
examples:
  python -m tableqa_metrics.scoring.ray_data tatqa \\
      --references tatqa_dataset_dev.json --predictions responses/*.jsonl --output scores
  RAY_ADDRESS=ray://head:10001 python -m tableqa_metrics.scoring.ray_data finqa \\
      --references test.json --predictions a.jsonl --task finqa_program --output scores

exit status:
  0 scored; 1 an input cannot be scored, a prediction is missing, or Ray is not installed:
  one line on stderr says what; 2 wrong usage.
"""

_BATCH: Final = 512  # rows that are scored at once
_BLOCK: Final = 4096  # rows that go to a process at a time
_TEXTS: Final = (*WORDS, "id", "prediction", "rule", "reason")


class Score:
    """Scores batches of rows, in a process that reads the references once."""

    def __init__(
        self, benchmark: str, references: Sequence[str], scorer: Scorer
    ) -> None:
        self.references = read_references(benchmark, references)
        self.scorer = scorer

    def __call__(self, batch: pa.Table) -> pa.Table:
        """Score the rows of the column `row`, each in JSON.

        Returns
        -------
        pyarrow.Table
            What `tableqa score` writes of each prediction, `prediction` in JSON, and
            `place`, the question's among the references.
        """
        import pyarrow as pa

        rows = [
            RawRow("a prediction", row.encode()) for row in batch["row"].to_pylist()
        ]
        places = self._places(rows)
        samples = []
        for row, place in zip(rows, places, strict=True):
            _, _, name, record = self.references.stored(place)
            _, where, gold = of_record(record)
            result = self.scorer.score(Job(name.decode(), where, gold, row))
            samples.append(json.loads(result.sample))
        columns = {"place": pa.array(places, pa.int64())}
        for name in samples[0]:
            values = [sample[name] for sample in samples]
            if name == "prediction":
                values = list(map(json.dumps, values))
            kind = pa.string() if name in _TEXTS else pa.float64()
            columns[name] = pa.array(values, kind)
        return pa.table(columns)

    def _places(self, rows: Sequence[RawRow]) -> list[int]:
        items = [self.scorer.layout.read(row.read()) for row in rows]
        asked = {n: text for n, i in enumerate(items) if (text := question_of(i))}
        found = self.references.find([stored_name(item.id) for item in items], asked)
        places = []
        for item, place in zip(items, found, strict=True):
            if place is None:
                raise InputFileError(f"the references have no question {item.id}")
            places.append(place)
        return places


def score_on_ray(
    benchmark: str,
    references: Sequence[str],
    predictions: Sequence[str],
    *,
    task: str | None = None,
    prediction_key: str | None = None,
) -> Dataset:
    """Return the scores of files of predictions as a dataset of Ray.

    Parameters
    ----------
    benchmark, references
        As in `read_references`.
    predictions
        Files of one format.
    task
        The task of the harness whose scoring is used; `None` takes the main one.
    prediction_key
        As in `open_predictions`.

    Returns
    -------
    ray.data.Dataset
        A row for each prediction: see `Score`.

    Raises
    ------
    InputFileError
        The first file of predictions cannot be read. What else is wrong is raised by
        Ray, once it works on it.
    """
    import ray

    def rows(batch: pa.Table) -> Iterator[dict[str, list[str]]]:
        for path in batch["path"].to_pylist():
            file = open_predictions(benchmark, path, prediction_key=prediction_key)
            if _kind(file) != kind:
                raise InputFileError(
                    f"{path}: is read in another way (format {file.format.name}) than "
                    f"{predictions[0]} (format {kind[0].name}); score them one by one"
                )
            read = (raw.read() for raw in file.responses.raw_rows())
            looked = _looked_at(first_glance(benchmark, file), read)
            while lines := list(islice(looked, _BATCH)):
                yield {"row": lines}

    first = open_predictions(benchmark, predictions[0], prediction_key=prediction_key)
    kind = _kind(first)
    task = task or MAIN_TASK[benchmark]
    scorer = Scorer(TASKS[task], first.format.extracted, first.responses.layout)
    if not ray.is_initialized():
        ray.init()
    processors = int(ray.cluster_resources()["CPU"])
    return (
        ray.data.from_items([{"path": str(path)} for path in predictions])
        # Half a processor, so that Ray does not join this to what follows: a file would
        # have but one process.
        .map_batches(rows, batch_size=1, batch_format="pyarrow", num_cpus=0.5)
        .repartition(target_num_rows_per_block=_BLOCK)
        .map_batches(
            Score,
            batch_size=_BATCH,
            batch_format="pyarrow",
            fn_constructor_args=(benchmark, list(references), scorer),
            compute=ray.data.ActorPoolStrategy(min_size=1, max_size=processors),
        )
    )


def _kind(file: Predictions) -> tuple[Format, Layout]:
    """Return what a file holds and how its rows are read."""
    return file.format, replace(file.responses.layout, first="")


def _looked_at(glance: Glance, rows: Iterable[Row]) -> Iterator[str]:
    """Yield rows in JSON, each of which is of the kind of its file."""
    for row in rows:
        glance.look(row)
        yield json.dumps(row.data)


def estimates(scores: Dataset, references: References) -> dict[str, Estimate]:
    """Return what the scores of a run come to, by metric.

    Raises
    ------
    InputFileError
        A question has no prediction, or two.
    """
    seen = bytearray(len(references))
    values: dict[str, array[float]] = {}
    for batch in scores.iter_batches(batch_format="pyarrow"):
        places = batch["place"].to_pylist()
        for place in places:
            if seen[place]:
                (name,) = references.names([place])
                raise InputFileError(f"{name} has two predictions")
            seen[place] = True
        for name in batch.column_names:
            if name in WORDS or name not in (*_TEXTS, "place"):
                column = values.setdefault(name, array("d", [math.nan]) * len(seen))
                found = batch[name].to_pylist()
                for place, value in zip(places, found, strict=True):
                    if name in WORDS:
                        column[place] = float(value is not None)
                    elif value is not None:
                        column[place] = value
    missing = [place for place, is_seen in enumerate(seen) if not is_seen]
    if missing:
        ids = some_of(references.names(missing))
        raise InputFileError(f"{len(missing)} have no prediction: {ids}")
    return {
        name: estimate(
            [value for value in column if not math.isnan(value)],
            upper=1.0 if name in WORDS else references.upper,
            partial=name in PARTIAL,
        )
        for name, column in values.items()
    }


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tableqa_metrics.scoring.ray_data",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("benchmark", choices=tuple(BENCHMARKS), help="what the predictions are of")
    add(
        "--references",
        nargs="+",
        required=True,
        metavar="FILE",
        help="the public data files; several are taken together",
    )
    add(
        "--predictions",
        nargs="+",
        required=True,
        metavar="FILE",
        help="what is scored: files of one format, taken together, each question once",
    )
    add(
        "--prediction-key",
        metavar="KEY",
        help="the key or column of the predictions or responses",
    )
    add(
        "--task",
        choices=tuple(TASKS),
        metavar="TASK",
        help="score raw responses as this task of the harness does, not as the main one",
    )
    add(
        "--output",
        required=True,
        metavar="FOLDER",
        help="where the scores of each prediction are written, as Parquet",
    )
    return parser


def main() -> int:
    """Score files of predictions and print the figures."""
    args = _parser().parse_args()
    if find_spec("ray") is None or find_spec("pyarrow") is None:
        return fail(
            "scoring on Ray needs the extra ray: pip install 'lm-eval-tableqa[ray]'"
        )

    def work() -> None:
        references = read_references(args.benchmark, args.references)
        scores = score_on_ray(
            args.benchmark,
            args.references,
            args.predictions,
            task=args.task,
            prediction_key=args.prediction_key,
        ).materialize()
        found = estimates(scores, references)
        scores.write_parquet(args.output)
        rows = [
            (name, f"{e.value}", f"{e.stderr}", f"{e.n}") for name, e in found.items()
        ]
        print(aligned([("metric", "value", "stderr", "n"), *rows]))

    return exit_status(work, errors=(InputFileError, OSError))


if __name__ == "__main__":
    raise SystemExit(main())
