"""Proof belongs to commands: what other commands proved, or none, is checked again.

Nothing is changed by that but the notes. A commit that fails is named; rebuilding from there is
for the user to decide.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from git_retcon.errors import Reason, Refused
from git_retcon.git.graph import is_commit, read_commit
from git_retcon.retcon import events
from git_retcon.retcon.branch.branch_state import Rewind
from git_retcon.retcon.branch.note import PERSON, Record, read_commands
from git_retcon.retcon.branch.reconcile import expand_recorded_ids, rewind_branch
from git_retcon.retcon.branch.writer import Writer
from git_retcon.retcon.events import Listener
from git_retcon.retcon.rebuild.start import Start
from git_retcon.retcon.rebuild.stuck import blame_source
from git_retcon.retcon.spec.history import Status
from git_retcon.run.checks import Checks
from git_retcon.run.failure import Failure
from git_retcon.show.question import Asker, reason_of_no


class Unproved(NamedTuple):
    """A complete logical commit, and the last commit of it, which is what builds."""

    position: int  # from 0
    oid: str


def find_unproved(start: Start, writer: Writer, digest: str) -> tuple[Unproved, ...]:
    """The complete commits on the branch that the commands of ``digest`` did not prove."""
    if not digest or start.branches.tip is None:
        return ()
    return tuple(
        each
        for each in _list_complete(start)
        if read_commands(writer.notes.get(each.oid)) != digest
    )


def _list_complete(start: Start) -> Iterator[Unproved]:
    """The complete commits that stay on the branch, in order."""
    full = expand_recorded_ids(start.repository, start.pending)
    folded = start.state.folded
    on_branch = set(_list_branch(start))
    for index, commit in enumerate(full.commits):
        last = folded.get(index) or next(reversed(commit.commits), None)
        if commit.status is Status.COMPLETE and last in on_branch:
            assert last is not None
            yield Unproved(index, last)


def _list_branch(start: Start) -> Iterator[str]:
    """The commits of the branch above the base, newest first."""
    here, base = start.state.tip, start.branches.base.oid
    while here != base and is_commit(start.repository, here):
        yield here
        parents = read_commit(start.repository, here).parents
        if not parents:
            return
        here = parents[0]


def prove_again(
    unproved: tuple[Unproved, ...], start: Start, writer: Writer, checks: Checks, tell: Listener
) -> tuple[Unproved, Failure] | None:
    """Check them in order, and note what passes. The first that fails, or None."""
    total = len(start.spec.commits)
    for each in unproved:
        commit = start.spec.commits[each.position]
        tell(events.ProvedAgain(each.position, total, each.oid, commit.subject))
        tree = read_commit(start.repository, each.oid).tree
        failure = checks.check_commit(each.oid, tree)
        if failure is not None:
            return each, failure
        writer.note({each.oid: _make_record(each, start, writer, checks)})
    return None


def _make_record(each: Unproved, start: Start, writer: Writer, checks: Checks) -> Record:
    """The note of a commit with its new verdicts."""
    commit = start.spec.commits[each.position]
    known = writer.records([each.oid]).get(each.oid) or Record(
        branch=start.branches.cleaned_name,
        position=each.position,
        total=len(start.spec.commits),
        subject=commit.subject,
        digest=commit.digest,
        part=PERSON,
        engine=PERSON,
        source=start.branches.source.oid,
        atoms=(),
    )
    return replace(
        known,
        verdicts=tuple(checks.verdict_lines),
        commands=checks.commands.digest,
        seconds=known.seconds if known.seconds is not None else 0.0,
    )


def refuse_failing_source(start: Start, checks: Checks, failure: Failure) -> None:
    """Raise Refused where the source fails that step too: built again, no commit would pass."""
    source = start.branches.source
    failed = checks.try_commit(source.oid, source.tree)
    if failed is not None and failed.step == failure.step:
        raise Refused(
            blame_source(start.spec.source, failed),
            hint="the branch is unchanged",
            reason=Reason.NOT_BUILT,
        )


def offer_rebuild(start: Start, failed: Unproved, failure: Failure, ask: Asker) -> Start:
    """The start that builds again from a commit that failed, if the user wants that.

    Raises Refused where not, and Fatal where it would drop a person's own commit.
    """
    number = failed.position + 1
    subject = start.spec.commits[failed.position].subject
    what = f"commit {number} '{subject}' fails the {failure.step} ({failure.headline})"
    if not ask(f"{what}. Build again from commit {number}?"):
        raise Refused(
            what,
            hint=f"--yes builds again from commit {number}; the branch is unchanged",
            reason=reason_of_no(),
            again=["--yes"],
        )
    full = expand_recorded_ids(start.repository, start.spec)
    first = full.commits[failed.position].commits[0]
    before = read_commit(start.repository, first).parents[0]
    rewind = Rewind(failed.position, before, f"it fails the {failure.step}")
    state = rewind_branch(start.repository, full, start.branches, start.notes, rewind)
    return replace(start, state=state)
