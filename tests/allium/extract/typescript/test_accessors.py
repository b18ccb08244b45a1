"""Accessors of TypeScript that give a field another name."""

import pytest

from git_retcon.allium.extract.typescript.reader import is_available
from tests.allium.extract.declared import declare

pytestmark = pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")

CLIENT = """
export enum State { Idle = 'idle', Open = 'open', Closed = 'closed' }
export class Client {
  private _state: State = State.Idle;
  get state() { return this._state; }
  private set state(value: State) {
    SETTER
  }
  connect() {
    if (this.state !== State.Idle) throw new Error('late');
    this.state = State.Open;
  }
  close = () => { this.state = State.Closed; };
}
"""


@pytest.mark.parametrize(
    "setter",
    [
        "this._state = value; this.emit('state', value);",
        "if (value === this._state) return; const old = this._state; this._state = value;",
        "if (this._state !== value) { this._state = value; }",
    ],
)
def test_what_sets_the_accessor_sets_the_field(setter: str) -> None:
    found = declare({"net/client.ts": CLIENT.replace("SETTER", setter)})
    assert "requires: client.state = idle\n    ensures: client.state = open" in found
    assert "open -> closed" in found


@pytest.mark.parametrize(
    "setter",
    [
        "if (this.locked) { this.late(); } else { if (!value) { return; } this._state = value; }",
        "this._state = compute(value);",
    ],
)
def test_a_setter_that_may_do_something_else_is_no_other_name(setter: str) -> None:
    found = declare({"net/client.ts": CLIENT.replace("SETTER", setter)})
    assert "idle -> open" not in found


def test_a_setter_for_all_lets_no_state_be_the_last() -> None:
    text = CLIENT.replace("SETTER", "this._state = value;")
    assert "terminal" in declare({"net/client.ts": text})
    assert "terminal" not in declare({"net/client.ts": text.replace("private set", "set")})


def test_services_set_the_field_of_a_class_by_its_own_accessor_alone() -> None:
    """An object of another class may have something else under that name."""
    text = CLIENT.replace("SETTER", "this._state = value;").replace(
        "close = () => {", "close = () => { this.other.state = State.Idle;"
    )
    assert "open -> closed" in declare({"net/client.ts": text})


BASE = """
export enum State { Stopped, Idle, Loading }
export default class BaseLoader {
  protected _state: State = State.Stopped;
  set state(next: State) {
    if (next !== this._state) { this._state = next; }
  }
  get state(): State { return this._state; }
  stop() { this.state = State.Stopped; }
}
"""
HEIR = """
import BaseLoader, { State } from './base';
export class ImageLoader extends BaseLoader {
  start() {
    if (this.state !== State.Stopped) { throw new Error('started'); }
    this.state = State.Idle;
  }
  load() {
    if (this.state !== State.Idle) { return; }
    this.state = State.Loading;
  }
}
"""


def test_an_accessor_of_a_base_class_in_another_file_moves_the_heir() -> None:
    found = declare({"base.ts": BASE, "image.ts": HEIR})
    loads = "requires: image_loader.state = idle\n    ensures: image_loader.state = loading"
    assert loads in found
    moves = "stopped -> idle\n        idle -> stopped\n        idle -> loading\n"
    assert moves in found[found.index("entity ImageLoader") :]


def test_an_accessor_of_a_base_class_that_may_refuse_says_nothing_of_the_heir() -> None:
    refusing = BASE.replace("if (next !== this._state)", "if (!next) { throw new Error(); } else")
    assert "ensures: image_loader.state" not in declare({"base.ts": refusing, "image.ts": HEIR})


ORDERED = CLIENT.replace("'idle'", "0").replace("'open'", "1").replace("'closed'", "2")


@pytest.mark.parametrize(
    "setter",
    [
        "if (value < this._state) throw new Error(); this._state = value;",
        "if (value > this._state) { this._state = value; this.emit('state', value); }",
        "if (value <= this._state) return; this._state = value;",
    ],
)
def test_a_setter_that_goes_by_the_state_does_so_wherever_it_is_set(setter: str) -> None:
    found = declare({"net/client.ts": ORDERED.replace("SETTER", setter)})
    edges = [line.strip() for line in found.split("\n") if "->" in line]
    assert edges == ["idle -> open", "idle -> closed", "open -> closed"]


def test_it_does_so_for_another_class_too() -> None:
    closer = """
import { Client, State } from './client';
export class Closer {
  reopen(client: Client) { client.state = State.Open; }
  end(client: Client) { if (client.state === State.Idle) { return; } client.state = State.Closed; }
}
"""
    setter = "if (value > this._state) { this._state = value; }"
    client = (
        ORDERED.replace("private set", "set")
        .replace("SETTER", setter)
        .replace("close = () => { this.state = State.Closed; };", "")
    )
    found = declare({"net/client.ts": client, "net/closer.ts": closer})
    edges = [line.strip() for line in found.split("\n") if "->" in line]
    assert edges == ["idle -> open", "open -> closed"]


def test_what_sets_the_field_only_at_times_is_no_other_name() -> None:
    setter = "if (this.ready) { this._state = value; }"
    found = declare({"net/client.ts": CLIENT.replace("SETTER", setter)})
    assert "rule ClientConnect {" in found
    assert "ensures: client.state = open" not in found


def test_an_accessor_may_have_a_name_that_is_none_in_other_languages() -> None:
    text = CLIENT.replace("SETTER", "this._state = value; this.emit();").replace(
        " state(", " $state("
    )
    found = declare({"net/client.ts": text.replace("this.state", "this.$state")})
    assert "requires: client.state = idle\n    ensures: client.state = open" in found
    assert "open -> closed" in found


SWITCHED = """
IMPORT
export class Lamp {
  private _state: State = State.Off;
  get state(): State { return this._state; }
  set state(next: State) {
    if (next === this._state) { return; }
    GUARD
    this._state = next;
    this.emit('state');
  }
  turn() { if (this._state !== State.Off) { throw new Error(); } this.state = State.On; }
}
"""
LAMP_STATES = "export enum State { Off, On }"


@pytest.mark.parametrize("is_apart", [False, True])
def test_a_setter_is_an_operation_for_others(is_apart: bool) -> None:
    text = SWITCHED.replace("GUARD", "")
    files = {"lamp.ts": text.replace("IMPORT", LAMP_STATES)}
    if is_apart:
        files = {"lamp.ts": text.replace("IMPORT", "import { State } from './state';"),
                 "state.ts": LAMP_STATES}  # fmt: skip
    found = declare(files)
    rule = "rule LampSetState {\n    when: SetStateLamp(lamp, next)\n    ensures: lamp.state = next"
    assert rule in found
    assert "requires: lamp.state = off\n    ensures: lamp.state = on" in found


def test_a_setter_may_refuse() -> None:
    guard = "if (this._state === State.On) { throw new Error('on'); }"
    text = SWITCHED.replace("IMPORT", LAMP_STATES).replace("GUARD", "")
    text = text.replace("if (next === this._state) { return; }", guard)
    found = declare({"lamp.ts": text})
    assert "SetStateLamp(lamp, next)\n    requires: lamp.state = off\n" in found


@pytest.mark.parametrize(
    ("old", "new"),
    [("this._state = next;", "this.wanted = next;"), ("set state(", "set _other(")],
)
def test_a_setter_of_something_else_or_that_is_private_is_none(old: str, new: str) -> None:
    text = SWITCHED.replace("IMPORT", LAMP_STATES).replace("GUARD", "").replace(old, new)
    assert "SetState" not in declare({"lamp.ts": text})
    assert "SetOther" not in declare({"lamp.ts": text})


SET_APART = """
import { State } from './state';
export class Lamp {
  private state: State = State.Off;
  setState(next: State) { LEAVE this.state = next; }
  turn() { if (this.state !== State.Off) { throw new Error(); } this.state = State.On; }
}
"""


def test_a_method_that_sets_what_it_is_given_is_an_operation_too() -> None:
    states = {"state.ts": LAMP_STATES}
    found = declare({"lamp.ts": SET_APART.replace("LEAVE", ""), **states})
    assert "SetStateLamp(lamp, next)\n    ensures: lamp.state = next" in found
    text = SET_APART.replace("LEAVE", "if (this.isBusy()) { return; }")
    assert "ensures: lamp.state = next" not in declare({"lamp.ts": text, **states})
    private = SET_APART.replace("LEAVE", "").replace("setState(", "private setState(")
    assert "SetState" not in declare({"lamp.ts": private, **states})


def test_what_runs_later_sets_by_an_accessor_that_may_refuse() -> None:
    source = CLIENT.replace(
        "SETTER", "if (this._state === State.Closed) return; this._state = value;"
    )
    later = "    this.line.on('open', () => { this.state = State.Open; });\n"
    source = source.replace("    this.state = State.Open;\n", later)
    assert "idle -> open" in declare({"net/client.ts": source})
