"""Work in several processes: the same results in order, bounded, and no exception lost."""

import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from itertools import islice
from multiprocessing import active_children, connection

import pytest

from tableqa_metrics.files.jsonfile import InputFileError
from tableqa_metrics.scoring.pool import Team, WorkerDied


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


def leave(numbers):
    if 50 in numbers:
        sys.exit("enough")
    return squares(numbers)


def die_while_writing(numbers):
    """Die when a part of the results is in the pipe."""

    def write_some(self, data):
        os.write(self.fileno(), data[:1000])
        os._exit(9)

    if 50 in numbers:
        connection.Connection._send = write_some
        return ["x" * 1_000_000]
    return squares(numbers)


def sleep_or_fail(numbers):
    """The chunk of 50 fails while that of 40 goes on and on."""
    if 40 in numbers:
        time.sleep(600)
    return complain(numbers)


class Stubborn(Exception):
    """It cannot be made again of its arguments."""

    def __init__(self, first, second):
        super().__init__(f"{first} and {second}")


def fail_stubbornly(numbers):
    raise Stubborn("this", "that")


def no_result_to_send(numbers):
    return [lambda: 0 for _ in numbers]


def much(texts):
    return [text[::-1] for text in texts]


def chunks(items, size):
    iterator = iter(items)
    while chunk := list(islice(iterator, size)):
        yield chunk


def in_order(call, items, *, workers, size=10):
    """What a team makes of items in chunks."""
    with closing(Team(workers)) as team:
        for made in team.in_order(call, chunks(items, size)):
            yield from made


@pytest.mark.parametrize("workers", [1, 2, 5])
@pytest.mark.parametrize("count", [0, 1, 10, 95])
def test_results_come_in_order(workers, count):
    found = list(in_order(squares, range(count), workers=workers))
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
    results = in_order(squares, items(), workers=workers)
    for done, _ in enumerate(results, 1):
        ahead = max(ahead, read - done)
    assert read == 1000
    assert ahead <= 10 * (2 * workers + 2)


def test_no_more_processes_start_than_have_work():
    results = in_order(squares, range(30), workers=9)
    assert next(results) == 0
    assert 1 <= len(active_children()) <= 3
    results.close()


def test_chunks_and_results_larger_than_a_pipe_holds():
    """Neither side waits to write while the other does."""
    texts = [f"{number} " * 1_000_000 for number in range(8)]
    assert list(in_order(much, texts, workers=2, size=1)) == much(texts)


@pytest.mark.parametrize("workers", [1, 2])
def test_an_exception_comes_here_after_the_results_before_it(workers):
    found = []
    with pytest.raises(InputFileError, match="line 50: no square"):
        found.extend(in_order(slow_to_complain, range(99), workers=workers))
    assert found == squares(range(50))


def test_an_exception_says_where_in_the_worker_it_was_raised():
    with pytest.raises(InputFileError) as raised:
        list(in_order(complain, range(99), workers=2))
    assert "in complain\n" in str(raised.value.__cause__)


def test_an_exception_that_cannot_be_sent_is_told():
    with pytest.raises(RuntimeError, match="Stubborn: this and that"):
        list(in_order(fail_stubbornly, range(9), workers=2))


def test_a_result_that_cannot_be_sent_is_an_exception():
    with pytest.raises(Exception, match="pickle"):
        list(in_order(no_result_to_send, range(9), workers=2))


@pytest.mark.parametrize("workers", [1, 2])
def test_an_exception_of_the_input_comes_after_the_results_before_it(workers):
    def items():
        yield from range(50)
        raise InputFileError("FILE: damaged gzip file")

    found = []
    with pytest.raises(InputFileError, match="damaged"):
        found.extend(in_order(squares, items(), workers=workers))
    assert found == squares(range(50))
    assert active_children() == []


@pytest.mark.parametrize("workers", [1, 2])
def test_an_exception_of_an_item_before_comes_first(workers):
    def items():
        yield from range(60)
        raise InputFileError("FILE: damaged gzip file")

    with pytest.raises(InputFileError, match="line 50"):
        list(in_order(slow_to_complain, items(), workers=workers))


def test_a_team_does_one_work_after_another():
    """With the processes that it has, and with new ones after a work that failed."""
    with closing(Team(2)) as team:
        assert list(team.in_order(sum, chunks(range(40), 10))) == [45, 145, 245, 345]
        first = {child.pid for child in active_children()}
        assert list(team.in_order(squares, [[3], [4]])) == [[9], [16]]
        assert {child.pid for child in active_children()} == first
        with pytest.raises(InputFileError):
            list(team.in_order(complain, [[49], [50], [51]]))
        assert active_children() == []
        assert list(team.in_order(squares, [[3]] * 9)) == [[9]] * 9
    assert active_children() == []


@pytest.mark.parametrize("workers", [1, 2])
def test_a_check_stops_the_work(workers):
    """It is asked for each result."""
    asked = []

    def check():
        asked.append(None)
        if len(asked) == 3:
            raise KeyboardInterrupt

    found = []
    with closing(Team(workers, check)) as team, pytest.raises(KeyboardInterrupt):
        found.extend(team.in_order(squares, chunks(range(99), 10)))
    assert found == [squares(range(10)), squares(range(10, 20))]
    assert active_children() == []


@pytest.mark.parametrize("call", [die, leave, die_while_writing])
def test_a_worker_that_dies_is_not_waited_for(call):
    with pytest.raises(WorkerDied, match="a worker process died"):
        list(in_order(call, range(99), workers=2))
    assert active_children() == []


def test_whoever_stops_early_leaves_no_process():
    results = in_order(squares, range(1000), workers=2)
    assert next(results) == 0
    assert active_children()
    results.close()
    assert active_children() == []


def test_work_that_nobody_wants_any_more_is_not_waited_for():
    """A worker is busy for ten minutes when whoever asked stops."""
    results = in_order(sleep_or_fail, range(1000), workers=2)
    assert [next(results) for _ in range(40)] == squares(range(40))
    results.close()
    assert active_children() == []


def test_it_works_in_a_thread():
    """Where signals are not handled."""
    with ThreadPoolExecutor(1) as pool:
        found = pool.submit(
            lambda: list(in_order(squares, range(20), workers=2, size=5))
        )
        assert found.result() == squares(range(20))
