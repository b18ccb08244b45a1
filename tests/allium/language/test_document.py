"""The declarations of a file as a store and a merge see them."""

import pytest
from hypothesis import given

from git_retcon.allium.language import list_entries, parse
from git_retcon.allium.language.tokens import TRIVIA, make_tokens
from tests.allium.language.specimen import read
from tests.allium.language.strategies import specifications


@pytest.mark.parametrize(
    ("text", "kind", "name"),
    [
        ("entity A {}", "entity", "A"),
        ("external entity A {}", "external entity", "A"),
        ("value A {}", "value", "A"),
        ("enum A { b }", "enum", "A"),
        ("variant A : B {}", "variant", "A"),
        ("rule A {}", "rule", "A"),
        ("surface A {}", "surface", "A"),
        ("actor A {}", "actor", "A"),
        ("contract A {}", "contract", "A"),
        ("invariant A { b }", "invariant", "A"),
        ("given { a: B }", "given", ""),
        ("config { a: B }", "config", ""),
        ("m/config { a: 1 }", "config", "m"),
        ("default a = 1", "default", "a"),
        ("default m/T a = 1", "default", "m/T a"),
        ('use "./a.allium" as b', "use", "./a.allium"),
        ("deferred m/A.b.c", "deferred", "m/A.b.c"),
        ('open question "a?"', "open question", "a?"),
        ("nonsense", "unreadable", ""),
    ],
)
def test_kind_and_name_identify_a_declaration(text: str, kind: str, name: str) -> None:
    (entry,) = list_entries(read(text))
    assert (entry.kind, entry.name) == (kind, name)


def test_an_entry_takes_the_comments_that_belong_to_it() -> None:
    data = (
        b"-- allium: 3\n"
        b"-- the header\n\n"
        b"-- banner\n\n"
        b"-- one\n-- two\nentity A { -- inside\n    b: C\n} -- behind\n"
        b"-- three\ndeferred D.e -- see: d.allium\n\n"
        b"-- last\n"
    )
    first, second = list_entries(parse(data))
    assert data[first.lead : first.end] == (
        b"-- one\n-- two\nentity A { -- inside\n    b: C\n} -- behind"
    )
    assert data[first.start : first.start + 8] == b"entity A"
    assert first.comments == ("one", "two")
    assert data[second.lead : second.end] == b"-- three\ndeferred D.e -- see: d.allium"


def test_the_version_marker_belongs_to_the_file() -> None:
    (entry,) = list_entries(parse(b"-- allium: 3\nentity A {}\n"))
    assert (entry.lead, entry.comments) == (13, ())
    (unmarked,) = list_entries(parse(b"-- about A\nentity A {}\n"))
    assert unmarked.comments == ("about A",)


def test_a_comment_behind_another_declaration_is_not_taken() -> None:
    first, second = list_entries(read("deferred A -- see: a\ndeferred B"))
    assert (first.comments, second.comments) == ((), ())
    assert second.lead == second.start


def test_a_comment_below_belongs_to_what_follows() -> None:
    first, second = list_entries(read("entity A {}\n-- B\nentity B {}\n\n-- nobody's\n"))
    assert (first.start, first.end) == (first.lead, first.start + len("entity A {}"))
    assert second.comments == ("B",)


@given(specifications())
def test_entries_are_in_order_and_apart_with_nothing_but_trivia_between(data: bytes) -> None:
    document = parse(data)
    end = 0
    for entry in list_entries(document):
        assert end <= entry.lead <= entry.start <= entry.end <= len(data)
        assert {token.kind for token in make_tokens(data[end : entry.lead])} <= TRIVIA
        end = entry.end
    assert {token.kind for token in make_tokens(data[end:])} <= TRIVIA
