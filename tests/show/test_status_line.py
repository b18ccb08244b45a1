"""A status line is redrawn in its place, on a terminal alone."""

import io
import os
import pty
import termios

import pytest

from git_retcon.show.status_line import StatusLine


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_text_takes_the_place_of_the_one_before() -> None:
    terminal = Terminal()
    line = StatusLine(terminal)
    line.draw("one")
    line.draw("two\tx\x1b[2J")
    line.clear()
    line.clear()
    assert terminal.getvalue() == "\r\x1b[Kone\r\x1b[Ktwo x\\x1b[2J\r\x1b[K"


def test_what_is_no_terminal_gets_nothing() -> None:
    file = io.StringIO()
    line = StatusLine(file)
    line.draw("one")
    line.redraw("two")
    line.clear()
    assert file.getvalue() == ""


def test_a_flood_of_texts_is_drawn_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal, now = Terminal(), [100.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    line = StatusLine(terminal)
    for number in range(25):
        line.redraw(str(number))
        now[0] += 0.01
    assert terminal.getvalue().split("\r\x1b[K") == ["", "0", "10", "20"]


def test_a_text_is_cut_to_the_width_of_the_terminal() -> None:
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (24, 11))
    with os.fdopen(theirs, "w") as stream:
        StatusLine(stream).draw("0123456789abc")
        assert os.read(ours, 100) == b"\r\x1b[K0123456789"
    os.close(ours)
