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
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from queue import SimpleQueue
from typing import Any, Final, TypeVar


Given = TypeVar("Given")
Made = TypeVar("Made")

_AHEAD: Final = 2  # items that each worker has, so that it never waits for one


class WorkerDied(RuntimeError):
    """A worker process came to an end by itself, killed for its memory perhaps."""


class _InWorker(Exception):
    """Where in a worker an exception was raised: the cause of the one raised here."""

    def __str__(self) -> str:
        return f"\n\n{self.args[0]}"


class Team:
    """Processes that do one kind of work after another.

    They start anew, as they are needed, and get what they work on piece by piece: what
    is held in memory, there and here, does not grow with the number of pieces. With one
    worker the work is done here.

    Parameters
    ----------
    workers
        How many processes there are at most.
    check
        Called for each result; what it raises stops the work.
    """

    def __init__(
        self, workers: int = 1, check: Callable[[], None] | None = None
    ) -> None:
        self._most = workers
        self._check = check or (lambda: None)
        self._workers: list[_Worker] = []

    def in_order(
        self, call: Callable[[Given], Made], items: Iterable[Given]
    ) -> Generator[Made, None, None]:
        """Yield what `call`, which can be pickled, makes of each item, in their order.

        An exception of a worker is raised here, and one of the items after the results
        of those before it. The workers end at once when whoever asks for the results
        stops, or dies.

        Raises
        ------
        WorkerDied
            A process ended before it was done.
        """
        if self._most == 1:
            for item in items:
                self._check()
                yield call(item)
            return
        done: dict[int, bytes] = {}
        given = taken = 0
        stopped: Exception | None = None
        source = iter(items)
        try:
            while stopped is None:
                try:
                    item = next(source)
                except StopIteration:
                    break
                except Exception as error:  # noqa: BLE001 (raised below, in its turn)
                    stopped = error
                    break
                self._receive(done, block=False)
                self._next_worker().give(given, (call, item))
                given += 1
                if given - taken == _AHEAD * self._most:
                    yield self._take(taken, done)
                    taken += 1
            for number in range(taken, given):
                yield self._take(number, done)
            if stopped is not None:
                raise stopped
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """End the processes, whatever they are at."""
        for worker in self._workers:
            worker.process.kill()
        for worker in self._workers:
            worker.process.join()
            worker.connection.close()
        self._workers.clear()

    def _next_worker(self) -> _Worker:
        """Return the one with the least to do, a new one where all are busy."""
        team = self._workers
        if len(team) < self._most and all(worker.asked for worker in team):
            team.append(_Worker())
        return min(team, key=lambda worker: len(worker.asked))

    def _receive(self, done: dict[int, bytes], *, block: bool) -> None:
        """Receive, by the numbers of their items, all results there, or the next."""
        busy: dict[Any, _Worker] = {w.connection: w for w in self._workers if w.asked}
        for connection in wait(list(busy), None if block else 0):
            worker = busy[connection]
            try:
                done[worker.asked[0]] = worker.connection.recv_bytes()
            except (EOFError, OSError) as error:
                raise _death() from error
            worker.asked.popleft()

    def _take(self, number: int, done: dict[int, bytes]) -> Any:
        self._check()
        while number not in done:
            self._receive(done, block=True)
        made, error, where = pickle.loads(done.pop(number))
        if error is not None:
            raise error from _InWorker(where)
        return made


class _Worker:
    """A process, and the numbers of the items that it has, the oldest first."""

    def __init__(self) -> None:
        context = get_context("spawn")
        self.connection, theirs = context.Pipe()
        self.process = context.Process(target=_work, args=(theirs,), daemon=True)
        self.asked: deque[int] = deque()
        with _signals_held():
            self.process.start()
        theirs.close()  # else the pipe would not end with the process

    def give(self, number: int, work: tuple[Callable[[Any], Any], Any]) -> None:
        try:
            self.connection.send_bytes(pickle.dumps(work))
        except OSError as error:
            raise _death() from error
        self.asked.append(number)


def _death() -> WorkerDied:
    return WorkerDied(
        "a worker process died (out of memory perhaps; try fewer --workers)"
    )


def _work(connection: Connection) -> None:
    """What a worker does until the first process ends it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the first process answers Ctrl-C
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
    given: SimpleQueue[bytes] = SimpleQueue()
    reader = threading.Thread(target=_read, args=(connection, given), daemon=True)
    reader.start()
    while True:
        made = _made(given.get())
        try:
            connection.send_bytes(made)
        except OSError:
            os._exit(1)  # as below, whichever of the two finds out first


def _read(connection: Connection, given: SimpleQueue[bytes]) -> None:
    """Take work in while other work is done, so that neither side waits to write.

    Ends the worker, busy or not, where the first process is gone.
    """
    try:
        while True:
            given.put(connection.recv_bytes())
    except (EOFError, OSError):
        os._exit(1)


def _made(work: bytes) -> bytes:
    """The result, or the exception and where it was raised, pickled."""
    try:
        call, item = pickle.loads(work)
        return pickle.dumps((call(item), None, ""))
    except Exception as error:  # noqa: BLE001 (raised again in the first process)
        where = traceback.format_exc()
        try:
            found = pickle.dumps((None, error, where))
            pickle.loads(found)
        except Exception:  # noqa: BLE001 (an exception may refuse to be pickled anyhow)
            told = RuntimeError(f"{type(error).__name__}: {error}")
            found = pickle.dumps((None, told, where))
        return found


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
