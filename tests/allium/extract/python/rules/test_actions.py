"""What a method that refuses has to do to be an operation."""

import pytest

from tests.allium.extract.declared import declare_python

SOCKET = """
class Socket:
    def __init__(self, raw):
        self._closed = False
        self._raw = raw
        self.sent = 0

    def close(self):
        self._closed = True

    {head}
        if self._closed:
            raise OSError
        {body}
"""


@pytest.mark.parametrize(
    ("head", "body"),
    [
        ("def send(self, data):", "self._raw.send(data)"),
        ("def send(self, data):", "self.sent += 1"),
        ("def send(self, data):", "return self._raw.send(data)"),
        ("async def send(self, data):", "return await write(data)"),
        ("async def send(self, data):", "reply = await write(data)"),
    ],
)
def test_it_changes_or_calls_or_has_another_object_do_something(head: str, body: str) -> None:
    told = declare_python(SOCKET.format(head=head, body=body))
    assert "requires: not socket.closed" in told.partition("rule SocketSend {")[2]


def test_what_gives_something_refuses_to() -> None:
    told = declare_python(SOCKET.format(head="def get_size(self):", body="return len(self._raw)"))
    assert "requires: not socket.closed" in told.partition("rule SocketGetSize {")[2]


@pytest.mark.parametrize("head", ["def is_size(self):", "def check(self):", "def _size(self):"])
def test_it_does_not_only_say_something(head: str) -> None:
    told = declare_python(SOCKET.format(head=head, body="return len(self._raw)"))
    assert not any(word in told for word in ("Size", "Check"))
