"""What becomes of elements that two sides changed, and of their order."""

from hypothesis import given
from hypothesis import strategies as st

from git_retcon.allium.store.merge_choice import (
    Choice,
    Conflict,
    Versions,
    choose_side,
    merge_lists,
    merge_orders,
)

names = st.lists(st.sampled_from("abcdef"), unique=True)


@given(names, names)
def test_an_order_holds_both_and_keeps_ours(ours: list[str], theirs: list[str]) -> None:
    order = merge_orders(ours, theirs)
    assert sorted(order) == sorted({*ours, *theirs})
    assert [each for each in order if each in ours] == ours


@given(names, names, names)
def test_a_list_has_what_a_side_added_and_lacks_what_one_took_out(
    base: list[str], ours: list[str], theirs: list[str]
) -> None:
    merged = merge_lists(base, ours, theirs)
    added = {*ours, *theirs} - {*base}
    kept = {*base} & {*ours} & {*theirs}
    assert sorted(merged) == sorted(added | kept)
    assert merge_lists(base, ours, base) == ours


def test_the_version_that_was_changed_is_kept_rather_than_the_removal() -> None:
    assert choose_side(Versions(b"a", None, b"b")) == Choice(b"b", is_conflict=True)
    assert choose_side(Versions(b"a", b"b", None)) == Choice(b"b", is_conflict=True)
    assert choose_side(Versions(b"a", None, b"a")) == Choice(None, is_conflict=False)


def test_a_conflict_is_named_as_far_as_it_goes() -> None:
    conflict = Conflict("config", "", b"a", b"b", b"c")
    assert conflict.title == "config"
    assert conflict._replace(item="field n").title == "config: field n"
