"""Merging two versions of a module."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_retcon.allium.language import is_error, parse
from git_retcon.allium.store.three_way import ask_about, merge_modules, merge_orders

HEAD = "-- allium: 3\n-- Orders.\n"
ORDER = "entity Order {\n    total: Integer\n    paid: Boolean\n}\n"


def spec(*parts: str) -> bytes:
    return "\n".join([HEAD, *parts]).encode()


BASE = spec(ORDER, "enum State { open | paid }\n")


def test_what_one_side_changed_is_taken() -> None:
    theirs = BASE.replace(b"open | paid", b"open | paid | shipped")
    assert merge_modules(BASE, BASE, theirs).content == theirs
    assert merge_modules(BASE, theirs, BASE).content == theirs
    assert merge_modules(BASE, theirs, theirs).content == theirs


def test_what_both_added_is_there_once_each() -> None:
    ours = BASE + b"\nentity Mine {\n}\n\nvalue Both {\n    a: Integer\n}\n"
    theirs = BASE + b"\nentity Theirs {\n}\n\nvalue Both {\n    a: Integer\n}\n"
    merged = merge_modules(BASE, ours, theirs)
    assert not merged.conflicts
    assert [line for line in merged.content.decode().splitlines() if "{" in line] == [
        "entity Order {",
        "enum State { open | paid }",
        "entity Mine {",
        "entity Theirs {",
        "value Both {",
    ]


def test_fields_of_one_entity_are_merged_by_name() -> None:
    ours = BASE.replace(b"    paid: Boolean\n", b"    paid: Boolean\n    note: String -- ours\n")
    theirs = BASE.replace(b"total: Integer", b"total: Decimal").replace(
        b"    paid: Boolean\n", b"    paid: Boolean\n    due: Timestamp\n"
    )
    merged = merge_modules(BASE, ours, theirs)
    assert not merged.conflicts
    assert (
        "entity Order {\n    total: Decimal\n    paid: Boolean\n    note: String -- ours\n"
        "    due: Timestamp\n}\n"
    ) in merged.content.decode()


def test_one_field_changed_in_two_ways_is_a_conflict_and_ours_stays() -> None:
    ours = BASE.replace(b"total: Integer", b"total: Decimal")
    theirs = BASE.replace(b"total: Integer", b"total: String")
    merged = merge_modules(BASE, ours, theirs)
    assert merged.content == ours
    assert [conflict.title for conflict in merged.conflicts] == ["entity Order"]
    (question,) = ask_about(merged.conflicts, ("main", "topic"))
    assert question.text == (
        b'open question "entity Order: main and topic changed it each in its way; '
        b'the version of main stays. Which one is right?"'
    )


def test_what_one_side_removed_and_the_other_changed_stays() -> None:
    gone = spec("enum State { open | paid }\n")
    changed = BASE.replace(b"total: Integer", b"total: Decimal")
    for ours, theirs in ((gone, changed), (changed, gone)):
        merged = merge_modules(BASE, ours, theirs)
        assert b"total: Decimal" in merged.content
        assert len(merged.conflicts) == 1
    assert merge_modules(BASE, gone, BASE).content == gone
    assert b"entity" not in merge_modules(BASE, BASE, gone).content


def test_two_sides_with_nothing_in_common() -> None:
    merged = merge_modules(b"", spec(ORDER), spec("entity Other {\n}\n"))
    assert not merged.conflicts
    assert b"entity Order" in merged.content
    assert b"entity Other" in merged.content


names = st.lists(st.sampled_from("abcdef"), unique=True)


@given(names, names)
def test_an_order_holds_both_and_keeps_ours(ours: list[str], theirs: list[str]) -> None:
    order = merge_orders(ours, theirs)
    assert sorted(order) == sorted({*ours, *theirs})
    assert [each for each in order if each in ours] == ours


fields = st.dictionaries(st.sampled_from("uvwxyz"), st.sampled_from(["Integer", "String"]))
entities = st.dictionaries(st.sampled_from(["One", "Two", "Three"]), fields)


def write(found: dict[str, dict[str, str]]) -> bytes:
    return spec(
        *(
            f"entity {name} {{\n"
            + "".join(f"    {field}: {kind}\n" for field, kind in each.items())
            + "}\n"
            for name, each in found.items()
        )
    )


@pytest.mark.slow
@given(entities, entities, entities)
def test_any_merge_can_be_read_and_keeps_what_nobody_disputes(
    base: dict[str, dict[str, str]],
    ours: dict[str, dict[str, str]],
    theirs: dict[str, dict[str, str]],
) -> None:
    one, two, three = write(base), write(ours), write(theirs)
    merged = merge_modules(one, two, three)
    assert not any(map(is_error, parse(merged.content).diagnostics))
    assert merge_modules(one, one, three).content == three
    other = merge_modules(one, three, two)
    assert {each.title for each in other.conflicts} == {each.title for each in merged.conflicts}
