"""Any answer ends in a message and in one of git's exit statuses, and can be undone.

A law over ``grammar``, ``verification``, ``answer_files`` and ``undo``.
"""

from pathlib import Path

import hypothesis
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.code_commit.project import answer_of, new_project, snapshot
from tests.program import code_commit_here
from tests.repository import TestRepository

fragments = st.sampled_from(
    [b"^^^src/a.txt\n", b"^^^end\n", b"^^^delete\n", b"two\n", b"^^^new/x\n", b"^^^./old.txt\n",
     b"^^^", b"\0", b"\xff", b"\r\n", b"```\n", b"^^^../x\n", b"^^^.git/config\n", b"^^^src\n",
     b"Commit message: \0\n", b"^^^a\n", b"^^^a/b\n", "^^^\u202e\n".encode(), b"\\^^^end\n",
     b"^^^build.sh\n", b"\n"]
)  # fmt: skip


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> TestRepository:
    return new_project(tmp_path_factory.mktemp("hostile") / "project")


@pytest.mark.slow
@hypothesis.settings(max_examples=40)
@given(st.lists(fragments, max_size=12).map(b"".join) | st.binary(max_size=60), st.booleans())
def test_any_answer_ends_in_a_verdict_and_can_be_undone(
    target: TestRepository, answer: bytes, is_dry: bool
) -> None:
    before = snapshot(target.path)
    options = ("--dry-run",) if is_dry else ("--commit", "--repairs=0")
    done = code_commit_here(target.path, "--response", "-", "--sandbox=off", *options, stdin=answer)
    assert done.status in (0, 1), done.err
    assert "Traceback" not in done.err
    if done.status == 1:
        assert "line " in done.err or "does not pass" in done.err
    code_commit_here(target.path, "undo")
    assert snapshot(target.path) == before
    assert target.git("status", "--porcelain") == ""
    assert target.subjects("HEAD") == ["begin"]


@pytest.mark.slow
def test_an_answer_of_many_files_is_applied_and_undone(tmp_path: Path) -> None:
    project = new_project(tmp_path / "project")
    before = snapshot(project.path)
    files: dict[str, str | bytes | None] = {f"d{n % 7}/f{n}": f"{n}\n" for n in range(60)}
    text = answer_of(files | {"src/a.txt": "two\n"})
    code_commit_here(project.path, "--response", "-", stdin=text).ok()
    assert len(snapshot(project.path)) == len(before) + 60 + 7
    code_commit_here(project.path, "undo").ok()
    assert snapshot(project.path) == before
