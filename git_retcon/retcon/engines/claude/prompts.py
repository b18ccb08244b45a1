"""The prompts of ``git_retcon.prompts``, filled in.

What is the same for a whole run comes first, in a block of its own (``shared_prompt``): the
service bills it once. Only what changes from commit to commit, and from fix to fix, is behind it.
"""

from collections.abc import Collection, Sequence
from string import Template

from git_retcon.git.atoms import Atom
from git_retcon.model.tool_pages import divide_into_pages, show_page
from git_retcon.prompts import read_prompt
from git_retcon.retcon.engine import UNSURE, Situation
from git_retcon.retcon.engines.claude.commit_list import describe_built, show_commits
from git_retcon.retcon.engines.claude.display import WORTH_SAYING, Display
from git_retcon.retcon.engines.claude.session import Session
from git_retcon.retcon.engines.claude.tools import show_difference
from git_retcon.retcon.spec.hunk_parts import name_whole
from git_retcon.run.failure import Failure
from git_retcon.show.counting import count

_TRIALS = """
- ${tools} on the tree so far. There are few trials, and the commit is built afterwards anyway, \
so try only where you doubt.
"""
_RUNNERS = {"build": "`run_build` runs the build", "test": "`run_tests` runs the tests"}


def commit_rules(steps: Collection[str]) -> str:
    """The rules of putting commits together, with the commands that there are: build, test."""
    tools = " and ".join(words for step, words in _RUNNERS.items() if step in steps)
    trials = Template(_TRIALS).substitute(tools=tools).strip("\n") if tools else ""
    return Template(read_prompt("retcon-commit")).substitute(trials=f"{trials}\n" if tools else "")


def shared_prompt(situation: Situation, display: Display, limit: int) -> str:
    """What every conversation about one difference begins with; ``display`` has no proposals."""
    return Template(read_prompt("retcon-commit-branch")).substitute(
        commits=show_commits(situation),
        difference=show_difference(display, situation.difference.atoms, limit),
    )


def extract_prompt(session: Session) -> str:
    """The task of putting one commit together."""
    situation = session.workspace.situation
    return Template(read_prompt("retcon-extract-task")).substitute(
        number=situation.index + 1,
        built=describe_built(situation),
        note=_quote_note(situation),
        left=_list_left(session),
        proposal=_describe_proposal(session),
    )


def assess_prompt(session: Session, failure: Failure, attempt: int, state: str) -> str:
    """The task of fixing a commit that fails; ``state`` is one of the two texts below."""
    situation = session.workspace.situation
    return Template(read_prompt("retcon-assess-task")).substitute(
        number=situation.index + 1,
        attempt=attempt,
        step=failure.step,
        command=failure.command,
        failure=session.bench.describe_failure(failure, session.workspace.tree),
        state=state,
    )


def describe_state(session: Session) -> str:
    """How far the branch is, for a conversation that begins with a failure."""
    situation = session.workspace.situation
    taken = [a for a in situation.difference.atoms if situation.taken.get(a.id) == situation.index]
    return (
        f"{describe_built(situation)}\n{_quote_note(situation)}"
        f"Hunks taken for this commit:\n{_list_ids(session, taken)}\n\n{_list_left(session)}"
    )


def describe_news(session: Session, shown: Collection[str], limit: int) -> str:
    """What a conversation that goes on does not know: hunks that are not among ``shown``."""
    situation = session.workspace.situation
    left = f"{count(len(situation.left), 'hunk')} of the difference are left."
    new = [atom for atom in situation.left if name_whole(atom.id) not in shown]
    if not new:
        return left
    hunks = show_difference(session.display, new, limit)
    return f"{left} What was written makes these new ones, which undo it later:\n\n{hunks}"


def _list_left(session: Session) -> str:
    situation = session.workspace.situation
    left = situation.left
    if not situation.taken:
        return f"All {len(left)} hunks are left."
    taken = [atom for atom in situation.difference.atoms if atom.id in situation.taken]
    if len(taken) < len(left):
        built = _list_ids(session, taken)
        return f"The {len(left)} others are left; on the branch already are:\n{built}"
    rest = _list_ids(session, left)
    return f"Only these are left, the others are on the branch already:\n{rest}"


def _quote_note(situation: Situation) -> str:
    if not situation.note:
        return ""
    return f"This commit was stuck before. The user says: {situation.note}\n"


def _describe_proposal(session: Session) -> str:
    placements = session.display.placements
    here = session.workspace.situation.index
    left = [a for a in session.workspace.situation.left if a.id in placements]
    mine = [atom for atom in left if placements[atom.id].commit <= here]
    sure = [atom for atom in mine if placements[atom.id].reason.confidence >= WORTH_SAYING]
    unsure = [atom for atom in left if placements[atom.id].reason.confidence < UNSURE]
    number = count(len(mine), "hunk")
    lines = [f"The planner has {number} for this commit. It is sure of these:"]
    lines.append(_list_ids(session, sure))
    if unsure:
        lines.append("It is unsure where these belong, so judge them first:")
        lines.append(_list_ids(session, unsure))
    return "\n".join(lines)


def _list_ids(session: Session, atoms: Sequence[Atom]) -> str:
    if not atoms:
        return "(none)"
    return show_page(divide_into_pages(session.display.list_ids(atoms)), 1)
