"""The state of a review: the answers so far, and the plan that they make."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from git_retcon.git.atoms import Atom
from git_retcon.git.repository import Repository
from git_retcon.retcon.planner.pages import Page, Question, choose_page, count_pages, make_question
from git_retcon.retcon.planner.plan import Placement
from git_retcon.retcon.rebuild.dry_run import Planning
from git_retcon.retcon.rebuild.pinned_hunks import merge_pins
from git_retcon.retcon.review.replies import Accept
from git_retcon.retcon.spec.file import SpecFile
from git_retcon.retcon.spec.pin_entries import PinLine


class Moved(NamedTuple):
    """A hunk that a new plan puts elsewhere, though nobody was asked about it."""

    atom: Atom
    before: int
    after: int


class Review:
    """One session over one spec. ``answers`` maps the ids of hunks to commits."""

    def __init__(self, repository: Repository, specfile: SpecFile) -> None:
        self._specfile = specfile
        self._steps: list[tuple[dict[str, int], set[str]]] = []
        self._answers: dict[str, int] = {}
        # Left open by the person: not asked about again.
        self._seen: set[str] = set()
        self._planning = Planning(repository, specfile)
        self.plan = self._planning.make_plan(specfile)

    @property
    def answers(self) -> Mapping[str, int]:
        return self._answers

    @property
    def page(self) -> Page | None:
        """The page to ask about next; None where none is worth asking."""
        return choose_page(self._find_questions(), self._seen)

    @property
    def pages_left(self) -> int:
        return count_pages(self._find_questions(), self._seen)

    def answer(self, page: Page, answer: Accept) -> Sequence[Moved]:
        """Take the answers to a page and plan again. Returns what moved besides."""
        self._keep_step()
        for at, question in enumerate(page.questions):
            atom = question.atom.id
            self._seen.add(atom)
            commit = answer.moves.get(at, question.placement.commit)
            if commit is None:
                self._answers.pop(atom, None)
            else:
                self._answers[atom] = commit
        return self._plan_again(exempt={question.atom.id for question in page.questions})

    def skip(self, page: Page) -> None:
        """Leave a page open."""
        self._keep_step()
        self._seen.update(question.atom.id for question in page.questions)

    def undo(self) -> bool:
        """Take the last page's answers back. False where there are none."""
        if not self._steps:
            return False
        self._answers, self._seen = self._steps.pop()
        self._plan_again(exempt=set())
        return True

    def pins(self) -> Mapping[int, Sequence[PinLine]]:
        """The pins that each changed commit gets."""
        difference = self.plan.position.difference
        return merge_pins(self._specfile.spec, self._answers, difference)

    def _keep_step(self) -> None:
        self._steps.append((dict(self._answers), set(self._seen)))

    def _plan_again(self, exempt: set[str]) -> Sequence[Moved]:
        before = self._find_places()
        self.plan = self._planning.make_plan(self._specfile.assume_pins(self.pins()))
        difference = self.plan.position.difference
        return [
            Moved(difference[atom], before[atom].commit, placement.commit)
            for atom, placement in self._find_places().items()
            if atom in before and atom not in exempt and before[atom].commit != placement.commit
        ]

    def _find_places(self) -> Mapping[str, Placement]:
        return {
            atom: Placement(index, choice.reasons[atom])
            for index, choice in self.plan.choices.items()
            for atom in choice.reasons
        }

    def _find_questions(self) -> Sequence[Question]:
        places = self._find_places()
        return [
            make_question(atom, places[atom.id], answered=atom.id in self._answers)
            for atom in self.plan.position.difference.atoms
            if atom.id in places
        ]
