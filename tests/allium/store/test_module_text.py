"""A module cut into declarations, with what they cite."""

from git_retcon.allium.store.module_text import (
    cite_source,
    cut_module,
    find_cited_path,
    join_module,
    list_cited_paths,
    read_citation,
)
from git_retcon.show.style import show_path

TEXT = b"""-- allium: 3
-- Orders.

use "./core.allium" as core
use "./tax.allium" as tax

-- Source: shop/models.py, Order
-- What a customer wants.
entity Order {
    total: Integer
}

-- Apart from both.

enum State { open | paid }
"""


def test_a_module_is_its_head_and_its_declarations() -> None:
    text = cut_module(TEXT)
    assert text.head == b"-- allium: 3\n-- Orders."
    assert [declaration.key for declaration in text.declarations] == [
        ("use", "./core.allium", 0),
        ("use", "./tax.allium", 0),
        ("entity", "Order", 0),
        ("enum", "State", 0),
    ]
    assert text.declarations[2].sources == ("shop/models.py",)
    assert text.declarations[3].text.startswith(b"-- Apart from both.")
    assert not text.is_empty
    assert join_module(text.head, [declaration.text for declaration in text.declarations]) == TEXT


def test_two_declarations_of_one_name_are_distinguished() -> None:
    declarations = cut_module(b"-- allium: 3\nentity A {\n}\nentity A {\n}\n").declarations
    assert [declaration.ordinal for declaration in declarations] == [0, 1]


def test_what_is_cited_is_read_again() -> None:
    line = cite_source(b"a b/\xff,c.py", "Order.pay")
    assert line == "-- Source: a b/\\xff,c.py, Order.pay"
    assert read_citation(line.removeprefix("-- ")) == "a b/\\xff,c.py"
    assert read_citation("Source code is elsewhere") is None


def test_a_module_that_only_uses_others_is_empty() -> None:
    assert cut_module(b'-- allium: 3\nuse "./a.allium" as a\n').is_empty
    assert cut_module(b"").is_empty


def test_a_path_is_known_again_from_how_it_is_shown() -> None:
    for path in (
        b"a.py",
        b"caf\xe9.py",
        b"a\nb\tc.py",
        b"a\x01.py",
        "r\u202el.py".encode(),
        b"a\\new",
    ):
        assert path in list_cited_paths(show_path(path))
        assert find_cited_path(show_path(path), lambda each: each == path) == path  # noqa: B023
    assert find_cited_path("a\\xe9", lambda path: False) == b"a\\xe9"
