import ast

import pytest

from git_retcon.allium.extract.grammar.method_bodies import Bodies, Scope
from git_retcon.allium.extract.grammar.syntax_nodes import is_available, parse_source
from git_retcon.allium.extract.typescript.dialect import TypeScriptDialect

GRAMMAR = "tree_sitter_typescript"
pytestmark = pytest.mark.skipif(
    not is_available(GRAMMAR), reason="the extra 'typescript' is missing"
)


def translate(text: str) -> str:
    """Statements of TypeScript as they read in Python."""
    root = parse_source(GRAMMAR, text.encode(), "language_typescript")
    assert root is not None
    body = Bodies(TypeScriptDialect(), Scope()).translate_block(root.named_children)
    return ast.unparse(ast.fix_missing_locations(ast.Module(body=body, type_ignores=[])))


@pytest.mark.parametrize(
    ("source", "python"),
    [
        ("this.total = 1_000", "self.total = 1000"),
        ("this.total = 2.5", "self.total = 2.5"),
        ("this.total += 10n", "self.total += 10"),
        # Not 1, and not 17.
        ("this.total = 1e3", "self.total = _(0)"),
        ("this.total = 017", "self.total = _(0)"),
        ("this.total = 0x1f", "self.total = _(0)"),
        ("this.count++", "self.count += 1"),
        # A comment is nothing in any place.
        ("if ( // why\n this.open) { return; }", "if self.open:\n    return"),
        ("return ( // why\n this.open);", "return self.open"),
        ("this.open = /* why */ (/* so */ other);", "self.open = other"),
        ("return; // why", "return"),
        ("this.flags |= 4", "self.flags = _(0)"),
        ("this.at = new Date()", "self.at = now()"),
        ("this.#open = (x as Door)!.open", "self.open = x.open"),
        ("this.state = State.inUse; ", "self.state = State.IN_USE"),
        ("this.state = State.open; ", "self.state = State.open"),
        ("this.state = State.makeOne(); ", "self.state = State.makeOne()"),
        ("this.state = State.InUse; ", "self.state = State.IN_USE"),
        ("throw new Closed(this.name)", "raise Closed(self.name)"),
    ],
)
def test_a_statement_is_one_of_python_and_says_nothing_where_that_is_not_sure(
    source: str, python: str
) -> None:
    assert translate(source) == python


def test_a_switch_is_a_chain_of_conditions() -> None:
    assert translate(
        """
        switch (this.state) {
          case "open": case "new": this.state = "paid"; break;
          case "paid": throw new Error();
          default: this.count--;
        }
        """
    ).splitlines() == [
        "if self.state in ['open', 'new']:",
        "    self.state = 'paid'",
        "elif self.state in ['paid']:",
        "    raise Error()",
        "else:",
        "    self.count -= 1",
    ]


def test_conditions_and_calls() -> None:
    assert translate(
        "if (!this.isOpen() && [1, 2].includes(kind) || kind === undefined) return this.total > 3"
    ).splitlines() == [
        "if not self.isOpen()() and kind in [1, 2] or kind == None:",
        "    return self.total > 3",
    ]


def test_a_loop_names_one_of_what_it_goes_through() -> None:
    assert translate("for (const order of orders) { order.close() }") == (
        "for order in orders:\n    order.close()"
    )
    other = "for _ in _(0):\n    order.close()"
    assert translate("for (const [order] of orders) { order.close() }") == other
    asking = "while orders.length:\n    order.close()"
    assert translate("while (orders.length) { order.close() }") == asking


@pytest.mark.parametrize(
    ("loop", "begin"),
    [
        ("while (this.isOpen)", "while self.is_open:"),
        ("while (true)", "while True:"),
        ("for (;;)", "while True:"),
        ("for (;;) /* again */", "while True:"),
        ("for (const each of this.all)", "for each in self.all:"),
        # These end, nobody knows when.
        ("for (let i = 0; i < 3; i++)", "for _ in _(0):"),
        ("for (; i < 3;)", "for _ in _(0):"),
        ("for (const [key, value] of this.all)", "for _ in _(0):"),
    ],
)
def test_a_loop_is_endless_only_where_nothing_is_written_before_its_body(
    loop: str, begin: str
) -> None:
    found = translate(f"{loop} {{ this.total = 1; }}")
    assert found.replace("isOpen", "is_open") == f"{begin}\n    self.total = 1"


def test_a_loop_that_asks_behind_its_body_runs_once_at_least() -> None:
    assert translate("do { order.close(); } while (orders.length);") == (
        "while True:\n    order.close()\n    if not orders.length:\n        break"
    )
    again = "do { if (order.isOpen) { continue; } order.close(); } while (orders.length);"
    assert translate(again).startswith("for _ in _(0):")


@pytest.mark.parametrize(
    ("text", "python"),
    [
        ("this.a = this.b = OPEN;", "self.b = self.a = OPEN"),
        ("a = this.b = this.c = read();", "self.c = self.b = a = read()"),
        ("this.a = this.b += 1;", "self.a = _(0)"),
    ],
)
def test_several_may_be_set_at_once(text: str, python: str) -> None:
    assert translate(text) == python
