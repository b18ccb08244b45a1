"""One request about a whole branch: every hunk with a number, and a commit number asked for each.

The hunks come in pages: those of one file together, at most 30 lines of a hunk. Where the branch is
too large for one request, the pages go where the plan is most in doubt.
"""

from collections.abc import Iterator, Mapping, Sequence
from string import Template
from typing import NamedTuple

from git_retcon.git.atoms import Atom
from git_retcon.model.token_count import count_tokens
from git_retcon.prompts import read_prompt
from git_retcon.retcon.branch.whole_entries import describe_entry
from git_retcon.retcon.engine import Situation
from git_retcon.retcon.engines.claude.commit_list import describe_built, show_commits
from git_retcon.retcon.engines.claude.display import Display
from git_retcon.retcon.planner.pages import LEAST_VALUE, Page, Question, make_question
from git_retcon.retcon.planner.plan import PINNED, Placement
from git_retcon.show.style import show_path

# Of one request: five cents. An ordinary branch needs an eighth of it.
MOST_TOKENS = 24_000
_MOST_LINES = 30  # of one hunk, and of hunks that go together


class PlacementRequest(NamedTuple):
    """What is asked: ``atoms`` by their numbers, from 1, and the text that shows them.

    ``left_out`` is how many hunks found no room, those that the plan is least in doubt about.
    """

    atoms: tuple[str, ...]
    prompt: str
    left_out: int = 0


def make_request(
    situation: Situation,
    display: Display,
    placements: Mapping[str, Placement],
    most_tokens: int = MOST_TOKENS,
) -> PlacementRequest | None:
    """The request about what is left; None where the plan leaves nothing worth asking.

    ``placements`` is the plan without a model. Pinned and withheld hunks are not asked about, and
    of a large branch only the pages of most value: about ``most_tokens`` of hunks.
    """
    questions = [
        make_question(atom, placements[atom.id], answered=False)
        for atom in situation.left
        if placements[atom.id].reason is not PINNED and not display.never_send.holds(atom)
    ]
    if sum(question.stake for question in questions) < LEAST_VALUE:
        return None
    chosen = _choose_questions(display, questions, most_tokens)
    shown = "\n".join(show_hunks(display, [question.atom for question in chosen]))
    prompt = Template(read_prompt("retcon-place-task")).substitute(
        commits=show_commits(situation), built=describe_built(situation), hunks=shown
    )
    atoms = tuple(question.atom.id for question in chosen)
    return PlacementRequest(atoms, prompt, len(questions) - len(atoms))


def _choose_questions(
    display: Display, questions: Sequence[Question], most_tokens: int
) -> list[Question]:
    """All of them where they fit into one request, else the pages of most value."""
    pages = sorted(_divide_questions(questions), key=lambda page: page.value, reverse=True)
    asked: set[str] = set()
    left = most_tokens
    for page in pages:
        shown = "\n".join(show_hunks(display, [question.atom for question in page.questions]))
        size = count_tokens(shown.encode())
        if size > left and asked:
            continue
        left -= size
        asked.update(question.atom.id for question in page.questions)
    return [question for question in questions if question.atom.id in asked]


def _divide_questions(questions: Sequence[Question]) -> Iterator[Page]:
    at = 0
    while at < len(questions):
        page = _fill_page(questions, at)
        yield page
        at += len(page.questions)


def _fill_page(questions: Sequence[Question], start: int) -> Page:
    """The page that begins with one of some questions: with those behind it in its file."""
    path, lines = questions[start].atom.path, questions[start].atom.size
    stop = start + 1
    for question in questions[stop:]:
        lines += question.atom.size
        if question.atom.path != path or lines > _MOST_LINES:
            break
        stop += 1
    return Page(tuple(questions[start:stop]))


def show_hunks(
    display: Display, atoms: Sequence[Atom], remarks: Mapping[str, str] | None = None
) -> Iterator[str]:
    """Hunks with their numbers, from 1, below their files; ``remarks`` by id go behind them."""
    path = b""
    for number, atom in enumerate(atoms, 1):
        if atom.path != path:
            path = atom.path
            yield f"=== {show_path(path)}"
        remark = f": {remarks[atom.id]}" if remarks else ""
        yield f"{number}) {_describe_hunk(display, atom)}{remark}"
        yield from display.show_line_before(atom)
        yield from _cut_middle(list(display.show_lines(atom)))


def _describe_hunk(display: Display, atom: Atom) -> str:
    change = describe_entry(atom)
    if change:
        return change
    place = f"line {max(atom.old.start, 0) + 1}, now {max(atom.new.start, 0) + 1}"
    scope: str = display.redactor.redact_text(atom.scope) if atom.scope else ""
    return f"{place}, in {scope}" if scope else place


def _cut_middle(lines: Sequence[str]) -> Iterator[str]:
    left_out = len(lines) - _MOST_LINES
    if left_out <= 1:
        yield from lines
        return
    half = _MOST_LINES // 2
    yield from lines[:half]
    yield f"[{left_out} lines are not shown]"
    yield from lines[half + left_out :]
