"""Messages as git words them, on standard error, safe for a terminal."""

import sys

import pytest

from git_retcon.show.notices import engine_lines, say, say_hint, say_line, warning_lines
from git_retcon.show.style import Style


def test_a_message_has_a_label_and_a_hint(capsys: pytest.CaptureFixture[str]) -> None:
    say("error", "no such thing\nsecond line", "do this\nor that")
    assert capsys.readouterr() == (
        "",
        "error: no such thing\n  second line\nhint: do this\nhint: or that\n",
    )


def test_a_message_without_words_is_still_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    say("fatal", "")
    assert capsys.readouterr().err == "fatal: \n"


def test_advice_can_be_switched_off(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_ADVICE", "0")
    say("warning", "careful", "look")
    say_hint("look")
    assert capsys.readouterr().err == "warning: careful\n"
    monkeypatch.setenv("GIT_ADVICE", "1")
    say_hint("look")
    say_hint(None)
    say_hint("")
    assert capsys.readouterr().err == "hint: look\n"


def test_the_warnings_of_a_run_follow_the_same_switch(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = Style(on=False)
    assert list(warning_lines("careful", "look", plain)) == ["warning: careful", "hint: look"]
    assert list(warning_lines("careful", "", plain)) == ["warning: careful"]
    monkeypatch.setenv("GIT_ADVICE", "0")
    assert list(warning_lines("careful", "look", plain)) == ["warning: careful"]


def test_nothing_in_a_message_moves_the_cursor(capsys: pytest.CaptureFixture[str]) -> None:
    say("error", "a\x1b[2Jb", "c\x07")
    say_line("d\x1b")
    assert capsys.readouterr().err == "error: a\\x1b[2Jb\nhint: c\\x07\nd\\x1b\n"


def test_nobody_there_to_read_stops_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    class Gone:
        encoding = "utf-8"

        def write(self, text: str) -> None:
            raise BrokenPipeError

    monkeypatch.setattr(sys, "stderr", Gone())
    say("error", "unheard", "unheard")


def test_every_run_begins_with_its_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    assert [*engine_lines("offline (no model is asked)", "no API key")] == [
        "Engine: offline (no model is asked)",
        "hint: no API key",
    ]
    monkeypatch.setenv("GIT_ADVICE", "0")
    assert [*engine_lines("x", "no API key")] == ["Engine: x"]
