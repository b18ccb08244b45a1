"""The changelog of a specification."""

from git_retcon.allium.evolve.changelog import add_entry, merge_changelogs
from git_retcon.git.graph import Commit


def make(number: int, subject: str = "Do it") -> Commit:
    return Commit(f"{number:040x}", "", (), "", "", subject)


def test_the_newest_entry_comes_first_and_names_its_modules() -> None:
    text = add_entry(b"", make(1, "Add\n\nBody"), [b"a.allium"])
    text = add_entry(text, make(2 << 128), [b"a.allium", b"b/c.allium", b"_master.allium"])
    assert text == (
        b"# Changes of the specification\n\n"
        b"- `00000002` Do it (a, b/c and _master)\n"
        b"- `00000000` Add (a)\n"
    )


def test_it_keeps_the_last_two_hundred() -> None:
    text = b""
    for number in range(250):
        text = add_entry(text, make(number << 128), [b"a.allium"])
    lines = text.splitlines()[2:]
    assert len(lines) == 200
    assert lines[0].startswith(b"- `000000f9`")


def test_a_merge_keeps_the_entries_of_all_sides_once() -> None:
    common = add_entry(b"", make(1 << 128), [b"a.allium"])
    ours = add_entry(common, make(2 << 128), [b"a.allium"])
    theirs = add_entry(common, make(3 << 128), [b"a.allium"])
    merged = merge_changelogs(ours, [theirs]).splitlines()[2:]
    assert [line[3:11] for line in merged] == [b"00000002", b"00000001", b"00000003"]
    assert merge_changelogs(b"", [b""]) == b""


def test_a_subject_cannot_break_the_list() -> None:
    text = add_entry(b"", make(1, "x\x1b[31m" + "y" * 500), [b"a.allium"])
    assert b"\x1b" not in text
    assert len(text.splitlines()) == 3
