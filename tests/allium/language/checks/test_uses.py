"""Imports between files, and names with an alias."""

import pytest

from git_retcon.allium.language import check
from tests.allium.language.specimen import codes, diagnose, read


def across(spec: str, other: str, path: bytes = b"a/spec.allium") -> list[str]:
    """What is said of a file beside ``a/other.allium``, which is only context."""
    found = check([read(spec, path)], [read(other, b"a/other.allium")])
    return [f"{each.code.removeprefix('allium.')}: {each.message}" for each in found]


USE = 'use "./other.allium" as o\n'


def test_a_path_leads_to_a_file_relative_to_its_own() -> None:
    assert across(USE, "") == []
    assert across('use "../a/other.allium" as o', "") == []
    assert across('use "./a/other.allium" as o', "", b"spec.allium") == []
    assert across(USE, "", b"b/spec.allium") == [
        'use.unresolvedPath: no file is at the path "./other.allium"'
    ]


def test_a_file_that_cannot_be_read_is_there_all_the_same() -> None:
    assert across(USE + "entity A { b: o/B }", "nonsense") == []
    assert across(USE, "entity {") == []


def test_a_coordinate_is_not_looked_for() -> None:
    assert codes('use "github.com/specs/oauth/abc123" as o\nentity A { b: o/Session }') == []


@pytest.mark.parametrize(
    "reference",
    [
        "entity A { b: o/Order }",
        "entity A { b: Set<o/Level> }",
        "variant V : o/Order",
        "default o/Order a = {}",
        "o/config { most: 1 }",
        "config { a: Integer = o/config.most }",
        "rule R { when: o/Paid(a)\n ensures: b }",
        "rule R { when: A()\n for x in o/Orders: ensures: x.y }",
        "surface S {\n contracts:\n  demands o/Codec\n}",
        "surface S { facing a: o/Clerk }",
        "rule R { when: A()\n ensures: o/Order.created() }",
        'deferred o/Later.do "x"',
    ],
)
def test_what_another_file_offers(reference: str) -> None:
    other = (
        "entity Order {}\nenum Level { a }\nactor Clerk { identified_by: Order }\n"
        "contract Codec { a: () -> B }\nconfig { most: Integer = 1 }\n"
        "rule Pay { when: A()\n ensures: Paid(order: 1) }\ndeferred Later.do"
    )
    assert across(USE + reference, other) == []


def test_a_name_that_another_file_does_not_offer() -> None:
    assert across(USE + "entity A { b: o/Missing }", "entity Order {}") == [
        "reference.unknownName: 'o' declares no 'Missing'"
    ]


@pytest.mark.parametrize(
    "text",
    ["entity A { b: o/B }", "o/config { a: 1 }", "default o/B a = 1", "deferred o/B -- see: x"],
)
def test_an_alias_that_no_use_declares(text: str) -> None:
    assert codes(text) == ["reference.undefinedImportedAlias"]


def test_an_alias_means_one_path() -> None:
    twice = 'use "x/a/1" as a\nuse "x/b/1" as a'
    assert diagnose(twice) == [
        "2:16 error use.duplicateAlias: the alias 'a' already means \"x/a/1\""
    ]
    assert codes('use "x/a/1" as a\nuse "x/a/1" as a') == []


def test_a_division_is_no_reference() -> None:
    assert codes("config { a: Integer = 1 }\nentity A { b: c / config.a }") == []
