"""``hashFiles``: one digest of all files that some patterns match, as GitHub's runner makes it.

The patterns are those of its glob library, not those of filters: ``?`` is one character, ``**``
only a whole folder name, and a pattern that matches a folder matches all that is in it.
"""

import hashlib
from collections.abc import Iterable, Sequence
from typing import Protocol

from git_retcon.heal.workflows.expressions.values import Value, to_text
from git_retcon.heal.workflows.filters import Pattern
from git_retcon.heal.workflows.glob_parts import (
    ANYTHING,
    FOLDERS,
    Accepts,
    GlobPart,
    find_literal,
    is_no_slash,
    is_none,
    matches_name,
    take_one,
)

_OPTION = "--follow-symbolic-links"


class Files(Protocol):
    """The files of a job's workspace, by their paths in it."""

    def list_files(self) -> Iterable[bytes]: ...

    def digest_file(self, path: bytes) -> bytes:
        """The sha256 of the content, as 32 bytes."""
        ...


def hash_files(arguments: Sequence[Value], files: Files, workspace: str) -> str:
    """The digest in hexadecimal, empty if no file matches. ``workspace`` is the folder's absolute
    path, with which patterns may begin.
    """
    lines = "\n".join(text for text in map(to_text, arguments) if text != _OPTION).split("\n")
    patterns = [_read_glob(line.strip(), workspace) for line in lines if _is_pattern(line)]
    chosen = [path for path in files.list_files() if _selects_path(patterns, path)]
    digest = hashlib.sha256()
    # By folder, as GitHub's runner walks them: the order is part of the digest.
    for path in sorted(chosen, key=lambda path: path.split(b"/")):
        digest.update(files.digest_file(path))
    return digest.hexdigest() if chosen else ""


def _is_pattern(line: str) -> bool:
    return bool(line.strip()) and not line.lstrip().startswith("#")


def _selects_path(patterns: list[Pattern], path: bytes) -> bool:
    """Whether a path is selected: the last pattern that matches it decides."""
    name = path.decode("utf-8", "surrogateescape")
    selected = False
    for pattern in patterns:
        # Patterns that could not change the answer are not tried; the literal is a cheap first
        # test.
        if selected is pattern.negative and pattern.literal in name:
            selected ^= matches_name(pattern.parts, name)
    return selected


def _read_glob(text: str, workspace: str) -> Pattern:
    plain = text.lstrip("!")
    # "!!x" takes nothing back: each sign turns the meaning round.
    negative = (len(text) - len(plain)) % 2 == 1
    plain = plain.removeprefix(workspace.rstrip("/") + "/") if workspace else plain
    *folders, last = [segment for segment in plain.split("/") if segment != "."] or [""]
    parts = [part for folder in folders for part in _read_folder(folder)]
    parts += [ANYTHING] if last == "**" else _read_segment(last)
    return Pattern((*parts, *_INSIDE), find_literal(parts), negative)


# All that is in a folder that a pattern matches.
_INSIDE = (GlobPart(is_none, jumps=(1, 3)), take_one("/"), ANYTHING)


def _read_folder(segment: str) -> Sequence[GlobPart]:
    return FOLDERS if segment == "**" else [*_read_segment(segment), take_one("/")]


def _read_segment(segment: str) -> list[GlobPart]:
    parts: list[GlobPart] = []
    position = 0
    while position < len(segment):
        # From two on: a "]" right behind the "[" is one of the characters.
        char, end = segment[position], segment.find("]", position + 2)
        if char == "[" and end > 0:
            parts.append(GlobPart(_read_class(segment[position + 1 : end])))
            position = end
        elif char == "*":
            parts.append(GlobPart(is_no_slash, repeats=True, jumps=(1,)))
        else:
            parts.append(GlobPart(is_no_slash) if char == "?" else take_one(char))
        position += 1
    return parts


def _read_class(inside: str) -> Accepts:
    """The characters between brackets; after ``!`` or ``^`` all but those, and never a slash."""
    listed = inside.lstrip("!^") if inside[0] in "!^" else inside
    taken: set[str] = set()
    position = 0
    while position < len(listed):
        last = position + 2 if listed[position + 1 : position + 2] == "-" else position
        last = min(last, len(listed) - 1)
        taken.update(map(chr, range(ord(listed[position]), ord(listed[last]) + 1)))
        position = last + 1
    if listed is inside:
        return taken.__contains__
    return lambda char: char not in taken and char != "/"
