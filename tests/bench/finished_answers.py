"""A person who knows the author's truth: answers pages, splits hunks, takes pins back."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from git_retcon.git.atoms import Atom
from git_retcon.git.difference import Difference
from git_retcon.git.graph import read_commit
from git_retcon.git.provenance import History
from git_retcon.git.repository import Repository
from git_retcon.retcon.branch.hunk_cutter import UnusablePart
from git_retcon.retcon.branch.hunk_division import number_lines, read_part
from git_retcon.retcon.planner.pages import Page
from git_retcon.retcon.review.replies import Accept
from git_retcon.retcon.review.session import Review
from git_retcon.retcon.spec.file import SpecFile
from git_retcon.retcon.spec.hunk_parts import HunkId, join_numbers, name_whole
from tests.bench.review import find_author

# "pinned to commit 4: pin 059138afec and a2faf253ad to commit 3, or to none, …"
_ADVICE = re.compile(r"pin ((?:[0-9a-f][\w.:,-]*(?:, | and )?)+) to commit \d+, or to none")


@dataclass(frozen=True)
class Truth:
    """The author's commits, by number: those of which no line is left are not counted."""

    history: History
    places: Mapping[int, int]

    def find_shares(self, difference: Difference) -> Mapping[str, Mapping[int, int]]:
        """The lines that each commit wrote of each hunk whose author is known, by id."""
        origin = self.history.of(difference).origin
        return {
            atom: {self.places[position]: lines for position, lines in shares.items()}
            for atom, shares in origin.items()
        }

    def find_authors(self, difference: Difference) -> Mapping[str, int]:
        """The commit that wrote most of each hunk."""
        shares = self.find_shares(difference)
        return {atom: find_author(own) for atom, own in shares.items()}


def read_truth(repository: Repository, oids: Sequence[str], difference: Difference) -> Truth:
    """What the author's commits hold, given oldest first."""
    history = History.read(repository, oids[0], [read_commit(repository, oid) for oid in oids])
    # As in ``branches``: an author's commit of which no line is left is no commit of the spec.
    origin = history.of(difference).origin
    alive = sorted({position for shares in origin.values() for position in shares})
    return Truth(history, {position: at for at, position in enumerate(alive)})


def answer_pages(review: Review, truth: Truth, pages: int) -> int:
    """Answer a review as the author would, for at most so many pages.

    Returns how many hunks were split.
    """
    splits = 0
    for _ in range(pages):
        page = review.page
        if page is None:
            break
        while (found := _find_split(review, truth, page)) is not None:
            page = review.split(page, *found)
            splits += 1
        authors = truth.find_authors(review.plan.position.difference)
        asked = enumerate(question.atom.id for question in page.questions)
        # What has no author (a mode) is right as shown.
        moves = {at: authors[atom] for at, atom in asked if atom in authors}
        review.answer(page, Accept(moves))
    return splits


def _find_split(review: Review, truth: Truth, page: Page) -> tuple[Atom, int] | None:
    """A hunk of a page with lines of several commits, and the line behind which a split parts
    them best; None where no split parts any."""
    difference = review.plan.position.difference
    shares = truth.find_shares(difference)
    for question in page.questions:
        atom = question.atom
        own = shares.get(atom.id, {})
        if len(own) < 2:
            continue
        gains = {
            line: _count_pure(difference, truth, atom, line) - max(own.values())
            for line in review.find_borders(atom)
        }
        best = max(gains, key=lambda line: gains[line], default=0)
        if best and gains[best] > 0:
            return atom, best
    return None


def _count_pure(difference: Difference, truth: Truth, atom: Atom, line: int) -> int:
    """The lines that would be in a part most of which their author wrote; 0 where it cannot be
    split behind this line."""
    own = sorted(number_lines(atom))
    sides = ([at for at in own if at <= line], [at for at in own if at > line])
    names = [str(HunkId(name_whole(atom.id), join_numbers(side))) for side in sides]
    try:
        parts = tuple(read_part(difference, name) for name in names)
    except UnusablePart:
        return 0
    shares = truth.find_shares(replace(difference, atoms=parts))
    return sum(max(part.values()) for part in shares.values())


def take_back_pins(spec: Path, report: Mapping[str, Any]) -> int:
    """Remove from the spec the pins that a stuck run says may go; returns how many went."""
    found = _ADVICE.search(report.get("error", "")) if report.get("status") == "stuck" else None
    if found is None:
        return 0
    named = re.split(r", | and ", found[1].strip())
    specfile = SpecFile.parse(spec, spec.read_bytes())
    pins = {
        index: [pin for pin in specfile.pins(index) if not any(map(pin.id.startswith, named))]
        for index in range(len(specfile.spec.commits))
    }
    gone = sum(len(specfile.pins(index)) - len(kept) for index, kept in pins.items())
    specfile.with_pins(pins)
    return gone
