"""Long output goes through the pager that git would use, and only at a terminal."""

import pytest

from git_retcon.show.pager import page_lines
from tests.program import on_terminal, rest
from tests.repository import TestRepository
from tests.retcon.scene import messy_branch


def test_a_terminal_gets_long_output_through_the_pager_of_git(repo: TestRepository) -> None:
    messy_branch(repo)
    pager = "sed 's/^/paged: /'"
    child = on_terminal("retcon", repo.path, "-n", "history.toml", env={"GIT_PAGER": pager})
    assert "paged: Commit 1/3: Count money in cents" in rest(child).out


def test_a_pager_that_is_left_early_is_no_fault(repo: TestRepository) -> None:
    messy_branch(repo)
    child = on_terminal("retcon", repo.path, "-n", "history.toml", env={"GIT_PAGER": "true"})
    assert rest(child).status == 0


def test_a_file_gets_the_lines_themselves(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_PAGER", "sed 's/^/paged: /'")
    page_lines(["one", "two"])
    assert capsys.readouterr().out == "one\ntwo\n"
