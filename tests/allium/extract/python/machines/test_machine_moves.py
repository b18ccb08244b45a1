"""What triggers of a machine demand and do."""

from git_retcon.allium.extract.python.machines.machine_moves import (
    ANY,
    OTHER,
    Move,
    list_edges,
    make_rules,
    name_states,
)
from git_retcon.allium.extract.source_facts import STRING, Edge, Evidence, Field, Shape

PLACE = Evidence(b"a.py", "Lamp")


def tell(*moves: Move) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    field, shape = Field("state", STRING, "state"), Shape("entity", "Lamp", (PLACE,))
    return [(each.requires, each.ensures) for each in make_rules(moves, field, shape, PLACE)]


def test_moves_of_one_trigger_are_one_rule() -> None:
    assert tell(Move("press", ("off",), ("on",)), Move("press", ("dim",), ("on",))) == [
        (("lamp.state in {off, dim}",), ("lamp.state = on",))
    ]
    assert len(tell(Move("press", ("off",), ("on",)), Move("drop", ("off",), ("on",)))) == 2


def test_a_state_with_two_ends_leads_to_one_of_them() -> None:
    assert tell(Move("press", ("off",), ("on",)), Move("press", ("off",), ("gone",))) == [
        (("lamp.state = off",), ("lamp.state in {on, gone}",))
    ]


def test_what_may_stay_as_it_is_promises_nothing() -> None:
    assert tell(Move("press", ("off",), ("on",)), Move("press", ("off",), ())) == [
        (("lamp.state = off",), ())
    ]
    assert tell(Move("press", (ANY,), ())) == []
    assert tell(Move("press", (ANY,), ("on",)), Move("press", (ANY,), ())) == []


def test_a_state_that_all_lead_to_may_stay_as_it_is() -> None:
    assert tell(Move("press", ("off",), ("on",)), Move("press", ("on",), ())) == [
        (("lamp.state in {off, on}",), ("lamp.state = on",))
    ]


def test_any_state_demands_nothing_and_any_other_the_others() -> None:
    assert tell(Move("drop", (ANY,), ("gone",))) == [((), ("lamp.state = gone",))]
    assert tell(Move("drop", (OTHER,), ("gone",))) == [
        (("lamp.state != gone",), ("lamp.state = gone",))
    ]


def test_transitions_are_told_once_and_none_to_itself() -> None:
    moves = [Move("a", ("off", "on"), ("on",), ("gone",)), Move("b", (OTHER,), ("on",))]
    assert list_edges(moves) == (
        Edge("off", "on"), Edge("off", "gone"), Edge("on", "gone"), Edge("*", "on"),
    )  # fmt: skip


def test_states_have_names_that_are_apart() -> None:
    assert [each.name for each in name_states(["At Work", "over"])] == ["at_work", "over"]
    assert name_states(["a", "a"]) == ()
