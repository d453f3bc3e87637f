"""`tableqa report`: runs side by side, as one HTML file or as Markdown."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from ..command_line import check_output, exit_status, writing
from ..files.atomic import replacing
from ..files.jsonfile import InputFileError
from .groups import Answered, make_groups
from .inputs import read_runs
from .page import MissingLibrary, html_report, markdown_summary
from .score_file import Lookup


DESCRIPTION = """\
Show what runs score and why: one HTML file that opens from disk, with summary, charts, and
a browser of all questions in which the cells and values of each answer are coloured as the
metrics matched them.
"""
EPILOG = """\
RUN is one of
  a folder that the harness wrote with --output_path and --log_samples, whatever models and
    tasks it holds (of each the newest)
  a samples_*.jsonl of the harness
  what tableqa score --output wrote; questions, contexts and responses are read from the
    files that it names, if they are where they were

examples:
  tableqa report runs --output report.html
  tableqa report gpt.json llama.json --model GPT --model Llama --output report.html
  tableqa report runs --markdown > summary.md

exit status:
  0 written; 1 an input cannot be read: one line on stderr says what; 2 wrong usage;
  130 interrupted. --output is written whole or not at all.
"""


def main(argv: Sequence[str]) -> int:
    """Run the command on its arguments and return its exit status."""
    parser = _parser()
    args = parser.parse_args(argv)
    if args.output is None and not args.markdown:
        parser.error("nothing to do: name --output FILE, or --markdown, or both")

    def work() -> None:
        _report(args)
        sys.stdout.flush()

    return exit_status(
        work,
        errors=(InputFileError, MissingLibrary, OSError),
        nested="a response or a reference is nested too deeply",
        interrupted="interrupted; nothing was written",
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="tableqa report",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("runs", nargs="+", type=Path, metavar="RUN", help="what is shown (see below)")
    add("--output", type=Path, metavar="FILE", help="write the report as HTML")
    add(
        "--markdown",
        action="store_true",
        help="print the summary as Markdown, for a paper or a pull request",
    )
    add(
        "--model",
        action="append",
        metavar="NAME",
        help="a model's name in the report; once for each run that is found",
    )
    add(
        "--references",
        nargs="+",
        action="extend",
        type=Path,
        default=[],
        metavar="FILE",
        help="the data files that a score was made with, if they have been moved",
    )
    return parser


def _report(args: argparse.Namespace) -> None:
    if args.output is not None:
        check_output(args.output, [*args.runs, *args.references])
    lookup = Lookup(args.references)
    runs = [run for path in args.runs for run in read_runs(path, lookup)]
    lookup.check_all_used()
    if args.model is not None:
        if len(args.model) != len(runs):
            raise InputFileError(
                f"--model is given {len(args.model)} times for {len(runs)} runs: "
                + ", ".join(f"{run.model} ({run.task})" for run in runs)
            )
        runs = [
            replace(run, model=name) for run, name in zip(runs, args.model, strict=True)
        ]
    for line in lookup.lacking:
        print(f"tableqa: note: {line}", file=sys.stderr)
    groups = make_groups(runs, _with_bar)
    if args.output is not None:
        page = html_report(groups)
        with writing(args.output), replacing(args.output) as file:
            file.write(page)
    if args.markdown:
        print(markdown_summary(groups), end="")


def _with_bar(answers: Iterable[Answered], total: int) -> Iterable[Answered]:
    if not sys.stderr.isatty():
        return answers
    from tqdm import tqdm

    bar: Iterable[Answered] = tqdm(answers, "answers", total, leave=False)
    return bar
