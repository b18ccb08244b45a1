"""A version of a file knows its language by its name, and its lines."""

from git_retcon.code.languages.c import C
from git_retcon.code.languages.python import PYTHON
from git_retcon.code.versions import read_version

LINES = (b"import os\n", b"\n", b"def run():\n", b"    return [\n", b"        1]\n")


def test_what_is_known_of_lines_is_what_the_language_says() -> None:
    version = read_version(b"src/a.py", LINES)
    assert version.language is PYTHON
    assert version.imports == {0}
    assert version.outline.names(3) == ()
    assert version.outline.names(2) == ("run",)
    assert [version.states.depth[at] for at in range(6)] == [0, 0, 0, 0, 1, 0]
    assert read_version(b"src/a.c", ()).language is C


def test_lines_are_read_once() -> None:
    version = read_version(b"a.py", LINES)
    assert version.outline is version.outline
    assert version.states is version.states
    assert version.imports is version.imports
    assert read_version(b"b.py", LINES) is version
    assert read_version(b"a.c", LINES) is not version
