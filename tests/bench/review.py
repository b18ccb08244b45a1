"""How many pages of questions make a plan right, when somebody who knows the truth answers them.

    python -m tests.bench.review CLONE... [--branches 20] [--way value]... [--json FILE]

A machine with the author's truth plays the person of ``git retcon review``: it is shown the page
that the planner would ask, puts every hunk on it where its author had it, and the rest is planned
again. The source is squashed, or has commits of its own, made from the author's by a seeded cut.
"By value" is what the command does; "by file" (pages of one file, with whole hunks, as they were
before), "by doubt" (the least sure hunks first) and "at random" are there to compare.

Prints after 0, 3, 5, 10 and 20 pages, as means over branches: the share of lines that are in the
commit that wrote them, and of commits that hold just the hunks that they wrote most of.
"""

import argparse
import json
import random
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from git_retcon.retcon.planner.pages import (
    LEAST_VALUE,
    MOST_LINES,
    Page,
    Question,
    choose_page,
    make_question,
    pack_page,
)
from git_retcon.retcon.planner.plan import Placement, Task
from git_retcon.retcon.planner.planner import Planner
from git_retcon.retcon.spec.model import LogicalCommit
from tests.bench.branches import Branch, Messy, branches_of, messy
from tests.bench.placing import accuracy

PAGES = (0, 3, 5, 10, 20)
MANY = 40  # hunks from which on a branch counts as large
_INPUTS = ("squashed", "own commits")
Chooser = Callable[[Sequence[Question]], Page | None]


@dataclass(frozen=True)
class Score:
    """A plan beside the truth: shares of lines, and of commits that are exactly right."""

    lines: float
    commits: float


@dataclass(frozen=True)
class Session:
    """One branch, asked about in one way; ``scores`` are by ``PAGES``."""

    branch: str
    hunks: int
    given: str
    way: str
    pages: int
    scores: tuple[Score, ...]


def main() -> None:
    options = _options()
    sessions: list[Session] = []
    for clone in options.clones:
        for at, branch in enumerate(branches_of(clone, options.branches, options.seed)):
            for session in _play_branch(branch, options, options.seed + at):
                sessions.append(session)
                print(_tell(session), file=sys.stderr, flush=True)
    if options.json:
        found = {"version": 1, "pages": PAGES, "sessions": [asdict(each) for each in sessions]}
        options.json.write_text(json.dumps(found, indent=1) + "\n", "utf-8")
    for lines in (_table("All", sessions), _table("At least 40 hunks", _large(sessions))):
        print("\n".join(lines), end="\n\n")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("clones", nargs="+", type=Path, metavar="CLONE")
    parser.add_argument("--branches", type=int, default=20, metavar="N", help="of each clone")
    parser.add_argument("--way", action="append", choices=tuple(_WAYS), help="default: all")
    parser.add_argument("--given", action="append", choices=_INPUTS, help="default: both")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--json", type=Path, metavar="FILE")
    return parser.parse_args()


def _play_branch(branch: Branch, options: argparse.Namespace, seed: int) -> Iterator[Session]:
    for given in options.given or _INPUTS:
        mess = messy(branch, random.Random(seed)) if given != _INPUTS[0] else Messy({}, ())
        for way in options.way or _WAYS:
            yield play(branch, mess, given, way, seed)


def play(branch: Branch, mess: Messy, given: str, way: str, seed: int) -> Session:
    """Ask about one branch until no question is left, or for as many pages as are measured."""
    truth = _find_authors(branch)
    scores = [
        score_plan(branch, truth, placements)
        for _, placements in _ask_pages(branch, mess, way, seed)
    ]
    asked = len(scores) - 1
    measured = tuple(scores[min(pages, asked)] for pages in PAGES)
    return Session(branch.name, len(branch.difference.atoms), given, way, asked, measured)


def answer_pages(branch: Branch, mess: Messy, way: str, seed: int) -> Iterator[Mapping[str, int]]:
    """The answers, by hunk, before any page and after each."""
    for answers, _ in _ask_pages(branch, mess, way, seed):
        yield answers


def _ask_pages(
    branch: Branch, mess: Messy, way: str, seed: int
) -> Iterator[tuple[Mapping[str, int], Mapping[str, Placement]]]:
    """Answers and plan, before any page and after each."""
    choose = _WAYS[way](random.Random(seed))
    truth = _find_authors(branch)
    answers: dict[str, int] = {}
    count = len(branch.commits)
    planner = Planner(
        Task(branch.difference, branch.commits, range(count), {}, mess.origin, mess.subjects)
    )
    for _ in range(PAGES[-1] + 1):
        placements = planner.plan(_pin(branch, answers)).placements
        yield dict(answers), placements
        page = choose(_questions(branch, placements, answers))
        if page is None:
            return
        for question in page.questions:
            atom = question.atom.id
            # Where nobody knows the truth (a mode has no author), what is shown is right.
            answers[atom] = truth.get(atom, question.placement.commit)


def _find_authors(branch: Branch) -> Mapping[str, int]:
    return {atom: find_author(shares) for atom, shares in branch.truth.items()}


def find_author(shares: Mapping[int, int]) -> int:
    """The commit that wrote most lines of a hunk; of equal ones the first."""
    return max(sorted(shares), key=lambda k: shares[k])


def score_plan(
    branch: Branch, truth: Mapping[str, int], placements: Mapping[str, Placement]
) -> Score:
    """A plan beside the truth."""
    labels = {atom: placement.commit for atom, placement in placements.items()}
    count = len(branch.commits)
    wished: list[set[str]] = [set() for _ in range(count)]
    held: list[set[str]] = [set() for _ in range(count)]
    for atom, k in truth.items():
        wished[k].add(atom)
        held[labels[atom]].add(atom)
    # A commit that wrote most of no hunk cannot be told from one that is not there.
    exact = [one == two for one, two in zip(wished, held, strict=True) if one]
    return Score(accuracy(branch, labels), sum(exact) / len(exact))


def _pin(branch: Branch, answers: Mapping[str, int]) -> list[LogicalCommit]:
    return [
        replace(commit, hunks=tuple(atom for atom, place in answers.items() if place == k))
        for k, commit in enumerate(branch.commits)
    ]


def _questions(
    branch: Branch, placements: Mapping[str, Placement], answers: Mapping[str, int]
) -> list[Question]:
    return [
        make_question(atom, placements[atom.id], answered=atom.id in answers)
        for atom in branch.difference.atoms
    ]


def _by_value(chance: random.Random) -> Chooser:
    return choose_page


def _by_file(chance: random.Random) -> Chooser:
    """The former pages: hunks of one file that follow each other, whole, with most at stake."""

    def choose(questions: Sequence[Question]) -> Page | None:
        left = [question for question in questions if not question.is_settled]
        pages = (_fill_page(left, start) for start in range(len(left)))
        best = max(pages, key=lambda page: page.value, default=None)
        return best if best is not None and best.value >= LEAST_VALUE else None

    return choose


def _fill_page(questions: Sequence[Question], start: int) -> Page:
    path, lines = questions[start].atom.path, questions[start].atom.size
    stop = start + 1
    for question in questions[stop:]:
        lines += question.atom.size
        if question.atom.path != path or lines > MOST_LINES:
            break
        stop += 1
    return Page(tuple(questions[start:stop]))


def _at_random(chance: random.Random) -> Chooser:
    def choose(questions: Sequence[Question]) -> Page | None:
        left = [question for question in questions if not question.is_settled]
        return pack_page(left, chance.sample(left, len(left))) if left else None

    return choose


def _by_doubt(chance: random.Random) -> Chooser:
    def choose(questions: Sequence[Question]) -> Page | None:
        left = [question for question in questions if not question.is_settled]
        order = sorted(left, key=lambda each: each.placement.reason.confidence)
        return pack_page(left, order) if left else None

    return choose


_WAYS: Mapping[str, Callable[[random.Random], Chooser]] = {
    "value": _by_value,
    "file": _by_file,
    "doubt": _by_doubt,
    "random": _at_random,
}


def _large(sessions: Sequence[Session]) -> list[Session]:
    return [session for session in sessions if session.hunks >= MANY]


def _table(title: str, sessions: Sequence[Session]) -> Iterator[str]:
    """Markdown: a row for each input and way of asking."""
    branches = len({session.branch for session in sessions})
    numbers = [f"{pages} pages" for pages in PAGES]
    yield f"| {title} ({branches} branches) | Pages by | {' | '.join(numbers)} |"
    yield "| --- | --- |" + " --: |" * len(PAGES)
    for given in _INPUTS:
        for way in _WAYS:
            rows = [each.scores for each in sessions if (each.given, each.way) == (given, way)]
            if rows:
                cells = [_cell([row[at] for row in rows]) for at in range(len(PAGES))]
                yield f"| {given} | {way} | {' | '.join(cells)} |"


def _cell(scores: Sequence[Score]) -> str:
    count = len(scores)
    lines = sum(score.lines for score in scores) / count
    return f"{lines:.3f} / {sum(score.commits for score in scores) / count:.0%}"


def _tell(session: Session) -> str:
    scores = " ".join(f"{score.lines:.2f}/{score.commits:.2f}" for score in session.scores)
    return (
        f"{session.branch} {session.hunks} hunks {session.given} by {session.way}: "
        f"{scores} ({session.pages} pages)"
    )


if __name__ == "__main__":
    main()
