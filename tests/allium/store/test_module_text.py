"""A module cut into declarations, with what they cite."""

from git_retcon.allium.store.module_text import cite, join_pieces, read_citation, read_pieces

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
    text = read_pieces(TEXT)
    assert text.head == b"-- allium: 3\n-- Orders."
    assert [piece.key for piece in text.pieces] == [
        ("use", "./core.allium", 0),
        ("use", "./tax.allium", 0),
        ("entity", "Order", 0),
        ("enum", "State", 0),
    ]
    assert text.pieces[2].sources == ("shop/models.py",)
    assert text.pieces[3].text.startswith(b"-- Apart from both.")
    assert not text.is_empty
    assert join_pieces(text.head, [piece.text for piece in text.pieces]) == TEXT


def test_two_declarations_of_one_name_are_told_apart() -> None:
    pieces = read_pieces(b"-- allium: 3\nentity A {\n}\nentity A {\n}\n").pieces
    assert [piece.ordinal for piece in pieces] == [0, 1]


def test_what_is_cited_is_read_again() -> None:
    line = cite(b"a b/\xff,c.py", "Order.pay")
    assert line == "-- Source: a b/\\xff,c.py, Order.pay"
    assert read_citation(line.removeprefix("-- ")) == "a b/\\xff,c.py"
    assert read_citation("Source code is elsewhere") is None


def test_a_module_that_only_uses_others_is_empty() -> None:
    assert read_pieces(b'-- allium: 3\nuse "./a.allium" as a\n').is_empty
    assert read_pieces(b"").is_empty
