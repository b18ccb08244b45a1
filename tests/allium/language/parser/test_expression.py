"""Precedence, postfix forms, branches and blocks of expressions."""

import pytest

from git_retcon.allium.language.declarations import Braced, Clause
from git_retcon.allium.language.parser.cursor import DEEPEST
from tests.allium.language.specimen import draw, faults, read_only, sketch


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # arithmetic and comparison
        ("a + b * c", "(+ a (* b c))"),
        ("(a + b) * c", "(* (+ a b) c)"),
        ("a - b - c", "(- (- a b) c)"),
        ("a + -b", "(+ a (- b))"),
        ("-a + b", "(+ (- a) b)"),
        ("not a ?? b", "(?? (not a) b)"),
        ("a ?? b + c", "(?? a (+ b c))"),
        ("a + b >= c", "(>= (+ a b) c)"),
        ("a = b", "(= a b)"),
        ("a in {b, c}", "(in a (SetLiteral [b c]))"),
        ("a not in b", "(not in a b)"),
        # logic
        ("a = b and c or d", "(or [(and [(= a b) c]) d])"),
        ("a and b and c", "(and [a b c])"),
        ("a or b or c and d", "(or [a b (and [c d])])"),
        ("a implies b implies c", "(implies [a (implies [b c])])"),
        ("a or b implies c", "(implies [(or [a b]) c])"),
        ("not a.b = c", "(= (not a.b) c)"),
        ("not exists a", "(not exists a)"),
        ("exists a{b}", "(exists (Lookup a [(Match b -)]))"),
        ("f(exists)", "(Call f [exists])"),
        # types and enums
        ("a | b | `c-d`", "(Alternatives [a b 'c-d'])"),
        ("T?", "(Nullable T)"),
        ("Set<T>", "(Generic Set [T])"),
        ("Map<K, List<V?>>", "(Generic Map [K (Generic List [(Nullable V)])])"),
        ("Codec<*>", "(Generic Codec [*])"),
        ("a < b", "(< a b)"),
        ("a/B", "(Qualified a B)"),
        ("not a/config.b", "(not (Qualified a config).b)"),
        ("a / b", "(/ a b)"),
        ("a / config.b", "(/ a config.b)"),
        ("a.b / config.c * 2", "(* (/ a.b config.c) 2)"),
        # collections and paths
        ("a.b?.c", "a.b?.c"),
        ("a.b(c, d: e)", "(Call a.b [c d:e])"),
        ("a.any(x => x.y or z)", "(Call a.any [(Lambda x (or [x.y z]))])"),
        ("A where b = c -> d", "(Projection (Where A (= b c)) d)"),
        ("A with b = this", "(With A (= b this))"),
        ("A{b, c: d}", "(Lookup A [(Match b -) (Match c d)])"),
        ("{}", "(SetLiteral [])"),
        ("{a: b, c: 1}", "(ObjectLiteral [a:b c:1])"),
        ("[a b, c]", "(ListLiteral [a b c])"),
        ("(a: T, b: U) -> Set<R>", "(Projection (Parameters [(Binding a T) (Binding b U)]) "
         "(Generic Set [R]))"),
        ("() -> R + b", "(+ (Projection (Parameters []) R) b)"),
        ("() -> R", "(Projection (Parameters []) R)"),
        ("(a: T) -> m/R | S", "(Projection (Parameters [(Binding a T)]) "
         "(Alternatives [(Qualified m R) S]))"),
        # literals
        ("24.hours", "(Duration 24 hour)"),
        ("1_000.5", "1_000.5"),
        (r'"a \"b\" {c}"', "'a \"b\" {c}'"),
        ("null", "null"),
        # branches and loops
        ("if a: b else if c: d else: e", "(Conditional [(Branch a b) (Branch c d)] e)"),
        ("if a: b", "(Conditional [(Branch a b)] -)"),
        ("for x in A where y: z", "(Loop [x] A y z)"),
        ("for (a, b) in A: z", "(Loop [a b] A - z)"),
        ("A.b becomes c", "(becomes A.b c)"),
        ("f(a) when b = c and d", "(Guarded (Call f [a]) (and [(= b c) d]))"),
        ("a\n or b", "(or [a b])"),
        ("a\n  .b", "a.b"),
    ],
)  # fmt: skip
def test_expressions(text: str, expected: str) -> None:
    assert sketch(text) == expected


def effects(text: str) -> str:
    rule = read_only(f"rule R {{\n    ensures:{text}\n}}")
    assert isinstance(rule, Braced)
    (clause,) = rule.items
    assert isinstance(clause, Clause)
    return draw(clause.value)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (" a", "a"),
        ("\n        a\n        b", "(Block [a b])"),
        ("\n        a", "a"),
        ("", "(Block [])"),
        ("\n        let a = b\n        c", "(Block [(Let a b) c])"),
        (
            "\n        if a:\n            b\n            c\n        else:\n            d",
            "(Conditional [(Branch a (Block [b c]))] d)",
        ),
        ("\n        for x in A:\n            b\n        c", "(Block [(Loop [x] A - b) c])"),
        ("\n        if a:\n            -- nothing\n        else:\n            b",
         "(Conditional [(Branch a (Block []))] b)"),
        ("\n        for x in A: for y in B:\n            c", "(Loop [x] A - (Loop [y] B - c))"),
    ],
)  # fmt: skip
def test_blocks_end_where_indentation_does(text: str, expected: str) -> None:
    assert effects(text) == expected


def test_a_brace_below_is_no_join_lookup() -> None:
    assert faults("invariant I\n{ a }") == []
    assert faults("value V { a: B\n{ c } }") == ["2:1 expected a field, a clause or '}', found '{'"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: b +", "1:18 expected an expression, found '}'"),
        ("a: b + else", "1:18 expected an expression, found 'else'"),
        ("a: )", "1:14 expected an expression, found ')'"),
        ("a: f(b", "1:18 expected an expression, found '}'"),
        ("a: b.", "1:17 expected a field name, found '}'"),
        ("a: b not c", "1:16 expected a field, a clause or '}', found 'not'"),
        ("a: if b c", "1:19 expected ':', found 'c'"),
        ("a: for x of y: z", "1:20 expected 'in', found 'of'"),
        ('a: "open', "1:14 expected an expression, found a string without its end"),
        ("a: `open", "1:14 expected an expression, found a backtick without its end"),
        ("a: #", "1:14 expected an expression, found unknown text #"),
    ],
)
def test_what_is_wrong_is_said_where_it_is(text: str, expected: str) -> None:
    assert faults(f"value V {{ {text} }}")[0] == expected


def test_a_clause_is_not_taken_for_the_value_above_it() -> None:
    text = "rule R {\n    requires: a =\n    ensures: b\n}"
    assert faults(text) == ["3:5 expected an expression, found 'ensures'"]


def test_nesting_is_bounded() -> None:
    fits = f"invariant I {{ {'(' * (DEEPEST - 1)}a{')' * (DEEPEST - 1)} }}"
    too_deep = f"invariant I {{ {'(' * DEEPEST}a{')' * DEEPEST} }}"
    assert faults(fits) == []
    assert faults(too_deep)[0] == f"1:115 nested more than {DEEPEST} levels deep"


def test_nested_branches_of_items_are_bounded() -> None:
    lines = "".join(f"{' ' * depth}if a:\n" for depth in range(1, DEEPEST + 9))
    assert faults(f"rule R {{\n{lines}}}")[0].endswith(f"nested more than {DEEPEST} levels deep")


def test_depth_is_given_back_after_a_mistake() -> None:
    broken = "".join(f"    f{index}: (((((((((( +\n" for index in range(DEEPEST))
    assert len(faults(f"value V {{\n{broken}    x: ((a))\n}}")) == DEEPEST


def test_long_chains_are_no_nesting() -> None:
    for link in (".b", " + b", " and b", " | b"):
        assert faults(f"value V {{ a: b{link * 20_000}\n}}") == []


def test_spans_are_byte_offsets() -> None:
    text = 'value V { x: "é" + b.c }'
    value = read_only(text)
    assert isinstance(value, Braced)
    data = ("-- allium: 3\n" + text).encode()
    expression = value.items[0].value  # type: ignore[union-attr]
    assert data[expression.start : expression.end] == '"é" + b.c'.encode()
    assert data[value.start : value.end].decode() == text
