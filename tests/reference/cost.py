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

    Processor time, the least of three tries each, without making the input and without
    the collection of garbage. Linear cost gives about `factor`, quadratic cost its
    square; inputs that take no time to speak of give less.
    """
    small, large = make(size), make(size * factor)
    gc.disable()
    try:
        return _least(work, large) / max(_least(work, small), _FLOOR)
    finally:
        gc.enable()


def _least(work: Callable[[Any], object], given: Any) -> float:
    times = []
    for _ in range(3):
        start = process_time()
        work(given)
        times.append(process_time() - start)
    return min(times)
