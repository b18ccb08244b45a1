"""What comes between two equal closing lines is whole blocks."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from git_retcon.git.atoms import Hunk, Span
from git_retcon.git.block_ends import keep_block_ends
from git_retcon.git.lines import diff_lines, split_lines

BEFORE = "class A {\n    one() {\n        first();\n    }\n}\n"
AFTER = (
    "class A {\n    one() {\n        first();\n        more();\n    }\n"
    "\n    two() {\n        second();\n    }\n}\n"
)


def found(before: str, after: str) -> list[tuple[bytes, bytes]]:
    """What each hunk removes and adds."""
    old, new = split_lines(before.encode()), split_lines(after.encode())
    return [
        (
            b"".join(old[hunk.old.start : hunk.old.stop]),
            b"".join(new[hunk.new.start : hunk.new.stop]),
        )
        for hunk in keep_block_ends(old, new, diff_lines(old, new))
    ]


def test_a_longer_method_and_a_new_one_are_two_changes() -> None:
    more, two = b"        more();\n", b"\n    two() {\n        second();\n    }\n"
    assert found(BEFORE, AFTER) == [(b"", more), (b"", two)]
    assert found(AFTER, BEFORE) == [(more, b""), (two, b"")]


def test_a_changed_method_and_a_new_one_are_two_changes() -> None:
    changed = AFTER.replace("first", "primary").replace("        more();\n", "")
    assert found(BEFORE, changed) == [
        (b"        first();\n", b"        primary();\n"),
        (b"", b"\n    two() {\n        second();\n    }\n"),
    ]


@pytest.mark.parametrize(
    "after",
    [
        BEFORE.replace("first();", "first();\n        if (x) {\n        }"),
        BEFORE.replace("    }\n}", "    }\n    }\n}"),
    ],
)
def test_what_is_no_block_by_itself_is_left(after: str) -> None:
    assert len(found(BEFORE, after)) == 1


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("}\n", " x {\n}\nb\n}\n"),  # the rest, "b }", would close what it does not open
        ("x\nend\n", "x\ny\nend\nend\n"),  # the rest would be the closing line alone
    ],
)
def test_a_rest_that_is_no_block_is_left_where_it_is(before: str, after: str) -> None:
    assert len(found(before, after)) == 1


texts = st.lists(
    st.sampled_from(["}\n", "{\n", " }\n", " {\n", "a\n", "b\n", "\n", "end\n"]), max_size=14
).map("".join)


@settings(max_examples=300)
@given(texts, texts)
def test_it_is_still_the_same_difference(before: str, after: str) -> None:
    old, new = split_lines(before.encode()), split_lines(after.encode())
    made: list[bytes] = []
    last = Hunk(Span(0, 0), Span(0, 0))
    for hunk in keep_block_ends(old, new, diff_lines(old, new)):
        assert old[last.old.stop : hunk.old.start] == new[last.new.stop : hunk.new.start]
        assert len(hunk.old) or len(hunk.new)
        made += old[last.old.stop : hunk.old.start]
        made += new[hunk.new.start : hunk.new.stop]
        last = hunk
    assert [*made, *old[last.old.stop :]] == list(new)
