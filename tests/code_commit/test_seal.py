"""A session that somebody else wrote is not believed, and what it says runs nothing."""

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from git_retcon.code_commit.seal import Seal, sealed_folder
from git_retcon.code_commit.session import Store
from tests.code_commit.project import answer_of, checkout_of, respond, snapshot
from tests.program import code_commit_here as code_commit
from tests.repository import TestRepository

RIGHT = {"src/a.txt": "two\n"}


def test_the_last_two_are_believed_and_no_others(sealed: Path) -> None:
    seal = Seal("0123456789abcdef", sealed)
    assert not seal.allows(b"one")
    for content in (b"one", b"two", b"three"):
        seal.allow(content)
    assert [seal.allows(each) for each in (b"one", b"two", b"three", b"four")] == [
        False, True, True, False
    ]  # fmt: skip
    assert Seal("0123456789abcdef", sealed / "moved").allows(b"three")
    assert not Seal("fedcba9876543210", sealed).allows(b"three")
    assert not Seal("../0123456789abcdef", sealed).allows(b"three")
    seal.remove_others()
    assert seal.allows(b"three")
    Seal("", sealed).remove_others()
    assert not seal.allows(b"three")


def edit_session(project: TestRepository, **changes: Any) -> None:
    path = checkout_of(project).state / "session.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | changes, indent=1))


@pytest.mark.slow
@pytest.mark.parametrize(
    "changes",
    [
        {"unconfined": "./build.sh"},
        {"phase": "committing"},
        {"before": {"build.sh": None}, "latest": {"build.sh": None}},
        {"id": "0123456789abcdef"},
        {"id": "../../x"},
    ],
)
def test_what_another_wrote_into_the_session_is_not_believed(
    project: TestRepository, changes: dict[str, Any]
) -> None:
    assert "ready to paste" in code_commit(project.path).err
    edit_session(project, **changes)
    before = snapshot(project.path)
    for arguments in (("--response", "-"), ("undo",), ("--response", "-", "--commit")):
        done = code_commit(project.path, *arguments, stdin=answer_of(RIGHT))
        assert done.status == 128
        assert "is not as 'git code-commit' left it, so it is not believed" in done.err
    assert snapshot(project.path) == before
    assert "the session is dropped" in code_commit(project.path, "--abort").ok().err
    code_commit(project.path)
    respond(project, RIGHT).ok()


@pytest.mark.slow
def test_an_earlier_session_that_is_put_back_is_not_believed(project: TestRepository) -> None:
    code_commit(project.path)
    path = checkout_of(project).state / "session.json"
    first = path.read_bytes()
    respond(project, {"src/a.txt": "three\n"})
    respond(project, {"src/a.txt": "four\n"})
    path.write_bytes(first)
    assert "is not believed" in code_commit(project.path, "undo").err


def test_a_build_without_a_sandbox_is_not_believed_at_the_next_start(
    project: TestRepository,
) -> None:
    script = (
        'sed -i \'s/"unconfined": null/"unconfined": "evil"/\' .git/code-commit/session.json; '
        "kill -9 $PPID"
    )
    code_commit(project.path)
    arguments = ("--response", "-", "--sandbox=off", "--build", script)
    child = os.fork()
    if child == 0:
        os.setsid()
        code_commit(project.path, *arguments, stdin=answer_of(RIGHT))
        os._exit(0)
    os.waitpid(child, 0)
    assert b'"evil"' in (checkout_of(project).state / "session.json").read_bytes()
    done = code_commit(project.path, "--response", "-", stdin=answer_of(RIGHT))
    assert "is not believed" in done.err


def test_a_working_tree_may_be_moved(project: TestRepository, tmp_path: Path) -> None:
    code_commit(project.path)
    shutil.move(project.path, tmp_path / "elsewhere")
    respond(TestRepository(tmp_path / "elsewhere"), RIGHT).ok()


def test_nothing_is_kept_of_a_session_that_is_dropped(project: TestRepository) -> None:
    code_commit(project.path)
    respond(project, RIGHT).ok()
    store = Store(checkout_of(project).state)
    assert list(sealed_folder().glob("*/*.json"))
    store.forget()
    assert not list(sealed_folder().glob("*/*.json"))
