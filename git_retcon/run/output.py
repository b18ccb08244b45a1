"""What a command printed, or a text of it, as head and tail around what is left out."""

from collections import deque
from pathlib import Path

HEAD = 64 * 1024
TAIL = 64 * 1024


_NEAR = 4096  # bytes of the head and of the tail that may go, so that they are whole lines


class BoundedOutput:
    """Collects a stream; keeps about the first ``head`` and the last ``tail`` bytes of it.

    What is left out begins and ends between lines, where some are near, else between words: half
    of a secret would not be known as one.
    """

    def __init__(self, head: int = HEAD, tail: int = TAIL) -> None:
        self._head_limit = head
        self._tail_limit = tail
        self._head = bytearray()
        self._tail: deque[bytes] = deque()
        self._tail_size = 0
        self._seen = 0

    def add(self, chunk: bytes) -> None:
        """Take the next bytes of the stream."""
        self._seen += len(chunk)
        room = self._head_limit - len(self._head)
        self._head += chunk[:room]
        rest = chunk[room:]
        if rest:
            self._tail.append(rest)
            self._tail_size += len(rest)
        while self._tail and self._tail_size - len(self._tail[0]) >= self._tail_limit:
            self._tail_size -= len(self._tail.popleft())

    def value(self) -> bytes:
        """All of the stream, or head and tail around a line ``[N bytes left out]``."""
        head = bytes(self._head)
        tail = b"".join(self._tail)[-self._tail_limit :] if self._tail_limit else b""
        if self._seen == len(head) + len(tail):
            return head + tail
        head, tail = _cut_behind(head), _cut_before(tail)
        missing = self._seen - len(head) - len(tail)
        end = b"" if head.endswith(b"\n") else b"\n"
        return head + end + f"[{missing} bytes left out]\n".encode() + tail


def _cut_behind(head: bytes) -> bytes:
    """The head without the beginning of what was cut through."""
    from_here = max(0, len(head) - _NEAR)
    end = head.rfind(b"\n", from_here) + 1
    return head[: end or head.rfind(b" ", from_here) + 1 or len(head)]


def _cut_before(tail: bytes) -> bytes:
    """The tail without the end of what was cut through."""
    start = tail.find(b"\n", 0, _NEAR) + 1
    return tail[start or tail.find(b" ", 0, _NEAR) + 1 :]


def shorten(text: str, head: int, tail: int) -> str:
    """Shorten a text to so many characters of its head and tail, cut between lines if possible."""
    if len(text) <= head + tail:
        return text
    first, last = text[:head], text[-tail:]
    first = first[: first.rfind("\n") + 1] or first
    last = last[last.find("\n") + 1 :] or last
    return f"{first}[{len(text) - len(first) - len(last)} characters left out]\n{last}"


def hide_place(text: str, place: Path) -> str:
    """Make paths relative to a folder: where it is says something of the user's machine."""
    # Tools print either: the path that they were started in, or what the system makes of it.
    for root in {str(place), str(place.resolve())}:
        text = text.replace(f"{root}/", "").replace(root, ".")
    return text
