"""`tableqa score`: score files of predictions without a model."""

from __future__ import annotations

import argparse
import signal
import sqlite3
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

from ..command_line import CannotWrite, check_output, exit_status, in_line, writing
from ..files.jsonfile import InputFileError
from ..files.records import BENCHMARKS
from .formats import FORMATS
from .output import result, results, write_json
from .plan import POLICIES
from .pool import Team, WorkerDied
from .references import read_references
from .run import FileScore, Settings, compare_files, prepare, score_file
from .samples import Samples, kept_beside
from .scorer import BatchScores
from .tasks import TASKS
from .text import comparison_text, result_text


DESCRIPTION = """\
Score files of predictions against files of references, without a model: the metrics of
the harness's tasks, with standard errors, 95 % intervals and breakdowns. Several files of
predictions are compared with each other, question by question.
"""
EPILOG = """\
formats (found by looking, or named with --format):
  extracted answers, scored as they are
    tatqa               TAT-QA's {uid: [answer, scale]}, or rows of id and such a pair
    program-of-thoughts rows with pred_answer and pred_scale
    finqa               FinQA's rows of {id, predicted: [tokens]}
    tanq                TANQ's rows with init_qid; --prediction-key names the table's key
    predictions         id and answer, in JSON, JSONL or CSV; a column scale beside the
                        answer is its scale
  raw responses, in which the answer is looked for
    tatllm              TAT-LLM's {id, prediction}: whole replies, most of which begin
                        with its table of steps or end in its answer line; also scored
                        by its scorer
    samples             samples_*.jsonl of lm-evaluation-harness, from its resps
    batch               the results of OpenAI's (Azure's, Mistral's, vLLM's) or
                        Anthropic's batch interface, by custom_id
    responses           id and text, in JSON, JSONL or CSV; in the place of the text the
                        messages of a conversation or what an interface returned, whole
  Each may be gzipped. A file of two kinds is refused. The log of a task that was derived
  from one of ours (include:) is scored as its own scores and targets say; what differs from
  them is told.

examples:
  tableqa score tatqa --references tatqa_dataset_dev.json \\
      --predictions sample_prediction.json
  tableqa score finqa --references test.json --missing zero \\
      --predictions example_predictions.json --output scores.json
  tableqa score tanq --references test.jsonl --prediction-key prediction_table \\
      --predictions a.jsonl b.jsonl --model A --model B
  tableqa score tatqa --references test.json --predictions qwq.jsonl --thinking

figures:
  The standard errors are the harness's; 95 % intervals are Wilson's where scores are all
  or nothing, else 1.96 standard errors each way. Of a difference, the interval is that of
  a paired bootstrap, and p of the exact McNemar test where scores are all or nothing, of
  the exact permutation test where few differ, else of that bootstrap.

exit status:
  0 scored; 1 an input cannot be scored, or predictions are missing (--missing error): one
  line on stderr says what; 2 wrong usage; 130 interrupted, 143 terminated. --output is
  written whole or not at all.
"""


def main(argv: Sequence[str]) -> int:
    """Run the command on its arguments and return its exit status."""
    parser = _parser()
    args = parser.parse_args(argv)
    if args.model and len(args.model) != len(args.predictions):
        parser.error(
            f"--model is given {len(args.model)} times for {len(args.predictions)} files "
            "of predictions"
        )
    if args.task is not None and TASKS[args.task].benchmark != args.benchmark:
        parser.error(f"--task: {args.task} is not of {args.benchmark}")

    def work() -> None:
        with _stopping() as check, _on_disk():
            _score(args, check)
            sys.stdout.flush()  # while signals are still ours

    return exit_status(
        work,
        errors=(InputFileError, WorkerDied, OSError),
        nested="a prediction or a reference is nested too deeply",
        interrupted="interrupted",
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="tableqa score",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("benchmark", choices=tuple(BENCHMARKS), help="what the predictions are of")
    add(
        "--references",
        nargs="+",
        action="extend",
        required=True,
        metavar="FILE",
        help="the public data files; several, or given again, are taken together",
    )
    add(
        "--predictions",
        nargs="+",
        action="extend",
        required=True,
        metavar="FILE",
        help="what is scored; several are compared with the first",
    )
    add(
        "--model",
        action="append",
        metavar="NAME",
        help="the model's name; once for each file of predictions",
    )
    add("--format", choices=tuple(FORMATS), help="of the predictions (see below)")
    add(
        "--id-key",
        metavar="KEY",
        help="the key or column of the ids; a dotted one reaches into a row",
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
        help="score raw responses as this task of the harness does; by default that "
        "which a sample log names, else the main one",
    )
    add(
        "--missing",
        choices=POLICIES,
        default="error",
        help="questions without a prediction are an error (the default), are scored 0 in "
        "every metric, or are dropped, which published FinQA figures do; an empty "
        "response is none of these: it is scored as the released scorer does (TANQ's "
        "rms_precision of one is 100)",
    )
    add(
        "--thinking",
        action="store_true",
        help="the prompts ended inside a thought (an opening <think> of the chat "
        "template): a response without a closing tag is an unfinished thought and has no "
        "answer; a sample log of a run with --metadata '{\"thinking\": true}' says it "
        "itself",
    )
    add("--output", type=Path, metavar="FILE", help="write the result as JSON")
    add(
        "--workers",
        type=_positive,
        default=1,
        metavar="N",
        help="how many processes score (1)",
    )
    return parser


def _score(args: argparse.Namespace, check: Callable[[], None]) -> None:
    settings = Settings(
        format=args.format,
        id_key=args.id_key,
        prediction_key=args.prediction_key,
        task=args.task,
        missing=args.missing,
        thinking=args.thinking,
    )
    if args.output is not None:
        check_output(args.output, [*args.references, *args.predictions])
    models = args.model or [None] * len(args.predictions)
    with ExitStack() as stack:
        team = stack.enter_context(closing(Team(args.workers, check)))
        references = read_references(args.benchmark, args.references, team)
        stack.callback(references.close)
        files = [prepare(references, path, settings, team) for path in args.predictions]
        _note(note for prepared in files for note in prepared.notes)
        scores: list[FileScore] = []
        samples: list[Samples] = []
        for prepared, model in zip(files, models, strict=True):
            keep = None
            if args.output is not None:
                samples.append(stack.enter_context(kept_beside(args.output)))
                keep = samples[-1].add
            score = score_file(
                references,
                prepared,
                settings,
                team,
                model=model,
                keep_samples=keep,
                progress=_shown,
            )
            scores.append(score)
            _note(score.notes())
        compared = [
            (0, other, compare_files(scores[0], scores[other], upper=references.upper))
            for other in range(1, len(scores))
        ]
        if args.output is not None:
            found = [result(references, score) for score in scores]
            many = len(found) > 1
            content = results(args.benchmark, found, compared) if many else found[0]
            with writing(args.output):
                write_json(args.output, content, samples)
        texts = [result_text(references, score) for score in scores]
        texts += [
            comparison_text(scores[first], scores[second], metrics)
            for first, second, metrics in compared
        ]
        text = "\n\n\n".join(texts)
    # An id may hold what no output can: half of a surrogate pair.
    print(text.encode(errors="replace").decode())


def _note(notes: Iterable[str]) -> None:
    for note in notes:
        print(f"tableqa: note: {in_line(note)}", file=sys.stderr)


def _shown(
    found: Iterable[BatchScores], total: int, name: str
) -> Iterator[BatchScores]:
    """Pass results on, with a progress bar on a terminal."""
    if not sys.stderr.isatty():
        yield from found
        return
    from tqdm import tqdm

    with tqdm(desc=Path(name).name, total=total, leave=False) as bar:
        for scores in found:
            yield scores
            bar.update(len(scores.places))


@contextmanager
def _on_disk() -> Iterator[None]:
    """Say of what cannot be kept on disk where it is kept."""
    try:
        yield
    except sqlite3.Error as error:
        raise CannotWrite(
            f"temporary files ({error}): TMPDIR names another folder for them"
        ) from error


@contextmanager
def _stopping() -> Iterator[Callable[[], None]]:
    """Let Ctrl-C and SIGTERM end the work, what is half-written cleared away.

    Yields a check that raises where one of them came: Python drops an exception that a
    signal raises while an object is being removed, which happens.
    """
    came: list[int] = []

    def check() -> None:
        if came:
            if came[0] == signal.SIGINT:
                raise KeyboardInterrupt
            sys.exit(128 + came[0])

    def stop(number: int, frame: object) -> None:
        came.append(number)
        check()

    if threading.current_thread() is not threading.main_thread():
        yield check
        return
    before = {
        number: signal.signal(number, stop)
        for number in (signal.SIGINT, signal.SIGTERM)
    }
    try:
        yield check
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError(text)
    return number


_positive.__name__ = "number of processes"  # as argparse calls it
