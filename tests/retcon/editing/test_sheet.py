"""The text of a plan, read back: what is in it, and which line is wrong."""

import pytest

from git_retcon.errors import Fatal
from git_retcon.retcon.editing.sheet import Heading, Sheet, SheetFault, heading_line, read_sheet
from git_retcon.show.style import printable

A, B, C = "aaaa000000", "abab000000", "cccc000000"
SUBJECTS = ["One", "Two"]


def find_part(part: str) -> str:
    """Parts of the first hunk are there."""
    if not A.startswith(part.partition(":")[0]):
        raise Fatal(f"'{part}' is no part", hint="name another")
    return f"{A}:{part.partition(':')[2]}"


def read(text: str) -> Sheet | None:
    return read_sheet(text, SUBJECTS, [A, B, C], find_part)


def test_headings_hunks_and_comments_are_read() -> None:
    sheet = read(
        f"# a guide\n\ncommit 2 (+3 -1) Two, reworded\n  ? {A}  a.py:1  +1 -0  | x\n"
        f"      # +x\nnew Three\n    {B[:6]}\ncommit 1 One\nnone\n    {C}\n"
    )
    assert sheet == Sheet(
        (Heading(1, "Two, reworded"), Heading(None, "Three"), Heading(0, "One")), {A: 0, B: 1}
    )


def test_nothing_is_left() -> None:
    assert read("# only\n\n  # comments\n") is None


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("commit 1 One\nfrobnicate it\n", "line 2: 'frobnicate' begins no line"),
        ("commit 9 Nine\n", "line 1: there is no commit 9 in the spec"),
        ("commit 1 One\n\ncommit 1 One\n", "line 3: commit 1 is there twice"),
        ("commit 1 One\n  deadbeef\n", "line 2: no hunk is called 'deadbeef'"),
        ("commit 1 One\n  cccc:1\n", "line 2: 'cccc:1' is no part; name another"),
        ("commit 1 One\n  abab0\n  abab\n", "line 3: hunk 'abab' is in line 2 too"),
        (f"  {A}\n", f"line 1: hunk '{A}' is below no commit"),
        (f"none\n  {A}\n", "line 1: no commit is left"),
        ("commit 1\n", "line 1: the commit has no subject"),
        ("new\n", "line 1: the commit has no subject"),
    ],
)
def test_a_line_that_cannot_be_read_is_named(text: str, fault: str) -> None:
    with pytest.raises(SheetFault) as raised:
        read(text)
    assert str(raised.value).startswith(fault)


def test_an_id_may_be_cut_as_long_as_it_is_one_hunks() -> None:
    with pytest.raises(SheetFault, match="line 2: several hunks begin with 'dddd'"):
        read_sheet("commit 1 One\ndddd\n", SUBJECTS, ["dddd1", "dddd2"], find_part)


def test_a_hunk_that_is_divided_is_none_of_those_that_equal_it() -> None:
    known = [f"{A}:1-2", f"{A}:3", f"{A}.2"]
    found = read_sheet(f"commit 1 One\n  {A}\n  {A}.2\n", SUBJECTS, known, find_part)
    assert found is not None
    assert found.places == dict.fromkeys(known, 0)


@pytest.mark.parametrize("subject", ["One \t", "O\x0cne", "(+1 -1) One"])
def test_a_subject_that_was_left_is_the_commits_own(subject: str) -> None:
    shown = heading_line(0, printable(subject), 3, 1)
    found = read_sheet(f"{shown}\n", [subject], [], find_part)
    assert found is not None
    assert list(found.headings) == [Heading(0, subject)]


def test_the_line_of_a_divided_hunk_is_about_what_has_no_line_of_its_own() -> None:
    parts = [f"{A}:1-2", f"{A}:3", f"{A}:4"]
    text = f"commit 1 One\n  {A[:6]}\ncommit 2 Two\n  {A[:6]}:3\n"
    found = read_sheet(text, SUBJECTS, [*parts, B], find_part)
    assert found is not None
    assert found.places == {f"{A}:1-2": 0, f"{A}:3": 1, f"{A}:4": 0}
    with pytest.raises(SheetFault, match=r"line 5: hunk 'aaaa' is in line 2 too"):
        read_sheet(f"{text}  aaaa\n", SUBJECTS, [*parts, B], find_part)
