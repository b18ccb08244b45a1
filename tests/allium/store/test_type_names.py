"""Names of types across modules."""

from git_retcon.allium.store.module_text import cut_module
from git_retcon.allium.store.type_names import Uses, list_references, relink_names

TEXT = b"""entity Order {
    buyer: core/Customer
    lines: Set<Line>
    Kind: Integer
    ratio: a / B
    lines.Line: Integer
}"""


def test_names_of_types_are_found_with_their_alias() -> None:
    found = [(each.alias, each.name) for each in list_references(TEXT)]
    assert found == [
        ("core", "Customer"),
        ("", "Line"),
        ("", "Integer"),
        ("", "B"),
        ("", "Integer"),
    ]
    first = list_references(TEXT)[0]
    assert TEXT[first.start : first.stop] == b"core/Customer"


def test_the_lines_that_use_other_modules() -> None:
    declarations = cut_module(
        b'-- allium: 3\nuse "../core.allium" as core\nuse "host/owner/name/1" as x\n'
    ).declarations
    uses = Uses(b"shop/order.allium", declarations)
    assert uses.find_target("core") == b"core.allium"
    assert uses.make_alias(b"core.allium") == "core"
    assert uses.make_alias(b"shop/core.allium") == "shop_core"
    assert uses.make_alias(b"shop/open.allium") == "m_open"
    assert uses.list_lines({"shop_core", "m_open"}) == [
        b'use "./open.allium" as m_open',
        b'use "./core.allium" as shop_core',
    ]


def test_a_name_leads_to_where_it_is_declared_now() -> None:
    new = Uses(b"orders/order.allium")
    old = Uses(
        b"orders.allium", cut_module(b'-- allium: 3\nuse "./core.allium" as core\n').declarations
    )
    declared = {
        (b"orders.allium", "Line"): b"orders/line.allium",
        (b"orders.allium", "B"): b"orders/order.allium",
    }
    text = relink_names(TEXT, b"orders.allium", old, new, lambda *key: declared.get(key))
    assert b"lines: Set<line/Line>" in text
    assert b"buyer: core/Customer" in text
    assert b"ratio: a / B" in text
    assert new.list_lines() == [
        b'use "../core.allium" as core',
        b'use "./line.allium" as line',
    ]


def test_a_type_that_is_called_like_a_collection_is_not_the_collection() -> None:
    text = b"""entity Book {
    languages: List<String>
    shelf: Set<List>
    tags: Map<String, Set<Map>>
    later: Sequence<Set>
}"""
    taken = {"List", "Set", "Map", "Sequence"}
    new = Uses(b"book.allium")
    linked = relink_names(
        text, b"all.allium", Uses(b"all.allium"), new,
        lambda module, name: b"own.allium" if name in taken else None,
    )  # fmt: skip
    expected = b"""entity Book {
    languages: List<String>
    shelf: Set<own/List>
    tags: Map<String, Set<own/Map>>
    later: Sequence<own/Set>
}"""
    assert linked == expected
