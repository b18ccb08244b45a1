"""What is still to be done."""

import pytest

from tests.allium.language.specimen import codes, diagnose


def test_open_questions_are_reported() -> None:
    assert diagnose('entity A {\n open question "inner?"\n}\nopen question "outer?"') == [
        "2:2 warning openQuestion.present: open question: inner?",
        "4:1 warning openQuestion.present: open question: outer?",
    ]


@pytest.mark.parametrize("hint", ['"b.allium"', "-- see: b", "-- https://x.org/b"])
def test_a_deferred_path_with_a_hint(hint: str) -> None:
    assert codes(f"deferred A.b {hint}") == []


def test_a_deferred_path_without_a_hint() -> None:
    assert diagnose("deferred m.b -- later\n-- see: c") == [
        "1:1 warning deferred.missingLocationHint: "
        "'m.b' is deferred without saying where it is; add '-- see: PATH'"
    ]


def test_an_external_entity_has_a_source() -> None:
    assert diagnose("external entity A {}") == [
        "1:17 warning externalEntity.missingSourceHint: "
        "external entity 'A' has no 'use' or '-- see:' that says who specifies it"
    ]
    assert codes('use "x/y/1" as a\nexternal entity A {}') == []
    for comment in ("-- Source: shop/order.py, Order.user", "-- see: django.contrib.auth"):
        assert codes(f"{comment}\nexternal entity A {{}}") == []
        assert codes(f"{comment}\n\nexternal entity A {{}}") == ["externalEntity.missingSourceHint"]


def test_guidance_comes_last() -> None:
    text = "rule R {\nwhen: A()\n@guidance\n    -- x\nensures: b\n}"
    assert codes(text) == ["annotation.guidanceNotLast"]
    assert codes("rule R {\nwhen: A()\nensures: b\n@guidance\n    -- x\n}") == []
