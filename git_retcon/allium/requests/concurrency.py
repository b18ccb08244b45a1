"""Requests side by side: so many at a time in a whole run, in threads that nobody waits for."""

from collections.abc import Callable, Sequence
from threading import Lock, Semaphore, Thread
from typing import TypeVar

from git_retcon.model.client import Completer
from git_retcon.model.messages import Reply, Request

T = TypeVar("T")
R = TypeVar("R")


class RequestLimit:
    """Passes requests on, at most ``most`` at a time, of whichever steps and parts they are."""

    def __init__(self, inner: Completer, most: int) -> None:
        self._inner = inner
        self._free = Semaphore(most)

    def complete(self, request: Request) -> Reply:
        """As ``Completer``, when it is this one's turn."""
        with self._free:
            return self._inner.complete(request)


def map_concurrently(work: Callable[[T], R], items: Sequence[T], most: int) -> list[R]:
    """What the work makes of each item, in their order, with at most ``most`` at a time.

    After a failure nothing else is begun, and what is begun is finished. Raises the failure of the
    first item that has one.
    """
    results: dict[int, R] = {}
    failures: dict[int, Exception] = {}
    numbers = iter(range(len(items)))
    lock = Lock()

    def work_off() -> None:
        while True:
            with lock:
                at = None if failures else next(numbers, None)
            if at is None:
                return
            try:
                results[at] = work(items[at])
            except Exception as error:
                failures[at] = error

    # Daemons: Python joins the threads of a pool when it ends, and a second Ctrl-C, which means
    # now, would wait for a model's answers.
    threads = [Thread(target=work_off, daemon=True) for _ in range(min(most, len(items)))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[min(failures)]
    return [results[at] for at in range(len(items))]
