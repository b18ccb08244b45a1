"""A session goes on: after a kill, in a moved tree, with more repairs."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from git_retcon.code_commit.answer_files import apply_changes
from git_retcon.code_commit.answer_grammar import parse_answer
from git_retcon.code_commit.session import Phase, Store
from git_retcon.code_commit.verification import Guard, verify_answer
from tests.code_commit.project import answer_of, checkout_of, respond
from tests.program import code_commit_here as code_commit
from tests.repository import TestRepository

RIGHT = {"src/a.txt": "two\n"}


def logs(project: TestRepository) -> dict[str, bytes]:
    (folder,) = (project.path / "agent-config/logs").iterdir()
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize("phase", ["answered", "building"])
@pytest.mark.parametrize("answer", ["wrong", "right"])
def test_after_a_kill_the_answer_brought_is_not_taken_twice(
    project: TestRepository, phase: str, answer: str
) -> None:
    wrong = answer_of({"src/a.txt": "three\n"})
    right = answer_of(RIGHT)
    checkout = checkout_of(project)
    store = Store(checkout.state)
    code_commit(project.path)
    session = store.load()
    assert session is not None
    session = replace(session, phase=Phase.ANSWERED, answer=store.blobs.keep(wrong))
    if phase == "building":
        session = apply_changes(
            verify_answer(parse_answer(wrong), checkout, Guard()), session, checkout, store
        )
    store.save(session)
    done = respond(project, wrong if answer == "wrong" else right, "--json")
    found = json.loads(done.out)
    assert (found["status"], found["attempt"]) == (
        ("passed", 1) if answer == "right" else ("waiting", 2)
    )


def test_more_repairs_may_be_allowed_later(project: TestRepository) -> None:
    respond(project, {"src/a.txt": "three\n"}, "--repairs=1")
    found = json.loads(respond(project, {"src/a.txt": "x\n"}, "--repairs=5", "--json").out)
    assert (found["status"], found["attempts"]) == ("waiting", 6)


def test_a_working_tree_may_be_moved_while_a_session_is_open(project: TestRepository) -> None:
    respond(project, {"src/a.txt": "three\n"})
    moved = TestRepository(project.path.rename(project.path.parent / "moved"))
    respond(moved, RIGHT).ok()
    assert not project.path.exists()
    assert "2-repair-build.txt" in logs(moved)


@pytest.mark.parametrize("name", ["", "session.json", "blobs"])
def test_nothing_behind_a_link_is_believed_written_or_removed(
    project: TestRepository, tmp_path: Path, name: str
) -> None:
    theirs = tmp_path / "theirs"
    (theirs / "blobs").mkdir(parents=True)
    for path in (theirs / "file", theirs / "blobs/file"):
        path.write_text("theirs\n")
    place = project.path / ".git/code-commit" / name
    place.parent.mkdir(exist_ok=True)
    place.symlink_to(theirs / "file" if name == "session.json" else theirs)
    done = respond(project, RIGHT)
    assert done.status == 128
    assert f"'{place}' is a symbolic link" in done.err
    assert sorted(path.name for path in theirs.iterdir()) == ["blobs", "file"]
    assert [path.read_text() for path in (theirs / "file", theirs / "blobs/file")] == [
        "theirs\n",
        "theirs\n",
    ]
