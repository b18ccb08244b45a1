"""What a command printed, or a text of it, as head and tail around what is left out."""

from collections import deque

HEAD = 64 * 1024
TAIL = 64 * 1024


class BoundedOutput:
    """Collects a stream; keeps the first ``head`` and the last ``tail`` bytes of it."""

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
        tail = b"".join(self._tail)[-self._tail_limit :] if self._tail_limit else b""
        missing = self._seen - len(self._head) - len(tail)
        if not missing:
            return bytes(self._head) + tail
        return bytes(self._head) + f"\n[{missing} bytes left out]\n".encode() + tail


def shorten(text: str, head: int, tail: int) -> str:
    """Shorten a text to so many characters of its head and tail, cut between lines if possible."""
    if len(text) <= head + tail:
        return text
    first, last = text[:head], text[-tail:]
    first = first[: first.rfind("\n") + 1] or first
    last = last[last.find("\n") + 1 :] or last
    return f"{first}[{len(text) - len(first) - len(last)} characters left out]\n{last}"
