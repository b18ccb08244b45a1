"""Masking a stream that comes in pieces, so that no secret passes where two pieces meet.

A cut is good where what is behind it is masked by itself as it is within the whole. Only what is
before a good cut is passed on; what is behind it is looked at again with what comes next.
"""

from collections.abc import Callable, Iterator

from git_retcon.lazy_named_tuple import NamedTuple

_NEAR = 4096  # a cut may go back so many bytes to be between two lines
_FIRST_STEP = 512


class StreamLimits(NamedTuple):
    """How much is looked at at once, and how much of that is looked at again, in bytes.

    A secret that is longer than ``overlap``, with what it is known by, may be cut. ``most`` bytes
    are held at most: a stream that looks like one endless secret must not fill the memory.
    """

    block: int = 1024 * 1024
    overlap: int = 64 * 1024
    most: int = 16 * 1024 * 1024


_USUAL = StreamLimits()


class MaskedStream:
    """Takes pieces of bytes, and passes all of them on, masked."""

    def __init__(
        self,
        mask: Callable[[bytes], bytes],
        write: Callable[[bytes], None],
        limits: StreamLimits = _USUAL,
    ) -> None:
        self._mask = mask
        self._write = write
        self._limits = limits
        self._held = bytearray()
        self._wanted = limits.block + limits.overlap

    def add(self, chunk: bytes) -> None:
        """The next bytes."""
        self._held += chunk
        if len(self._held) >= self._wanted:
            self._pass_on(bytes(self._held))

    def peek(self) -> bytes:
        """The last bytes so far, masked; some of them may not be passed on yet."""
        return self._mask(bytes(self._held[-self._limits.overlap :]))

    def end(self) -> None:
        """Pass on the rest."""
        self._write(self._mask(bytes(self._held)))
        self._held.clear()

    def _pass_on(self, data: bytes) -> None:
        masked = self._mask(data)
        last = len(data) - self._limits.overlap
        for cut in _list_cuts(data, last):
            behind = self._mask(data[cut:])
            if masked.endswith(behind):
                self._write(masked[: len(masked) - len(behind)])
                break
        else:
            if len(data) < self._limits.most:
                self._wanted = 2 * len(data)  # what was looked at is not looked at for every byte
                return
            cut = last
            self._write(self._mask(data[:cut]))
        del self._held[:cut]
        self._wanted = len(self._held) + self._limits.block


def _list_cuts(data: bytes, last: int) -> Iterator[int]:
    """Places to cut at, from ``last`` back, between lines where some are near."""
    step, at = _FIRST_STEP, last
    while at > 0:
        yield data.rfind(b"\n", max(0, at - _NEAR), at) + 1 or at
        at, step = last - step, 2 * step
