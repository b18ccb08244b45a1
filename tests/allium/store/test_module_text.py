"""A module cut into declarations, with what they cite."""

from git_retcon.allium.store.module_text import cite_source, cut_module, join_module, read_citation

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
