"""Names that nothing uses: notes, in files that have rules or surfaces."""

import pytest

from git_retcon.allium.language import check
from tests.allium.language.specimen import notes, read

RULE = "rule R {\n    when: order: Order.created\n    ensures: order.total = 3\n}\n"
ORDER = "entity Order { total: Integer }\n"


@pytest.mark.parametrize(
    ("used", "unused", "expected"),
    [
        ("entity A {} entity B { a: A }\ninvariant I { for b in Bs: b.a }", "entity A {}",
         ["info entity.unused: entity 'A' is declared and never used"]),
        ("external entity A {}\ninvariant I { for a in As: a.x }", "external entity A {}",
         ["info entity.unused: external entity 'A' is declared and never used"]),
        ("value V { x: Integer } default V v = { x: 1 }", "value V { x: Integer }",
         ["info definition.unused: value 'V' is declared and never used"]),
        ("enum E { a | b } config { x: E = a }", "enum E { a | b }",
         ["info definition.unused: enum 'E' is declared and never used"]),
        ("actor A { identified_by: Order }\nsurface S { facing a: A }",
         "actor A { identified_by: Order }",
         ["info actor.unused: actor 'A' is declared and never used"]),
        ("surface S { context order: Order exposes: order.total }",
         "surface S { context order: Order exposes: other.total }",
         ["info surface.unusedBinding: 'order' is bound by this surface and never used in it"]),
        ("surface S { facing a: Order provides: Pay(a) }",
         "surface S { facing a: Order provides: Pay() }",
         ["info surface.unusedBinding: 'a' is bound by this surface and never used in it"]),
        ("surface S { facing a: Order exposes: a.total }",
         "surface S { facing a: Order exposes: a.code }",
         ["info surface.unusedPath: no rule reads or sets the field 'code' shown here"]),
    ],
)  # fmt: skip
def test_what_is_used_and_what_is_not(used: str, unused: str, expected: list[str]) -> None:
    assert notes(ORDER + RULE + used) == []
    assert [line.partition(" ")[2] for line in notes(ORDER + RULE + unused)] == expected


def test_fields() -> None:
    text = "entity Order { total: Integer code: String label: code twice(n): n * 2 }\n" + RULE
    assert [line.partition(" ")[2] for line in notes(text)] == [
        "info field.unused: field 'Order.label' is declared and never used",
        "info field.unused: field 'Order.twice' is declared and never used",
    ]
    assert notes(text + "invariant I { for o in Orders: o.label = o.twice(1) }") == []


@pytest.mark.parametrize(
    "text", ["entity A { x: Integer }", "-- Source: a.py, A\nentity A {}\n" + RULE]
)
def test_files_of_words_and_what_a_source_has_are_left_alone(text: str) -> None:
    assert [line for line in notes(text) if "'A'" in line] == []


def test_a_file_that_imports_this_one_uses_its_names() -> None:
    text = ORDER + RULE + "entity Bill { sum: Integer }\nenum E { a | b }"
    assert len(notes(text)) == 3
    user = read(
        'use "./spec.allium" as s\nentity C { e: s/E }\n'
        "invariant I { for b in s/Bills: b.sum > 0 }",
        b"user.allium",
    )
    assert check([read(text)], [user]) == []
