"""Two versions of a declaration whose base nobody knows."""

import pytest

from git_retcon.allium.store.assumed_base import assume_base
from git_retcon.allium.store.three_way import merge_modules

MARKER = b"-- allium: 3\n\n"
SOURCE = b"-- Source: a.py, pay\nrule Pay {\n    when: Pay(o)\n    requires: o.due > 0\n%b}\n"


def merge(ours: bytes, theirs: bytes) -> tuple[bytes, list[str]]:
    """What both say together, and what they disagree about."""
    versions = assume_base(ours, theirs)
    assert versions is not None
    base, theirs = versions
    merged = merge_modules(MARKER + base, MARKER + ours, MARKER + theirs)
    return merged.content.removeprefix(MARKER), [each.title for each in merged.conflicts]


def test_what_only_one_of_them_says_stays_and_what_both_say_keeps_its_comments() -> None:
    theirs = SOURCE % b"    requires: o.open\n"
    ours = theirs.replace(b"rule", b"-- Agreed.\nrule").replace(
        b"    requires: o.due > 0\n    requires: o.open\n",
        b"    requires: o.known\n    requires: o.due > 0 -- cents\n",
    )
    assert merge(ours, theirs) == (
        b"-- Source: a.py, pay\n-- Agreed.\nrule Pay {\n    when: Pay(o)\n    requires: o.known\n"
        b"    requires: o.due > 0 -- cents\n    requires: o.open\n}\n",
        [],
    )


def test_an_item_that_each_says_in_its_way_is_a_conflict() -> None:
    theirs = b"-- Source: a.py, A\nvalue A {\n    n: Integer\n    m: Integer\n}\n"
    ours = theirs.replace(b"n: Integer", b"n: Decimal")
    assert merge(ours, theirs) == (ours, ["value A: field n"])


@pytest.mark.parametrize("text", [b"enum A { one | two }\n", b"value A {\n}\n", b"value A {"])
def test_what_has_no_items_has_no_base(text: bytes) -> None:
    assert assume_base(text, SOURCE % b"") is None
