"""A log with the same content is read once, and says the same each time."""

import sys
from pathlib import Path

import pytest

from git_retcon.code.diagnostics.complaints import Complaints, extract_complaints
from git_retcon.heal import log_readings
from git_retcon.heal.log_readings import read_once

LOG = b"""\
src/a.py:1:1: F401 [*] `os` imported but unused
main.c:3:5: error: unknown type name 'foo_t'; did you mean 'bar_t'?
  File "a\xff.py", line 7
    def f(:
          ^
SyntaxError: invalid syntax
"""
COMMANDS = ("ruff check",)


def read(log: Path, asked: tuple[str, ...] = COMMANDS) -> object:
    return read_once(log, asked, lambda: Complaints(extract_complaints(log.read_bytes()), 2))


@pytest.fixture(autouse=True)
def _begin_as_another_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_readings, "_known", {})


def test_the_next_process_finds_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = tmp_path / "01-lint.log"
    log.write_bytes(LOG)
    said = extract_complaints(LOG)
    assert len(said) == 3
    assert read(log) == (said, 2)
    monkeypatch.setattr(log_readings, "_known", {})
    monkeypatch.setitem(sys.modules, "git_retcon.code.diagnostics.complaints", None)
    assert read_once(log, COMMANDS, lambda: pytest.fail("it is read again")) == (said, 2)


def test_another_log_with_the_same_content_is_not_read(tmp_path: Path) -> None:
    for name in ("01-lint.log", "02-lint.log"):
        (tmp_path / name).write_bytes(LOG)
    found = read(tmp_path / "01-lint.log")
    second = tmp_path / "02-lint.log"
    assert read_once(second, COMMANDS, lambda: pytest.fail("it is read again")) == found


@pytest.mark.parametrize("change", ["content", "command", "damage"])
def test_what_differs_is_read(change: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = tmp_path / "01-lint.log"
    log.write_bytes(LOG)
    read(log)
    monkeypatch.setattr(log_readings, "_known", {})
    asked = ("mypy",) if change == "command" else COMMANDS
    if change == "content":
        log.write_bytes(LOG + b"b.py:1:1: F821 undefined name 'x'\n")
    if change == "damage":
        kept = tmp_path / "01-lint.log.read.json"
        kept.write_text(kept.read_text().replace('"kind"', '"kinds"'))
    calls = []
    read_once(log, asked, lambda: calls.append(1) or Complaints((), 0))  # type: ignore[func-returns-value]
    assert calls == [1]
