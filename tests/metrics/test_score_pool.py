"""Work in several processes: the same results in order, bounded, and no exception lost."""

import os
import time

import pytest

from tableqa_metrics.files.jsonfile import InputFileError
from tableqa_metrics.scoring.pool import WorkerDied, in_order


def squares(numbers):
    return [number * number for number in numbers]


def complain(numbers):
    if 50 in numbers:
        raise InputFileError("FILE, line 50: no square")
    return squares(numbers)


def slow_to_complain(numbers):
    time.sleep(0.05)
    return complain(numbers)


def die(numbers):
    if 50 in numbers:
        os._exit(9)
    return squares(numbers)


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("count", [0, 1, 10, 95])
def test_results_come_in_order(workers, count):
    found = list(in_order(squares, range(count), workers=workers, size=10))
    assert found == squares(range(count))


@pytest.mark.parametrize("workers", [1, 2])
def test_no_more_is_read_than_is_worked_on(workers):
    """What is held in memory does not grow with the items."""
    read = 0

    def items():
        nonlocal read
        for number in range(1000):
            read += 1
            yield number

    ahead = 0
    results = in_order(squares, items(), workers=workers, size=10)
    for done, _ in enumerate(results, 1):
        ahead = max(ahead, read - done)
    assert read == 1000
    assert ahead <= 10 * (2 * workers + 2)


@pytest.mark.parametrize("workers", [1, 2])
def test_an_exception_comes_here_after_the_results_before_it(workers):
    found = []
    with pytest.raises(InputFileError, match="line 50: no square"):
        found.extend(in_order(slow_to_complain, range(99), workers=workers, size=10))
    assert found == squares(range(50))


def test_a_worker_that_dies_is_not_waited_for():
    with pytest.raises(WorkerDied, match="a worker process died"):
        list(in_order(die, range(99), workers=2, size=10))


def test_whoever_stops_early_leaves_no_process():
    from multiprocessing import active_children

    results = in_order(squares, range(1000), workers=2, size=10)
    assert next(results) == 0
    assert active_children()
    results.close()
    assert active_children() == []
