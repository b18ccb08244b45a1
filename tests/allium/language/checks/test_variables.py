"""Names in rules."""

import pytest

from tests.allium.language.specimen import codes, diagnose


def test_a_path_begins_with_a_name_that_is_bound() -> None:
    assert diagnose("rule R {\nwhen: A(b)\nensures: c.d = b.e\n}") == [
        "3:10 error rule.undefinedBinding: 'c' is bound by no trigger, let, loop, given or default"
    ]


def test_the_collection_of_a_loop_is_looked_at() -> None:
    for effect in ("for b in c.ds: ensures: b.x", "ensures: for b in c.ds: b.x"):
        assert codes(f"rule R {{\nwhen: A()\nensures: y\n{effect}\n}}") == ["rule.undefinedBinding"]


@pytest.mark.parametrize(
    "clauses",
    [
        "when: A(b, c?)\nensures: b.x = c.x",
        "when: A(b: T)\nensures: b.x",
        "when: A()\nlet b = 1\nensures: b.x",
        "when: A()\nensures:\n    let b = 1\n    b.x",
        "when: A()\nfor b in Bs: ensures: b.x",
        "when: A()\nensures: for (b, c) in Bs: b.x = c.x",
        "when: A()\nensures: f(b => b.x)",
        "when: A()\nensures: Bs where b.x = 1",
        "when: A()\nfor y in Bs where b.x: ensures: y.z",
        "when: A()\nensures: for y in Bs where b.x: y.z",
        "when: A()\nensures: given_one.x and default_one.x and m.x and config.y and this.z",
    ],
)
def test_what_binds_a_name(clauses: str) -> None:
    text = (
        'use "x/y/1" as m\ngiven { given_one: T }\ndefault default_one = 1\nvalue T {}\n'
        "config { y: T }\n"
    )
    assert codes(f"{text}rule R {{\n{clauses}\n}}") == []


def test_let_binds_a_name_once() -> None:
    text = "rule R {\nwhen: A()\nlet b = 1\nensures:\n    let b = 2\n    C(b)\n}"
    assert diagnose(text) == [
        "5:9 error let.duplicateBinding: 'b' is bound by 'let' twice in this rule"
    ]
    assert codes("rule R {\nwhen: A()\nlet _ = 1\nlet _ = 2\nensures: b\n}") == []
