"""What the benchmarks share: flags, clocks that a busy machine disturbs little, tables.

A benchmark measures in rows, dictionaries of words and numbers. A key that ends in `_s`
holds seconds, one in `_mib` mebibytes; `ratio` says how many times as fast as the plain
way, or how many times as slow as what it is compared with; `aim` says what it should be.
"""

from __future__ import annotations

import argparse
import gc
import json
import math
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any


Row = dict[str, Any]

# A call costs the least of as many as take this long together.
BUDGET = 0.5
QUICK_BUDGET = 0.05
# What takes turns takes so many each.
_ROUNDS = 3
# Less than this many seconds is not measured.
_SHORTEST = 0.001
# A clock that moves in longer steps, in seconds, is too coarse to compare with.
_LONGEST_STEP = 0.0005


def step(clock: Callable[[], float], tries: int = 5) -> float:
    """Return the seconds that a clock moves by when it moves, the least of some tries.

    `time.get_clock_info` tells the unit that the clock is written in instead.
    """
    steps = []
    for _ in range(tries):
        start = clock()
        while (now := clock()) == start:
            pass
        steps.append(now - start)
    return min(steps)


def fine_clock() -> Callable[[], float]:
    """Return the clock of CPU time, that of wall time where it moves in long steps.

    Some kernels, those of sandboxes among them, count CPU time in steps of 10 ms, in
    which much of what is measured takes no time at all.
    """
    fine = step(time.process_time) <= _LONGEST_STEP
    return time.process_time if fine else time.perf_counter


clock = fine_clock()


def parser(description: str) -> argparse.ArgumentParser:
    """Return a parser of the flags that every benchmark has."""
    made = argparse.ArgumentParser(description=description.partition("\n")[0])
    made.add_argument("--quick", action="store_true", help="small sizes, to see it run")
    made.add_argument("--json", action="store_true", help="print JSON, no table")
    return made


def show(rows: Iterable[Row], *, as_json: bool) -> None:
    """Print the rows as a table, or all of them as JSON."""
    if as_json:
        print(json.dumps(list(rows), indent=1))
        return
    for line in table(rows):
        print(line, flush=True)


def table(rows: Iterable[Row]) -> Iterator[str]:
    """Yield the lines of a table in Markdown; rows with other keys begin another one."""
    keys: list[str] = []
    for row in rows:
        if list(row) != keys:
            if keys:
                yield ""
            keys = list(row)
            yield f"| {' | '.join(map(_heading, keys))} |"
            yield f"|{' --- |' * len(keys)}"
        yield f"| {' | '.join(map(_cell, row.values()))} |"


def seconds(call: Callable[[], object], *, quick: bool = False) -> float:
    """Return the least time of a call by `clock`."""
    return taking_turns(call, budget=QUICK_BUDGET if quick else BUDGET)[0]


def taking_turns(*calls: Callable[[], object], budget: float) -> list[float]:
    """Return the least seconds of each call; what slows one slows the others."""
    counts = [_enough(call) for call in calls]
    least = [float("inf")] * len(calls)
    gc.disable()
    try:
        for _ in range(_ROUNDS):
            for k, (call, count) in enumerate(zip(calls, counts, strict=True)):
                spent = 0.0
                while spent < budget / _ROUNDS:
                    spent += (took := _together(call, count))
                    least[k] = min(least[k], took / count)
    finally:
        gc.enable()
    return least


def _enough(call: Callable[[], object]) -> int:
    """Return how many calls in a row take long enough to be told from the clock's steps.

    A clock of CPU time has been seen not to move for 20 microseconds.
    """
    count = 1
    while _together(call, count) < _SHORTEST:
        count *= 2
    return count


def _together(call: Callable[[], object], count: int) -> float:
    start = clock()
    for _ in range(count):
        call()
    return clock() - start


def least(
    work: Callable[[], object],
    rounds: int,
    before: Callable[[], object] = lambda: None,
) -> float:
    """Return the least seconds of so many rounds of a work, without what comes before."""
    times = []
    for _ in range(rounds):
        before()
        start = clock()
        work()
        times.append(clock() - start)
    return min(times)


def order(sizes: Iterable[float], costs: Iterable[float]) -> float:
    """Return the power of the size that the cost grows with, by least squares.

    Examples
    --------
    >>> order([10, 20, 40], [1.0, 4.0, 16.0])
    2.0
    """
    xs, ys = ([math.log(value) for value in values] for values in (sizes, costs))
    x, y = sum(xs) / len(xs), sum(ys) / len(ys)
    slope = sum((a - x) * (b - y) for a, b in zip(xs, ys, strict=True))
    return round(slope / sum((a - x) ** 2 for a in xs), 2)


def shared(*parts: str) -> Path | None:
    """Return a file of the real data, `None` where it is not there."""
    path = Path(__file__).parents[2].parent.joinpath("shared", "data", *parts)
    return path if path.exists() else None


def _heading(key: str) -> str:
    for ending, unit in (("_s", "s"), ("_mib", "MiB"), ("_ms", "ms")):
        if key.endswith(ending):
            return f"{key.removesuffix(ending)}, {unit}".replace("_", " ")
    return key.replace("_", " ")


def _cell(value: object) -> str:
    if isinstance(value, bool) or value is None:
        return {True: "yes", False: "no", None: ""}[value]
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"
    return str(value)
