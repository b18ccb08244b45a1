"""Parts of a pattern are matched in time linear in the name."""

from git_retcon.heal.workflows.glob_parts import (
    ANYTHING,
    FOLDERS,
    GlobPart,
    find_literal,
    is_no_slash,
    matches_name,
    take_one,
)


def test_a_name_is_taken_whole() -> None:
    parts = [take_one("a"), take_one("b")]
    assert matches_name(parts, "ab")
    assert not any(matches_name(parts, name) for name in ("", "a", "abc", "xab", "ba"))


def test_folders_are_none_one_or_many() -> None:
    parts = [*FOLDERS, take_one("a")]
    assert all(matches_name(parts, name) for name in ("a", "x/a", "x/y/a"))
    assert not any(matches_name(parts, name) for name in ("xa", "x/ya", "a/", "x/"))


def test_what_repeats_may_stop_where_its_jump_leads() -> None:
    segment = GlobPart(is_no_slash, repeats=True, jumps=(1,))
    assert matches_name([segment, take_one("/"), ANYTHING], "ab/c/d")
    assert matches_name([segment, take_one("/"), ANYTHING], "/")
    assert not matches_name([segment], "a/b")


def test_a_hostile_pattern_costs_no_more_than_its_length() -> None:
    parts = [ANYTHING, take_one("a")] * 80
    assert not matches_name(parts, "a" * 150 + "b")


def test_the_literal_is_the_longest_that_every_name_has() -> None:
    parts = [*map(take_one, "src"), ANYTHING, *map(take_one, ".py")]
    assert find_literal([*parts, *map(take_one, "x")]) == ".pyx"
    assert find_literal([ANYTHING]) == ""
