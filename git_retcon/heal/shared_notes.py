"""The notes of verdicts, shared through a remote: fetched and joined, pushed and never forced.

What comes from a remote is somebody else's word. It is joined with what is here, so that nobody's
part is lost, and it decides nothing: a check runs no matter what others noted.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from git_retcon.errors import Fatal, Reason
from git_retcon.git.graph import is_ancestor, is_commit
from git_retcon.git.notes import Notes
from git_retcon.git.process import Git, GitError
from git_retcon.git.ref_updates import NOTHING, RefMoved, RefUpdate, RefUpdater
from git_retcon.git.refs import read_ref
from git_retcon.git.repository import Repository
from git_retcon.heal.verdict_notes import NOTES_REF, join_parts

_FETCHED = "refs/heal/fetched"  # while they are joined
_WHY = "git heal: join the verdicts of a remote"
_MESSAGE = "Notes joined by 'git heal fetch'"
_MOST_TRIES = 5  # against others who write at the same time
_LONGEST_NOTE = 64 * 1024  # characters; ours have 200 for each person
_COMMIT = re.compile(r"[0-9a-f]{40}")


class Remote(NamedTuple):
    """Where notes are shared; ``name`` is a remote's, or an address."""

    repository: Repository
    git: Git
    name: str


def fetch_notes(remote: Remote) -> list[str]:
    """Take up the notes of a remote. The commits whose notes have changed here.

    Raises Fatal where git cannot fetch, or what is there are no notes.
    """
    spec = f"+{NOTES_REF}:{_FETCHED}"
    done = remote.git.try_run(
        "fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules",
        "--", remote.name, spec,
    )  # fmt: skip
    if done.returncode:
        if b"couldn't find remote ref" in done.stderr:
            return []
        raise _explain_failure(remote, "fetch", done.stderr)
    try:
        theirs = read_ref(remote.git, _FETCHED)
        if theirs is None or not is_commit(remote.repository, theirs):
            hint = f"'git ls-remote {remote.name} {NOTES_REF}' shows what is there"
            raise Fatal(f"'{NOTES_REF}' of '{remote.name}' holds no notes", hint=hint)
        return _repeat(lambda: _join_notes(remote.repository, theirs))
    finally:
        remote.git.try_run("update-ref", "-d", _FETCHED)


def push_notes(remote: Remote) -> bool:
    """Bring the notes that are here to a remote, after joining what is new there; whether there
    are any. Raises Fatal where git cannot push.
    """
    for _ in range(_MOST_TRIES):
        if read_ref(remote.git, NOTES_REF) is None:
            return False
        done = remote.git.try_run("push", "--porcelain", "--", remote.name, NOTES_REF)
        if done.returncode == 0:
            return True
        if not re.search(rb"(?m)^!.*(?:fetch first|non-fast-forward|cannot lock ref)", done.stdout):
            break
        fetch_notes(remote)
    raise _explain_failure(remote, "push", done.stderr)


def _join_notes(repository: Repository, theirs: str) -> list[str]:
    with RefUpdater(repository) as updater:
        ours, others = Notes.read(repository, NOTES_REF), Notes(repository, NOTES_REF, theirs)
        if ours.tip is not None and is_ancestor(repository, theirs, ours.tip):
            return []
        changed = dict(_list_changed(ours, others))
        if ours.tip is None or is_ancestor(repository, ours.tip, theirs):
            updates = [RefUpdate(NOTES_REF, ours.tip or NOTHING, theirs)]
        else:
            updates = [ours.prepare(changed, _MESSAGE, joined=[theirs])]
        updater.move(updates, _WHY)
    return sorted(changed)


def _list_changed(ours: Notes, theirs: Notes) -> Iterator[tuple[str, str]]:
    """The notes that theirs add something to, by commit, joined."""
    for commit in theirs.list_commits():
        # A remote may hold anything; a name that is no commit's could be any path.
        text = theirs.get(commit) if _COMMIT.fullmatch(commit) else None
        if text is None or len(text) > _LONGEST_NOTE:
            continue
        own = ours.get(commit)
        joined = join_parts(own, text)
        if joined != own:
            yield commit, joined


def _repeat(join: Callable[[], list[str]]) -> list[str]:
    """Again where somebody wrote a note meanwhile."""
    for _ in range(_MOST_TRIES - 1):
        try:
            return join()
        except RefMoved:
            continue
    return join()


def _explain_failure(remote: Remote, verb: str, said: bytes) -> GitError:
    lines: Mapping[str, None] = dict.fromkeys(said.decode("utf-8", "replace").split("\n"))
    text = "; ".join(line.removeprefix("fatal: ").strip() for line in lines if line.strip())
    command = ["git", verb, remote.name, NOTES_REF]
    return GitError(
        f"git cannot {verb} the verdicts of '{remote.name}': {text}",
        hint=f"'{' '.join(command)}' says more",
        reason=Reason.INVALID,
        commands=[command],
    )
