"""Pages: the hunks of one file that are worth asking about together.

A page holds at most 30 lines; a longer hunk is a page of its own. Its value is the number of
lines on it that are probably in a wrong commit: the sum of lines × (1 − confidence) over what is
not answered yet. Nothing here knows of a terminal: a model can be asked the same pages.
"""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from git_retcon.git.atoms import Atom
from git_retcon.retcon.planner.plan import Placement

MOST_LINES = 30
# A page with fewer lines at stake costs its reader more than it saves.
LEAST_VALUE = 1.0


class Question(NamedTuple):
    """One hunk and where the plan puts it; ``stake`` is lines × doubt, 0 once it is answered."""

    atom: Atom
    placement: Placement
    stake: float

    @property
    def lines(self) -> int:
        return max(1, len(self.atom.removed) + len(self.atom.added))


class Page(NamedTuple):
    """Hunks of one file, in the order of its lines."""

    questions: tuple[Question, ...]

    @property
    def path(self) -> bytes:
        return self.questions[0].atom.path

    @property
    def value(self) -> float:
        """The lines that are probably misplaced."""
        return sum(question.stake for question in self.questions)


def make_question(atom: Atom, placement: Placement, *, answered: bool) -> Question:
    """A hunk of a plan as something to ask about."""
    doubt = 0.0 if answered else 1 - placement.reason.confidence
    lines = max(1, len(atom.removed) + len(atom.added))
    return Question(atom, placement, lines * doubt)


def choose_page(questions: Sequence[Question], seen: Collection[str] = ()) -> Page | None:
    """The page of most value; None where no page is worth its reader's time.

    ``questions`` are in the order of a difference. No page begins with a hunk of ``seen``.
    """
    best: Page | None = None
    for start, first in enumerate(questions):
        # A page that begins with a sure hunk is worth no more than the one that begins behind it.
        if not first.stake or first.atom.id in seen:
            continue
        page = fill_page(questions, start)
        if best is None or page.value > best.value:
            best = page
    return best if best is not None and best.value >= LEAST_VALUE else None


def count_pages(questions: Sequence[Question], seen: Collection[str] = ()) -> int:
    """About how many pages are still worth asking."""
    left, found = list(questions), 0
    while (page := choose_page(left, seen)) is not None:
        asked = {question.atom.id for question in page.questions}
        left = [each._replace(stake=0) if each.atom.id in asked else each for each in left]
        found += 1
    return found


def fill_page(questions: Sequence[Question], start: int) -> Page:
    """The page that begins with one question."""
    path, lines, stop = questions[start].atom.path, 0, start
    for question in questions[start:]:
        lines += question.lines
        if question.atom.path != path or (lines > MOST_LINES and stop > start):
            break
        stop += 1
    chosen = list(questions[start:stop])
    while not chosen[-1].stake:
        chosen.pop()
    return Page(tuple(chosen))
