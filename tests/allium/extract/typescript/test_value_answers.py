"""What an object that is a state answers about itself."""

import pytest

from git_retcon.allium.extract.typescript.reader import is_available
from git_retcon.allium.extract.typescript.value_classes import write_enums

pytestmark = pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")


def answer(method: str, before: str = "") -> str:
    source = f"""
    {before}
    class DoorState {{
      static readonly OPEN = new DoorState('open');
      static readonly SHUT = new DoorState('shut');
      static readonly AWAY = new DoorState('away');
      private static readonly NEXT = {{ open: ['shut'], shut: ['open', 'away'], away: [] }};
      private constructor(private readonly value: string) {{}}
      isOpen() {{ return this.value === 'open'; }}
      get isAway(): boolean {{ return this === DoorState.AWAY; }}
      {method}
    }}
    """
    written = write_enums(source.encode(), "tree_sitter_typescript", "language_typescript")
    return " ".join(written.decode().split())


@pytest.mark.parametrize(
    ("method", "function"),
    [
        ("isShut() { return this.value === 'shut'; }",
         "isShut(status) { return status === DoorState.SHUT; }"),
        ("isShut() { return this.equals(DoorState.SHUT); }",
         "isShut(status) { return (status === DoorState.SHUT); }"),
        ("hasLeaf() { return !this.isAway; }",
         "hasLeaf(status) { return !(status === DoorState.AWAY); }"),
        ("mayShut() { return this.isOpen() || this.isAway; }",
         "mayShut(status) { return (status === DoorState.OPEN) || (status === DoorState.AWAY); }"),
        ("isOne(other: DoorState) { return other.value === this.value; }",
         "isOne(status, other) { return other === status; }"),
        ("canBecome(next: DoorState) { return DoorState.NEXT[this.value].includes(next.value); }",
         "canBecome(status, next) { return DOORSTATE_NEXT[status].includes(next); }"),
    ],
)  # fmt: skip
def test_a_question_is_a_function_of_the_state(method: str, function: str) -> None:
    assert f"export function {function}" in answer(method)


def test_its_table_is_one_of_the_states() -> None:
    found = answer("canBecome(next) { return DoorState.NEXT[this.value].includes(next.value); }")
    table = (
        "const DOORSTATE_NEXT = { [DoorState.OPEN]: [DoorState.SHUT],"
        " [DoorState.SHUT]: [DoorState.OPEN, DoorState.AWAY], [DoorState.AWAY]: [] };"
    )
    assert table in found


@pytest.mark.parametrize(
    "method",
    [
        "equals(other: DoorState) { return this.value === other.value; }",
        "island() { return this.value; }",
        "static isKnown(value: string) { return value === 'open'; }",
        "canBecome(next: DoorState, by: User) { return by.isAdmin; }",
        "next() { return this.make(); }",
    ],
)
def test_what_is_no_question_of_the_state_is_none(method: str) -> None:
    assert answer(method) == answer("")


@pytest.mark.parametrize(
    ("method", "functions"),
    [
        ("ensureOpen() { if (this.value !== 'open') throw new Error('x'); }",
         "refuses_ensureOpen(status) { return (status !== DoorState.OPEN); }"),
        ("shut() { if (!this.isOpen()) { throw new Error('x'); } return DoorState.SHUT; }",
         "refuses_shut(status) { return (!(status === DoorState.OPEN)); }"
         " export function shut(status) { return DoorState.SHUT; }"),
        ("move(to: DoorState) { if (to === this) throw new Error('x');"
         " return new DoorState(to.value); }",
         "refuses_move(status, next) { return (next === status); }"
         " export function move(status, next) { return next; }"),
        ("leave() { return DoorState.AWAY; }",
         "refuses_leave(status) { return false === true; }"
         " export function leave(status) { return DoorState.AWAY; }"),
    ],
)  # fmt: skip
def test_what_a_state_gives_is_a_function_with_what_it_refuses(method: str, functions: str) -> None:
    assert f"export function {functions}" in answer(method)


def test_a_question_may_ask_another_one_about_what_it_is_given() -> None:
    found = answer(
        "canBecome(next) { return DoorState.NEXT[this.value].includes(next.value); }"
        " become(to) { if (!this.canBecome(to)) { throw new Error('x'); } return to; }"
    )
    assert (
        "refuses_become(status, next) { return (!(DOORSTATE_NEXT[status].includes(next))); }"
        in found
    )


@pytest.mark.parametrize(
    "method",
    [
        "shut() { this.check(); return DoorState.SHUT; }",
        "shut() { if (this.value === 'open') { log(); throw new Error('x'); } return make(); }",
        "shut() { switch (this.value) { case 'open': return DoorState.SHUT;"
        " default: throw new Error(); } }",
        "describe() { return 'open'.length; }",
    ],
)
def test_what_a_state_gives_otherwise_is_not_known(method: str) -> None:
    assert answer(method) == answer("")


def test_questions_that_all_ask_each_other_stay_short() -> None:
    names = [f"is{number:02}" for number in range(25)]
    asked = " || ".join(f"this.{each}()" for each in names)
    found = answer(
        "".join(f"{each}() {{ return {asked} || this.value === 'open'; }}" for each in names)
    )
    assert len(found) < 100_000
