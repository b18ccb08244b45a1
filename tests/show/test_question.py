"""Only a person at a terminal says yes, or ``--yes`` beforehand."""

import sys
from pathlib import Path

import pexpect
import pytest

from git_retcon.errors import Reason
from git_retcon.show.question import ask_person, reason_of_no, say_yes
from tests.program import CHECKOUT

_ASK = "from git_retcon.show.question import ask_person; print('said', ask_person('Sure\\x1b[2J?'))"


@pytest.mark.parametrize(
    ("typed", "said"),
    [("y", True), ("YES ", True), ("n", False), ("", False), ("yy", False), ("ja", False)],
)
def test_what_is_typed_is_the_answer(tmp_path: Path, typed: str, said: bool) -> None:
    child = pexpect.spawn(
        sys.executable, ["-P", "-c", _ASK], cwd=str(tmp_path), encoding="utf-8", timeout=60,
        env={"PYTHONPATH": str(CHECKOUT), "PATH": "/usr/bin:/bin"},
    )  # fmt: skip
    child.expect_exact("Sure\\x1b[2J? [y/N] ")
    child.sendline(typed)
    child.expect(f"said {said}\r\n")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0


def test_without_a_terminal_nobody_is_asked(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Typing:
        def isatty(self) -> bool:
            return False

        def readline(self) -> str:
            pytest.fail("nobody is there to ask")

    monkeypatch.setattr(sys, "stdin", Typing())
    assert not ask_person("Sure?")
    assert capsys.readouterr().err == ""


def test_yes_beforehand_is_yes(capsys: pytest.CaptureFixture[str]) -> None:
    assert say_yes("Sure?")
    assert capsys.readouterr().err == ""


def test_the_reasons_for_no_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    class Stream:
        def __init__(self, terminal: bool) -> None:
            self._terminal = terminal

        def isatty(self) -> bool:
            return self._terminal

    for stdin, stderr, reason in (
        (True, True, Reason.DECLINED),
        (False, True, Reason.NEEDS_ANSWER),
        (True, False, Reason.NEEDS_ANSWER),
    ):
        monkeypatch.setattr(sys, "stdin", Stream(stdin))
        monkeypatch.setattr(sys, "stderr", Stream(stderr))
        assert reason_of_no() is reason
