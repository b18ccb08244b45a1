"""Ctrl-C, a hangup and a request to end, held back where they would cut a step in two.

Python raises KeyboardInterrupt between any two instructions: also between the start of a process
and the ``try`` that would end it, or while git moves refs.
"""

import contextlib
import enum
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from types import FrameType

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_Handler = Callable[[int, FrameType | None], object]
_halted: set[int] = set()  # threads that are to end


class _Manner(enum.Enum):
    """What to do with a signal that arrives."""

    AS_EVER = enum.auto()
    HELD = enum.auto()
    LET_THROUGH = enum.auto()


class Interrupts:
    """Holds those signals back for the length of a ``with`` block, at whose end the first takes
    effect; within ``let_through`` the first does at once, and those behind it are held.

    What no handler of Python's takes (ignored, or deadly by default) stays as it is, and so does
    every signal in a thread other than the main one, where no handler ever runs.
    """

    def __init__(self) -> None:
        self.came: int | None = None
        self._handlers: dict[int, _Handler] = {}
        self._manner = _Manner.AS_EVER

    def __enter__(self) -> "Interrupts":
        if threading.current_thread() is threading.main_thread():
            for number in _SIGNALS:
                handler = signal.getsignal(number)
                if callable(handler):
                    self._handlers[number] = handler
                    signal.signal(number, self._take_signal)
        self._manner = _Manner.HELD
        return self

    def __exit__(self, *_: object) -> None:
        # First of all, so that an interrupt half-way through the rest does no harm.
        self._manner = _Manner.AS_EVER
        for number, handler in self._handlers.items():
            signal.signal(number, handler)
        self._deliver_signal()

    @contextlib.contextmanager
    def let_through(self) -> Iterator[None]:
        """Let signals take effect within this block."""
        try:
            self._manner = _Manner.LET_THROUGH
            self._deliver_signal()
            yield
        finally:
            self._manner = _Manner.HELD

    def _deliver_signal(self) -> None:
        if self.came is not None:
            number, self.came = self.came, None
            self._take_signal(number, None)

    def _take_signal(self, number: int, frame: FrameType | None) -> None:
        manner = self._manner
        if manner is _Manner.HELD:
            self.came = self.came or number
            return
        if manner is _Manner.LET_THROUGH:
            # The next may not interrupt what this one's exception makes the caller tidy up.
            self._manner = _Manner.HELD
        self._handlers[number](number, frame)
        self._manner = manner


def halt_threads(threads: Iterable[threading.Thread]) -> None:
    """Have some threads end as by Ctrl-C, which reaches the main one alone: each raises at the next
    place where it asks.
    """
    _halted.update(thread.ident for thread in threads if thread.ident is not None)


def raise_if_halted() -> None:
    """Raise KeyboardInterrupt in a thread that is to end."""
    if _halted and threading.get_ident() in _halted:
        raise KeyboardInterrupt


def forget_halt() -> None:
    """This thread has ended; the next one may get its number."""
    _halted.discard(threading.get_ident())
