"""A pattern is compiled once, when it is first used."""

import re
import subprocess
import sys

import pytest

from git_retcon.code.lazy_pattern import LazyPattern


def test_it_does_what_a_compiled_pattern_does() -> None:
    lazy, compiled = LazyPattern(r"(\d)(\w)?"), re.compile(r"(\d)(\w)?")
    text = "a1b 2"
    assert lazy.match(text) is compiled.match(text) is None
    assert str(lazy.match(text, 1)) == str(compiled.match(text, 1))
    assert str(lazy.search(text)) == str(compiled.search(text))
    assert str(lazy.fullmatch("1b")) == str(compiled.fullmatch("1b"))
    assert lazy.findall(text) == compiled.findall(text)
    assert [*map(str, lazy.finditer(text))] == [*map(str, compiled.finditer(text))]
    assert lazy.sub("-", text) == compiled.sub("-", text)


def test_a_wrong_pattern_is_an_error_when_it_is_used() -> None:
    wrong = LazyPattern(b"(")
    with pytest.raises(re.error):
        wrong.match(b"x")


_COUNT = """
import re
compiled, make = [], re.compile
re.compile = lambda *given: compiled.append(given) or make(*given)
import git_retcon.code.cuts
import git_retcon.code.diagnostics.build_failures
import git_retcon.code.filenames
import git_retcon.code.symbols
print(compiled)
"""


def test_to_import_every_table_compiles_nothing() -> None:
    done = subprocess.run([sys.executable, "-c", _COUNT], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("[]\n", "")
