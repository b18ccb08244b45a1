"""Objects that a TypeScript file writes out."""

import pytest

from git_retcon.allium.extract.grammar.syntax_nodes import parse_source
from git_retcon.allium.extract.typescript.plain_objects import PlainObjects
from git_retcon.allium.extract.typescript.reader import is_available

pytestmark = pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")

FILE = """
enum State { Open = 'open', Shut }
const NAMES = { first: 'one', last: 'two' } as const;
const common = { a: 'x', b: 'y' };
const make = () => ({ c: 'z' });
function build() { return { d: 'q' }; }
function load() { log(); return { e: 'q' }; }
"""


def read(value: str) -> tuple[dict[str, str | None], bool]:
    text = f"{FILE}\nconst it = {value};"
    root = parse_source("tree_sitter_typescript", text.encode(), "language_typescript")
    assert root is not None
    objects = PlainObjects(root.named_children, {"Other", "LIMIT", "helper"})
    declared = root.named_children[-1].named_children[0]
    found = objects.list_members(declared.child_by_field_name("value"))
    return {name: objects.read_text(each) for name, each in found.known.items()}, found.is_open


def test_members_are_those_of_what_is_spread_too() -> None:
    assert read("{ ...common, b: 'w', ...make(), ...build() }") == (
        {"a": "x", "b": "w", "c": "z", "d": "q"},
        False,
    )
    assert read("(common satisfies Names)") == ({"a": "x", "b": "y"}, False)
    assert read("Object.freeze({ a: 'x' })") == ({"a": "x"}, False)


@pytest.mark.parametrize("value", ["...others", "...load()", "...helper()", "[name()]: 'x'"])
def test_an_object_with_what_nobody_knows_has_other_members(value: str) -> None:
    assert read(f"{{ a: 'x', {value} }}") == ({"a": "x"}, True)


def test_texts_are_those_of_constants_and_enums() -> None:
    value = "{ [State.Open]: State.Shut, [NAMES.last]: `${NAMES.first}.${State.Open}`, n: f() }"
    assert read(value) == ({"open": "Shut", "two": "one.open", "n": None}, False)


def test_what_comes_from_elsewhere_has_its_name() -> None:
    assert read("{ [Other.Kind]: LIMIT, n: helper, m: Foreign.A }") == (
        {"Kind": "LIMIT", "n": None, "m": None},
        False,
    )


def test_what_is_spread_into_itself_again_and_again_is_read_once() -> None:
    assert read(f"{{ a: 'x', {'...it, ' * 9} }}") == ({"a": "x"}, True)
