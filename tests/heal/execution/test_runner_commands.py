"""Commands to GitHub's runner, as its own parser reads them."""

import pytest

from git_retcon.heal.execution.runner_commands import Command, CommandReader, make_annotation
from git_retcon.heal.results import Annotation


def read(line: str) -> Command | None:
    return CommandReader().read(line)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("::set-output name=a::b", Command("set-output", {"name": "a"}, "b")),
        ("  ::notice::x", Command("notice", {}, "x")),
        ("::ERROR file=a%2Cb%3A.py,line=3::50%25%0Aoff", None),
        ("::add-mask::", Command("add-mask", {}, "")),
        ("::unknown::x", None),
        ("text ::error::x", None),
        ("std::vector<int>::iterator", None),
        ("::error", None),
        ("##[error]bad%0Athing", Command("error", {}, "bad\nthing")),
        ("at ##[warning file=a;line=2]x", Command("warning", {"file": "a", "line": "2"}, "x")),
    ],
)
def test_a_line_is_a_command_or_not(line: str, expected: Command | None) -> None:
    if line.startswith("::ERROR"):
        expected = Command("error", {"file": "a,b:.py", "line": "3"}, "50%\noff")
    assert read(line) == expected


def test_commands_can_be_stopped_until_a_word() -> None:
    reader = CommandReader()
    lines = ("::stop-commands::word", "::error::unheard", "::other::", "::word::", "::error::heard")
    found = [reader.read(line) for line in lines]
    assert [one.data if one else None for one in found] == ["word", None, None, None, "heard"]


def test_an_annotation_has_its_place_and_numbers_only_where_they_are_numbers() -> None:
    command = read("::warning file=a.py,line=1,endLine=2,col=3,endColumn=x,title=T::text")
    assert command is not None
    assert make_annotation(command) == Annotation("warning", "text", "T", "a.py", 1, 2, 3, 0)
