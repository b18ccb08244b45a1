"""The last resort reads places that begin a line, and nothing that only looks like one."""

import pytest

from git_retcon.code.diagnostics.generic import read_diagnostics
from tests.code.diagnostics.sample import described


@pytest.mark.parametrize(
    ("line", "read_as"),
    [
        ("src/a.xyz:3:5: something is wrong", "src/a.xyz:3:5 error unknown generic: something"),
        ("src/a.xyz:3: warning: odd", "src/a.xyz:3 warning unknown generic: odd"),
        ("src/a.xyz(3,5): odd", "src/a.xyz:3:5 error unknown generic: odd"),
        ("ERROR: src/a.xyz:3 - odd", "src/a.xyz:3 error unknown generic: odd"),
        ("[error] src/a.xyz:3: odd", "src/a.xyz:3 error unknown generic: odd"),
    ],
)
def test_places(line: str, read_as: str) -> None:
    (found,) = read_diagnostics([line])
    assert described(found).startswith(read_as)


@pytest.mark.parametrize(
    "line",
    [
        "https://example.com:80/a.html: moved",
        "12:30:45 started",
        "    src/a.xyz:3: indented",
        "localhost:8080 is up",
        "/usr/lib/python3.11/json/decoder.py:355: in raw_decode",
        "node_modules/x/index.js:3:5: deep",
        "src/a.xyz:3:5: note: declared here",
        "version 1.2.3: released",
    ],
)
def test_no_places(line: str) -> None:
    assert list(read_diagnostics([line])) == []
