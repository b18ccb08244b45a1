"""The prompts of ``git_retcon.prompts``, filled in for one commit."""

from collections.abc import Sequence
from string import Template

from git_retcon.git.atoms import Atom
from git_retcon.model.tool_pages import divide_into_pages, show_page
from git_retcon.prompts import read_prompt
from git_retcon.retcon.engine import UNSURE, Situation
from git_retcon.retcon.engines.claude.commit_list import describe_built, show_commits
from git_retcon.retcon.engines.claude.session import Session
from git_retcon.retcon.engines.claude.tools import show_difference
from git_retcon.run.failure import Failure
from git_retcon.show.counting import count


def extract_prompt(session: Session, limit: int) -> str:
    """The task of putting one commit together."""
    situation = session.workspace.situation
    return Template(read_prompt("retcon-extract-task")).substitute(
        commits=show_commits(situation),
        number=situation.index + 1,
        built=describe_built(situation),
        note=_quote_note(situation),
        proposal=_describe_proposal(session),
        difference=show_difference(session, situation.left, limit),
    )


def assess_prompt(session: Session, failure: Failure, attempt: int, limit: int) -> str:
    """The task of fixing a commit that fails."""
    situation = session.workspace.situation
    return Template(read_prompt("retcon-assess-task")).substitute(
        commits=show_commits(situation),
        number=situation.index + 1,
        built=describe_built(situation),
        note=_quote_note(situation),
        attempt=attempt,
        step=failure.step,
        command=failure.command,
        failure=session.bench.describe_failure(failure, session.workspace.tree),
        taken=_list_hunks(session, _list_taken(situation)),
        difference=show_difference(session, situation.left, limit),
    )


def _quote_note(situation: Situation) -> str:
    if not situation.note:
        return ""
    return f"This commit was stuck before. The user says: {situation.note}\n"


def _describe_proposal(session: Session) -> str:
    placements = session.display.placements
    here = session.workspace.situation.index
    mine = [p for p in placements.values() if p.commit <= here]
    unsure = [
        atom
        for atom in session.workspace.situation.left
        if atom.id in placements and placements[atom.id].reason.confidence < UNSURE
    ]
    number = count(len(mine), "hunk")
    proposal = f"A planner without a model proposes {number} for this commit."
    if not unsure:
        return f"{proposal} It is sure of all it placed."
    return f"{proposal} It is unsure of these, so judge them first:\n" + _list_hunks(
        session, unsure
    )


def _list_taken(situation: Situation) -> list[Atom]:
    taken = situation.taken
    return [a for a in situation.difference.atoms if taken.get(a.id) == situation.index]


def _list_hunks(session: Session, atoms: Sequence[Atom]) -> str:
    if not atoms:
        return "(none)"
    return show_page(divide_into_pages(session.display.list_hunks(atoms)), 1)
