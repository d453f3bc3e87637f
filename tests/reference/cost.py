"""How cost grows with size, measured so that a busy machine does not matter."""

import gc
from collections.abc import Callable
from time import process_time
from typing import Any


# Below this many seconds, what is measured is noise.
_FLOOR = 0.002


def growth(
    work: Callable[[Any], object], make: Callable[[int], Any], size: int, factor: int
) -> float:
    """How many times longer `work` takes on an input `factor` times the size.

    Processor time, the least of three tries each, which take turns so that what slows one
    slows the other, without making the input and without the collection of garbage. Linear cost gives about `factor`, quadratic cost its
    square; inputs that take no time to speak of give less.
    """
    inputs = make(size), make(size * factor)
    gc.disable()
    try:
        rounds = [[_seconds(work, given) for given in inputs] for _ in range(3)]
    finally:
        gc.enable()
    small, large = (min(times) for times in zip(*rounds, strict=True))
    return large / max(small, _FLOOR)


def _seconds(work: Callable[[Any], object], given: Any) -> float:
    start = process_time()
    work(given)
    return process_time() - start
