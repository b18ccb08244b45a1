"""Charts of states as XState has them, with what their states do."""

import pytest

from git_retcon.allium.extract.grammar.syntax_nodes import parse_source
from git_retcon.allium.extract.typescript.plain_objects import PlainObjects
from git_retcon.allium.extract.typescript.reader import is_available
from git_retcon.allium.extract.typescript.state_charts import (
    ChartState,
    Service,
    Step,
    list_states,
    read_chart,
)

pytestmark = pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")


def read(text: str) -> ChartState | None:
    root = parse_source("tree_sitter_typescript", f"({text});".encode(), "language_typescript")
    assert root is not None
    return read_chart(root.named_children[0].named_children[0], PlainObjects([], ()))


def read_state(text: str) -> ChartState:
    found = read(f"{{ states: {{ one: {text} }} }}")
    assert found is not None
    return found.inner["one"]


def test_events_lead_to_targets_under_guards() -> None:
    found = read_state(
        "{ on: { A: 'two', B: { target: '.x', cond: 'isFit' }, C: { actions: 'f' }, D: undefined, "
        "E: [{ target: 'two', guard: { type: 'isFit' } }, { target: ['two'], guard: () => 1 }], "
        "F: pick(), G: { target: pick() }, H: { guard: 'isFit' } } }"
    )
    assert found.events == {
        "A": (Step("two"),), "B": (Step(".x", "isFit"),), "C": (Step(""),),
        "D": (Step("", is_idle=True),),
        "E": (Step("two", "isFit"), Step("two", "")), "F": (Step(None),), "G": (Step(None),),
        "H": (Step("", "isFit", is_idle=True),),
    }  # fmt: skip
    assert not found.is_open


def test_what_happens_without_an_event_is_apart() -> None:
    found = read_state(
        "{ always: 'two', on: { '': { target: 'three', in: 'x' } }, after: { 10: 'four' }, "
        "onDone: 'five', invoke: [{ src: 'load', onDone: 'six' }, { src: f, onError: 'seven' }, "
        "{ id: 'watch', src: () => f(), onDone: 'eight', onSnapshot: 'nine' }] }"
    )
    assert found.always == (Step("two"), Step("three", ""))
    assert found.delayed == ((Step("four"),),)
    assert found.done == (Step("five"),)
    assert found.events == {}
    assert found.services == (
        Service("onDone.load", (Step("six"),)), Service("onError.f", (Step("seven"),)),
        Service("onDone.watch", (Step("eight"),)), Service("", (Step("nine"),)),
    )  # fmt: skip


def test_states_are_in_states_and_have_kinds() -> None:
    found = read(
        "{ id: 'm', states: { a: { initial: 'b', states: { b: { type: 'final', id: 'end' }, "
        "h: { type: 'history', history: 'deep' } } } } }"
    )
    assert found is not None
    assert [(each.path, each.kind, each.id) for each in list_states(found)] == [
        ((), "", "m"), (("a",), "", ""), (("a", "b"), "final", "end"),
        (("a", "h"), "deep history", ""),
    ]  # fmt: skip
    assert found.inner["a"].initial == "b"


@pytest.mark.parametrize(
    "text",
    ["{ ...x }", "{ on: f }", "{ on: { [f()]: 'a' } }", "{ states: f }", "{ invoke: f }",
     "{ after: f }"],
)  # fmt: skip
def test_what_cannot_be_read_leaves_a_state_open(text: str) -> None:
    assert read_state(text).is_open


def test_a_chart_whose_states_are_not_all_known_is_none() -> None:
    for text in ("{ initial: 'a' }", "{ states: f }", "{ states: { a: {}, ...f } }", "f"):
        assert read(text) is None
