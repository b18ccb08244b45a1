"""References to types."""

import pytest

from tests.allium.language.specimen import ORDER, codes, diagnose


def test_an_unknown_type_of_a_field_is_said_where_it_is() -> None:
    assert diagnose("entity A {\n    b: Set<Float?>\n}") == [
        "2:12 error type.undefinedReference: type 'Float' is not declared here and not imported"
    ]


@pytest.mark.parametrize(
    "text",
    [
        "entity A { b: X }",
        "value A { b: X? }",
        "external entity A { b: X }",
        "given { a: X }",
        "entity A { b: List<X> }",
        "entity A { b: B with c = this }",
        "entity A { b: X where c }",
        "entity A { b: T when s = c }\nenum E { a }",
        "default X a = 1",
        "variant A : X",
        "actor A { identified_by: X where b }",
        "actor A { within: X\n identified_by: A }",
    ],
)
def test_where_types_are_looked_for(text: str) -> None:
    assert "type.undefinedReference" in codes(text)


@pytest.mark.parametrize(
    "text",
    [
        "entity A { a: String b: Integer c: Decimal d: Boolean e: Timestamp f: Duration }",
        "entity A { a: Any b: Set<A> c: List<B> d: Map<A, B> e: E f: Sequence<A> }\n"
        "value B {}\nenum E { x }",
        "entity A { b: A with b = this\n c: b where d\n e: f(X) g: h + 1 }",
        "entity A { b: As where b = c }",
        "actor P { identified_by: A where b }\nentity A {}",
        "contract C { op: (a: Bytes) -> Bytes }",
        "entity A { kind: V }\nvariant V : A",
    ],
)
def test_types_that_are_there(text: str) -> None:
    assert [code for code in codes(text) if "undefined" in code] == []


RULE = "entity Order {{}}\nrule R {{\n    when: {}\n    requires: x\n    ensures: {}\n}}"


@pytest.mark.parametrize(
    ("trigger", "effect"),
    [
        ("A()", "Missing.created(a: 1)"),
        ("A()", "\n        if b:\n            Missing.created()"),
        ("a: Missing.created", "b"),
        ("a: Missing.status becomes c", "b"),
        ("a: Missing.due + 1.day <= now", "b"),
        ("Missing.created or A()", "b"),
    ],
)
def test_an_unknown_entity_in_a_rule(trigger: str, effect: str) -> None:
    assert codes(RULE.format(trigger, effect)) == ["rule.undefinedTypeReference"]


@pytest.mark.parametrize(
    ("trigger", "effect"),
    [
        ("a: Order.created", "Order.created()"),
        ("A()", "Orders.add(Order.created())"),
        ("A()", "A.resolved(b: 1)"),
        ("A()", "lower.created()"),
    ],
)
def test_known_entities_in_a_rule(trigger: str, effect: str) -> None:
    assert "rule.undefinedTypeReference" not in codes(RULE.format(trigger, effect))


def test_what_is_deferred_may_be_called() -> None:
    text = 'deferred Later.do "x.allium"\nrule R {\n when: A()\n ensures: Later.do(1)\n}'
    assert codes(text) == []


@pytest.mark.parametrize(
    ("rule", "right", "wrong", "expected"),
    [
        ("57", ORDER % "" + "invariant I { for o in Orders: o.sum > 0 }",
         ORDER % "" + "invariant I { for o in Offers: o.sum > 0 }",
         "warning invariant.unknownCollection: no entity is declared whose instances are 'Offers'"),
    ],
)  # fmt: skip
def test_a_right_example_and_a_wrong_one(rule: str, right: str, wrong: str, expected: str) -> None:
    assert diagnose(right) == [], rule
    assert expected in [line.partition(" ")[2] for line in diagnose(wrong)], rule
