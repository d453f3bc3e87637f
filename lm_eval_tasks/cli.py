"""The `tableqa` command.

    tableqa run …    lm_eval run, with our tasks and the replay model known
    tableqa score …  score files of predictions, without the harness or a model
    tableqa report … show what runs score and why, in one HTML file
    tableqa demo     evaluate the embedded samples with recorded responses
    tableqa path     print the folder for lm_eval's --include_path
    tableqa data     list the data files and where they are; download them
    tableqa link     write that folder's tasks into the installed harness
    tableqa unlink   remove from the harness what link wrote

Exit status: 0 where all went well; 1 for what the user can put right (one line on
stderr says what), and where whoever read the output has gone; 2 for wrong usage; 130
after Ctrl-C; for `run` else whatever the harness gives.

`run` hands its arguments to the harness's own parser, so that every flag is the
harness's, and then adds to what was parsed: our folder to `include_path`, which the
harness's task manager takes as a list although its flag takes one, and a name for the
replay model. No file is written. The classes that it calls are the two lines of
`lm_eval.__main__` in each supported version. Where only our tasks are asked for, the
harness's own ones are left out of its index: see `own_run`.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final

from lm_eval_tasks.errors import TableqaError
from tableqa_metrics.command_line import exit_status, fail, flushed_help


TASKS_DIR = Path(__file__).resolve().parent

# What the help of each command shows.
_EXAMPLES: Final = {
    "demo": ("tableqa demo",),
    "path": ('lm_eval run --include_path "$(tableqa path)" --tasks tatqa --model …',),
    "data": (
        "tableqa data",
        "tableqa data tatqa --data_dir DIR",
        "tableqa data tanq tatqa --download",
    ),
    "link": ("tableqa link", "tableqa link --status"),
    "unlink": ("tableqa unlink",),
}
_EXAMPLES_OF_ALL: Final = (
    "tableqa demo",
    "tableqa run --tasks tatqa --model hf --model_args pretrained=MODEL",
    "tableqa run --tasks tatqa --model replay --model_args responses=saved.jsonl",
    "tableqa score tatqa --references tatqa_dataset_dev.json --predictions saved.jsonl",
    "tableqa report runs --output report.html",
)
_STATUS: Final = """\
Exit status: 0 done; 1 something is to be put right, as a line on stderr says;
2 wrong usage; 130 interrupted"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status."""
    # Started with a closed output: what is said goes nowhere, and no file takes its place.
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w"))  # noqa: SIM115 (for good)
    with flushed_help():
        return _main(list(sys.argv[1:] if argv is None else argv))


def _main(arguments: list[str]) -> int:
    command, rest = arguments[:1], arguments[1:]
    # The harness parses the flags of `run`: argparse would take --help for itself.
    if command == ["run"]:
        return exit_status(lambda: run(rest), errors=(TableqaError,))
    # Its parser needs what it imports, which the other commands do not.
    if command == ["score"]:
        from tableqa_metrics.scoring.command import main as score

        return score(rest)
    if command == ["report"]:
        from tableqa_metrics.report.command import main as report

        return report(rest)
    args = _parser().parse_args(arguments)
    return exit_status(lambda: args.call(args), errors=(TableqaError, OSError))


def run(argv: Sequence[str]) -> None:
    """Run `lm_eval run` on these arguments, with our tasks and the replay model."""
    from lm_eval._cli import HarnessCLI
    from lm_eval.utils import setup_logging

    import lm_eval_tasks.replay  # noqa: F401 (registers the model)
    from lm_eval_tasks import own_run

    setup_logging()
    cli = HarnessCLI()
    own_argv, sys.argv = sys.argv, ["lm-eval", "run", *argv]
    try:
        args = cli.parse_args()
        alone = _add_ours(args, argv)
        (own_run.evaluate if alone else cli.execute)(args)
    finally:
        sys.argv = own_argv


def path(args: argparse.Namespace) -> None:
    """Print the folder that holds the tasks."""
    print(TASKS_DIR)


def demo(args: argparse.Namespace) -> None:
    """Evaluate the embedded samples."""
    from lm_eval_tasks.demo import run_demo

    run_demo(TASKS_DIR)


def data(args: argparse.Namespace) -> int:
    """List the files of the benchmarks, or fetch them."""
    from lm_eval_tasks.data import status

    sources = status.choose(args.benchmark)
    if args.download:
        problems = status.download(sources, args.data_dir)
        return max(map(fail, problems), default=0)
    show = status.details if args.benchmark else status.overview
    print(show(sources, args.data_dir))
    return 0


def link(args: argparse.Namespace) -> int:
    """Write our folder into the harness's tasks, or say whether it is there."""
    from lm_eval_tasks import link as linking

    harness = linking.harness_folder()
    if args.status:
        found = linking.inspect(TASKS_DIR, harness)
        print(found.describe())
        return 0 if found.state is linking.State.CURRENT else 1
    linking.link(TASKS_DIR, harness)
    print(linking.inspect(TASKS_DIR, harness).describe())
    return 0


def unlink(args: argparse.Namespace) -> None:
    """Remove our folder from the harness's tasks."""
    from lm_eval_tasks import link as linking

    harness = linking.harness_folder()
    linking.unlink(TASKS_DIR, harness)
    print(linking.inspect(TASKS_DIR, harness).describe())


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="tableqa",
        description="Table question answering in lm-evaluation-harness.",
        epilog=_epilog(_EXAMPLES_OF_ALL)
        + "; of run else what lm_eval gives. Each command has a --help.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--version",
        action=_Versions,
        nargs=0,
        help="print the versions that a figure depends on",
    )
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    commands.add_parser(
        "run", help="lm_eval run, with our tasks and the replay model", add_help=False
    )
    commands.add_parser(
        "score", help="score files of predictions, without a model", add_help=False
    )
    commands.add_parser(
        "report", help="show what runs score and why, in HTML", add_help=False
    )
    for call, text in (
        (demo, "evaluate the embedded samples with recorded responses"),
        (path, "print the folder for lm_eval's --include_path"),
        (data, "list the data files and where they are; download them"),
        (link, "let plain lm_eval find the tasks: a folder in the installed harness"),
        (unlink, "remove from the harness what link wrote"),
    ):
        command = commands.add_parser(
            call.__name__,
            help=text,
            description=f"{text[0].upper()}{text[1:]}.",
            epilog=_epilog(_EXAMPLES[call.__name__]) + ".",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        command.set_defaults(call=call)
    command = commands.choices["data"]
    command.add_argument(
        "benchmark",
        nargs="*",
        help="such as tanq, tatdqa, tat_llm: with addresses and checks; default: a table",
    )
    command.add_argument(
        "--download",
        action="store_true",
        help="fetch and verify the files that are in neither the folder nor the cache",
    )
    command.add_argument(
        "--data_dir", help="a folder of your own files, looked into first"
    )
    command = commands.choices["link"]
    command.add_argument(
        "--status",
        action="store_true",
        help="say what is there; exit status 0 if the link is up to date, else 1",
    )
    return parser


class _Versions(argparse.Action):
    """Print the versions, which are looked up in the installed files only then."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        from importlib.metadata import PackageNotFoundError, version

        found = []
        for name in ("lm-eval-tableqa", "lm-eval", "datasets"):
            try:
                found.append(f"{name} {version(name)}")
            except PackageNotFoundError:  # run from its folder
                found.append(f"{name} (not installed)")
        print(", ".join(found))
        parser.exit()


def _epilog(examples: Iterable[str]) -> str:
    return "\n  ".join(["Examples:", *examples]) + f"\n\n{_STATUS}"


def _add_ours(args: argparse.Namespace, argv: Sequence[str]) -> bool:
    """Add our folder, and the replay model's name, to the harness's parsed arguments.

    Returns whether only tasks of our folder are asked for.
    """
    from lm_eval.config.evaluate_config import EvaluatorConfig
    from lm_eval.utils import simple_parse_args_string

    from lm_eval_tasks import link as linking, own_run
    from lm_eval_tasks.replay import CACHE_REFUSED, ReplayLM

    config = EvaluatorConfig.load_yaml_config(args.config) if args.config else {}

    def given(name: str) -> Any:
        return getattr(args, name, None) or config.get(name)

    theirs = _every_include_path(argv) or given("include_path") or []
    theirs = [theirs] if isinstance(theirs, str) else theirs
    theirs = [folder for folder in theirs if Path(folder).resolve() != TASKS_DIR]
    alone = (
        not theirs
        and own_run.is_understood(given)
        and own_run.is_enough(given("tasks"), TASKS_DIR)
    )
    # The harness warns of each name that it meets twice, as it would of linked ones.
    linked = linking.inspect(TASKS_DIR, linking.harness_folder())
    twice = linked.state is linking.State.CURRENT and not alone
    # The last of two tasks with one name wins: a user's own copy.
    args.include_path = ([] if twice else [str(TASKS_DIR)]) + theirs
    if given("model") == "replay":
        if given("use_cache"):
            raise TableqaError(CACHE_REFUSED)
        model_args = given("model_args") or {}
        if isinstance(model_args, str):
            model_args = simple_parse_args_string(model_args)
        # Made here, too, since the harness makes it after it has indexed all its tasks,
        # which is late to hear of a wrong path; it names its output folder after `model`.
        args.model_args = {**model_args, "model": ReplayLM(**model_args).name}
    return alone


def _every_include_path(argv: Sequence[str]) -> list[str]:
    """Return each --include_path, where the harness would keep the last one only."""
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--include_path", action="append", default=[])
    return parser.parse_known_args(argv)[0].include_path


if __name__ == "__main__":
    sys.exit(main())
