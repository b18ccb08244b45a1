"""``undo`` puts back what was there, and refuses to lose what came later."""

from pathlib import Path

import pytest

from tests.code_commit.project import new_project, respond
from tests.program import code_commit_here as code_commit
from tests.repository import TestRepository

RIGHT = {"src/a.txt": "two\n"}


@pytest.mark.slow
def test_undo_refuses_to_lose_edits_and_later_commits(project: TestRepository) -> None:
    assert "there is no run to undo" in code_commit(project.path, "undo").err
    respond(project, RIGHT).ok()
    project.write({"src/a.txt": "edited\n"})
    done = code_commit(project.path, "undo")
    assert done.status == 1
    assert "changed since, by somebody else: src/a.txt" in done.err
    code_commit(project.path, "undo", "--force").ok()
    respond(project, RIGHT, "--commit").ok()
    project.commit("later", {"README": "later\n"})
    done = code_commit(project.path, "undo")
    assert "HEAD has moved on" in done.err


@pytest.mark.slow
def test_an_unborn_branch_and_an_untracked_tree_can_be_undone(tmp_path: Path) -> None:
    project = new_project(tmp_path / "p")
    project.git("checkout", "-q", "--orphan", "fresh")
    before = project.git("status", "--porcelain")
    respond(project, RIGHT, "--commit", "--force").ok()
    assert project.git("log", "--format=%s") == "Make it two."
    code_commit(project.path, "undo").ok()
    assert (project.path / "src/a.txt").read_text() == "one\n"
    assert project.git("status", "--porcelain") == before


def test_a_run_that_only_printed_a_prompt_leaves_the_one_before_to_undo(
    project: TestRepository,
) -> None:
    head = project.rev("HEAD")
    respond(project, RIGHT, "--commit").ok()
    code_commit(project.path, "--offline", "--query", "next")
    code_commit(project.path, "undo").ok()
    assert project.rev("HEAD") == head
    assert (project.path / "src/a.txt").read_text() == "one\n"


@pytest.mark.slow
def test_two_runs_are_taken_back_one_after_the_other(project: TestRepository) -> None:
    head = project.rev("HEAD")
    respond(project, RIGHT, "--commit").ok()
    respond(project, {"src/a.txt": "three\ntwo\n"}, "--commit")
    first = code_commit(project.path, "undo").ok()
    assert "run it again to go back by one more run" in first.err
    code_commit(project.path, "undo").ok()
    assert project.rev("HEAD") == head


def test_what_a_killed_undo_left_is_removed_where_nothing_is_left_to_undo(
    project: TestRepository,
) -> None:
    record = project.path / ".git/retcon/moves/1-0"
    record.parent.mkdir(parents=True)
    record.touch()
    assert code_commit(project.path, "undo").status == 128
    assert not record.exists()
