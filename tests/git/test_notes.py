"""Notes are git's own: what we write git reads, and what git wrote, at any fan-out, we read."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from git_retcon.git import ref_updates
from git_retcon.git.notes import Notes
from git_retcon.git.ref_updates import (
    NOTHING,
    RefLocked,
    RefMoved,
    RefRefusal,
    RefUpdate,
    RefUpdater,
)
from tests.program import CHECKOUT
from tests.repository import TestRepository

REF = "refs/notes/retcon"


def write(repo: TestRepository, notes: Mapping[str, str]) -> None:
    opened = repo.open()
    with RefUpdater(opened) as updater:
        Notes.read(opened, REF).write(updater, notes, "Notes added", "notes")


def listed(repo: TestRepository) -> dict[str, str]:
    """Commit → note as git lists them, each path of the tree once."""
    pairs = [line.split() for line in repo.git("notes", "--ref=retcon", "list").splitlines()]
    names = repo.git("ls-tree", "-r", "--name-only", REF).splitlines()
    assert len(names) == len(pairs)
    return {commit: repo.git("cat-file", "blob", blob) for blob, commit in pairs}


def test_git_reads_what_we_write(repo: TestRepository) -> None:
    commits = [repo.commit(f"no {n}") for n in range(5)]
    notes = {oid: f"Version: 1\nSubject: no {n}\n" for n, oid in enumerate(commits)}
    write(repo, notes)
    assert repo.git("log", "-1", "--notes=retcon", "--format=%N") == ("Version: 1\nSubject: no 4\n")
    assert listed(repo) == {oid: text.removesuffix("\n") for oid, text in notes.items()}
    assert repo.git("log", "--format=%s", REF) == "Notes added"
    assert repo.git("reflog", "--format=%gs", REF) == "notes"
    assert repo.git("fsck", "--strict", "--no-dangling") == ""


def test_a_later_note_replaces_the_earlier(repo: TestRepository) -> None:
    oid = repo.commit("one")
    write(repo, {oid: "first\n"})
    first = repo.rev(REF)
    write(repo, {oid: "second\n"})
    assert listed(repo) == {oid: "second"}
    assert repo.rev(f"{REF}^") == first
    assert Notes.read(repo.open(), REF).get(oid) == "second\n"


@pytest.mark.parametrize("levels", [0, 1, 2])
def test_a_note_replaces_one_at_any_fan_out(repo: TestRepository, levels: int) -> None:
    oid, other = repo.commit("one"), repo.commit("other")
    at = [0, *range(2, 2 * levels + 1, 2)]
    lines = []
    for commit in (oid, other):
        parts = [commit[start : start + 2] for start in at[:-1]] + [commit[at[-1] :]]
        lines.append(f"M 100644 inline {'/'.join(parts)}\ndata 7\nby git\n\n")
    head = f"commit {REF}\ncommitter a <a@b> 1 +0000\ndata 1\nx\n"
    repo.git("fast-import", "--quiet", stdin=(head + "".join(lines)).encode())
    assert listed(repo) == {oid: "by git", other: "by git"}
    assert Notes.read(repo.open(), REF).get(oid) == "by git\n"
    write(repo, {oid: "ours\n"})
    assert listed(repo) == {oid: "ours", other: "by git"}
    assert Notes.read(repo.open(), REF).get(oid) == "ours\n"


def test_what_is_written_is_read_again_through_the_same_notes(repo: TestRepository) -> None:
    one, two = repo.commit("one"), repo.commit("two")
    opened = repo.open()
    notes = Notes.read(opened, REF)
    with RefUpdater(opened) as updater:
        notes.write(updater, {one: "1\n"}, "m", "w")
        assert notes.get(one) == "1\n"
        notes.write(updater, {two: "2\n"}, "m", "w")
    assert listed(repo) == {one: "1", two: "2"}


def test_without_any_there_is_none(repo: TestRepository) -> None:
    assert Notes.read(repo.open(), REF).get(repo.commit("one")) is None


def test_what_another_process_wrote_meanwhile_stays(repo: TestRepository) -> None:
    one, two = repo.commit("one"), repo.commit("two")
    opened = repo.open()
    notes = Notes.read(opened, REF)
    write(repo, {one: "theirs\n"})
    along = [RefUpdate("refs/heads/a", NOTHING, two)]
    with RefUpdater(opened) as updater:
        notes.write(updater, {two: "ours\n"}, "m", "w", along=along)
    assert listed(repo) == {one: "theirs", two: "ours"}
    assert repo.rev("a") == two


def test_another_ref_that_has_moved_is_no_reason_to_try_again(repo: TestRepository) -> None:
    one, two = repo.commit("one"), repo.commit("two")
    opened = repo.open()
    notes = Notes.read(opened, REF)
    write(repo, {one: "theirs\n"})
    repo.git("branch", "a", one)
    along = [RefUpdate("refs/heads/a", NOTHING, two)]
    with (
        RefUpdater(opened) as updater,
        pytest.raises(RefMoved, match=r"nothing was moved: .*refs/heads/a"),
    ):
        notes.write(updater, {two: "ours\n"}, "m", "w", along=along)
    assert listed(repo) == {one: "theirs"}
    assert repo.rev("a") == one


def test_no_commit_comes_onto_a_branch_without_its_note(repo: TestRepository) -> None:
    """git moves one ref after the other: what stops it between two must leave no such commit."""
    before, after = repo.commit("one"), repo.commit("two")
    repo.git("update-ref", "refs/heads/x", before)
    # No log of the notes can be written, which git finds out when it moves them.
    (repo.path / ".git/logs/refs/notes/retcon/in-its-place").mkdir(parents=True)
    (repo.path / ".git/logs/refs/notes/retcon/in-its-place/file").write_text("")
    opened = repo.open()
    along = [RefUpdate("refs/heads/x", before, after)]
    with RefUpdater(opened) as updater, pytest.raises(RefRefusal, match="not every ref was moved"):
        Notes.read(opened, REF).write(updater, {after: "a\n"}, "m", "w", along=along)
    assert repo.rev("refs/heads/x") == before


def test_a_lock_that_stays_is_an_error_in_the_end(
    repo: TestRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ref_updates, "LONGEST_WAIT", 0.2)
    one = repo.commit("one")
    write(repo, {one: "before\n"})
    (repo.path / ".git" / f"{REF}.lock").touch()
    with pytest.raises(RefLocked, match="File exists") as caught:
        write(repo, {one: "after\n"})
    assert "remove the lock file" in str(caught.value.hint)
    assert listed(repo) == {one: "before"}


WRITER = """
import sys
from pathlib import Path
from git_retcon.git.notes import Notes
from git_retcon.git.ref_updates import NOTHING, RefUpdate, RefUpdater
from git_retcon.git.repository import open_repository

name, *commits = sys.argv[1:]
opened = open_repository(Path.cwd())
notes, before = Notes.read(opened, "refs/notes/retcon"), NOTHING
sys.stdin.readline()
with RefUpdater(opened) as updater:
    for oid in commits:
        along = [RefUpdate(f"refs/heads/{name}", before, oid)]
        notes.write(updater, {oid: f"by {name}\\n"}, "m", "w", along=along)
        before = oid
"""


def test_two_processes_at_once_lose_nothing(repo: TestRepository) -> None:
    commits = {name: [repo.commit(f"{name} {n}") for n in range(25)] for name in ("a", "b", "c")}
    processes = [
        subprocess.Popen(
            [sys.executable, "-P", "-c", WRITER, name, *ids],
            cwd=repo.path,
            env={**os.environ, "PYTHONPATH": str(CHECKOUT)},
            stdin=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        for name, ids in commits.items()
    ]
    for process in processes:
        assert process.stdin is not None
        process.stdin.write(b"go\n")
        process.stdin.flush()
    for process in processes:
        _, said = process.communicate(timeout=120)
        assert process.returncode == 0, said.decode()
    expected = {oid: f"by {name}" for name, ids in commits.items() for oid in ids}
    assert listed(repo) == expected
    assert {name: repo.rev(name) for name in commits} == {n: ids[-1] for n, ids in commits.items()}
    assert not list(Path(repo.path / ".git").rglob("*.lock"))
