"""``git retcon adopt``: the source branch becomes the result."""

import contextlib
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from git_retcon.errors import Fatal, Reason
from git_retcon.git.checkout import bind_checkout, list_edited
from git_retcon.git.graph import is_ancestor, read_commit
from git_retcon.git.kept_refs import KeptRefs
from git_retcon.git.ref_updates import RefUpdate, update_refs
from git_retcon.git.refs import list_checkouts_of, read_ref, refuse_checked_out
from git_retcon.git.repository import Repository, open_repository
from git_retcon.git.short_ids import TO_READ, shorten_id
from git_retcon.options import Output
from git_retcon.retcon.branch.branches import choose_remote
from git_retcon.retcon.branch.note import parse_record
from git_retcon.retcon.branch.spec_lock import lock_spec
from git_retcon.retcon.branch.working_index import plan_index
from git_retcon.retcon.branch.working_source import WorkingSource, is_same_state
from git_retcon.retcon.rebuild.start import Start, find_start
from git_retcon.retcon.spec.file import SpecFile
from git_retcon.show.counting import some_of
from git_retcon.show.envelope import PLANNED, Ending
from git_retcon.show.notices import say_hint, say_line
from git_retcon.show.style import printable, shell_word, shell_words, show_path

_KEPT = "refs/retcon/adopted"
_MOST_NAMED = 3


class _Move(NamedTuple):
    """The branch that moves, its full name, and where it is and will be.

    ``working`` is the state that the result was made of, where that is more than the branch, and
    ``left`` the paths of what no commit took of it.
    """

    branch: str
    ref: str
    remote: str  # as the specification names it
    before: str
    after: str
    working: WorkingSource | None = None
    left: Sequence[str] = ()


def adopt_result(path: Path, output: Output, *, dry_run: bool) -> Ending:
    """Move the source of a spec to its result.

    Raises Fatal where that is not all built, has other files, or would put a checkout in doubt.
    """
    repository = open_repository(Path.cwd())
    with lock_spec(repository, path) as specfile:
        move = _find_move(repository, specfile)
        kept: str | None = None
        if move.before != move.after:
            with _updating_index(repository, move, dry_run=dry_run):
                kept = None if dry_run else _move_branch(repository, move)
        push, foreign = _choose_push(repository, move)
    if not output.quiet:
        _report_move(move, kept, push, dry_run=dry_run)
        if foreign:
            name, there = printable(move.branch), shell_word(printable(foreign))
            say_hint(
                f"'{printable(foreign)}' has commits that '{name}' lacks: take them over before "
                f"you push; 'git log {shell_word(name)}..{there}' shows them"
            )
    data = {
        "branch": move.branch,
        "before": move.before,
        "after": move.after,
        "kept": kept,
        "push": push,
        "left": list(move.left),
    }
    return Ending(PLANNED, data) if dry_run else Ending(data=data)


def _find_move(repository: Repository, specfile: SpecFile) -> _Move:
    spec = specfile.spec
    with specfile.naming_lines():
        start = find_start(repository, specfile)
    branch = spec.source.removeprefix("refs/heads/")
    ref = f"refs/heads/{branch}"
    before = read_ref(repository.git, ref)
    if before is None or before != start.branches.source_tip:
        raise Fatal(
            f"'{spec.source}' is no branch of this repository, so there is nothing to move",
            hint=f"make one: 'git branch {shell_word(branch)} {shell_word(spec.cleaned)}'",
            commands=[["git", "branch", branch, spec.cleaned]],
        )
    _require_complete(specfile, start)
    working = start.branches.working
    left = _list_left(repository, start)
    move = _Move(branch, ref, spec.remote, before, start.state.tip, working, left)
    if before != move.after:
        if working is not None and not start.state.finished:
            _refuse_changed(specfile, start)
        for where in list_checkouts_of(repository, move.ref):
            if working is None or where != working.top:
                _refuse_uncommitted(repository, move, specfile.path, where)
    return move


def _list_left(repository: Repository, start: Start) -> Sequence[str]:
    """The paths of what no commit took."""
    tree = read_commit(repository, start.state.tip).tree
    changes = repository.trees.changes(tree, start.branches.source.tree)
    return [show_path(change.path) for change in changes]


def _move_branch(repository: Repository, move: _Move) -> str:
    """Move it, and return the ref that keeps where it was."""
    keeping = KeptRefs(repository.git, _KEPT).prepare_keeping(move.branch, move.before)
    moving = RefUpdate(move.ref, move.before, move.after)
    update_refs(repository, [keeping, moving], "git retcon: adopt")
    return keeping.name


@contextlib.contextmanager
def _updating_index(repository: Repository, move: _Move, *, dry_run: bool) -> Iterator[None]:
    """Bring the index along. Raises Fatal where that would lose what is staged.

    Before the branch moves: killed in between, what was committed is staged, as it should be, and
    the same command goes on.
    """
    if move.working is None:
        yield
        return
    git = bind_checkout(open_repository(move.working.top))
    before, after = (read_commit(repository, oid).tree for oid in (move.before, move.after))
    update = plan_index(git, repository.trees, before, after, move.working.commit.tree)
    if not dry_run:
        update.apply(git)
    try:
        yield
    except BaseException:
        # It may have moved all the same, as where the disk is full for the log of another ref.
        if not dry_run and read_ref(repository.git, move.ref) != move.after:
            update.undo(git)
        raise


def _require_complete(specfile: SpecFile, start: Start) -> None:
    if not start.is_built:
        raise Fatal(
            f"'{start.branches.cleaned_name}' is not complete yet",
            hint=f"'git retcon {shell_word(str(specfile.path))}' goes on with it",
            reason=Reason.NOT_READY,
            commands=[["git", "retcon", str(specfile.path)]],
        )


def _refuse_changed(specfile: SpecFile, start: Start) -> None:
    """Raise Fatal where the working state is not the one that the last run saw."""
    record = parse_record(start.notes.get(start.state.tip))
    source = start.branches.source
    if record is None or is_same_state(start.repository, record.source, source):
        return
    raise Fatal(
        f"the working state of '{specfile.spec.source}' has changed since the last run",
        hint=f"'git retcon {shell_word(str(specfile.path))}' says what is new and in no commit",
        reason=Reason.STALE_PLAN,
        commands=[["git", "retcon", str(specfile.path)]],
    )


def _refuse_uncommitted(repository: Repository, move: _Move, spec: Path, where: Path) -> None:
    """Raise Fatal where a worktree that has the branch does not have just its files.

    The spec itself may be tracked: the run wrote its histories, so it always differs.
    """
    if not (where / ".git").exists():
        refuse_checked_out(repository, move.ref)  # it is being rebased, or its worktree is gone
    paths = list_edited(bind_checkout(open_repository(where)))
    edited = [path for path in paths if (where / os.fsdecode(path)).resolve() != spec.resolve()]
    if edited:
        again = ["git", "retcon", "adopt", str(spec)]
        named = some_of([show_path(each) for each in edited], _MOST_NAMED)
        raise Fatal(
            f"'{move.branch}' is checked out at '{where}' with uncommitted changes: {named}",
            hint=f"'git stash' them, run '{shell_words(again)}' again, and 'git stash pop'; or "
            f"commit them, and run 'git retcon' first",
            reason=Reason.UNSAVED_WORK,
            commands=[["git", "-C", str(where), "stash"], again],
        )


def _choose_push(repository: Repository, move: _Move) -> tuple[list[str] | None, str]:
    """What publishes the branch; never what would overwrite another person's commits.

    None where there is no remote to publish it to, or where the upstream, which is named then, has
    commits that the branch had not, or is what the result is to be merged into.
    """
    fields = "%(upstream)%00%(upstream:short)%00%(upstream:remotename)%00%(upstream:remoteref)"
    shown = repository.git.run("for-each-ref", f"--format={fields}", move.ref)
    parts = shown.decode("utf-8", "surrogateescape").strip("\n").split("\0")
    upstream, short, remote, target = parts
    if not remote or remote == ".":
        chosen = choose_remote(repository)
        return ["git", "push", "-u", chosen, move.branch] if chosen is not None else None, ""
    name = target.removeprefix("refs/heads/")
    there = read_ref(repository.git, upstream)
    refspec = move.branch if name == move.branch else f"{move.branch}:{name}"
    if there is None or is_ancestor(repository, there, move.after):
        return ["git", "push", remote, refspec], ""
    if move.remote in (short, upstream) or not _is_own(repository, move, there):
        return None, short
    return ["git", "push", f"--force-with-lease={name}:{there}", remote, refspec], ""


def _is_own(repository: Repository, move: _Move, there: str) -> bool:
    """Whether all that is published was on the branch, so that the result holds it.

    A second ``adopt`` finds the branch moved, and where it was kept.
    """
    kept = KeptRefs(repository.git, _KEPT).find_last(move.branch)
    before = [move.before, *([kept] if kept is not None else [])]
    return any(is_ancestor(repository, there, each) for each in before)


def _report_move(move: _Move, kept: str | None, push: list[str] | None, *, dry_run: bool) -> None:
    name = printable(move.branch)
    if move.before == move.after:
        say_line(f"'{name}' is the result already")
    elif dry_run:
        way = f"from {shorten_id(move.before, TO_READ)} to {shorten_id(move.after, TO_READ)}"
        say_line(f"'{name}' would move {way}")
    else:
        say_line(f"'{name}' is at {shorten_id(move.after, TO_READ)} now, with the same files")
    if move.left:
        say_line(f"left uncommitted: {printable(some_of(move.left, _MOST_NAMED))}")
    if kept is not None:
        say_hint(f"'git reset --soft {kept}' on it brings the old commits back")
    if push is not None:
        say_hint(f"'{shell_words(push)}' publishes it")
