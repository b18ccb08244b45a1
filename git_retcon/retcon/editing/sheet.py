"""A plan as lines that can be moved, in the manner of the todo list of ``git rebase -i``.

A commit is a heading; below it is a line for each of its hunks. Only the word at the beginning of
a line, the number or the id behind it, and a heading's subject are read back.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from git_retcon.errors import UserError
from git_retcon.retcon.spec.hunk_parts import ID, find_hunks, name_whole
from git_retcon.show.style import printable

COMMIT, NEW, NOBODY = "commit", "new", "none"
_SIZE = r"(?:\(\+\d+ -\d+\)\s*)?"
_HEADING = re.compile(rf"{COMMIT}\s+(\d+)\b\s*{_SIZE}(.*)")
_ADDED = re.compile(rf"{NEW}\b\s*{_SIZE}(.*)")
_HUNK = re.compile(rf"(?:\?\s*)?({ID})(?:\s.*)?")


class Heading(NamedTuple):
    """A commit of the sheet: its position in the spec, from 0, or None for a new one."""

    origin: int | None
    subject: str


class Sheet(NamedTuple):
    """Commits in their order; and for each hunk, by id, the place of its commit in that order.

    A hunk of which nothing is said is left to the planner.
    """

    headings: Sequence[Heading]
    places: Mapping[str, int]


class SheetFault(Exception):
    """A line that cannot be read; lines are counted from 1."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(f"line {line}: {message}")


def read_sheet(
    text: str, subjects: Sequence[str], known: Sequence[str], find_part: Callable[[str], str]
) -> Sheet | None:
    """Read what an editor left; None where there is no line left.

    ``subjects`` are those of the spec's commits, ``known`` the ids of all hunks; ``find_part``
    gives that which a part of a hunk is, and raises UserError where it is none. Raises SheetFault.
    """
    reader = _Reader(subjects, known, find_part)
    for number, line in enumerate(text.splitlines(), 1):
        reader.read_line(number, line.strip())
    return reader.finish()


def list_parts(text: str) -> Sequence[str]:
    """The parts of hunks that lines are about, as they are written."""
    found = (_HUNK.fullmatch(line.strip()) for line in text.splitlines())
    return list(dict.fromkeys(each[1] for each in found if each and ":" in each[1]))


class _Reader:
    def __init__(
        self, subjects: Sequence[str], known: Sequence[str], find_part: Callable[[str], str]
    ) -> None:
        self._subjects, self._known, self._find_part = subjects, known, find_part
        self._parts: dict[str, list[str]] = {}
        for each in known:
            self._parts.setdefault(name_whole(each), []).append(each)
        self._headings: list[Heading] = []
        self._lines: dict[str, int] = {}
        self._places: dict[str, int] = {}
        # Of hunks that are divided, by their whole id: all parts that have no line of their own.
        self._wholes: dict[str, int | None] = {}
        self._is_for_nobody = False
        self._is_empty = True

    def read_line(self, number: int, line: str) -> None:
        if not line or line.startswith("#"):
            return
        self._is_empty = False
        if line == NOBODY:
            self._is_for_nobody = True
        elif found := _HEADING.fullmatch(line):
            self._add_heading(number, int(found[1]) - 1, found[2])
        elif found := _ADDED.fullmatch(line):
            self._add_heading(number, None, found[1])
        elif found := _HUNK.fullmatch(line):
            self._add_hunk(number, found[1])
        else:
            word = line.split()[0]
            raise SheetFault(
                number, f"'{word}' begins no line; '{COMMIT} N', '{NEW}', '{NOBODY}' and ids do"
            )

    def _add_heading(self, number: int, origin: int | None, subject: str) -> None:
        if origin is not None and not 0 <= origin < len(self._subjects):
            raise SheetFault(number, f"there is no commit {origin + 1} in the spec")
        if origin is not None and any(each.origin == origin for each in self._headings):
            raise SheetFault(number, f"commit {origin + 1} is there twice")
        if not subject:
            raise SheetFault(number, "the commit has no subject")
        if origin is not None and subject == printable(self._subjects[origin]).strip():
            subject = self._subjects[origin]
        self._headings.append(Heading(origin, subject))
        self._is_for_nobody = False

    def _add_hunk(self, number: int, text: str) -> None:
        meant = self._find_meant(number, text)
        wholes = {name_whole(each) for each in meant}
        if ":" not in text and len(meant) > 1 and len(wholes) == 1:
            self._add_whole(number, text, wholes.pop())
            return
        if len(meant) != 1:
            fault = "several hunks begin with" if meant else "no hunk is called"
            raise SheetFault(number, f"{fault} '{text}'")
        (atom,) = meant
        if atom in self._lines:
            raise SheetFault(number, f"hunk '{text}' is in line {self._lines[atom]} too")
        self._lines[atom] = number
        place = self._find_place(number, text)
        if place is not None:
            self._places[atom] = place

    def _find_meant(self, number: int, text: str) -> Sequence[str]:
        """The hunks, or the part of one, that a text names."""
        if ":" not in text:
            wholes = find_hunks(text, list(self._parts))
            return [part for whole in wholes for part in self._parts[whole]]
        try:
            return [self._find_part(text)]
        except UserError as fault:
            raise SheetFault(number, f"{fault}; {fault.hint}") from fault

    def _add_whole(self, number: int, text: str, whole: str) -> None:
        if whole in self._lines:
            raise SheetFault(number, f"hunk '{text}' is in line {self._lines[whole]} too")
        self._lines[whole] = number
        self._wholes[whole] = self._find_place(number, text)

    def _find_place(self, number: int, text: str) -> int | None:
        """The place of the commit that a line is below; None below NOBODY."""
        if self._is_for_nobody:
            return None
        if not self._headings:
            raise SheetFault(number, f"hunk '{text}' is below no commit")
        return len(self._headings) - 1

    def finish(self) -> Sheet | None:
        if self._is_empty:
            return None
        if not self._headings:
            raise SheetFault(1, "no commit is left")
        for atom in self._known:
            place = self._wholes.get(name_whole(atom))
            if place is not None and atom not in self._lines:
                self._places[atom] = place
        return Sheet(tuple(self._headings), self._places)


GUIDE = f"""
# Move the line of a hunk below the heading of another commit to put it there.
# Move headings, with or without their hunks, to reorder commits; change their subjects.
# '{NEW} Subject' is a new commit; a heading that is removed drops its commit.
# A hunk whose line is removed, or is below '{NOBODY}', is left to the planner.
# A line '1f3a:1-22' puts these lines of hunk 1f3a elsewhere ('git retcon show 1f3a' numbers them).
# '?' marks what the planner is not sure of. Of a hunk's line only the id is read.
# An empty file changes nothing.
"""


def list_numbers(headings: Sequence[Heading]) -> Mapping[int, int]:
    """Where each commit of the spec that is left is now."""
    return {each.origin: at for at, each in enumerate(headings) if each.origin is not None}


def heading_line(at: int, subject: str, added: int, removed: int) -> str:
    """The heading of a commit."""
    return f"{COMMIT} {at + 1} (+{added} -{removed}) {subject}"


def comment_lines(lines: Sequence[str]) -> Iterator[str]:
    """Lines that are not read back."""
    return (f"      # {line}" for line in lines)
