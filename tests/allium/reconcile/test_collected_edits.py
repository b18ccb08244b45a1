"""What comparisons of several files change in a specification, as one."""

from collections.abc import Iterable, Sequence

import pytest

from git_retcon.allium.engine import Finding, FindingType
from git_retcon.allium.reconcile.collected_edits import Edits
from git_retcon.allium.reconcile.comparison import Compared
from git_retcon.allium.reconcile.spec_index import Place, SpecIndex
from git_retcon.allium.store.module_text import MARKER, DeclarationText, cut_module
from git_retcon.allium.store.spec_store import SpecStore

SHOP = b"shop.allium"
HEAD = MARKER + b"-- Mirrors shop.\n\n"
ORDER = b"-- Source: shop/order.py, Order\nentity Order {\n    total: Integer\n}\n"
CART = b"-- Source: shop/cart.py, Cart\nentity Cart {\n    order: Order\n}\n"
WHY = "entity Order: field total: shop/order.py says it otherwise. Which one is right?"


class OneModule:
    """All files belong to one module, which needs no other."""

    def find_module(self, path: bytes) -> bytes | None:
        return SHOP

    def list_uses(self, module: bytes, texts: Iterable[bytes]) -> Sequence[bytes] | None:
        return ()


def open_edits(*declarations: bytes) -> tuple[Edits, dict[str, Place], SpecStore]:
    content = HEAD + b"\n".join(declarations)
    store = SpecStore().set_module_spec(SHOP, content)
    places = {each.name: Place(SHOP, each) for each in cut_module(content).declarations}
    return Edits(store, OneModule()), places, store


def find(text: str, question: str = "") -> Finding:
    section = "entity Order: field total"
    return Finding(FindingType.MODIFICATION, section, text, ("shop/order.py",), SHOP, "", question)


def declare(text: bytes) -> DeclarationText:
    (declaration,) = cut_module(MARKER + text).declarations
    return declaration


def test_each_declaration_takes_its_own_outcome() -> None:
    edits, places, _ = open_edits(ORDER, CART)
    longer = ORDER.replace(b"Integer", b"Decimal")
    edits.replace(places["Order"], Compared(longer.rstrip(), [find("says it otherwise")]))
    parcel = b"-- Source: shop/parcel.py, Parcel\nentity Parcel {\n    id: Integer\n}"
    edits.add(SHOP, declare(parcel), find("declares it"))
    written = edits.write().module_spec(SHOP)
    assert written == HEAD + b"\n".join([longer, CART, parcel + b"\n"])
    assert [each.description for each in edits.findings] == ["says it otherwise", "declares it"]


def test_what_one_file_took_away_no_other_brings_back() -> None:
    edits, places, _ = open_edits(ORDER)
    edits.replace(places["Order"], Compared(None, [find("is gone")]))
    edits.replace(places["Order"], Compared(ORDER.rstrip(), [find("has another field")]))
    assert edits.write().module_spec(SHOP) is None
    assert [each.description for each in edits.findings] == ["is gone"]


def test_a_type_that_another_one_names_stays_with_a_question() -> None:
    edits, places, _ = open_edits(ORDER, CART)
    edits.replace(places["Order"], Compared(None, [find("is gone")]))
    written = edits.write().module_spec(SHOP) or b""
    assert ORDER in written
    assert len(edits.asked) == 1
    assert b"open question" in written


@pytest.mark.parametrize("times", [1, 2])
def test_a_question_is_asked_once(times: int) -> None:
    edits, places, _ = open_edits(ORDER)
    for _ in range(times):
        edits.replace(places["Order"], Compared(places["Order"].declaration.text, [find("x", WHY)]))
    written = edits.write().module_spec(SHOP) or b""
    assert written.count(WHY.encode()) == 1
    assert edits.asked == {WHY}
    again = SpecStore().set_module_spec(SHOP, written)
    edits = Edits(again, OneModule())
    edits.ask(SHOP, WHY)
    assert edits.write().module_spec(SHOP) == written
    assert not edits.asked


def test_comments_go_along_to_the_one_file_that_declares_the_same() -> None:
    commented = ORDER.replace(b"entity", b"-- Agreed.\nentity")
    edits, places, store = open_edits(commented)
    moved = ORDER.replace(b"order.py", b"sale.py").rstrip()
    edits.add(SHOP, declare(moved), find("declares it"))
    edits.keep(places["Order"], Compared(places["Order"].declaration.text, [find("is gone", WHY)]))
    edits.place_kept(SpecIndex(store))
    written = edits.write().module_spec(SHOP)
    assert written == HEAD + commented.replace(b"order.py", b"sale.py")
    assert not edits.asked


def test_comments_stay_where_two_files_declare_the_same() -> None:
    commented = ORDER.replace(b"entity", b"-- Agreed.\nentity")
    edits, places, store = open_edits(commented)
    for name in (b"sale.py", b"deal.py"):
        edits.add(SHOP, declare(ORDER.replace(b"order.py", name).rstrip()), find("declares it"))
    edits.keep(places["Order"], Compared(places["Order"].declaration.text, [find("is gone", WHY)]))
    edits.place_kept(SpecIndex(store))
    written = edits.write().module_spec(SHOP) or b""
    assert written.count(b"-- Agreed.") == 1
    assert commented.rstrip() in written
    assert edits.asked == {WHY}


def test_comments_do_not_go_to_a_declaration_that_changes_itself() -> None:
    commented = ORDER.replace(b"entity", b"-- Agreed.\nentity")
    other = ORDER.replace(b"order.py", b"sale.py")
    edits, places, store = open_edits(commented)
    store = store.set_module_spec(b"sale.allium", HEAD + other)
    sale = Place(b"sale.allium", declare(other))
    edits.replace(sale, Compared(other.replace(b"Integer", b"String").rstrip(), [find("x")]))
    edits.keep(places["Order"], Compared(places["Order"].declaration.text, [find("is gone", WHY)]))
    edits.place_kept(SpecIndex(store))
    assert edits.asked == set()
    edits.write()
    assert edits.asked == {WHY}


def test_what_is_there_already_is_not_added_again() -> None:
    edits, places, _ = open_edits(ORDER)
    edits.add(SHOP, places["Order"].declaration, find("declares it"))
    assert edits.write().module_spec(SHOP) == HEAD + ORDER
