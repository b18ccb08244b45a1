"""Edits that reports carry, at their exact places."""

from git_retcon.code.diagnostics.diagnostic import Diagnostic, Edit
from git_retcon.heal.engine import Item
from git_retcon.heal.fixers.report_edits import apply_report_edits
from git_retcon.heal.found_errors import FoundError
from git_retcon.run.places import Finding


def item(*edits: Edit) -> Item:
    said = Diagnostic(b"a", 1, "x")
    found = [
        FoundError(Finding(said, b"a", 1, None, (), (edit,), "", str(at)), b"", "", "")
        for at, edit in enumerate(edits)
    ]
    return Item(b"a", tuple(found))


def test_edits_by_line_and_by_offset() -> None:
    content = "é = 1\nb = 2\n".encode()
    assert (
        apply_report_edits(item(Edit(b"a", 1, 5, 1, 6, "9")), content) == "é = 9\nb = 2\n".encode()
    )
    assert (
        apply_report_edits(item(Edit(b"a", 0, 6, 0, 7, "c")), content) == "é = 1\nc = 2\n".encode()
    )
    assert apply_report_edits(item(Edit(b"a", 1, 1, 2, 1, "")), content) == b"b = 2\n"


def test_edits_that_overlap_or_are_of_other_files_are_left_out() -> None:
    first, second = Edit(b"a", 1, 1, 1, 4, "X"), Edit(b"a", 1, 2, 1, 3, "Y")
    assert apply_report_edits(item(first, second), b"abcd\n") == b"Xd\n"
    assert apply_report_edits(item(Edit(b"b", 1, 1, 1, 2, "X")), b"abcd\n") is None
