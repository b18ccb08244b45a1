"""Three versions of a file become one, with markers where they contradict each other."""

import pytest
from hypothesis import given

from git_retcon.allium.store.merged_file import Markers, merge_files
from git_retcon.allium.store.spec_errors import list_errors
from tests.allium.store.test_declaration_merge import declarations

HEAD = b"-- allium: 3\n-- Shop.\n\n"
KEPT = b"value Kept {\n    n: Integer\n}\n"


def entity(type_: str) -> bytes:
    return HEAD + f"entity Order {{\n    total: {type_}\n}}\n".encode()


def test_markers_are_as_long_as_git_asks_and_show_the_base_where_the_user_wants_it() -> None:
    merged = merge_files(entity("A"), entity("B"), entity("C"), Markers(9, has_base=True))
    assert merged is not None
    assert merged.conflicts == ("entity Order: field total",)
    marks = [line for line in merged.content.split(b"\n") if line[:1] in b"<|=>" and line]
    assert marks == [b"<<<<<<<<< ours", b"||||||||| base", b"=========", b">>>>>>>>> theirs"]


def test_a_removal_beside_a_change_is_a_conflict_with_an_empty_side() -> None:
    merged = merge_files(entity("A"), HEAD, entity("C"), Markers())
    assert merged is not None
    assert b"<<<<<<< ours\n=======\nentity Order" in merged.content


def test_the_comments_at_the_top_are_merged_too() -> None:
    theirs = entity("A").replace(b"-- Shop.", b"-- Our shop.")
    merged = merge_files(entity("A"), entity("B"), theirs, Markers())
    assert merged is not None
    assert merged.content == entity("B").replace(b"-- Shop.", b"-- Our shop.")
    ours = entity("A").replace(b"-- Shop.", b"-- My shop.")
    assert merge_files(entity("A"), ours, theirs, Markers()) is None


def test_what_does_not_parse_is_left_to_a_merge_of_lines() -> None:
    assert merge_files(entity("A"), entity("B"), HEAD + b"entity {", Markers()) is None


@pytest.mark.parametrize(
    ("base", "ours", "theirs", "title", "marked"),
    [
        ("", "entity Foo {\n    n: Integer\n}\n", "value Foo {\n    n: Integer\n}\n", "value Foo",
         "<<<<<<< ours\n=======\nvalue Foo {\n    n: Integer\n}\n>>>>>>> theirs\n"),
        ("", 'use "./one.allium" as b\n', 'use "./two.allium" as b\n', "use ./two.allium",
         '<<<<<<< ours\n=======\nuse "./two.allium" as b\n>>>>>>> theirs\n'),
    ],
)  # fmt: skip
def test_declarations_that_are_right_apart_and_wrong_together_are_a_conflict(
    base: str, ours: str, theirs: str, title: str, marked: str
) -> None:
    one, two, three = (
        HEAD + (each + "\n" if each else "").encode() + KEPT for each in (base, ours, theirs)
    )
    merged = merge_files(one, two, three, Markers())
    assert merged is not None
    assert merged.conflicts == (title,)
    assert marked in merged.content.decode()


@pytest.mark.slow
@given(*[declarations()] * 3)
def test_a_clean_merge_has_no_error_that_neither_side_had(
    base: bytes, ours: bytes, theirs: bytes
) -> None:
    merged = merge_files(base, ours, theirs, Markers())
    if merged is not None and not merged.conflicts:
        assert list_errors(merged.content) <= list_errors(ours) | list_errors(theirs)


def test_an_error_that_a_side_has_already_is_no_conflict() -> None:
    wrong = HEAD + b"entity A {\n    total: Integer\n}\n\nvalue A {\n    n: Integer\n}\n"
    assert list_errors(wrong)
    ours = wrong.replace(b"total", b"amount")
    merged = merge_files(wrong, ours, wrong + b"\n" + KEPT, Markers())
    assert merged is not None
    assert merged.conflicts == ()


def test_line_ends_stay_as_they_are() -> None:
    base, ours, theirs = (
        each.replace(b"\n", b"\r\n")
        for each in (entity("A"), entity("B"), entity("A") + b"\n" + KEPT)
    )
    merged = merge_files(base, ours, theirs, Markers())
    assert merged is not None
    assert merged.content == (entity("B") + b"\n" + KEPT).replace(b"\n", b"\r\n")
    # Where one side changed them, they are changed everywhere, markers included.
    merged = merge_files(entity("A"), entity("B"), entity("C").replace(b"\n", b"\r\n"), Markers())
    assert merged is not None
    assert b"=======\r\n" in merged.content
    assert merged.content.count(b"\n") == merged.content.count(b"\r\n")
