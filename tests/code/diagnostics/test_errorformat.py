"""Vim's errorformat: each item, several lines, files and directories."""

import re

import pytest

from git_retcon.code.diagnostics.diagnostic import Category, Severity
from git_retcon.code.diagnostics.errorformat import (
    LineTool,
    compile_format,
    read_with,
    split_option,
)
from git_retcon.code.diagnostics.line_index import LineIndex
from tests.code.diagnostics.sample import described


def _read(formats: tuple[str, ...], text: str) -> list[str]:
    tool = LineTool("t", Category.LINT, (":",), formats)
    return [described(each) for each in read_with(tool, LineIndex(text.split("\n")))]


def test_one_line() -> None:
    assert _read(("%f:%l:%c: %m",), "a b.x:3:5: it is\nother") == ["a b.x:3:5 error lint t: it is"]


def test_the_drive_of_windows_is_part_of_a_path() -> None:
    assert _read(("%f:%l: %m",), "C:\\a\\b.x:3: gone") == ["C:\\a\\b.x:3 error lint t: gone"]


@pytest.mark.parametrize(
    ("letter", "severity"),
    [
        ("error", Severity.ERROR),
        ("Error", Severity.ERROR),
        ("fatal", Severity.ERROR),
        ("warning", Severity.WARNING),
        ("note", Severity.NOTE),
        ("info", Severity.NOTE),
    ],
)
def test_the_first_letter_tells_the_severity(letter: str, severity: Severity) -> None:
    tool = LineTool("t", Category.LINT, (":",), ("%f:%l: %t%*[a-z]: %m",))
    (found,) = read_with(tool, LineIndex([f"a.x:3: {letter}: gone"]))
    assert found.severity is severity


def test_ends_numbers_and_rules() -> None:
    tool = LineTool("t", Category.LINT, (":",), ("%f:%l.%c-%e.%k: %m (%o)", "%f:%l: E%n %m"))
    first, second = read_with(tool, LineIndex(["a.x:3.5-4.6: gone (no-x)", "b.x:9: E12 bad"]))
    assert (first.line, first.column, first.end_line, first.end_column) == (3, 5, 4, 6)
    assert (first.rule, second.rule) == ("no-x", "12")


def test_a_line_that_points_gives_the_column() -> None:
    formats = ("%E%f:%l: %m", "%Z%p^", "%-C%.%#")
    assert _read(formats, "a.x:3: gone\nsome source\n     ^") == ["a.x:3:6 error lint t: gone"]


def test_several_lines_are_one_message() -> None:
    formats = ("%EError in %f:", "%Cline %l", "%C  %m", "%Z---")
    text = "Error in a.x:\nline 3\n  first\n  second\n---\n  third"
    assert _read(formats, text) == ["a.x:3 error lint t: first second"]


def test_a_new_message_ends_the_one_before() -> None:
    formats = ("%E%f:%l: %m", "%W%f|%l| %m", "%C  %m")
    assert _read(formats, "a.x:3: one\n  more\nb.x|4| two") == [
        "a.x:3 error lint t: one more",
        "b.x:4 warning lint t: two",
    ]


def test_general_lines_are_no_message_and_end_one() -> None:
    assert _read(("%-GSummary%.%#", "%f:%l: %m"), "Summary:3: none\na.x:3: one") == [
        "a.x:3 error lint t: one"
    ]


def test_the_whole_line_without_its_place_can_be_the_message() -> None:
    assert _read(("%+E%f:%l: syntax error%.%#",), "a.x:3: syntax error, oh") == [
        "a.x:3 error lint t: syntax error, oh"
    ]


def test_files_and_what_is_about_them() -> None:
    formats = ("%P== [%f]", "%l:%c %m", "%-Q")
    assert _read(formats, "== [a.x]\n3:5 one\n\n== [b.x]\n4:6 two") == [
        "a.x:3:5 error lint t: one",
        "b.x:4:6 error lint t: two",
    ]


def test_directories_are_entered_and_left() -> None:
    formats = ("%DEnter %f", "%XLeave %f", "%f:%l: %m")
    assert _read(formats, "Enter lib\na.x:3: one\nLeave lib\nb.x:4: two") == [
        "lib/a.x:3 error lint t: one",
        "b.x:4 error lint t: two",
    ]


def test_the_rest_of_a_line_is_read_again() -> None:
    formats = ("%O[%f]%r", "%l: %m")
    assert _read(formats, "[a.x]3: one") == ["a.x:3 error lint t: one"]


def test_skipped_text_and_regular_expressions() -> None:
    assert _read((r"%*[A-Z]:%*\d:%\(x%\|y%\)%\+ %f:%l %m%.%#",), "AB:12:xyx a.x:3 gone") == [
        "a.x:3 error lint t: gone"
    ]
    assert _read(("100%% %f:%l %m",), "100% a.x:3 gone") == ["a.x:3 error lint t: gone"]


def test_the_next_line_begins_with_the_same_format() -> None:
    formats = ("%f:%l: %m", "%>%f|%l| %m", "%f%.%l%. %m")
    assert compile_format("%>%f|%l| %m").again
    assert _read(formats, "a.x|3| one\nb.x|4| two") == [
        "a.x:3 error lint t: one",
        "b.x:4 error lint t: two",
    ]


def test_an_option_of_vim_is_split_at_its_commas() -> None:
    option = r"%E%f:%l:\ error:\ %m,%-G%.%#,%f(%l\,%c):\ %m"
    assert split_option(option) == ["%E%f:%l: error: %m", "%-G%.%#", "%f(%l,%c): %m"]


@pytest.mark.parametrize("text", ["%y", "%*", "%*[a"])
def test_a_bad_format_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="bad errorformat"):
        compile_format(text)


def test_parentheses_that_do_not_match_are_found_at_the_first_use() -> None:
    pattern = compile_format(r"%f:%\(%l").pattern
    with pytest.raises(re.error):
        pattern.match("a.x:3")


@pytest.mark.parametrize(
    ("text", "needle"),
    [
        ("%f:%l:%c: %trror: %m", "rror: "),
        ("[%tRROR] %f:%l: %m", "RROR] "),
        ("%E %#%*\\d) Failure:", ") Failure:"),  # the space may be absent
        ("%*[^:]: %f has it%.%#", " has it"),
        ("%f%\\(:%l%\\)%\\?: said", ""),  # a group may be, too
        ("%C%m", ""),
    ],
)
def test_the_longest_literal_of_a_format_is_in_each_of_its_lines(text: str, needle: str) -> None:
    assert compile_format(text).needle == needle
