"""The items of a declaration: fields, clauses, loops and what has a syntax of its own."""

import pytest

from git_retcon.allium.language.declarations import Braced
from tests.allium.language.specimen import draw, faults, read_only


def items(text: str, kind: str = "entity") -> list[str]:
    declaration = read_only(f"{kind} X {{\n{text}\n}}")
    assert isinstance(declaration, Braced)
    return [draw(item) for item in declaration.items]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: T", ["(Field a T -)"]),
        ("a: T, b: U", ["(Field a T -)", "(Field b U -)"]),
        ("status: a | b", ["(Field status (Alternatives [a b]) -)"]),
        ("a: T when s = b | `c`", ["(Field a T (Presence s [b 'c']))"]),
        ("a: T? when s = b", ["(Field a (Nullable T) (Presence s [b]))"]),
        ("a: f() when b.c = d", ["(Field a (Guarded (Call f []) (= b.c d)) -)"]),
        ("a: T when s = b | f()",
         ["(Field a (Guarded T (= s (Alternatives [b (Call f [])]))) -)"]),
        ("can(f, g): f in g", ["(Derived can [f g] (in f g))"]),
        ("B.c: B with d = this", ["(Reverse B.c (With B (= d this)))"]),
        ("value: T\nopen: T\ndefault: T", ["(Field value T -)", "(Field open T -)",
                                            "(Field default T -)"]),
        ("a:\n    b\n    and c", ["(Field a (and [b c]) -)"]),
        ("transitions s { a -> b, b -> c\n terminal: c, d }",
         ["(Transitions s [(Edge a b) (Edge b c)] [c d])"]),
        ("transitions s { terminal: c, a -> b }", ["(Transitions s [(Edge a b)] [c])"]),
        ("invariant A { a implies b }", ["(Invariant A (Block [(implies [a b])]))"]),
        ('open question "why {x}?"', ["(OpenQuestion 'why {x}?')"]),
    ],
)  # fmt: skip
def test_items_of_an_entity(text: str, expected: list[str]) -> None:
    assert items(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("when: A(b, c?)", ["(Clause when (Call A [b (Nullable c)]))"]),
        ("when: a: B.created", ["(Clause when (Binding a B.created))"]),
        ("when:\n    a: B.c <= now", ["(Clause when (Binding a (<= B.c now)))"]),
        ("when:\nensures: a", ["(Clause when (Block []))", "(Clause ensures a)"]),
        ("let a = b\nrequires: a", ["(Let a b)", "(Clause requires a)"]),
        ("let a =\n    b\n    or c", ["(Let a (or [b c]))"]),
        ("for x in A where x.y:\n    let z = x\n    ensures: z\nensures: w",
         ["(ItemLoop [x] A x.y [(Let z x) (Clause ensures z)])", "(Clause ensures w)"]),
        ("for x in A: ensures: z", ["(ItemLoop [x] A - [(Clause ensures z)])"]),
        ("if a:\n    ensures: b\nelse if c:\n    ensures: d\nelse:\n    ensures: e\nensures: f",
         ["(ItemConditional [(ItemBranch a [(Clause ensures b)]) "
          "(ItemBranch c [(Clause ensures d)])] [(Clause ensures e)])", "(Clause ensures f)"]),
        ("if a:\n    ensures: b", ["(ItemConditional [(ItemBranch a [(Clause ensures b)])] -)"]),
        ("if a:\nelse: ensures: b", ["(ItemConditional [(ItemBranch a [])] [(Clause ensures b)])"]),
    ],
)  # fmt: skip
def test_items_of_a_rule(text: str, expected: list[str]) -> None:
    assert items(text, "rule") == expected


def test_items_of_a_surface() -> None:
    text = (
        "facing a: B\ncontext c: D where e = a\nexposes:\n    c.f\n    c.g when c.h\n"
        "contracts:\n    demands K\n    fulfils m/L\nprovides: A(a)"
    )
    assert items(text, "surface") == [
        "(Clause facing (Binding a B))",
        "(Clause context (Binding c (Where D (= e a))))",
        "(Clause exposes (Block [c.f (Guarded c.g c.h)]))",
        "(Contracts [(Obligation demands K) (Obligation fulfils (Qualified m L))])",
        "(Clause provides (Call A [a]))",
    ]


def test_annotations_take_the_comments_below_that_are_further_in() -> None:
    text = (
        "  op: () -> R\n  @invariant Round  -- not this\n    -- one\n\n    --two\n"
        "  -- not this either\n  @guidance\n    -- last"
    )
    assert items(text, "contract") == [
        "(Field op (Projection (Parameters []) R) -)",
        "(Annotation invariant Round [one two])",
        "(Annotation guidance - [last])",
    ]


def test_a_config_has_parameters() -> None:
    declaration = read_only("config {\n a: T = b + 1.day\n c: U\n}")
    assert isinstance(declaration, Braced)
    assert [draw(item) for item in declaration.items] == [
        "(Parameter a T (+ b (Duration 1 day)))",
        "(Parameter c U -)",
    ]
    imported = read_only("m/config { a: 8.hours }")
    assert isinstance(imported, Braced)
    assert [draw(item) for item in imported.items] == ["(Parameter a - (Duration 8 hour))"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("contract C {\n  a: T\n  guarantee: x\n}",
         ["3:3 'guarantee:' is now '@guarantee' with indented comment lines below it"]),
        ("rule R {\n  produces: a,\n    b\n  ensures: c\n}",
         ["2:3 'produces:' was removed in version 3; write 'when' after a field's type instead"]),
        ("surface S {\n  contracts:\n  facing a: B\n}",
         ["2:3 'contracts:' needs at least one 'demands' or 'fulfils' entry"]),
        ("surface S {\n  contracts:\n    wants K\n}",
         ["3:5 expected 'demands' or 'fulfils', found 'wants'"]),
        ("surface S {\n  contracts:\n    demands K { a: B }\n}",
         ["3:15 a contract is declared at the top of the module, not in 'contracts:'"]),
        ("contract C {\n  @invariant lower\n    -- x\n}",
         ["2:14 'lower' must begin with a capital letter"]),
        ("contract C {\n  @invariant A\n  -- x\n}",
         ["2:3 @invariant needs at least one comment line below it, indented further"]),
        ("contract C {\n  @guidance Name\n    -- x\n}",
         ["2:13 @guidance takes no name, found 'Name'"]),
        ("contract C {\n  @rule\n}",
         ["2:4 expected 'invariant', 'guarantee' or 'guidance', found 'rule'"]),
        ("entity E {\n  transitions s { a b }\n}", ["2:21 expected '->', found 'b'"]),
        ("entity E {\n  transitions s { a -> b\n}\nrule F {\n}",
         ["4:1 expected '}', found 'rule'"]),
        ("enum E { a, b }", ["1:11 expected an enum value, found ','"]),
        ("surface S { facing User }", ["1:13 expected a field, a clause or '}', found 'facing'"]),
    ],
)  # fmt: skip
def test_mistakes_in_items(text: str, expected: list[str]) -> None:
    assert faults(text) == expected
