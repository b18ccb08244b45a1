"""Configuration, and contracts beside it."""

from tests.allium.extract.declared import declare_python


def test_contracts_and_configuration() -> None:
    source = """
import os
from datetime import timedelta
from typing import Protocol

LIMIT = 3
UNUSED = 4
WAIT = timedelta(hours=2)
PORT = int(os.environ.get("PORT", "80"))

class Store(Protocol):
    def load(self, key: str, wait: timedelta = WAIT) -> bytes | None: ...
    def drop(self, key: str, limit: int = LIMIT) -> None: ...
"""
    assert (
        declare_python(source)
        == """\
contract Store {
    load: (key: String, wait: Duration) -> Any?
    drop: (key: String, limit: Integer) -> Void
}

config {
    limit: Integer = 3
    wait: Duration = 2.hours
    port: Integer = 80
}"""
    )


def test_a_name_with_several_values_is_no_parameter() -> None:
    source = """
FAST = False
DEPTH = 3
COUNT = 0
LIMIT = 5
try:
    import fast
    FAST = True
except ImportError:
    FAST = False
if DEPTH and LIMIT:
    DEPTH = 4

def add():
    global COUNT
    COUNT += FAST
"""
    assert (
        declare_python(source)
        == """\
config {
    limit: Integer = 5
}"""
    )
