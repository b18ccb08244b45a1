"""Pages: the hunks that are worth asking about next.

A page shows at most 30 lines, of a long hunk only the first and the last of them. Its value is the
number of lines that are probably in a wrong commit, the sum of lines × (1 − confidence) over what
is not answered yet, and a little for each hunk. Hunks of most value come first, from any files:
pages of one file alone make a plan right later (``tests/bench/README.md``, "Asking").
Nothing here knows of a terminal: a model can be asked the same pages.
"""

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from git_retcon.git.atoms import Atom
from git_retcon.retcon.planner.plan import Placement

MOST_LINES = 30
# Of one hunk: enough to know it by, so that a page has room for others.
MOST_SHOWN = 10
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
    def shown(self) -> int:
        """How many of its lines a page shows."""
        return min(self.atom.size, MOST_SHOWN)

    @property
    def is_settled(self) -> bool:
        """Whether it is answered, or as good as."""
        is_sure = self.placement.reason.confidence >= SURE
        # Of thousands of lines a small doubt is many lines.
        return not self.stake or (is_sure and self.stake < LEAST_VALUE)


class Page(NamedTuple):
    """Some hunks, in the order of the difference: those of a file follow each other."""

    questions: tuple[Question, ...]

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
    page = pack_page(left, sorted(left, key=lambda each: each.stake, reverse=True))
    return page if page.value >= LEAST_VALUE else None


def count_pages(questions: Sequence[Question], seen: Collection[str] = ()) -> int:
    """About how many pages are still worth asking."""
    left, found = list(questions), 0
    while (page := choose_page(left, seen)) is not None:
        asked = {question.atom.id for question in page.questions}
        left = [each._replace(stake=0) if each.atom.id in asked else each for each in left]
        found += 1
    return found


def pack_page(questions: Sequence[Question], preferred: Iterable[Question]) -> Page:
    """A page of as many questions as it shows, in their own order; ``preferred`` says which of
    them come first.
    """
    chosen: set[str] = set()
    left = MOST_LINES
    for question in preferred:
        if question.shown <= left:
            left -= question.shown
            chosen.add(question.atom.id)
    return Page(tuple(each for each in questions if each.atom.id in chosen))
