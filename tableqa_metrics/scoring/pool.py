"""Work done by several processes, in order, a bounded amount of it at a time."""

from __future__ import annotations

import signal
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import islice
from multiprocessing import get_context
from typing import TypeVar


Given = TypeVar("Given")
Made = TypeVar("Made")

_AHEAD = 2  # chunks that wait for each worker, so that none of them idles


class WorkerDied(RuntimeError):
    """A worker process came to an end by itself, killed for its memory perhaps."""


def in_order(
    call: Callable[[list[Given]], list[Made]],
    items: Iterable[Given],
    *,
    workers: int,
    size: int,
) -> Generator[Made, None, None]:
    """Yield what `call` makes of the items, in chunks of `size`, in their order.

    With one worker the work is done here. Else processes do it that start anew and get
    their chunks one by one: what is held in memory, there and here, does not grow with
    the number of items. An exception of a worker is raised here. An interrupt ends the
    work as soon as the chunks that are being worked on are done.

    Raises
    ------
    WorkerDied
        A process ended before it was done.
    """
    chunks = _chunks(items, size)
    if workers == 1:
        for chunk in chunks:
            yield from call(chunk)
        return
    pool = ProcessPoolExecutor(workers, mp_context=get_context("spawn"))
    waiting: deque[Future[list[Made]]] = deque()
    try:
        for chunk in chunks:
            with _interrupts_held():  # while processes start, which inherit that
                waiting.append(pool.submit(call, chunk))
            if len(waiting) > _AHEAD * workers:
                yield from waiting.popleft().result()
        while waiting:
            yield from waiting.popleft().result()
    except BrokenProcessPool as error:
        raise WorkerDied(
            "a worker process died (out of memory perhaps; try fewer --workers)"
        ) from error
    finally:
        pool.shutdown(cancel_futures=True)


def _chunks(items: Iterable[Given], size: int) -> Iterator[list[Given]]:
    iterator = iter(items)
    while chunk := list(islice(iterator, size)):
        yield chunk


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Hold Ctrl-C back, which a terminal sends to every process; this one gets it later."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
