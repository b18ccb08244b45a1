"""A request and its answer, within a deadline.

The transport limits each silence, not their sum: a service that sends a byte now and then, of its
headers or of what follows them, would hold a run for ever. It gives no hand on an answer whose
headers are not complete, so a request runs beside the one that waits for it.
"""

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, TypeVar

from git_retcon.interrupts import raise_if_halted

if TYPE_CHECKING:
    import httpx2

Result = TypeVar("Result")
_HALT_CHECK = 0.2  # seconds; a signal reaches the main thread alone, so the others have to ask


class AnswerTooSlow(Exception):
    """An answer is not complete at its deadline."""


def _make_slow(seconds: float) -> AnswerTooSlow:
    return AnswerTooSlow(f"the model's answer took longer than {seconds:g} s")


def run_within(seconds: float, work: Callable[[], Result]) -> Result:
    """What ``work`` returns or raises; AnswerTooSlow where it is not over by then.

    It is left to itself then, and ends with the process at the latest: see ``limit_reading``.
    The same where this thread is halted, which raises KeyboardInterrupt.
    """
    # Late: the SDK, which takes a second to import, has it loaded.
    from concurrent.futures import Future

    future: Future[Result] = Future()

    def run() -> None:
        try:
            future.set_result(work())
        except BaseException as error:
            future.set_exception(error)

    threading.Thread(target=run, name="model request", daemon=True).start()
    deadline = time.monotonic() + seconds
    while (left := deadline - time.monotonic()) > 0:
        with contextlib.suppress(TimeoutError):
            return future.result(min(left, _HALT_CHECK))
        if future.done():
            return future.result()  # or the work's own TimeoutError
        raise_if_halted()
    raise _make_slow(seconds)


def limit_reading(seconds: float) -> "Callable[[httpx2.Response], None]":
    """A hook for the responses of a client: reading one for longer raises AnswerTooSlow.

    Checked at each piece that comes, before it is unpacked, so that a request which nobody waits
    for any more ends, too.
    """
    import httpx2

    class TimedStream(httpx2.SyncByteStream):
        def __init__(self, stream: httpx2.SyncByteStream) -> None:
            self._stream = stream
            self._deadline = time.monotonic() + seconds

        def __iter__(self) -> Iterator[bytes]:
            for chunk in self._stream:
                if time.monotonic() > self._deadline:
                    raise _make_slow(seconds)
                yield chunk

        def close(self) -> None:
            self._stream.close()

    def limit(response: httpx2.Response) -> None:
        assert isinstance(response.stream, httpx2.SyncByteStream), "the client is synchronous"
        response.stream = TimedStream(response.stream)

    return limit
