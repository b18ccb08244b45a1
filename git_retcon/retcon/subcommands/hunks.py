"""``git retcon hunks``: every hunk of a branch once, with its text."""

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from git_retcon.git.atoms import Atom
from git_retcon.git.difference import Difference
from git_retcon.git.repository import open_repository
from git_retcon.options import Output
from git_retcon.retcon.rebuild.explanation import describe_hunk, hunk_line, show_patch
from git_retcon.retcon.rebuild.uncommitted import say_uncommitted
from git_retcon.retcon.rebuild.whole_difference import read_whole_difference
from git_retcon.retcon.spec.file import SpecFile
from git_retcon.show.envelope import Ending
from git_retcon.show.pager import page_lines
from git_retcon.show.style import Style, style_of

LISTED = "listed"


def list_hunks(path: Path, output: Output) -> Ending:
    """Print the hunks from the base to the source, those that are built already too."""
    repository = open_repository(Path.cwd())
    specfile = SpecFile.load(path)
    difference = read_whole_difference(repository, specfile)
    say_uncommitted(repository, specfile, output)
    if not output.json:
        page_lines(
            _format_difference(difference, style_of(sys.stdout, output, repository.config.get))
        )
    hunks = [_describe_atom(atom) for atom in difference.atoms]
    return Ending(LISTED, {"base": difference.base, "tree": difference.target, "hunks": hunks})


def _format_difference(difference: Difference, style: Style) -> Iterator[str]:
    for atom in difference.atoms:
        yield style.title(hunk_line(describe_hunk(atom)))
        yield from show_patch(atom, style, indent=2)


def _describe_atom(atom: Atom) -> Mapping[str, object]:
    hunk = describe_hunk(atom)
    return {
        "id": hunk.id,
        "kind": hunk.kind,
        "change": hunk.change,
        "path": hunk.path,
        "line": hunk.line,
        "scope": hunk.scope,
        "removed": [_decode_line(line) for line in atom.removed],
        "added": [_decode_line(line) for line in atom.added],
    }


def _decode_line(line: bytes) -> str:
    return line.decode("utf-8", "backslashreplace")
