"""Values that no log, record or screen may hold: secrets, and what steps ask to be masked."""

from collections.abc import Callable, Iterable

_MASK = b"***"
# A shorter line of a value that has several would be found in ordinary words.
_SHORTEST_LINE = 3


class Masks:
    """Replaces values as GitHub does, then what ``redact`` knows: the user's own secrets, and
    what looks like one.
    """

    def __init__(self, values: Iterable[str], redact: Callable[[bytes], bytes]) -> None:
        self.redact = redact
        self._values: list[bytes] = []
        for value in values:
            self.add(value)

    def add(self, value: str) -> None:
        """Mask a value, and each line of one that has several."""
        lines = [line.strip() for line in value.splitlines()]
        parts = [value.strip(), *(line for line in lines if len(line) >= _SHORTEST_LINE)]
        new = {part.encode("utf-8", "surrogateescape") for part in parts if part}
        # The longest first: one value may be a part of another.
        self._values = sorted(new | set(self._values), key=len, reverse=True)

    def mask(self, data: bytes) -> bytes:
        # Last: it must not cut into a value that is masked as a whole.
        return self.redact(self.mask_values(data))

    def mask_values(self, data: bytes) -> bytes:
        """Mask the values alone, which are looked for line by line."""
        for value in self._values:
            data = data.replace(value, _MASK)
        return data

    def mask_text(self, text: str) -> str:
        return self.mask(text.encode("utf-8", "surrogateescape")).decode("utf-8", "surrogateescape")
