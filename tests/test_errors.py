"""What an error carries for programs: the commands that go on."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from git_retcon.errors import Fatal, UserError, never_repeating, options_done_with

ROOT = Path(__file__).parents[1]
# A command with nothing left to fill in: "git config KEY" and "rollup PATH..." are none.
COMPLETE = re.compile(
    r"'git (?!config\b|worktree add|add'|switch'|-c )[^'A-Z…]*(?<!\.\.\.)'|same command again"
)
FAULTS = re.compile(r"Fatal|Refused|UserError|WrongUsage|GitError|\w*Fault|WorktreeRemoved")


def faults() -> Iterator[tuple[str, ast.Call]]:
    """Every error of the package that is made with a hint."""
    for path in sorted((ROOT / "git_retcon").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and FAULTS.fullmatch(ast.unparse(node.func)):
                yield f"{path.relative_to(ROOT)}:{node.lineno}", node


def words_of(node: ast.AST) -> str:
    """The text of a literal; a small letter for each value that is put in."""
    if isinstance(node, ast.Constant):
        return str(node.value)
    if isinstance(node, ast.FormattedValue):
        return "x"
    return "".join(map(words_of, ast.iter_child_nodes(node)))


def test_a_command_that_a_hint_names_is_there_for_programs_too() -> None:
    found = dict(faults())
    assert len(found) > 100
    silent = [
        f"{place}: {words_of(hint)}"
        for place, fault in found.items()
        for keywords in [{each.arg: each.value for each in fault.keywords}]
        if (hint := keywords.get("hint")) and COMPLETE.search(words_of(hint))
        if not {"again", "commands"} & set(keywords)
        if not re.search("LOCKED|STALE_PLAN|UNAVAILABLE", ast.unparse(fault))
    ]
    assert silent == []


def test_any_end_of_the_block_remembers_the_options_that_are_done_with() -> None:
    for kind in (KeyboardInterrupt, OSError, Fatal):
        with pytest.raises(kind) as raised, never_repeating("--restart"):
            raise kind("x")
        assert options_done_with(raised.value) == ("--restart",)


def test_an_error_made_of_another_remembers_them_too() -> None:
    try:
        with never_repeating("--restart"):
            raise ValueError
    except ValueError as error:
        explained = UserError("explained")
        explained.__cause__ = error
    assert options_done_with(explained) == ("--restart",)
    try:
        try:
            raise explained
        finally:
            raise OSError
    except OSError as error:
        assert options_done_with(error) == ("--restart",)
    assert options_done_with(UserError("another")) == ()
