"""The note of a commit's verdict: each person's own part, and everybody else's as it was."""

from pathlib import Path

from git_retcon.heal.results import CheckRun, JobResult, Verdict
from git_retcon.heal.verdict_notes import NOTES_REF, note_verdict, read_notes
from tests.heal.checks import check, new_project
from tests.repository import TestRepository, new_repository

PASSING = "on: push\njobs: {a: {runs-on: x, steps: [{run: echo}]}}"
OTHERS = "Version: 1\nVerdict: passed\nJobs: 9 passed\nBy: Joe <joe@example.org>"
LATER = "Version: 2\nOutcome: wonderful"


def read_note(repository: TestRepository, commit: str = "HEAD") -> str:
    return repository.git("notes", f"--ref={NOTES_REF}", "show", commit)


def has_notes(repository: TestRepository) -> bool:
    return bool(repository.git("for-each-ref", NOTES_REF))


def make_run(commit: str, verdict: Verdict) -> CheckRun:
    jobs = (
        JobResult(b"ci.yml", "a", "a", 1, verdict),
        JobResult(b"", "b", "b", 1, Verdict.NOT_RUN),
    )
    return CheckRun("0123456789abcdef", commit, "", "main", 1.0, 2.0, jobs)


def test_a_clean_commit_that_was_checked_whole_gets_a_note(tmp_path: Path) -> None:
    repository = new_project(tmp_path / "project", PASSING)
    check(repository)
    first, verdict, jobs, run, checked, by, program = read_note(repository).splitlines()
    assert (first, verdict, jobs) == ("Version: 1", "Verdict: passed", "Jobs: 1 passed")
    assert run.startswith("Run: ")
    assert checked.startswith("Checked: 20")
    assert by.startswith("By: ")
    assert by.endswith(">")
    assert program.startswith("With: git-heal ")
    (path,) = repository.git("ls-tree", "-r", "--name-only", NOTES_REF).splitlines()
    head = repository.rev("HEAD")
    assert path == f"{head[:2]}/{head[2:]}"  # fan-out


def test_neither_other_files_nor_a_part_of_the_jobs_say_anything_of_a_commit(
    tmp_path: Path,
) -> None:
    repository = new_project(tmp_path / "project", PASSING)
    check(repository, "--job=a")
    repository.write({"new": "untracked"})
    check(repository)
    assert not has_notes(repository)
    windows = "on: push\njobs: {a: {runs-on: windows-latest, steps: [{run: echo}]}}"
    repository.commit("other", {".github/workflows/ci.yml": windows})
    check(repository)
    assert not has_notes(repository)


def test_a_note_takes_the_place_of_the_same_persons_alone(tmp_path: Path) -> None:
    repository = new_repository(tmp_path / "project")
    commit = repository.commit("one", {"a": "a"})
    theirs = f"{OTHERS}\n\nwords of a person\n\n{LATER}"
    repository.git("notes", f"--ref={NOTES_REF}", "add", "-m", theirs)
    for verdict in (Verdict.FAILED, Verdict.PASSED):
        note_verdict(repository.open(), make_run(commit, verdict))
    *kept, ours = read_note(repository).split("\n\n")
    assert kept == [OTHERS, "words of a person", LATER]
    assert ours.splitlines()[1:3] == ["Verdict: passed", "Jobs: 1 passed, 1 not run"]


def test_what_others_noted_is_read_where_it_can_be(tmp_path: Path) -> None:
    repository = new_repository(tmp_path / "project")
    commit = repository.commit("one", {"a": "a"})
    assert read_notes(repository.open(), commit) == []
    assert read_notes(repository.open(), "") == []
    repository.git("notes", f"--ref={NOTES_REF}", "add", "-m", f"{LATER}\n\n{OTHERS}")
    (note,) = read_notes(repository.open(), commit)
    assert note.describe() == "passed (9 passed) by Joe <joe@example.org>"
    assert note.members()["run_id"] is None


def test_what_others_noted_counts_for_nothing(tmp_path: Path) -> None:
    failing = PASSING.replace("echo", "exit 1")
    repository = new_project(tmp_path / "project", failing)
    repository.git("notes", f"--ref={NOTES_REF}", "add", "-m", OTHERS)
    assert check(repository).jobs == ["a: failed: exit 1: exit status 1"]
    assert read_note(repository).startswith(f"{OTHERS}\n\nVersion: 1\nVerdict: failed\n")


def test_a_ref_that_cannot_be_written_is_said_and_the_check_counts(tmp_path: Path) -> None:
    repository = new_project(tmp_path / "project", PASSING)
    blocked = repository.path / ".git/refs/notes"
    blocked.write_text("in the way")
    checked = check(repository)
    assert (checked.status, checked.jobs) == (0, ["a: passed"])
    assert "warning: the verdict is not noted on the commit: " in checked.ran.err


def test_an_object_store_that_cannot_be_written_is_said_and_the_check_counts(
    tmp_path: Path,
) -> None:
    repository = new_project(tmp_path / "project", PASSING)
    for number in range(256):
        folder = repository.path / f".git/objects/{number:02x}"
        if not folder.exists():
            folder.write_text("in the way")
    checked = check(repository)
    assert (checked.status, checked.jobs) == (0, ["a: passed"])
    assert "warning: the verdict is not noted on the commit: " in checked.ran.err
