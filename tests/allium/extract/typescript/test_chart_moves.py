"""What charts of states do to fields."""

from collections.abc import Mapping

import pytest

from git_retcon.allium.extract.python.machines.machine_moves import list_edges
from git_retcon.allium.extract.typescript.chart_moves import ChartField, list_chart_fields
from git_retcon.allium.extract.typescript.state_charts import ChartState, Service, Step


def make(path: str, *inner: ChartState, **parts: object) -> ChartState:
    names = tuple(path.split("/")) if path else ()
    known: Mapping[str, ChartState] = {each.path[-1]: each for each in inner}
    return ChartState(names, inner=known)._replace(**parts)  # type: ignore[arg-type]


def on(**events: str) -> dict[str, tuple[Step, ...]]:
    return {name: (Step(target),) for name, target in events.items()}


def read(*inner: ChartState, **parts: object) -> ChartField:
    [field] = list_chart_fields(make("", *inner, **parts))
    return field


def list_ways(field: ChartField) -> list[str]:
    moves = [*field.moves, *field.unasked]
    return [f"{each.source} -> {each.target}" for each in list_edges(moves)]


A_OFF = make("off", events=on(PRESS="on"))


def test_a_state_is_entered_where_it_begins() -> None:
    dim, bright = make("on/dim", events=on(MORE="bright")), make("on/bright")
    lit = make("on", dim, bright, initial="dim", events=on(PRESS="off", AGAIN=".bright"))
    found = read(A_OFF, lit)
    assert found.values == ("off", "on_dim", "on_bright")
    assert list_ways(found) == [
        "off -> on_dim", "on_dim -> on_bright", "on_dim -> off", "on_bright -> off",
    ]  # fmt: skip
    assert found.symbols == {"Press": "PRESS", "More": "MORE", "Again": "AGAIN"}
    assert list_ways(read(A_OFF, lit._replace(initial=None))) == list_ways(found)[1:]


def test_targets_are_found_by_their_names_and_places() -> None:
    for target in ("#lamp.on.dim", "#low", "on.dim", ".x", "#lamp.none", "none", "dim"):
        dim = make("on/dim", id="low")
        lit = make("on", dim, make("on/bright"), initial="bright")
        found = read(make("off", events=on(PRESS=target)), lit, id="lamp")
        is_known = target in ("#lamp.on.dim", "#low", "on.dim")
        assert list_ways(found) == (["off -> on_dim"] if is_known else [])
        assert found.doubtful == (frozenset() if is_known else {"off"})


def test_the_innermost_state_answers_first() -> None:
    lit = make("on", events={"PRESS": (Step("off", "isLate"),)})
    root = on(PRESS="gone", **{"*": "gone"})
    found = read(A_OFF, lit, make("gone", kind="final"), events=root)
    assert list_ways(found) == ["off -> on", "on -> off", "on -> gone", "off -> gone"]
    assert found.guards == {}
    alone = read(A_OFF, lit)
    assert alone.guards == {"Press": {"on": "isLate"}}


def list_sources(field: ChartField, method: str) -> list[str]:
    return [source for each in field.moves if each.method == method for source in each.sources]


def test_an_event_is_taken_as_any_where_that_leads_away() -> None:
    lit = make("on", events={"*": (Step("off"),)})
    only_notes = make("gone", events={"*": (Step(""),)})
    found = read(A_OFF, lit, only_notes)
    assert list_sources(found, "Press") == ["off", "on"]
    assert list_ways(found) == ["off -> on", "on -> off"]


def test_an_event_that_only_any_takes_is_asked_of_those_of_its_kind() -> None:
    lit = make("on", events={"key.*": (Step("off"),)})
    found = read(make("off", events={"key.up": (Step("on"),), "touch": (Step("on"),)}), lit)
    assert list_sources(found, "KeyUp") == ["off", "on"]
    assert list_sources(found, "Touch") == ["off"]


def test_an_event_that_is_kept_from_others_does_nothing() -> None:
    kept = Step("", is_idle=True)
    lit, gone = make("on", events={"PRESS": (kept,)}), make("gone", events={"PRESS": (Step(""),)})
    found = read(A_OFF, lit, gone, events={"*": (Step("off"),), **on(PRESS="off")})
    assert list_sources(found, "Press") == ["off", "gone"]
    assert list_ways(found) == ["off -> on", "on -> off", "gone -> off"]


def make_doors(**parts: object) -> ChartState:
    """Two doors at once, of which only the second takes ``RING``."""
    front = [make("front/shut"), make("front/open", events=on(SHUT="shut"))]
    back = [make("back/shut", events=on(RING="open")), make("back/open")]
    doors = [make("front", *front, initial="shut"), make("back", *back, initial="shut")]
    return make("", *doors, kind="parallel", **parts)


def test_what_leads_into_one_of_the_states_that_are_at_once_moves_that_one() -> None:
    front, back = list_chart_fields(make_doors(events=on(PUSH=".front.open")))
    assert list_ways(front) == ["shut -> open", "open -> shut"]
    assert list_sources(front, "Push") == ["shut", "open"]
    # The others stay as they are, or begin anew.
    assert list_sources(back, "Push") == []
    assert "Push" in [each.method for each in back.moves]


@pytest.mark.parametrize(
    "parts",
    [
        {"events": on(RING=".front.open")},  # the other may take it first
        {"events": on(PUSH="front.other")},
        {"always": (Step(".front.open"),)},
        {"delayed": ((Step(".front.open"),),)},
    ],
)
def test_what_others_may_take_first_moves_nothing_for_certain(parts: dict[str, object]) -> None:
    front, _ = list_chart_fields(make_doors(**parts))
    assert "shut -> open" not in list_ways(front)


def test_what_is_left_at_once_meets_no_event() -> None:
    ready = make("ready", always=(Step("off"),), events=on(WAIT="gone"))
    found = read(A_OFF, ready, make("on"), make("gone"), events=on(STOP="gone"))
    assert "ready -> off" in list_ways(found)
    assert "ready -> gone" not in list_ways(found)
    assert found.kept == {"off", "on", "gone"}


def test_what_only_acts_at_once_stays_for_events() -> None:
    ready = make("ready", always=(Step(""),), events=on(WAIT="gone"))
    assert list_ways(read(ready, make("gone"))) == ["ready -> gone"]


def test_what_is_over_inside_goes_on_outside() -> None:
    inner = [make("pay/ask", events=on(PAY="paid")), make("pay/paid", kind="final")]
    found = read(make("pay", *inner, initial="ask", done=(Step("sent"),)), make("sent"))
    assert list_ways(found) == ["pay_ask -> pay_paid", "pay_paid -> sent"]


def test_a_history_leads_back_to_any() -> None:
    on_ = make("on", make("on/dim"), make("on/bright"), make("on/last", kind="history"))
    found = read(make("off", events=on(PRESS="on.last")), on_)
    assert found.values == ("off", "on_dim", "on_bright")
    assert list_ways(found) == ["off -> on_dim", "off -> on_bright"]


def test_a_state_with_parts_at_once_is_one() -> None:
    parts = [
        make("run/a", make("run/a/x", events=on(TICK="y", STOP="#off")), make("run/a/y")),
        make("run/b", make("run/b/x")),
    ]
    run = make("run", *parts, kind="parallel")
    found = read(make("off", id="off", events=on(GO="run.b.x")), run)
    assert found.values == ("off", "run")
    assert list_ways(found) == ["off -> run", "run -> off"]
    assert found.guards["Stop"] == {"run": "a condition of its own"}
    assert {each.method for each in found.moves} == {"Go", "Stop"}


def test_events_that_read_alike_are_none() -> None:
    found = read(make("off", events=on(GO_ON="on", goOn="on")), make("on"))
    assert found.moves == ()
    assert list_ways(found) == ["off -> on"]


def test_an_event_may_have_the_name_of_an_end() -> None:
    found = read(make("off", events=on(onError="on")), make("on"))
    assert [each.method for each in found.moves] == ["OnError"]


def test_services_and_delays_move_too() -> None:
    load = make("load", services=(Service("onDone.get", (Step("on"),)),), delayed=((Step("off"),),))
    found = read(load, A_OFF, make("on"))
    assert [each.method for each in found.moves if each.sources == ("load",)] == ["GetDone"]
    assert "load -> off" in list_ways(found)


def test_names_of_states_are_plain() -> None:
    found = read(make("timeout"), make("2fa"), make("New Game"), make("LOGGED_IN"))
    assert found.values == ("timeout_", "_2fa", "new_game", "logged_in")
    assert not list_chart_fields(make("", make("a b"), make("a_b")))
    assert not list_chart_fields(make("", make("a")))
