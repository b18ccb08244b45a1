"""Names for what code names beside it."""

import pytest

from git_retcon.allium.extract.typescript.given_names import (
    list_symbols,
    name_classes,
    name_kept,
    name_members,
    name_twice_imported,
)
from git_retcon.allium.extract.typescript.reader import is_available
from tests.allium.extract.declared import Sources, declare

pytestmark = pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")

LAMP = """
const kState = Symbol('state');
const kCut = Symbol('cut');
const DARK = 0;
const LIT = 1;
const BURNT = 2;
class Lamp {
  constructor() { this[kState] = DARK; }
  light() {
    if (this[kState] !== DARK) { throw new Error('not dark'); }
    this[kState] = LIT;
  }
  burn() { this[kCut](); }
  [kCut]() {
    if (this[kState] !== LIT) { return; }
    this[kState] = BURNT;
  }
}
"""


def test_a_member_may_be_named_by_a_symbol() -> None:
    found = declare({"house/lamp.js": LAMP})
    assert "dark -> lit\n        lit -> burnt" in found
    assert "requires: lamp.kState = dark" in found


def test_a_rule_is_where_the_source_has_it() -> None:
    facts = Sources({"house/lamp.js": LAMP}).read(b"house/lamp.js")
    assert facts is not None
    symbols = {each.evidence[0].symbol for each in facts.declarations}
    assert "Lamp.[kCut]" in symbols
    assert "Lamp.kCut" not in symbols


def test_what_is_no_symbol_stays_an_element() -> None:
    found = declare({"house/lamp.js": LAMP.replace("kState]", "at]").replace("kCut]", "cut]")})
    assert "dark -> lit" not in found


def test_a_list_of_symbols_stays_a_list() -> None:
    source = b"const kOne = Symbol('one');\nthis[kOne] = [\n  [kOne],\n  kOne\n];\n"
    found = name_members(source, list_symbols(source))
    assert found == source.replace(b"this[kOne]", b"this.kOne")


@pytest.mark.parametrize(
    "kept",
    [
        "const Lamp = class",
        "exports.Lamp = class",
        "module.exports.Lamp = class",
        "a.b.Lamp = class",
    ],
)
def test_a_class_has_the_name_that_it_is_kept_by(kept: str) -> None:
    found = declare({"house/lamp.js": LAMP.replace("class Lamp", kept)})
    assert "entity Lamp {" in found
    assert "dark -> lit" in found


@pytest.mark.parametrize(
    "kept", ["const Lamp = class Light {", "const lamp = class {", "x = class A"]
)
def test_any_other_class_keeps_what_it_has(kept: str) -> None:
    assert name_classes(kept.encode()) == kept.encode()


MAIL = """
const states = { NEW: 0x01, OPEN: 0x02, READING: 0x03, SHUT: 0x04 };
class Mail {
  constructor() {
    this.states = states;
    this.state = this.states.NEW;
  }
  open() {
    if (this.state !== this.states.NEW) { throw new Error('opened'); }
    this.state = this.states.OPEN;
  }
  wait() { if (this.state !== this.states.READING) { return; } this.socket.wait(); }
  close() { this.state = this.states.SHUT; }
}
"""


def test_constants_of_a_file_that_an_object_keeps_are_its_states() -> None:
    found = declare({"post/mail.js": MAIL})
    assert "    state: new | open | shut | reading\n" in found
    assert "        new -> open\n" in found
    assert "        reading -> shut\n" in found


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("this.states = states;", "this.states = find(states);"),
        ("  close() {", "  switch() { this.states = others; }\n  close() {"),
        ("constructor() {", "constructor(states) {"),
        ("    this.states = states;", "    // this.states = states;\n    this.states = find();"),
    ],
)
def test_what_an_object_may_keep_otherwise_stays_its_own(old: str, new: str) -> None:
    assert "->" not in declare({"post/mail.js": MAIL.replace(old, new)})


PLUGIN = """
import type { Info, Stage } from './stage';
import { Stage as Stages, other } from './stage';
export class Plugin {
  protected stage: Stage = Stages.Found;
  activate() {
    if (this.stage === Stages.Active) { return; }
    this.stage = Stages.Active;
  }
}
"""


def test_a_type_and_a_value_of_one_import_are_the_same() -> None:
    stage = "export enum Stage { Found, Active, Lost }\nexport type Info = string;\n"
    found = declare({"src/plugin.ts": PLUGIN, "src/stage.ts": stage})
    assert "requires: plugin.stage != active\n    ensures: plugin.stage = active\n" in found


@pytest.mark.parametrize(
    "source",
    [
        "import { Stage as Stages } from './a';\nx = Stages.A;\n",
        "import { Stage } from './a';\nimport { Stage as Stages } from './b';\nx = Stages.A;\n",
    ],
)
def test_another_name_alone_is_kept(source: str) -> None:
    assert name_twice_imported(source.encode()) == source.encode()


@pytest.mark.parametrize(
    "source",
    [
        "import { S } from './a';\nimport { S as T } from './a';\nlet T = 'T' + a.T.b;\n",
        "import { S } from './a';\n// import { S as T } from './a';\nx = T.A;\n",
    ],
)
def test_what_only_looks_like_another_name_is_kept(source: str) -> None:
    assert name_twice_imported(source.encode()) == source.encode()


def test_constants_that_one_class_keeps_are_not_those_of_another() -> None:
    other = "class Box { states = { OPEN: 1 }; constructor() { this.state = this.states.OPEN; } }\n"
    assert name_kept((MAIL + other).encode()) == (MAIL + other).encode()


def test_two_classes_that_are_kept_by_one_name_have_none() -> None:
    kept = b"exports.Item = class { };\nshapes.Item = class { };\n"
    assert name_classes(kept) == kept
