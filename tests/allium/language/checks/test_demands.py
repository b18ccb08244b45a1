"""What the language's reference demands, each rule with a right and a wrong example.

The numbers are those of "Validation rules" in the reference.
"""

import pytest

from git_retcon.allium.language import check
from tests.allium.language.specimen import diagnose, read

ORDER = "entity Order { code: String tags: Set<String> sum: Integer a: x | y b: x | y %s }\n"


@pytest.mark.parametrize(
    ("rule", "right", "wrong", "expected"),
    [
        ("3", ORDER % "twin: Order with code = this", ORDER % "twin: Order with code = sum",
         "error relationship.missingBackreference: "
         "'twin' does not lead back: compare a field with 'this'"),
        ("3", ORDER % "own: Orders where code = this.code", ORDER % "own: Orders where code = this",
         "error relationship.whereWithThis: 'own' is a relationship: write 'with', not 'where'"),
        ("6", "rule A { when: Go(a)\nensures: B() }\nrule C { when: Go(b, c?)\nensures: D() }",
         "rule A { when: Go(a)\nensures: B() }\nrule C { when: Go(b, c)\nensures: D() }",
         "warning rule.triggerParameters: the trigger 'Go' has 1 parameters in a rule above"),
        ("10", ORDER % "t: sum + 1 u: t + 1", ORDER % "t: u + 1 u: t + 1",
         "error derived.circularDependency: 't' is derived from itself"),
        ("10", ORDER % "name: name(code)", ORDER % "name: name + code",
         "error derived.circularDependency: 'name' is derived from itself"),
        ("12", ORDER % 'c: sum > 3 and code = "x"', ORDER % 'c: 3 = "3"',
         "error expression.typeMismatch: '=' takes a number and a string"),
        ("12", ORDER % 'c: code + "x"', ORDER % 'c: code < "x"',
         "error expression.typeMismatch: '<' does not apply to a string"),
        ("12", ORDER % "c: sum = 1", ORDER % "c: sum + true",
         "error expression.typeMismatch: '+' does not apply to a Boolean"),
        ("13", ORDER % "c: tags.any(t => t.long)", ORDER % "c: tags.any(long)",
         "error expression.implicitLambda: '.any()' takes a lambda: write 'item => item.field'"),
        ("14", ORDER % "c: a = x", ORDER % "c: a = b",
         "error expression.inlineEnumComparison: 'a' and 'b' are inline enums, which cannot be "
         "compared; declare one 'enum' for both"),
        ("25", "config { a: Integer b: Integer = 1 }", "config { a: 1 }",
         "error config.invalidParameter: "
         "'a' has a value and no type: write 'name: Type = value'"),
        ("26", "config { a: Integer = 1 b: Integer = 2 }",
         "config { a: Integer = 1 a: Integer = 2 }",
         "error config.duplicateKey: config parameter 'a' is declared twice"),
        ("29", ORDER % "" + "surface S { context o: Order\n exposes:\n  o.sum }",
         ORDER % "" + "surface S { context o: Order\n exposes:\n  o.total }",
         "error surface.undefinedPath: 'Order' has no field 'total'"),
        ("34", ORDER % "" + "surface S { context o: Order\n exposes:\n  for t in o.tags:\n   t }",
         ORDER % "" + "surface S { context o: Order\n exposes:\n  for t in o.sum:\n   t }",
         "error surface.nonCollectionIteration: 'o.sum' is no collection"),
        ("48", "config { a: Integer = b * 2 b: Integer = 1 }",
         "config { a: Integer = b * 2 b: Integer = config.a }",
         "error config.circularReference: the default of 'a' depends on itself"),
        ("49", "config { a: Integer = -(1 + 2) * 3 }", "config { a: Boolean = 1 < 2 }",
         "error config.invalidDefault: the default of 'a' is more than values and arithmetic"),
        ("57", ORDER % "" + "invariant I { for o in Orders: o.sum > 0 }",
         ORDER % "" + "invariant I { for o in Offers: o.sum > 0 }",
         "warning invariant.unknownCollection: no entity is declared whose instances are 'Offers'"),
        ("58", ORDER % "l: List<String> c: l.first", ORDER % "c: tags.first",
         "warning expression.unorderedAccess: a Set has no order, so '.first' may be any of it"),
        ("63", ORDER % "c: a = `x`", ORDER % "c: a + `x`",
         "error expression.typeMismatch: '+' counts with an enum value"),
        ("enum", "enum E { a }", "enum E {}", "warning enum.empty: enum 'E' has no values"),
        ("enum", "enum E { a | b }", "enum E { a | a }",
         "error enum.duplicateLiteral: value 'a' is declared twice"),
        ("enum", "value V { a: b | c }", "value V { a: b | b }",
         "error enum.duplicateLiteral: value 'b' is declared twice"),
        ("list", 'value V { a: ["x", "y"] }', 'value V { a: ["x", 2] }',
         "error list.mixedElementTypes: the list has a string and a number"),
        ("list", ORDER % "" + "default Order o = { tags: [] }",
         ORDER % "" + "default Order o = { sum: [] }",
         "error list.emptyListNoElementType: 'Order.sum' is no list, so '[]' says nothing"),
        ("default", ORDER % "" + "default Order o = { sum: 3 }",
         ORDER % "" + "default Order o = { total: 3 }",
         "error default.unknownField: 'Order' has no field 'total'"),
        ("overlap", "rule A { when: Go(o)\nrequires: o.a = x\nensures: B() }",
         "rule A { when: Go(o)\nrequires: o.a = x\nrequires: o.a = y\nensures: B() }",
         "warning rule.neverFires: 'A' demands two values of 'o.a' at once"),
        ("overlap", "rule A { when: Go()\nensures: B() }\nrule C { when: Go()\nensures: D() }",
         "rule A { when: Go()\nensures: B() }\nrule C { when: Go()\nensures: B() }",
         "warning rule.duplicateBehavior: 'C' says the same as 'A'"),
    ],
)  # fmt: skip
def test_a_demand_of_the_reference(rule: str, right: str, wrong: str, expected: str) -> None:
    assert diagnose(right) == [], rule
    assert expected in [line.partition(" ")[2] for line in diagnose(wrong)], rule


def test_two_guards_of_unknown_values_may_both_hold() -> None:
    text = "rule A { when: Go(o, p, q)\nrequires: o.a = p\nrequires: o.a = q\nensures: B() }"
    assert diagnose(text) == []


def test_the_fields_that_variants_or_other_files_add_are_not_known() -> None:
    base = "entity Node { kind: Leaf | Branch }\nvariant Leaf : Node { size: Integer }\n"
    base += "variant Branch : Node { parts: List<Node> }\n"
    assert diagnose(base + "surface S { context n: Node\n exposes:\n  n.size }") == []
    assert diagnose(base + "default Leaf l = { size: 1 }\ndefault Leaf m = { kind: Leaf }") == []


def test_a_parameter_of_an_imported_config_is_declared_there() -> None:
    """46: a qualified reference, and the block that sets parameters of another module."""
    other = read("config { limit: Integer }", b"o.allium")
    text = 'use "./o.allium" as o\nconfig { a: Integer = o/config.%s }\no/config { %s: 3 }\n'
    assert check([read(text % ("limit", "limit")), other]) == []
    found = check([read(text % ("most", "least")), other])
    assert [(each.line, each.code, each.message) for each in found] == [
        (3, "allium.config.undefinedExternalReference", "the config of 'o' declares no 'most'"),
        (4, "allium.config.undefinedExternalReference", "the config of 'o' declares no 'least'"),
    ]
