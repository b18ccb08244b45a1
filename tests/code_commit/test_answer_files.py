"""An answer is written whole or not at all, whenever it is killed, and taken back whole."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from git_retcon.code_commit.answer_files import apply_changes, recover_session, restore_files
from git_retcon.code_commit.answer_grammar import parse_answer
from git_retcon.code_commit.session import Phase, Session, Store
from git_retcon.code_commit.verification import Guard, verify_answer
from git_retcon.errors import Fatal, Refused
from git_retcon.files.transaction import Step
from tests.code_commit.project import answer_of, checkout_of, new_project, snapshot
from tests.program import CHECKOUT, code_commit
from tests.repository import TestRepository

pytestmark = pytest.mark.slow


@pytest.fixture
def project(tmp_path: Path) -> TestRepository:
    return new_project(tmp_path / "project")


def session_of(store: Store) -> Session:
    query, codebase = store.blobs.keep(b"q"), store.blobs.keep(b"c")
    return Session(query, codebase, "true", 3, "logs", phase=Phase.ANSWERED)


def applied(
    project: TestRepository, files: Mapping[str, str | bytes | None]
) -> tuple[Session, Store]:
    checkout = checkout_of(project)
    store = Store(checkout.state)
    changes = verify_answer(parse_answer(answer_of(files)), checkout, Guard())
    session = session_of(store)
    return apply_changes(changes, session, checkout, store), store


def test_killed_before_any_change_to_the_disk_it_is_all_or_nothing(tmp_path: Path) -> None:
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "tests.code_commit.crashing",
            str(tmp_path / "crash"),
            "1",
            "3",
        ],
        cwd=CHECKOUT,
        capture_output=True,
        text=True,
        check=False,
        timeout=240,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["moments"] > 80
    assert found["wrong"] == []


def test_killed_at_any_time_the_command_goes_on_or_is_undone(project: TestRepository) -> None:
    answer = project.path.parent / "answer.txt"
    answer.write_bytes(answer_of({"src/a.txt": "two\n", "old.txt": None, "new/b": "b\n"}))
    before = snapshot(project.path)
    arguments = ["--response", str(answer), "--sandbox=off"]
    started = time.monotonic()
    code_commit(project.path, *arguments).ok()
    whole = time.monotonic() - started
    after = snapshot(project.path)
    code_commit(project.path, "undo").ok()
    for moment in range(6):
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", "git_retcon.commands.code_commit", *arguments],
            cwd=project.path,
            env={**os.environ, "PYTHONPATH": str(CHECKOUT)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        time.sleep((0.3 + 0.13 * moment) * whole)
        process.send_signal(signal.SIGKILL)
        process.wait()
        if moment % 2:
            code_commit(project.path, *arguments)
            assert snapshot(project.path) == after
        code_commit(project.path, "undo")
        assert snapshot(project.path) == before


def test_what_was_there_comes_back_with_its_permissions(project: TestRepository) -> None:
    (project.path / "old.txt").chmod(0o751)
    (project.path / "README").chmod(0o600)
    before = snapshot(project.path)
    session, store = applied(
        project, {"old.txt": None, "README": "changed\n", "a/b/c/d": "x\n", "a/b/e": ""}
    )
    assert (project.path / "README").stat().st_mode & 0o777 == 0o600
    assert (project.path / "a/b/c/d").read_text() == "x\n"
    restored = restore_files(session, checkout_of(project), store, force=False)
    assert sorted(restored) == [b"README", b"a/b/c/d", b"a/b/e", b"old.txt"]
    assert snapshot(project.path) == before


def test_edits_made_since_are_not_lost(project: TestRepository) -> None:
    session, store = applied(project, {"README": "ours\n", "new": "ours\n"})
    (project.path / "README").write_text("theirs\n")
    with pytest.raises(Refused, match="changed since, by somebody else: README"):
        restore_files(session, checkout_of(project), store, force=False)
    assert (project.path / "new").exists()
    restore_files(session, checkout_of(project), store, force=True)
    assert (project.path / "README").read_text() == "hello\n"
    assert not (project.path / "new").exists()


@pytest.mark.parametrize(
    ("edits", "named"),
    [
        (4, "f0, f1, f2 and f3"),
        (6, "f0, f1, f2, f3, f4 and f5"),
        (7, "f0, f1, f2, f3, f4 and 2 more"),
    ],
)
def test_of_many_edits_five_are_named(project: TestRepository, edits: int, named: str) -> None:
    names = [f"f{number}" for number in range(edits)]
    session, store = applied(project, dict.fromkeys(names, "ours\n"))
    for name in names:
        (project.path / name).write_text("theirs\n")
    with pytest.raises(Refused, match=f": {named}$"):
        restore_files(session, checkout_of(project), store, force=False)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written_leaves_everything_as_it_was(
    project: TestRepository,
) -> None:
    before = snapshot(project.path)
    (project.path / "src").chmod(0o555)
    with pytest.raises(Fatal, match="nothing was changed"):
        applied(project, {"README": "changed\n", "src/a.txt": "two\n"})
    (project.path / "src").chmod(0o755)
    assert snapshot(project.path) == before


def test_a_session_that_cannot_be_saved_at_the_end_leaves_everything_as_it_was(
    project: TestRepository,
) -> None:
    class Full(Store):
        def save(self, session: Session) -> None:
            if session.phase is Phase.BUILDING:
                raise Fatal("cannot write: no space left on device")
            super().save(session)

    before = snapshot(project.path)
    checkout = checkout_of(project)
    store = Full(checkout.state)
    changes = verify_answer(
        parse_answer(answer_of({"README": "x\n", "n/m": "z\n"})), checkout, Guard()
    )
    session = session_of(store)
    with pytest.raises(Fatal, match=r"nothing was changed: .*no space left"):
        apply_changes(changes, session, checkout, store)
    assert snapshot(project.path) == before
    saved = store.load()
    assert saved is not None
    assert saved.phase is Phase.ANSWERED


def test_what_is_taken_back_is_only_what_was_being_written(project: TestRepository) -> None:
    session, store = applied(project, {"README": "first\n"})
    assert recover_session(session, checkout_of(project), store) == session
    assert (project.path / "README").read_text() == "first\n"


def interrupted(project: TestRepository) -> Store:
    """As a kill leaves it after the first of two files."""
    checkout = checkout_of(project)
    store = Store(checkout.state)
    answer = answer_of({"README": "ours\n", "new/file": "ours\n"})
    session = session_of(store)
    steps = tuple(
        Step(change.path, store.blobs.keep_file(change.old), store.blobs.keep_file(change.new))
        for change in verify_answer(parse_answer(answer), checkout, Guard())
    )
    store.save(replace(session, phase=Phase.APPLYING, pending=steps, folders=(b"new",)))
    project.write({"README": "ours\n"})
    return store


def test_an_edit_after_a_kill_is_not_lost_unless_forced(project: TestRepository) -> None:
    interrupted(project)
    project.write({"README": "edited after the kill\n"})
    done = code_commit(project.path, "undo")
    assert done.status == 1
    assert "changed since, by somebody else: README" in done.err
    assert (project.path / "README").read_text() == "edited after the kill\n"
    code_commit(project.path, "undo", "--force").ok()
    assert (project.path / "README").read_text() == "hello\n"


def test_a_link_in_place_of_a_folder_after_a_kill_is_not_followed(
    project: TestRepository, tmp_path: Path
) -> None:
    interrupted(project)
    (tmp_path / "theirs").mkdir()
    (tmp_path / "theirs/file").write_text("theirs\n")
    (project.path / "new").symlink_to(tmp_path / "theirs")
    done = code_commit(project.path, "undo")
    assert done.status == 1
    assert "new/file" in done.err
    assert (tmp_path / "theirs/file").read_text() == "theirs\n"
    done = code_commit(project.path, "undo", "--force")
    assert "bug" not in done.err
    assert (tmp_path / "theirs/file").read_text() == "theirs\n"
