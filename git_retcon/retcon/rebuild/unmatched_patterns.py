"""Patterns of ``files`` and ``exclude`` that match no changed file: most are misspelt."""

import os
from collections.abc import Iterator
from typing import NamedTuple

from git_retcon.files.patterns import Case, PatternLists, read_patterns
from git_retcon.files.untrusted_paths import list_parents
from git_retcon.git.difference import Difference
from git_retcon.retcon.spec.file import SpecFile
from git_retcon.show.style import show_path
from git_retcon.show.suggestion import find_similar_path

_WILD = frozenset("*?[\\\n")


class _Entry(NamedTuple):
    """One entry of a list of a commit, which is given by its position."""

    commit: int
    key: str
    text: str

    @property
    def lines(self) -> list[str]:
        """The patterns of the entry without their '!': what is taken back has to be there too."""
        lines = (line.removeprefix("!") for line in self.text.splitlines())
        return [line for line in lines if line.strip() and not line.startswith("#")]


def check_patterns(specfile: SpecFile, difference: Difference, case: Case) -> Iterator[str]:
    """A warning for each pattern that matches nothing. ``difference`` is from the base to the
    source."""
    entries = [
        _Entry(at, key, text)
        for at, commit in enumerate(specfile.spec.commits)
        for key, texts in (("files", commit.files), ("exclude", commit.exclude))
        for text in texts
    ]
    entries = [entry for entry in entries if entry.lines]
    if not entries:
        return
    lists = PatternLists([read_patterns(entry.lines, case) for entry in entries])
    paths = {atom.path for atom in difference.atoms}
    matched = {at for path in paths for at in lists.find(path)}
    for at, entry in enumerate(entries):
        if at not in matched:
            line = specfile.find_item(entry.commit, entry.text)
            said = f"{entry.key}: no changed file matches '{entry.text}'"
            yield f"{specfile.path}:{line}: {said}{_suggest_path(entry.text, paths)}"


def _suggest_path(text: str, paths: set[bytes]) -> str:
    # A pattern with wildcards is near to nothing that could be named.
    if not _WILD.isdisjoint(text):
        return ""
    name = text.removeprefix("!").removeprefix("/")
    known = {folder + b"/" for path in paths for folder in list_parents(path)}
    if not name.endswith("/"):
        known |= paths
    # Without a slash inside, a pattern is of names in any folder.
    if "/" not in text.removeprefix("!").rstrip("/"):
        known = {_take_name(path) for path in known}
    meant = find_similar_path(name, frozenset(map(os.fsdecode, known)))
    return f"; did you mean '{show_path(os.fsencode(meant))}'?" if meant else ""


def _take_name(path: bytes) -> bytes:
    end = b"/" if path.endswith(b"/") else b""
    return path.removesuffix(b"/").rpartition(b"/")[2] + end
