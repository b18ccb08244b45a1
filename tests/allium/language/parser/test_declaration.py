"""Declarations, the version marker, and going on after mistakes."""

import pytest

from git_retcon.allium.language import parse
from tests.allium.language.specimen import draw, faults, read, read_only


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('use "./a.allium" as a', "(Use './a.allium' a)"),
        ('use "host/owner/name"', "(Use 'host/owner/name' -)"),
        ("external entity A {}", "(Braced external entity A [])"),
        ("value A { b: C }", "(Braced value A [(Field b C -)])"),
        ("enum A { b | c `d-e` }",
         "(Braced enum A [(Literal b False) (Literal c False) (Literal d-e True)])"),
        ("variant A : B { c: D }", "(Variant A B [(Field c D -)])"),
        ("variant A : m/B\n{ transitions s { a -> b } }",
         "(Variant A (Qualified m B) [(Transitions s [(Edge a b)] [])])"),
        ("variant A : B", "(Variant A B [])"),
        ("given { a: B }", "(Braced given - [(Field a B -)])"),
        ("default a = { b: c }", "(Default - a (ObjectLiteral [b:c]))"),
        ("default T a = 1", "(Default T a 1)"),
        ("default m/T a = 1", "(Default (Qualified m T) a 1)"),
        ("deferred A.b.c", "(Deferred A.b.c -)"),
        ('deferred m/A.b "c.allium"', "(Deferred (Qualified m A).b 'c.allium')"),
        ('open question "a"', "(OpenQuestion 'a')"),
        ("invariant A { let b = c\n b = d }", "(Invariant A (Block [(Let b c) (= b d)]))"),
        ("actor A { within: B\n identified_by: C where d }",
         "(Braced actor A [(Clause within B) (Clause identified_by (Where C d))])"),
        ("entity rule { a: B }", "(Braced entity rule [(Field a B -)])"),
    ],
)  # fmt: skip
def test_declarations(text: str, expected: str) -> None:
    assert draw(read_only(text)) == expected


@pytest.mark.parametrize(
    ("text", "version", "messages"),
    [
        ("-- allium: 3\n", 3, []),
        ("\n  --allium:2\r\n", 2, []),
        ("-- allium: 1", 1, []),
        ("", None, ["missing version marker; write '-- allium: 3' on the first line"]),
        ("-- a\n-- allium: 3\n", None,
         ["missing version marker; write '-- allium: 3' on the first line"]),
        ("-- allium: 3 or so\n", None,
         ["missing version marker; write '-- allium: 3' on the first line"]),
        ("\ufeff-- allium: 3\n", 3,
         ["expected a declaration, found a byte-order mark: save the file without it"]),
        ("-- allium: 3\n\ufeff", 3, [r"expected a declaration, found unknown text \ufeff"]),
        ("-- allium: 4\n", 4, ["unsupported allium version 4; this reads versions 1 to 3"]),
        ("-- allium: 0\n", 0, ["unsupported allium version 0; this reads versions 1 to 3"]),
    ],
)  # fmt: skip
def test_the_version_marker(text: str, version: int | None, messages: list[str]) -> None:
    document = parse(text.encode())
    assert document.module.version == version
    assert [found.message for found in document.diagnostics] == messages


def test_a_missing_marker_hides_no_error_on_its_line() -> None:
    assert [found.code for found in parse(b"nonsense").diagnostics] == [
        "allium.version.missing",
        "allium.parse.error",
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("entity A\n    b: C\n", ["2:5 expected '{', found 'b'"]),
        ("entity A {\n    b: C\n", ["3:1 expected '}', found end of file"]),
        ("entity A {\n    b: C\n\nrule B {\n}", ["4:1 expected '}', found 'rule'"]),
        ("entity { }", ["1:8 expected a name for the entity, found '{'"]),
        ("external rule A {}", ["1:10 expected 'entity', found 'rule'"]),
        ("contract a {}", ["1:10 'a' must begin with a capital letter"]),
        ("contract A: b", ["1:11 expected '{', found ':'"]),
        ("use a", ["1:5 expected a path in quotes, found 'a'"]),
        ("open question a", ["1:15 expected the question in quotes, found 'a'"]),
        ("deferred A.\nrule B {}", ["2:1 expected a name on the line of 'deferred', found 'rule'"]),
        ("deferred A.b/C", ["1:13 an alias comes before the whole path"]),
        ("deferred A(b)", ["1:11 expected a declaration, found '('"]),
        ("default a.b = c", ["1:10 expected a name for the default, found '.'"]),
        ("}", ["1:1 expected a declaration, found '}'"]),
        ("module A", ["1:1 expected a declaration, found 'module'"]),
        ("config B { }", ["1:8 expected '{', found 'B'"]),
    ],
)  # fmt: skip
def test_mistakes_in_declarations(text: str, expected: list[str]) -> None:
    assert faults(text) == expected


def kinds(text: str) -> list[str]:
    return [draw(found) for found in read(text).module.declarations]


def test_one_mistake_gives_one_message_and_the_rest_is_read() -> None:
    text = (
        "entity A {\n    b: C\n    d e f\n    g: H\n}\n"
        "nonsense {\n    x: y\n}\n"
        "entity B {\n    c: { d: [ }\n    e: F\n}\n"
    )
    assert faults(text) == [
        "3:5 expected a field, a clause or '}', found 'd'",
        "6:1 expected a declaration, found 'nonsense'",
        "10:15 expected an expression, found '}'",
    ]
    assert kinds(text) == [
        "(Braced entity A [(Field b C -) (Unreadable) (Field g H -)])",
        "(Unreadable)",
        "(Braced entity B [(Unreadable) (Field e F -)])",
    ]


def test_what_is_unreadable_ends_before_the_next_item() -> None:
    text = "rule A {\n    ensures: b c\n        d e\n    requires: f\n}"
    assert faults(text) == ["2:16 expected a field, a clause or '}', found 'c'"]
    assert kinds(text)[0].endswith("(Clause requires f)])")


def test_a_declaration_inside_a_block_is_skipped_as_a_whole() -> None:
    text = "contract A {\n    entity B {\n        c: D\n    }\n    op: () -> E\n}\nentity F {}"
    assert faults(text) == ["2:5 expected a field, a clause or '}', found 'entity'"]
    assert kinds(text) == [
        "(Braced contract A [(Unreadable) (Field op (Projection (Parameters []) E) -)])",
        "(Braced entity F [])",
    ]


def test_a_missing_brace_is_found_where_the_next_declaration_begins() -> None:
    for unclosed in ("b: f(", "b: {", "transitions s {", "invariant I {", "b: Set<"):
        text = f"entity A {{\n    {unclosed}\nentity B {{\n    c: D\n}}"
        assert faults(text)[0].startswith("3:1 "), unclosed
        assert kinds(text)[-1] == "(Braced entity B [(Field c D -)])"


def test_an_invariant_and_a_question_may_be_at_the_left_edge_of_a_block() -> None:
    text = 'entity A {\nb: C\ninvariant I { b }\nopen question "q"\n}'
    assert faults(text) == []


def test_a_line_has_one_message() -> None:
    assert len(faults("entity A {\n ? ! ? !\n}")) == 1
    assert len(faults("entity A {\n ?\n ?\n}")) == 2


def test_a_version_of_thousands_of_digits_is_only_unsupported() -> None:
    (found,) = parse(b"-- allium: " + b"9" * 10_000).diagnostics
    assert found.code == "allium.version.unsupported"


def test_depth_is_given_back_after_a_broken_declaration() -> None:
    text = "invariant I { (((((((((( }\n" * 20 + "invariant J { (a) }"
    assert len(faults(text)) == 20
    assert kinds(text)[-1] == "(Invariant J (Block [a]))"
