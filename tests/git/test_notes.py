"""Notes are git's own: what we write git reads, and what git wrote, at any fan-out, we read."""

from git_retcon.git.notes import Notes
from git_retcon.git.refs import update_refs
from tests.repository import TestRepository

REF = "refs/notes/retcon"


def add(repo: TestRepository, notes: dict[str, str]) -> None:
    opened = repo.open()
    update_refs(opened.git, [Notes(opened, REF).adding(notes, "Notes added")], "notes")


def test_git_reads_what_we_write(repo: TestRepository) -> None:
    commits = [repo.commit(f"no {n}") for n in range(5)]
    add(repo, {oid: f"Version: 1\nSubject: no {n}\n" for n, oid in enumerate(commits)})
    assert repo.git("log", "-1", "--notes=retcon", "--format=%N") == ("Version: 1\nSubject: no 4\n")
    assert repo.git("notes", "--ref=retcon", "show", commits[0]) == "Version: 1\nSubject: no 0"
    assert repo.git("fsck", "--strict", "--no-dangling") == ""


def test_a_later_note_replaces_the_earlier(repo: TestRepository) -> None:
    oid = repo.commit("one")
    add(repo, {oid: "first\n"})
    add(repo, {oid: "second\n"})
    assert repo.git("notes", "--ref=retcon", "show", oid) == "second"
    assert Notes(repo.open(), REF).get(oid) == "second\n"


def test_notes_of_gits_own_fan_out_are_read_and_replaced(repo: TestRepository) -> None:
    commits = [repo.commit(f"no {n}") for n in range(300)]
    for oid in commits[:1]:
        repo.git("notes", "--ref=retcon", "add", "-m", "by git", oid)
    stream = "".join(f"N inline {oid}\ndata 6\nby git\n" for oid in commits[1:])
    head = f"commit {REF}\ncommitter a <a@b> 1 +0000\ndata 1\nx\nfrom {REF}^0\n"
    repo.git("fast-import", "--quiet", stdin=(head + stream).encode())
    notes = Notes(repo.open(), REF)
    assert {(notes.get(oid) or "").strip() for oid in commits} == {"by git"}
    add(repo, {commits[7]: "ours\n"})
    assert repo.git("notes", "--ref=retcon", "show", commits[7]) == "ours"
    assert repo.git("notes", "--ref=retcon", "show", commits[8]) == "by git"


def test_without_any_there_is_none(repo: TestRepository) -> None:
    assert Notes(repo.open(), REF).get(repo.commit("one")) is None
