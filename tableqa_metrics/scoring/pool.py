"""Work done by several processes, in order, a bounded amount of it at a time.

Each worker has a pipe to the first process and nothing else in common with it, so that
whichever of the two dies, however it dies, the other one reads the end of its pipe.
`concurrent.futures` cannot promise that: with it, a worker that is killed while it
writes a result, or a second Ctrl-C, leaves the first process waiting for ever, and the
workers outlive a first process that is killed.
"""

from __future__ import annotations

import os
import pickle
import signal
import threading
import traceback
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from queue import SimpleQueue
from typing import Any, Final, TypeVar


Given = TypeVar("Given")
Made = TypeVar("Made")

_AHEAD: Final = 2  # chunks that each worker has, so that it never waits for one


class WorkerDied(RuntimeError):
    """A worker process came to an end by itself, killed for its memory perhaps."""


class _InWorker(Exception):
    """Where in a worker an exception was raised: the cause of the one raised here."""

    def __str__(self) -> str:
        return f"\n\n{self.args[0]}"


def in_order(
    call: Callable[[list[Given]], list[Made]],
    items: Iterable[Given],
    *,
    workers: int,
    size: int,
) -> Generator[Made, None, None]:
    """Yield what `call` makes of the items, in chunks of `size`, in their order.

    With one worker the work is done here. Else processes do it that start anew, as they
    are needed, and get their chunks one by one: what is held in memory, there and here,
    does not grow with the number of items. An exception of a worker is raised here. The
    workers end at once when whoever asks for the results stops, or dies.

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
    team: list[_Worker] = []
    done: dict[int, bytes] = {}
    given = taken = 0
    try:
        for chunk in chunks:
            _receive(team, done, block=False)
            if len(team) < workers and all(worker.asked for worker in team):
                team.append(_Worker(call))
            min(team, key=lambda worker: len(worker.asked)).give(given, chunk)
            given += 1
            if given - taken == _AHEAD * workers:
                yield from _take(taken, team, done)
                taken += 1
        for number in range(taken, given):
            yield from _take(number, team, done)
    finally:
        for worker in team:
            worker.process.kill()
        for worker in team:
            worker.process.join()
            worker.connection.close()


class _Worker:
    """A process, and the numbers of the chunks that it has, the oldest first."""

    def __init__(self, call: Callable[[list[Given]], list[Made]]) -> None:
        context = get_context("spawn")
        self.connection, theirs = context.Pipe()
        self.process = context.Process(target=_work, args=(call, theirs), daemon=True)
        self.asked: deque[int] = deque()
        with _signals_held():
            self.process.start()
        theirs.close()  # else the pipe would not end with the process

    def give(self, number: int, chunk: list[Any]) -> None:
        try:
            self.connection.send_bytes(pickle.dumps(chunk))
        except OSError as error:
            raise _death() from error
        self.asked.append(number)


def _receive(team: list[_Worker], done: dict[int, bytes], *, block: bool) -> None:
    """Receive, by the numbers of their chunks, all results that are there, or the next."""
    busy: dict[Any, _Worker] = {w.connection: w for w in team if w.asked}
    for connection in wait(list(busy), None if block else 0):
        worker = busy[connection]
        try:
            done[worker.asked[0]] = worker.connection.recv_bytes()
        except (EOFError, OSError) as error:
            raise _death() from error
        worker.asked.popleft()


def _take(number: int, team: list[_Worker], done: dict[int, bytes]) -> list[Any]:
    while number not in done:
        _receive(team, done, block=True)
    made, error, where = pickle.loads(done.pop(number))
    if error is not None:
        raise error from _InWorker(where)
    return made  # type: ignore[no-any-return]


def _death() -> WorkerDied:
    return WorkerDied(
        "a worker process died (out of memory perhaps; try fewer --workers)"
    )


def _work(call: Callable[[list[Any]], list[Any]], connection: Connection) -> None:
    """What a worker does until the first process ends it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the first process answers Ctrl-C
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
    chunks: SimpleQueue[bytes] = SimpleQueue()
    reader = threading.Thread(target=_read, args=(connection, chunks), daemon=True)
    reader.start()
    while True:
        connection.send_bytes(_made(call, chunks.get()))


def _read(connection: Connection, chunks: SimpleQueue[bytes]) -> None:
    """Take in chunks while others are worked on, so that neither side waits to write.

    Ends the worker, busy or not, where the first process is gone.
    """
    try:
        while True:
            chunks.put(connection.recv_bytes())
    except (EOFError, OSError):
        os._exit(1)


def _made(call: Callable[[list[Any]], list[Any]], chunk: bytes) -> bytes:
    """The results, or the exception and where it was raised, pickled."""
    try:
        return pickle.dumps((call(pickle.loads(chunk)), None, ""))
    except Exception as error:  # noqa: BLE001 (raised again in the first process)
        where = traceback.format_exc()
        try:
            found = pickle.dumps((None, error, where))
            pickle.loads(found)
        except Exception:  # noqa: BLE001 (an exception may refuse to be pickled anyhow)
            told = RuntimeError(f"{type(error).__name__}: {error}")
            found = pickle.dumps((None, told, where))
        return found


def _chunks(items: Iterable[Given], size: int) -> Iterator[list[Given]]:
    iterator = iter(items)
    while chunk := list(islice(iterator, size)):
        yield chunk


@contextmanager
def _signals_held() -> Iterator[None]:
    """Hold Ctrl-C and SIGTERM back while a process starts, which inherits that."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    held = {signal.SIGINT, signal.SIGTERM}
    before = signal.pthread_sigmask(signal.SIG_BLOCK, held)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
