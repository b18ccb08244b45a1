"""``git retcon undo``: put branch and spec back to what they were before the last run."""

import base64
import json
from collections.abc import Callable, Sequence
from pathlib import Path

from git_retcon.errors import Fatal, Reason, Refused
from git_retcon.files.atomic import remove_unfinished
from git_retcon.files.json_file import save_json
from git_retcon.files.path_digest import digest_path
from git_retcon.git.graph import Commit, is_commit
from git_retcon.git.kept_refs import KeptRefs
from git_retcon.git.ref_updates import NOTHING, RefUpdate, RefUpdater
from git_retcon.git.refs import read_ref, refuse_checked_out
from git_retcon.git.repository import Repository
from git_retcon.git.short_ids import TO_READ, shorten_id
from git_retcon.lazy_dataclass import dataclass
from git_retcon.retcon.branch.branches import Branches
from git_retcon.retcon.branch.reconcile import expand_recorded_ids
from git_retcon.retcon.branch.spec_lock import lock_spec
from git_retcon.retcon.branch.user_commits import find_unshared_commits
from git_retcon.retcon.spec.file import SpecFile
from git_retcon.retcon.spec.history import Event
from git_retcon.show.style import shell_word, shell_words


@dataclass(frozen=True, slots=True)
class UndoResult:
    """What ``undo`` did. ``kept`` names the ref that keeps the undone commits, if any; ``pins``
    are in the spec still.
    """

    branch: str
    tip: str | None
    kept: str | None
    pins: int


def save_undo_state(repository: Repository, specfile: SpecFile, branches: Branches) -> None:
    """Save the branch's tip and the spec before a run changes them."""
    state = {
        "version": 1,
        "ref": branches.cleaned,
        "tip": branches.tip,
        "base": branches.base.oid,
        "spec": base64.b64encode(specfile.content).decode(),
    }
    path = _state_file(repository, specfile.path)
    remove_unfinished(path)
    save_json(path, state)


def undo_last_run(
    repository: Repository, path: Path, warn: Callable[[str], None], *, force: bool = False
) -> UndoResult:
    """Take back what the last run did to ``cleaned`` and to the histories.

    The undone commits stay reachable from a ref of their own (``git.kept_refs``). Raises Fatal when
    there is nothing to undo, or when the branch is checked out; and Refused, unless with
    ``force``, when the branch is all that holds a person's commit.
    """
    with (
        lock_spec(repository, path) as specfile,
        RefUpdater(repository, warn) as updater,
    ):
        state = _read_state(repository, specfile)
        refuse_checked_out(repository, state.ref)
        now = read_ref(repository.git, state.ref)
        if state.tip is not None and now != state.tip and not is_commit(repository, state.tip):
            raise _lost_tip(state.name, state.tip, path)
        if now is not None and not force:
            _refuse_to_drop(repository, specfile, state, now)
        kept = _move_branch(repository, state, now, updater)
        restored = _restore_spec(specfile, state.spec)
        _state_file(repository, specfile.path).unlink(missing_ok=True)
        pins = sum(len(commit.hunks) for commit in restored.spec.commits)
        return UndoResult(state.name, state.tip, kept, pins)


def find_last_run(repository: Repository, specs: Sequence[Path]) -> Path | None:
    """Which of these specs ran last, and can be undone; None where none can."""
    states = ((_state_file(repository, path), path) for path in specs)
    times = [(state.stat().st_mtime_ns, path) for state, path in states if state.is_file()]
    return max(times, default=(0, None))[1]


def restoring_command(branch: str, kept: str, *, exists: bool) -> list[str]:
    """The command that puts a branch where it was before it was undone."""
    return ["git", "branch", *(["-f"] if exists else []), branch, kept]


def _lost_tip(branch: str, tip: str, spec: Path) -> Fatal:
    return Fatal(
        f"'{branch}' was at {shorten_id(tip)}, and that commit is gone",
        hint="'git retcon --restart' with the same spec rebuilds the branch",
        commands=[["git", "retcon", "--restart", str(spec)]],
    )


def _refuse_to_drop(repository: Repository, specfile: SpecFile, state: "_State", now: str) -> None:
    """Raise Refused where only this branch holds a later commit of a person."""
    spec = expand_recorded_ids(repository, specfile.spec)
    before = [oid for oid in (state.tip, state.base) if oid and is_commit(repository, oid)]
    theirs = find_unshared_commits(repository, spec, state.ref, now, before)
    if not theirs:
        return
    name = shell_word(state.name)
    raise Refused(
        f"'{state.name}' holds {_describe_commits(theirs)}",
        hint=f"'git branch NAME {name}' keeps that on a branch of its own, whose NAME you choose: "
        "undo again after it; --force takes it off too, and prints what brings it back",
        reason=Reason.UNSAVED_WORK,
        again=["--force"],
    )


def _describe_commits(theirs: Sequence[Commit]) -> str:
    last = f"{shorten_id(theirs[-1].oid, TO_READ)} {theirs[-1].subject}"
    if len(theirs) == 1:
        return f"a commit of your own: {last}"
    return f"{len(theirs)} commits of your own, the last {last}"


def _move_branch(
    repository: Repository, state: "_State", now: str | None, updater: RefUpdater
) -> str | None:
    """Put the branch back; the name of the ref that keeps what it held."""
    if now == state.tip:
        return None
    updates = [RefUpdate(state.ref, now or NOTHING, state.tip or NOTHING)]
    kept = None
    if now is not None:
        keeping = _kept_refs(repository).prepare_keeping(state.name, now)
        kept = keeping.name
        updates.append(keeping)
    updater.move(updates, "retcon: undo")
    return kept


def _restore_spec(specfile: SpecFile, earlier: bytes) -> SpecFile:
    """Put the spec back as it was; where it was edited since, the histories alone."""
    before = SpecFile.parse(specfile.path, earlier)
    if specfile.differs_in_history_alone(before):
        return specfile.restore(earlier)
    ours, theirs = specfile.spec.commits, before.spec.commits
    # Commits were swapped or renamed since: then no earlier history fits their places.
    histories: dict[int, tuple[Event, ...]] = dict.fromkeys(range(len(ours)), ())
    if [commit.message for commit in ours[: len(theirs)]] == [each.message for each in theirs]:
        histories |= {index: commit.history for index, commit in enumerate(theirs)}
    return specfile.with_histories(histories)


@dataclass(frozen=True, slots=True)
class _State:
    """The state before a run. ``tip`` is None where there was no branch.

    ``base`` is None where an older version wrote this.
    """

    ref: str
    tip: str | None
    base: str | None
    spec: bytes

    @property
    def name(self) -> str:
        return self.ref.removeprefix("refs/heads/")


def _read_state(repository: Repository, specfile: SpecFile) -> _State:
    try:
        found = json.loads(_state_file(repository, specfile.path).read_bytes())
        tip, base = (str(oid) if oid else None for oid in (found["tip"], found.get("base")))
        spec = base64.b64decode(str(found["spec"]), validate=True)
        return _State(str(found["ref"]), tip, base, spec)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise _nothing_to_undo(repository, specfile) from error


def _nothing_to_undo(repository: Repository, specfile: SpecFile) -> Fatal:
    """Say how to find earlier tips with git: a branch that is deleted has no reflog."""
    branch = specfile.spec.cleaned.removeprefix("refs/heads/")
    command = ["git", "retcon", str(specfile.path)]
    hint = "the branch does not exist, and nothing of it was ever undone: run the spec"
    if read_ref(repository.git, f"refs/heads/{branch}") is not None:
        command = ["git", "reflog", branch]
        hint = f"'{shell_words(command)}' lists every earlier tip of the branch"
    elif (kept := _kept_refs(repository).find_last(branch)) is not None:
        command = restoring_command(branch, kept, exists=False)
        hint = f"'{shell_words(command)}' brings back what was undone last"
    return Fatal(f"no run of '{specfile.path}' to undo", hint=hint, commands=[command])


def _kept_refs(repository: Repository) -> KeptRefs:
    return KeptRefs(repository.git, "refs/retcon/undone")


def _state_file(repository: Repository, path: Path) -> Path:
    # By the spec, not the branch: two specs may name one branch, one after the other.
    return repository.common_dir / "retcon" / "undo" / f"{digest_path(path)}.json"
