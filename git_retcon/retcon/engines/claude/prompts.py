"""What a model is told: the prompts of ``git_retcon.prompts``, filled in."""

from collections.abc import Iterator, Sequence
from string import Template

from git_retcon.git.atoms import Atom
from git_retcon.prompts import read_prompt
from git_retcon.retcon.engine import Situation
from git_retcon.retcon.engines.claude.display import page_of, paged
from git_retcon.retcon.engines.claude.session import Session
from git_retcon.retcon.engines.claude.tools import diff_text
from git_retcon.retcon.spec.history import Status
from git_retcon.run.failure import Failure

UNSURE = 0.6


def extract_prompt(session: Session, limit: int) -> str:
    """The task of putting one commit together."""
    situation = session.workspace.situation
    return Template(read_prompt("retcon-extract-task")).substitute(
        commits="\n".join(_commits(situation)),
        number=situation.index + 1,
        note=_note(situation),
        proposal=_proposal(session),
        difference=diff_text(session, situation.left, limit),
    )


def assess_prompt(session: Session, failure: Failure, attempt: int, limit: int) -> str:
    """The task of mending a commit that fails."""
    situation = session.workspace.situation
    return Template(read_prompt("retcon-assess-task")).substitute(
        commits="\n".join(_commits(situation)),
        number=situation.index + 1,
        note=_note(situation),
        attempt=attempt,
        step=failure.step,
        command=failure.command,
        failure=session.bench.told(failure, session.workspace.tree),
        taken=_listed(session, _taken(situation)),
        difference=diff_text(session, situation.left, limit),
    )


def _commits(situation: Situation) -> Iterator[str]:
    for index, commit in enumerate(situation.spec.commits):
        state = "later"
        if index == situation.index:
            state = "IN WORK"
        elif commit.status is Status.COMPLETE or index < situation.index:
            state = "done"
        yield f'<commit number="{index + 1}" state="{state}">'
        yield commit.message.strip()
        if commit.hints.strip():
            yield f"<hints>\n{commit.hints.strip()}\n</hints>"
        if commit.files:
            yield f"Only these paths: {', '.join(commit.files)}"
        if commit.exclude:
            yield f"Not these paths: {', '.join(commit.exclude)}"
        yield "</commit>"


def _note(situation: Situation) -> str:
    if not situation.note:
        return ""
    return f"This commit was stuck before. The user says: {situation.note}\n"


def _proposal(session: Session) -> str:
    placements = session.display.placements
    here = session.workspace.situation.index
    mine = [p for p in placements.values() if p.commit <= here]
    unsure = [
        atom
        for atom in session.workspace.situation.left
        if atom.id in placements and placements[atom.id].reason.confidence < UNSURE
    ]
    said = f"A planner without a model proposes {len(mine)} pieces for this commit."
    if not unsure:
        return f"{said} It is sure of all it placed."
    return f"{said} It is unsure of these, so judge them first:\n{_listed(session, unsure)}"


def _taken(situation: Situation) -> list[Atom]:
    taken = situation.taken
    return [a for a in situation.difference.atoms if taken.get(a.id) == situation.index]


def _listed(session: Session, atoms: Sequence[Atom]) -> str:
    if not atoms:
        return "(none)"
    return page_of(paged(session.display.headings(atoms)), 1)
