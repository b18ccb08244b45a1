"""Classes without any framework, by what they give themselves and what they do."""

from tests.allium.extract.declared import declare_python


def test_plain_classes_are_entities_only_by_what_they_do() -> None:
    source = """
class Door:
    def __init__(self, owner: str) -> None:
        self.owner = owner
        self.state = "closed"

    def open(self) -> None:
        if self.state != "closed":
            raise RuntimeError
        self.state = "open"

    def close(self) -> None:
        if self.state != "open":
            raise RuntimeError
        self.state = "closed"

class Service:
    def __init__(self, door: Door) -> None:
        self.door = door
    def work(self) -> int:
        return 3
"""
    told = declare_python(source)
    assert "Service" not in told
    assert "    state: closed | open\n" in told
    assert "        closed -> open\n        open -> closed\n" in told
