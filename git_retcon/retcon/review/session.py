"""The state of a review: the answers so far, and the plan that they make."""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from git_retcon.git.atoms import Atom
from git_retcon.git.repository import Repository
from git_retcon.retcon.planner.pages import Page, Question, choose_page, count_pages, make_question
from git_retcon.retcon.planner.plan import Placement
from git_retcon.retcon.rebuild.dry_run import Planning
from git_retcon.retcon.rebuild.pinned_hunks import merge_pins
from git_retcon.retcon.review.replies import Accept
from git_retcon.retcon.spec.file import SpecFile
from git_retcon.retcon.spec.hunk_parts import HunkId, join_numbers, name_whole
from git_retcon.retcon.spec.model import PinLine


class Moved(NamedTuple):
    """A hunk that a new plan puts elsewhere, though nobody was asked about it."""

    atom: Atom
    before: int
    after: int


class _Step(NamedTuple):
    """What a session knew before an answer."""

    answers: Mapping[str, int]
    seen: Collection[str]
    parts: tuple[str, ...]


class Review:
    """One session over one spec. ``answers`` maps the ids of hunks to commits."""

    def __init__(self, repository: Repository, specfile: SpecFile) -> None:
        self._specfile = specfile
        self._steps: list[_Step] = []
        # Parts of hunks that the person asked for.
        self._parts: tuple[str, ...] = ()
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

    def find_borders(self, atom: Atom) -> Sequence[int]:
        """The lines of a hunk behind which it can be split, numbered as in ids."""
        # Late: cutting reads languages, and most sessions split nothing.
        from git_retcon.retcon.branch.hunk_division import list_borders, number_lines

        own = sorted(number_lines(atom))
        found = list_borders(self.plan.position.difference, name_whole(atom.id))
        return [at for at in found if at in own[:-1]]

    def split(self, page: Page, atom: Atom, line: int) -> Page:
        """Split a hunk of a page behind one of its lines, and plan again.

        Returns the page with the parts on it. Raises UnusablePart, with nothing changed, where a
        statement would break.
        """
        from git_retcon.retcon.branch.hunk_cutter import UnusablePart
        from git_retcon.retcon.branch.hunk_division import number_lines, read_part

        own = sorted(number_lines(atom))
        sides = ([at for at in own if at <= line], [at for at in own if at > line])
        if not all(sides):
            raise UnusablePart(
                f"line {line} is not between two parts",
                hint="name one of the lines that have a star",
            )
        names = [str(HunkId(name_whole(atom.id), join_numbers(side))) for side in sides]
        for each in names:
            read_part(self.plan.position.difference, each)
        self._keep_step()
        self._parts += tuple(names)
        self._plan_again(exempt=set())
        wholes = {name_whole(question.atom.id) for question in page.questions}
        found = (each for each in self._find_questions() if name_whole(each.atom.id) in wholes)
        return Page(tuple(found))

    def undo(self) -> bool:
        """Take the last page's answers, or the last split, back. False where there are none."""
        if not self._steps:
            return False
        step = self._steps.pop()
        self._answers, self._seen, self._parts = dict(step.answers), set(step.seen), step.parts
        self._plan_again(exempt=set())
        return True

    def pins(self) -> Mapping[int, Sequence[PinLine]]:
        """The pins that each changed commit gets."""
        difference = self.plan.position.difference
        return merge_pins(self._specfile.spec, self._answers, difference)

    def _keep_step(self) -> None:
        self._steps.append(_Step(dict(self._answers), set(self._seen), self._parts))

    def _plan_again(self, exempt: set[str]) -> Sequence[Moved]:
        before = self._find_places()
        assumed = self._specfile.assume_pins(self.pins())
        self.plan = self._planning.make_plan(assumed, self._parts)
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
