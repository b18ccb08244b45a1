"""The matchers of setup actions read what they were written for."""

import pytest

from git_retcon.code.diagnostics.matchers import read_with_matchers
from git_retcon.code.diagnostics.setup_matchers import find_setup_matchers
from tests.code.diagnostics.sample import sample


@pytest.mark.parametrize(
    ("action", "name", "place"),
    [
        ("actions/setup-node@v4", "tsc", (b"src/a.ts", 1)),
        ("actions/setup-node@v4", "eslint_stylish", (b"/home/ada/demo/src/lint.js", 1)),
        ("actions/setup-node@v4", "eslint_compact", (b"/home/ada/demo/src/lint.js", 1)),
        ("actions/setup-java@v4", "javac_lint", (b"src/main/java/app/Main.java", 4)),
    ],
)
def test_real_output(action: str, name: str, place: tuple[bytes, int]) -> None:
    lines = sample(name).decode("utf-8", "surrogateescape").split("\n")
    found = next(read_with_matchers(lines, find_setup_matchers(action)))
    assert (found.path, found.line) == place


def test_go_and_python_and_dotnet() -> None:
    (go,) = read_with_matchers(
        ["./a.go:3:5: undefined: x"], find_setup_matchers("actions/setup-go")
    )
    assert (go.path, go.line, go.message) == (b"a.go", 3, "undefined: x")
    lines = ['  File "a.py", line 3, in f', "    raise ValueError('odd')"]
    (python,) = read_with_matchers(lines, find_setup_matchers("actions/setup-python@v5"))
    assert (python.path, python.line, python.message) == (b"a.py", 3, "odd")
    line = "a.cs(3,5): error CS1002: ; expected [/x/y.csproj]"
    (dotnet,) = read_with_matchers([line], find_setup_matchers("actions/setup-dotnet@v4"))
    assert (dotnet.path, dotnet.line, dotnet.rule) == (b"a.cs", 3, "CS1002")


def test_another_action_registers_none() -> None:
    assert find_setup_matchers("actions/checkout@v4") == ()
