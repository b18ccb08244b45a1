"""Triggers, guards, purity and config."""

import pytest

from tests.allium.language.specimen import codes, diagnose

TYPES = "entity Order {}\n"


def trigger(text: str) -> list[str]:
    return codes(f"{TYPES}rule R {{\n    when: {text}\n    requires: x\n    ensures: y\n}}")


@pytest.mark.parametrize(
    "text",
    [
        "A()",
        "A(b, c?, _)",
        "A(b: Order)",
        "Order.paid(b)",
        "o: Order.created",
        "o: Order.status becomes paid",
        "o: Order.a.b transitions_to paid",
        "o: Order.due - 1.hour <= now",
        "o: Order.is_ready",
        "o: Order.lines.any(l => l.late)",
        "o: Order.a <= now and Order.b",
        "A() or B()",
        "\n        o: Order.created",
    ],
)
def test_forms_of_triggers(text: str) -> None:
    assert trigger(text) == []


@pytest.mark.parametrize(
    "text", ["", "o: Order", "A", "o: lower", "1", "o.due <= now", "f(x)(y)", "A() or 1"]
)
def test_what_is_no_trigger(text: str) -> None:
    assert trigger(text) == ["rule.invalidTrigger"]


def test_a_condition_needs_a_guard() -> None:
    for condition in ("o: Order.due <= now", "o: Order.is_ready"):
        assert diagnose(f"{TYPES}rule R {{\nwhen: {condition}\nensures: x\n}}") == [
            "3:10 warning temporal.missingGuard: 'R' fires by a condition and has no "
            "'requires:' that stops it firing again"
        ]
    assert codes(f"{TYPES}rule R {{\nwhen: o: Order.created\nensures: x\n}}") == []
    nested = "for y in z:\n    requires: y\n    ensures: x"
    assert codes(f"{TYPES}rule R {{\nwhen: o: Order.due <= now\n{nested}\n}}") == []


def test_a_rule_has_a_trigger_and_an_effect() -> None:
    assert diagnose("rule R {\n    let a = b\n}") == [
        "1:6 warning rule.missingWhen: rule 'R' has no 'when:'",
        "1:6 warning rule.missingEnsures: rule 'R' has no 'ensures:'",
    ]


def test_a_rule_that_only_refuses_is_whole() -> None:
    assert codes("rule R {\n    when: A()\n    requires: a\n}") == []


def test_a_rule_that_says_its_effect_in_words_is_whole() -> None:
    text = "rule R {\n    when: A()\n    @guidance\n        -- May change the status.\n}"
    assert codes(text) == []


def test_an_invariant_is_pure() -> None:
    assert diagnose("entity A {}\ninvariant I { for a in As: a.b > now }") == [
        "2:34 error invariant.volatileNow: invariant 'I' reads 'now', which changes at every look"
    ]
    assert diagnose("entity E {\ninvariant I { a.add(b) }\n}") == [
        "2:17 error invariant.sideEffect: invariant 'I' has an effect, '.add()'"
    ]
    assert codes("invariant I { a.remove(b) and B.created() }") == ["invariant.sideEffect"] * 2
    assert codes("invariant I { a.created_at > b.sum(c) }") == []


def test_config_is_declared() -> None:
    text = "config { a: Integer = 1 }\nentity E { b: config.a + config.c }"
    assert diagnose(text) == ["2:33 error config.undefinedReference: the config declares no 'c'"]
    assert codes("config { a: T = 1 }\nconfig { b: T = config.a }") == []
