"""A hunk that was edited fits where it was, or is refused."""

from git_retcon.heal.review.hunk_editing import replace_hunk

OLD = b"1\n2\n3\n4\n"


def test_an_edited_hunk_takes_the_place_of_its_own_lines() -> None:
    body = [b" 1\n", b"-2\n", b"+two\n", b"+more\n", b" 3\n"]
    assert replace_hunk(OLD, b"@@ -1,3 +1,3 @@", body) == b"1\ntwo\nmore\n3\n4\n"


def test_a_hunk_whose_lines_are_others_is_refused() -> None:
    assert replace_hunk(OLD, b"@@ -1,3 +1,3 @@", [b" 1\n", b"-X\n"]) is None
    assert replace_hunk(OLD, b"@@ -1,3 +1,3 @@", []) is None
