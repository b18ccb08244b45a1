"""A prompt holds of the master what concerns its modules; an answer to it loses nothing else."""

from hypothesis import given
from hypothesis import strategies as st

from git_retcon.allium.store.module_text import cut_module, join_module
from git_retcon.allium.store.shown_master import restore_master, shorten_master
from git_retcon.model.token_count import count_tokens

HEAD = b"-- allium: 3\n-- What it does."
MONEY = b"value Money {\n    amount: Decimal\n}"


def make_master(size: int) -> bytes:
    """A line for each module, and an entity that relates each to the one before."""
    uses = [b'use "./m%d.allium" as m%d' % (n, n) for n in range(size)]
    relations = [
        b"entity Link%d {\n    one: m%d/A\n    two: m%d/A\n}" % (n, n, n - 1)
        for n in range(1, size)
    ]
    return join_module(HEAD, [*uses, MONEY, *relations])


def test_what_is_shown_follows_the_modules_and_not_their_number() -> None:
    sizes = {count_tokens(shorten_master(make_master(n), [b"m3.allium"])) for n in (10, 300)}
    assert max(sizes) - min(sizes) <= 1
    shown = shorten_master(make_master(10), [b"m3.allium"]).decode()
    assert "-- This leaves out 14 declarations about modules that are not shown" in shown
    assert [line for line in shown.splitlines() if line.startswith(("use", "entity", "value"))] == [
        'use "./m2.allium" as m2', 'use "./m3.allium" as m3', 'use "./m4.allium" as m4',
        "value Money {", "entity Link3 {", "entity Link4 {",
    ]  # fmt: skip


def test_a_master_that_concerns_no_other_module_is_shown_as_it_is() -> None:
    master = make_master(2)
    assert shorten_master(master, [b"m0.allium", b"m1.allium"]) == master


@given(st.sets(st.integers(0, 5)))
def test_the_answer_gets_back_what_was_left_out(shown: set[int]) -> None:
    master = make_master(6)
    modules = [b"m%d.allium" % n for n in shown]
    seen = shorten_master(master, modules)
    assert restore_master(master, modules, seen) == master
    changed = seen.replace(b"amount: Decimal", b"amount: Integer") + b"\nenum New { a }\n"
    after = restore_master(master, modules, changed)
    titles = {each.key for each in cut_module(after).declarations}
    assert titles == {each.key for each in cut_module(master).declarations} | {("enum", "New", 0)}
    assert b"amount: Integer" in after
    assert b"leaves out" not in after


def test_what_an_answer_removes_of_what_it_saw_is_gone() -> None:
    seen = shorten_master(make_master(6), [b"m3.allium"])
    after = restore_master(make_master(6), [b"m3.allium"], seen.replace(MONEY + b"\n\n", b""))
    assert b"Money" not in after
    assert b"Link1" in after


def test_a_broken_answer_stays_as_the_model_wrote_it() -> None:
    broken = b"-- allium: 3\nentity {{{\n"
    assert restore_master(make_master(6), [b"m3.allium"], broken) == broken
