"""The bytes of an answer, within a deadline.

The transport limits each silence, not their sum: a service that sends a byte now and then would
hold a run for ever. So the deadline is checked at each piece that comes, before it is unpacked or
put together, also in an answer that only reports an error.
"""

import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import httpx2


class AnswerTooSlow(Exception):
    """An answer is not complete at its deadline."""


def limit_reading(seconds: float) -> "Callable[[httpx2.Response], None]":
    """A hook for the responses of a client: reading one for longer raises AnswerTooSlow."""
    import httpx2

    class TimedStream(httpx2.SyncByteStream):
        def __init__(self, stream: httpx2.SyncByteStream) -> None:
            self._stream = stream
            self._deadline = time.monotonic() + seconds

        def __iter__(self) -> Iterator[bytes]:
            for chunk in self._stream:
                if time.monotonic() > self._deadline:
                    raise AnswerTooSlow(f"the model's answer took longer than {seconds:g} s")
                yield chunk

        def close(self) -> None:
            self._stream.close()

    def limit(response: httpx2.Response) -> None:
        assert isinstance(response.stream, httpx2.SyncByteStream), "the client is synchronous"
        response.stream = TimedStream(response.stream)

    return limit
