"""Values that no log, record or screen may hold: secrets, and what steps ask to be masked."""

import base64
from collections.abc import Callable, Iterable, Iterator

_MASK = b"***"
# A shorter line of a value that has several would be found in ordinary words.
_SHORTEST_LINE = 3
# A shorter piece of base64 would be too.
_SHORTEST_BASE64 = 6
_XML = (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;"), ("'", "&apos;"))


class Masks:
    """Replaces values as GitHub does, in other forms too, then what ``redact`` knows: the user's
    own secrets, and what looks like one.
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
        new = {form for part in parts if part for form in _list_forms(part)}
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


def _list_forms(value: str) -> Iterator[bytes]:
    """A value, and how it is written in JSON, XML, an address, quotes, and base64.

    Those of ``ValueEncoders`` of actions/runner.
    """
    import json
    from urllib.parse import quote

    data = value.encode("utf-8", "surrogateescape")
    xml = value
    for sign, name in _XML:
        xml = xml.replace(sign, name)
    forms = (
        json.dumps(value)[1:-1], json.dumps(value, ensure_ascii=False)[1:-1],
        value.replace('"', '\\"'), xml,
    )  # fmt: skip
    yield data
    yield from (form.encode("utf-8", "surrogateescape") for form in forms)
    yield quote(data, safe="").encode()
    for before in range(3):
        # What is written before it shares the first character, what comes behind it the last one.
        whole = base64.b64encode(bytes(before) + data)
        core = whole[-(-before * 8 // 6) : (before + len(data)) * 8 // 6]
        if len(core) >= _SHORTEST_BASE64:
            yield core
            yield core.translate(bytes.maketrans(b"+/", b"-_"))
