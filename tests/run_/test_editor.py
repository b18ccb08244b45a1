"""The editor that git would run, on a text."""

import pytest

from git_retcon.run.editor import edit_text


def test_the_text_comes_back_as_it_was_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_EDITOR", "sed -i.orig s/a/b/")
    assert edit_text(b"a line\n", "PLAN") == b"b line\n"


def test_an_editor_that_fails_leaves_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_EDITOR", "false")
    assert edit_text(b"a line\n", "PLAN") is None


def test_an_editor_that_removes_the_file_leaves_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_EDITOR", "rm")
    assert edit_text(b"a line\n", "PLAN") is None
