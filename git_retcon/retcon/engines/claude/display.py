"""Hunks of a difference as a model reads them: by file, bounded, secrets masked."""

import functools
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from itertools import groupby

from git_retcon.git.atoms import Atom, FileText, Kind
from git_retcon.lazy_dataclass import dataclass
from git_retcon.model.never_send import NeverSend
from git_retcon.model.redaction import Redactor
from git_retcon.model.tool_pages import clip_line
from git_retcon.retcon.branch.whole_entries import describe_entry
from git_retcon.retcon.engine import Situation
from git_retcon.retcon.planner.plan import Placement
from git_retcon.retcon.spec.hunk_parts import Abbreviations
from git_retcon.show.counting import count
from git_retcon.show.style import show_path

# A guess that is shown is followed: below this a model judges better without one.
WORTH_SAYING = 0.8
_MOST_LISTED = 2  # hunks of a whole file that are named one by one


@dataclass
class Display:
    """Shows hunks. ``placements`` is what the offline planner proposes for each."""

    situation: Situation
    redactor: Redactor
    never_send: NeverSend
    placements: Mapping[str, Placement] = field(default_factory=dict)
    _masked: dict[bytes, tuple[list[str], list[str]]] = field(default_factory=dict, init=False)

    def shorten_id(self, atom: Atom) -> str:
        """The id of a hunk as it is shown."""
        return self._abbreviations.shorten(atom.id)

    @functools.cached_property
    def _abbreviations(self) -> Abbreviations:
        return Abbreviations(atom.id for atom in self.situation.difference.atoms)

    def list_ids(self, atoms: Sequence[Atom]) -> Iterator[str]:
        """The ids of hunks, one line a file; those of a whole file by their number."""
        for path, group in groupby(atoms, key=lambda atom: atom.path):
            own = list(group)
            is_whole = len(own) > _MOST_LISTED and len(own) == self._counts[path]
            ids = " ".join(map(self.shorten_id, own))
            yield f"{show_path(path)}: {f'all {len(own)} hunks' if is_whole else ids}"

    @functools.cached_property
    def _counts(self) -> Mapping[bytes, int]:
        """How many hunks each file has."""
        return Counter(atom.path for atom in self.situation.difference.atoms)

    def show_hunks(self, atoms: Sequence[Atom]) -> Iterator[str]:
        """Every hunk with its lines, by file."""
        for path, group in groupby(atoms, key=lambda atom: atom.path):
            yield f"=== {show_path(path)}"
            for atom in group:
                yield self.describe_hunk(atom)
                yield from self.show_lines(atom)

    def list_files(self, atoms: Sequence[Atom]) -> Iterator[str]:
        """One line a file: its hunks and lines."""
        for path, group in groupby(atoms, key=lambda atom: atom.path):
            of_file = list(group)
            added, removed = (sum(map(len, lines)) for lines in zip(*map(_list_sides, of_file)))  # noqa: B905
            note = "  withheld" if any(map(self.never_send.holds, of_file)) else ""
            yield (f"{show_path(path)}  {count(len(of_file), 'hunk')}  +{added} -{removed}{note}")

    def describe_hunk(self, atom: Atom) -> str:
        """One line about a hunk: id, kind, place, scope, and where the planner would put it."""
        parts = [f"[{self.shorten_id(atom)}]"]
        parts.append(describe_entry(atom) or f"at {max(atom.new.start, 0) + 1}")
        if self.never_send.holds(atom):
            parts.append(f"+{len(atom.added)} -{len(atom.removed)} withheld")
            return " ".join([*parts, *self._describe_proposal(atom)])
        if atom.scope:
            parts.append(f"in {self.redactor.redact_text(atom.scope)}")
        return " ".join([*parts, *self._describe_proposal(atom)])

    def _describe_proposal(self, atom: Atom) -> Iterator[str]:
        placement = self.placements.get(atom.id)
        if placement is not None and placement.reason.confidence >= WORTH_SAYING:
            yield f"(proposed: commit {placement.commit + 1}, {placement.reason.confidence:.0%})"

    def show_lines(self, atom: Atom) -> Iterator[str]:
        """The lines of a hunk, each behind its sign; none of a withheld one."""
        if self.never_send.holds(atom):
            return
        if atom.kind is Kind.LINES and atom.path in self.situation.difference.texts:
            old, new = self._mask_file(self.situation.difference.texts[atom.path])
            removed = old[atom.old.start : atom.old.stop]
            added = new[atom.new.start : atom.new.stop]
        else:
            removed, added = (
                _mask_lines(lines, self.redactor) for lines in _list_sides(atom)[::-1]
            )
        yield from (f"-{clip_line(line)}" for line in removed)
        yield from (f"+{clip_line(line)}" for line in added)

    def show_line_before(self, atom: Atom) -> Iterator[str]:
        """The line that a hunk of lines follows in the source, for a reader to see where it is."""
        text = self.situation.difference.texts.get(atom.path)
        if atom.kind is Kind.LINES and text is not None and 0 < atom.new.start <= len(text.new):
            yield f" {clip_line(self._mask_file(text)[1][atom.new.start - 1])}"

    def _mask_file(self, text: FileText) -> tuple[list[str], list[str]]:
        """Mask both versions of a file as a whole: a secret may lie across several hunks."""
        if text.path not in self._masked:
            both = _mask_lines(text.old, self.redactor), _mask_lines(text.new, self.redactor)
            self._masked[text.path] = both
        return self._masked[text.path]


def _list_sides(atom: Atom) -> tuple[tuple[bytes, ...], tuple[bytes, ...]]:
    return atom.added, atom.removed


def _mask_lines(lines: Sequence[bytes], redactor: Redactor) -> list[str]:
    masked = redactor.redact_bytes(b"".join(lines)).split(b"\n")
    # Lines are numbered by place: one more or less would show a secret's neighbour as another line.
    if len(masked) not in (len(lines), len(lines) + 1):
        raise AssertionError("masking changed the number of lines")
    return [line.decode("utf-8", "backslashreplace") for line in masked[: len(lines)]]
