"""Who decides on colour, and text that can do a terminal no harm."""

import io
import os
import subprocess
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_retcon.options import Output
from git_retcon.show.style import (
    Style,
    count_columns,
    printable,
    shell_word,
    shell_words,
    shorten,
    show_path,
    style_of,
)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def is_coloured(
    stream: io.StringIO,
    color: str = "auto",
    config: Mapping[str, str] | None = None,
    env: Mapping[str, str] | None = None,
) -> bool:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TERM", "xterm")
        for name, value in (env or {}).items():
            patch.setenv(name, value)
        return style_of(stream, Output(color=color), (config or {}).get).on


def test_a_terminal_is_coloured_and_a_pipe_is_not() -> None:
    assert is_coloured(Terminal())
    assert not is_coloured(io.StringIO())
    assert not is_coloured(Terminal(), env={"TERM": "dumb"})


@pytest.mark.parametrize(
    ("color", "no_color", "retcon", "ui", "expected"),
    [
        ("always", "1", "never", "never", True),
        ("never", "", "always", "always", False),
        ("auto", "1", "always", "always", False),
        ("auto", "", "always", "never", True),
        ("auto", "", "never", "always", False),
        ("auto", "", None, "always", True),
        ("auto", "", None, "ALWAYS", True),
        ("auto", "", None, "False", False),
        ("auto", "", None, "no", False),
        ("auto", "", None, "off", False),
        ("auto", "", None, "0", False),
    ],
)
def test_the_option_beats_no_color_which_beats_configuration(
    color: str, no_color: str, retcon: str | None, ui: str, expected: bool
) -> None:
    config = {"color.ui": ui} | ({"color.retcon": retcon} if retcon else {})
    for stream in (Terminal(), io.StringIO()):
        assert is_coloured(stream, color, config, {"NO_COLOR": no_color}) == expected


@pytest.mark.parametrize("value", ["true", "auto", "yes"])
def test_true_means_a_terminal_only(value: str) -> None:
    assert is_coloured(Terminal(), config={"color.ui": value})
    assert not is_coloured(io.StringIO(), config={"color.ui": value})


def test_configuration_is_read_only_where_it_counts() -> None:
    def unread(key: str) -> str | None:
        pytest.fail(f"{key} was read")

    assert style_of(io.StringIO(), Output(color="always"), unread).on
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NO_COLOR", "1")
        assert not style_of(Terminal(), Output(), unread).on


def test_paint_is_put_around_text_or_nothing_is() -> None:
    for paint, code in (("good", 32), ("bad", 31), ("warn", 33), ("title", 1), ("faint", 2)):
        assert getattr(Style(True), paint)("x") == f"\x1b[{code}mx\x1b[m"
        assert getattr(Style(False), paint)("x") == "x"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("naïve\tand\nmore", "naïve\tand\nmore"),
        ("\x1b[31mred\x07", "\\x1b[31mred\\x07"),
        ("\x7f\x9b", "\\x7f\\x9b"),
        ("\r\x00\x08\x0b", "\\x0d\\x00\\x08\\x0b"),
        ("\u061c\u200e\u200f", "\\u061c\\u200e\\u200f"),
        ("\u202a\u202e\u2066\u2069", "\\u202a\\u202e\\u2066\\u2069"),
        ("\u2029\u202f\u2065\u206a", "\u2029\u202f\u2065\u206a"),
        ("\udcff", "\\udcff"),
    ],
)  # fmt: skip
def test_what_moves_a_cursor_or_turns_a_line_is_made_visible(text: str, shown: str) -> None:
    assert printable(text) == shown


def test_a_path_stays_on_its_line() -> None:
    assert show_path(b"a\nb\tc\xff\x1b") == "a\\nb\\tc\\xff\\x1b"


@given(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1))
def test_a_word_comes_out_of_a_shell_as_it_went_in(text: str) -> None:
    if text.endswith("\n"):
        text += "."  # "$(…)" would drop that newline
    said = subprocess.run(
        ["sh", "-c", f"printf %s {shell_word(text)}"], capture_output=True, check=True
    ).stdout
    assert said == text.encode()
    assert printable(shell_word(text)) == shell_word(text)


def test_a_command_is_pasted_as_one_line() -> None:
    assert shell_words(["git", "branch", "-f", "my branch", "x"]) == "git branch -f 'my branch' x"


def test_a_long_text_is_cut_and_says_so() -> None:
    assert shorten("four", 4) == "four"
    assert shorten("four and more", 6) == "four…"
    assert shorten("fours", 4) == "fou…"


def test_a_terminal_without_a_size_has_the_usual_width() -> None:
    """As "expect" and others make them; text would be cut away otherwise."""
    leader, follower = os.openpty()
    with os.fdopen(leader), os.fdopen(follower, "w") as stream:
        assert os.get_terminal_size(stream.fileno()).columns == 0
        assert count_columns(stream) == 100
