"""A completion script: the functions that all commands share, and the tables of one of them.

Functions are text in the shell's own language, beside this module. ``@ID@`` in it is the command's
name as a function may have it (git_retcon), ``@PROGRAM@`` git-retcon and ``@VERB@`` retcon.
"""

import importlib
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import click

from git_retcon.commands.completion import bash, fish, zsh
from git_retcon.commands.completion.program import Program, read_program
from git_retcon.show.installed import PROGRAMS, SCRIPT_PLACES

_TABLES: Mapping[str, Callable[[Program], Mapping[str, str]]] = {
    "bash": bash.make_tables,
    "zsh": zsh.make_tables,
    "fish": fish.make_tables,
    "fish-start": lambda program: {},
}


def make_script(name: str, cli: click.Group, shell: str) -> str:
    """The completion script of a command for bash, zsh or fish.

    ``fish-start`` is the small one that fish reads at each start.
    """
    program = read_program(name, cli)
    text = _read_text(f"script.{shell}")
    tables = {"KINDS": "", **_TABLES[shell](program)}
    if "@KINDS@" in text:
        tables["KINDS"] = _choose_sections(_read_text(f"kinds.{shell}"), program.kinds)
    for mark, table in tables.items():
        text = text.replace(f"@{mark}@\n", table)
    for mark, word in _list_spellings(program).items():
        text = text.replace(f"@{mark}@", word)
    return text


def make_installed_scripts() -> Iterator[tuple[str, str]]:
    """The place of each script below a directory of shared data, and its text."""
    for program in PROGRAMS:
        module = program.removeprefix("git-").replace("-", "_")
        cli = importlib.import_module(f"git_retcon.commands.{module}").cli
        for shell, place in SCRIPT_PLACES.items():
            yield place.format(program), make_script(program, cli, shell)


def _list_spellings(program: Program) -> dict[str, str]:
    return {
        "ID": program.name.replace("-", "_"),
        "PROGRAM": program.name,
        "VERB": program.name.removeprefix("git-"),
        "MEANING": program.meaning,
        "DEFAULT": program.default,
        "VERBS": " ".join(program.verb_names),
    }


def _choose_sections(text: str, kinds: frozenset[str]) -> str:
    """The sections for some kinds. ``### spec file`` begins one that these two need."""
    _, *parts = re.split(r"(?m)^### (.*)\n", text)
    sections = zip(parts[::2], parts[1::2], strict=True)
    return "".join(section for names, section in sections if kinds & set(names.split()))


def _read_text(name: str) -> str:
    # Not by importlib.resources, whose import takes half as long as that of click.
    return Path(__file__).with_name(name).read_text("utf-8")
