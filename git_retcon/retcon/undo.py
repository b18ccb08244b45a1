"""``git retcon undo``: the branch and the spec as they were before the last run."""

import base64
import hashlib
import json
import os
import sys
from dataclasses import dataclass
from pathlib import Path

from git_retcon.errors import Fatal
from git_retcon.files.atomic import save
from git_retcon.git.graph import is_commit
from git_retcon.git.refs import NOTHING, RefUpdate, checked_out_at, read_ref, update_refs
from git_retcon.git.repository import Repository, open_repository
from git_retcon.retcon.branches import Branches, held_at
from git_retcon.retcon.exclusive import exclusive
from git_retcon.retcon.specfile import SpecFile
from git_retcon.show.style import printable, shell_word, write_line


@dataclass(frozen=True, slots=True)
class Undone:
    """What ``undo`` did. ``kept`` names the ref that keeps the undone commits, if any."""

    branch: str
    tip: str | None
    kept: str | None


def remember(repository: Repository, specfile: SpecFile, branches: Branches) -> None:
    """Save how things stand before a run changes them."""
    state = {
        "version": 1,
        "ref": branches.cleaned,
        "tip": branches.tip,
        "spec": base64.b64encode(specfile.content).decode(),
    }
    path = _memory(repository, specfile.path)
    path.parent.mkdir(parents=True, exist_ok=True)
    save(path, json.dumps(state).encode())


def undo(repository: Repository, path: Path) -> Undone:
    """Take the last run's effect on ``cleaned`` and on the histories back.

    The undone commits stay reachable from a ref of their own (``kept_at``). Raises Fatal when
    there is nothing to undo, or when the branch is checked out.
    """
    with exclusive(repository, path, "rebuilding") as specfile:
        return _undo(repository, specfile)


def _undo(repository: Repository, specfile: SpecFile) -> Undone:
    state = _state(repository, specfile)
    ref, before = state.ref, state.tip
    where = checked_out_at(repository, ref)
    name = ref.removeprefix("refs/heads/")
    if where is not None:
        raise held_at(name, where)
    now = read_ref(repository.git, ref)
    kept = _move(repository, ref, now, before)
    _restore(specfile, state.spec)
    _memory(repository, specfile.path).unlink(missing_ok=True)
    return Undone(name, before, kept)


def undo_run(path: Path) -> int:
    """``git retcon undo``: undo, and say what it came to."""
    undone = undo(open_repository(Path.cwd()), path)
    branch = printable(undone.branch)
    if undone.tip is None:
        write_line(sys.stderr, f"'{branch}' is gone again: the run had made it")
    else:
        write_line(sys.stderr, f"'{branch}' is back at {undone.tip[:12]}")
    if undone.kept:
        back = _way_back(undone.branch, undone.kept, exists=undone.tip is not None)
        write_line(
            sys.stderr,
            f"hint: {printable(back)} brings the undone commits back, "
            "but not their histories: a run begins anew",
        )
    return 0


def kept_at(branch: str) -> str:
    """The ref that keeps what was undone on a branch: below a hash, because a branch ``a`` and one
    ``a/b``, at other times, would leave refs that exclude each other.
    """
    return f"refs/retcon/undone/{hashlib.sha256(os.fsencode(branch)).hexdigest()[:16]}/{branch}"


def _way_back(branch: str, kept: str, *, exists: bool) -> str:
    force = "-f " if exists else ""
    return f"'git branch {force}{shell_word(branch)} {shell_word(kept)}'"


def _move(repository: Repository, ref: str, now: str | None, before: str | None) -> str | None:
    if now == before:
        return None
    if before is not None and not is_commit(repository, before):
        raise Fatal(
            f"'{ref.removeprefix('refs/heads/')}' was at {before[:12]}, and that commit is gone",
            hint="'git retcon --restart' with the same spec rebuilds the branch",
        )
    updates = [RefUpdate(ref, now or NOTHING, before or NOTHING)]
    kept = kept_at(ref.removeprefix("refs/heads/")) if now is not None else None
    if kept is not None and now is not None:
        updates.append(RefUpdate(kept, read_ref(repository.git, kept) or NOTHING, now))
    update_refs(repository.git, updates, "retcon: undo")
    return kept


def _restore(specfile: SpecFile, earlier: bytes) -> None:
    """Put the histories back; the rest of the spec keeps whatever was edited since."""
    before = SpecFile.parse(specfile.path, earlier)
    ours = [commit.message for commit in specfile.spec.commits]
    theirs = [commit.message for commit in before.spec.commits]
    if ours[: len(theirs)] != theirs:
        specfile.with_histories(dict.fromkeys(range(len(ours)), ()))
        return
    if len(ours) > len(theirs) and _wishes(specfile)[: len(theirs)] == _wishes(before):
        specfile.restored(earlier)
        return
    specfile.with_histories(
        {index: commit.history for index, commit in enumerate(before.spec.commits)}
    )


def _wishes(specfile: SpecFile) -> list[str]:
    return [commit.digest for commit in specfile.spec.commits]


@dataclass(frozen=True, slots=True)
class _State:
    """How things stood before a run. ``tip`` is None where there was no branch."""

    ref: str
    tip: str | None
    spec: bytes


def _state(repository: Repository, specfile: SpecFile) -> _State:
    try:
        found = json.loads(_memory(repository, specfile.path).read_bytes())
        tip = str(found["tip"]) if found["tip"] else None
        return _State(str(found["ref"]), tip, base64.b64decode(str(found["spec"]), validate=True))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise Fatal(
            f"no run of '{specfile.path}' to undo", hint=_where_tips_are(repository, specfile)
        ) from error


def _where_tips_are(repository: Repository, specfile: SpecFile) -> str:
    """How to find earlier tips without us: a branch that is deleted has no reflog."""
    branch = specfile.spec.cleaned.removeprefix("refs/heads/")
    if read_ref(repository.git, f"refs/heads/{branch}") is not None:
        return f"'git reflog {shell_word(branch)}' lists every earlier tip of the branch"
    for kept in (kept_at(branch), f"refs/retcon/undone/{branch}"):  # the second: of older versions
        if read_ref(repository.git, kept) is not None:
            way = _way_back(branch, kept, exists=False)
            return f"{way} brings back what was undone last"
    return "the branch does not exist, and nothing of it was ever undone: just run the spec"


def _memory(repository: Repository, path: Path) -> Path:
    name = hashlib.sha256(os.fsencode(os.path.realpath(path))).hexdigest()[:16]
    return repository.common_dir / "retcon" / "undo" / f"{name}.json"
