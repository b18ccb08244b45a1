"""Pages: the hunks of one file that are worth asking about together.

A page holds at most 30 lines; a longer hunk is a page of its own. Its value is the number of
lines on it that are probably in a wrong commit, the sum of lines × (1 − confidence) over what is
not answered yet, and a little for each hunk. Nothing here knows of a terminal: a model can be
asked the same pages.
"""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from git_retcon.git.atoms import Atom
from git_retcon.retcon.planner.plan import Placement

MOST_LINES = 30
# From here on a hunk is not asked about: reading it costs more than it saves.
SURE = 0.97
# A page with fewer lines at stake costs its reader more than it saves.
LEAST_VALUE = 1.0
# What a hunk counts beside its lines: one line in a wrong commit spoils two commits. It makes
# five pages leave 5 % more commits exactly right, at .005 of the lines (``tests/bench/review.py``).
_EACH = 3


class Question(NamedTuple):
    """One hunk and where the plan puts it; ``stake`` is its lines, and what it
    counts itself, × doubt; 0 once it is answered.
    """

    atom: Atom
    placement: Placement
    stake: float

    @property
    def lines(self) -> int:
        return self.atom.size

    @property
    def is_settled(self) -> bool:
        """Whether it is answered, or as good as."""
        is_sure = self.placement.reason.confidence >= SURE
        # Of thousands of lines a small doubt is many lines.
        return not self.stake or (is_sure and self.stake < LEAST_VALUE)


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
    return Question(atom, placement, (atom.size + _EACH) * doubt)


def choose_page(questions: Sequence[Question], seen: Collection[str] = ()) -> Page | None:
    """The page of most value; None where no page is worth its reader's time.

    ``questions`` are in the order of a difference. No hunk of ``seen`` is asked about.
    """
    # What is settled would only push open hunks off the page.
    left = [each for each in questions if not each.is_settled and each.atom.id not in seen]
    pages = (fill_page(left, start) for start in range(len(left)))
    best = max(pages, key=lambda page: page.value, default=None)
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
    """The page that begins with one of some questions: with those behind it in its file."""
    path, lines = questions[start].atom.path, questions[start].lines
    stop = start + 1
    for question in questions[stop:]:
        lines += question.lines
        if question.atom.path != path or lines > MOST_LINES:
            break
        stop += 1
    return Page(tuple(questions[start:stop]))
