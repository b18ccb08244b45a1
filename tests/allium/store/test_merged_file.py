"""Three versions of a file become one, with markers where they contradict each other."""

from git_retcon.allium.store.merged_file import Markers, merge_files

HEAD = b"-- allium: 3\n-- Shop.\n\n"


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
