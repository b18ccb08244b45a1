"""Numbers in an object that a class gives its own field are states of other fields."""

import pytest

from git_retcon.allium.extract.typescript.reader import is_available
from tests.allium.extract.declared import declare

pytestmark = pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")

FIELDS = "private STATE: Names; private _state: number; private count: number;\n"
CONTROLS = """
class Controls extends Dispatcher {
    FIELDS
    constructor(object: Camera) {
        super();
        this.STATE = { NONE: -1, ROTATE: 0, ZOOM_IN: 1 };
        this._state = this.STATE.NONE;
    }
    press(event: Event): void {
        if (this._state !== this.STATE.NONE) return;
        this._state = this.STATE.ROTATE;
    }
    spread(): void {
        if (this._state !== this.STATE.ROTATE) return;
        this._state = this.STATE.ZOOM_IN;
    }
    private release = (event: Event): void => { this._state = this.STATE.NONE; };
    take(event: Event): void { this._state = event.button; }
}
"""
EDGES = ["none -> rotate", "rotate -> none", "rotate -> zoom_in", "zoom_in -> none"]


def list_edges(source: str, path: str = "net/controls.ts") -> list[str]:
    told = declare({path: source})
    return [line.strip() for line in told.split("\n") if "->" in line]


def test_members_of_an_own_object_are_states() -> None:
    source = CONTROLS.replace("FIELDS", FIELDS)
    assert list_edges(source) == EDGES
    declared = source.replace("this.STATE = {", "const other = {")
    declared = declared.replace(FIELDS, f"{FIELDS}STATE = {{ NONE: -1, ROTATE: 0, ZOOM_IN: 1 }};\n")
    assert list_edges(declared) == EDGES


def test_fields_of_javascript_are_made_by_the_constructor() -> None:
    source = CONTROLS.replace("FIELDS", "").replace("private ", "").replace(": Camera", "")
    source = source.replace(": Event", "").replace(": void", "")
    assert list_edges(source, "net/controls.js") == EDGES


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("ZOOM_IN: 1", "ZOOM_IN: 0"),
        ("take(event: Event): void {", "take(event: Event): void { this.STATE.NONE = 7;"),
        ("take(event: Event): void {", "take(event: Event): void { this.STATE = event.states;"),
        ("this._state = this.STATE.NONE;\n    }", "this.count = this.STATE.NONE;\n    }"),
        ("this.STATE.ZOOM_IN", "this.STATE.TURN"),
    ],
)
def test_what_may_be_another_value_is_no_state(old: str, new: str) -> None:
    assert old in CONTROLS
    assert list_edges(CONTROLS.replace("FIELDS", FIELDS).replace(old, new)) == []


SOURCE = """
class Source {
  private ERROR = -1;
  static OPEN = 1;
  static CLOSED = 2;
  private status: number;
  constructor() { this.status = Source.OPEN; }
  fail() { if (this.status === Source.OPEN) { this.status = this.ERROR; } }
  open() { if (this.status === this.ERROR) { this.status = Source.OPEN; } }
  close() { if (this.status !== Source.CLOSED) { this.status = Source.CLOSED; } }
}
"""
STATUSES = ["error -> open", "error -> closed", "open -> error", "open -> closed"]


def test_a_constant_that_each_object_has_is_a_state_beside_those_of_its_class() -> None:
    assert sorted(list_edges(SOURCE)) == sorted(STATUSES)
    made = SOURCE.replace("  private ERROR = -1;\n  static", "  static")
    made = made.replace("private status: number;", "")
    made = made.replace("constructor() {", "constructor() { this.ERROR = -1;")
    assert sorted(list_edges(made, "net/source.js")) == sorted(STATUSES)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("ERROR = -1", "ERROR = 2"),
        ("ERROR = -1", "ERROR = makeCode()"),
        ("private ERROR", "private static ERROR"),
        ("fail() {", "fail() { this.ERROR = 7;"),
        ("open() {", "open() { this.status = this.ERRORS;"),
    ],
)
def test_what_an_object_may_change_is_no_state(old: str, new: str) -> None:
    assert old in SOURCE
    assert list_edges(SOURCE.replace(old, new)) == []
