"""In a merge each definition of the source has one name, and it is no other one's."""

import pytest

from git_retcon.allium.evolve.merging import MergedSpec, add_questions, merge_stores
from git_retcon.allium.store.module_text import cut_module
from git_retcon.allium.store.spec_store import SpecStore
from tests.allium.store.test_moves_of_sides import CART, EDITED, HEAD, ORDER


def ask(merged: MergedSpec) -> list[str]:
    """What is asked in the modules of a merge."""
    texts = add_questions(merged.store, merged.conflicts).all_modules().values()
    declared = (each for text in texts for each in cut_module(text).declarations)
    return [each.name for each in declared if each.kind == "open question"]


@pytest.mark.parametrize("is_first", [True, False])
def test_a_definition_that_a_side_calls_otherwise_is_declared_once(*, is_first: bool) -> None:
    named = ORDER.replace(b"entity Order", b"entity ShopOrder")
    paid = b"\n-- Source: shop/pay.py, pay\nvalue Payment {\n    order: %b\n}\n"
    base = SpecStore(modules={b"shop.allium": HEAD + CART + ORDER + paid % b"Order"})
    one = SpecStore(modules={b"shop.allium": HEAD + CART + named + paid % b"ShopOrder"})
    other = SpecStore(modules={b"shop.allium": HEAD + CART + EDITED + paid % b"Order"})
    merged = merge_stores(base, *((one, other) if is_first else (other, one)))
    assert not merged.conflicts
    edited = EDITED.replace(b"entity Order", b"entity ShopOrder")
    assert merged.store.module_spec(b"shop.allium") == HEAD + CART + edited + paid % b"ShopOrder"


def test_a_name_that_another_definition_has_is_not_taken() -> None:
    base = SpecStore(modules={b"shop.allium": HEAD + CART + ORDER})
    named = ORDER.replace(b"entity Order", b"entity Line")
    ours = SpecStore(modules={b"shop.allium": HEAD + CART + named})
    line = b"\n-- Source: shop/line.py, Line\nentity Line {\n    n: Integer\n}\n"
    theirs = SpecStore(modules={b"shop.allium": HEAD + CART + EDITED + line})
    for sides in ((ours, theirs), (theirs, ours)):
        merged = merge_stores(base, *sides)
        assert merged.store.module_spec(b"shop.allium") == HEAD + CART + EDITED + line
        assert ask(merged) == [
            "entity Order: a side calls it Line, which is another one's name now, since the branch "
            "and what is merged into it came together. Which one is right?"
        ]
        again = add_questions(merged.store, merged.conflicts)
        assert not merge_stores(base, again, again).conflicts


@pytest.mark.parametrize("is_first", [True, False])
def test_what_people_wrote_of_the_same_definition_keeps_its_name(*, is_first: bool) -> None:
    written = b"\n-- Source: shop/order.py, Order\nentity OrderHead {\n    title: String\n}\n"
    base = SpecStore(modules={b"shop.allium": HEAD + CART + ORDER})
    one = SpecStore(modules={b"shop.allium": HEAD + CART + written + ORDER})
    other = SpecStore(modules={b"shop.allium": HEAD + CART + EDITED})
    merged = merge_stores(base, *((one, other) if is_first else (other, one)))
    assert not merged.conflicts
    assert merged.store.module_spec(b"shop.allium") == HEAD + CART + written + EDITED


def test_two_names_that_two_people_gave_are_asked_about() -> None:
    base = SpecStore(modules={b"shop.allium": HEAD + CART + ORDER})
    one, two = (
        SpecStore(modules={b"shop.allium": HEAD + CART + ORDER.replace(b"ty Order", b"ty " + name)})
        for name in (b"Purchase", b"Sale")
    )
    for ours, theirs, kept, lost in (
        (one, two, "Purchase", "Sale"),
        (two, one, "Sale", "Purchase"),
    ):
        merged = merge_stores(base, ours, theirs)
        assert merged.store.all_modules() == ours.all_modules()
        assert ask(merged) == [
            f"entity {kept}: a side calls it {lost}, since the branch and what is merged into it "
            "came together. Which one is right?"
        ]


def test_nobody_is_asked_about_a_name_that_is_made_of_the_file_s() -> None:
    named = (ORDER.replace(b"ty Order", b"ty " + name) for name in (b"ShopOrder", b"Purchase"))
    base = SpecStore(modules={b"shop.allium": HEAD + CART + ORDER})
    one, two = (SpecStore(modules={b"shop.allium": HEAD + CART + text}) for text in named)
    assert ask(merge_stores(base, two, one)) == []
    assert ask(merge_stores(base, one, two))[0].startswith(
        "entity ShopOrder: a side calls it Purch"
    )


def test_where_one_name_is_taken_the_others_stay() -> None:
    line = b"\n-- Source: shop/line.py, Line\nentity Line {\n    n: Integer\n}\n"
    base = SpecStore(modules={b"shop.allium": HEAD + CART + ORDER})
    renamed = CART.replace(b"ty Cart", b"ty Basket"), ORDER.replace(b"ty Order", b"ty Line")
    ours = SpecStore(
        modules={b"shop.allium": HEAD + b"".join(renamed).replace(b": Cart", b": Basket")}
    )
    theirs = SpecStore(modules={b"shop.allium": HEAD + CART + ORDER + line})
    text = merge_stores(base, ours, theirs).store.module_spec(b"shop.allium") or b""
    assert text == HEAD + renamed[0] + ORDER.replace(b": Cart", b": Basket") + line


def test_one_name_that_both_sides_gave_is_merged_with_what_it_was() -> None:
    base = SpecStore(modules={b"shop.allium": HEAD + CART + ORDER})
    ours, theirs = (
        SpecStore(modules={b"shop.allium": HEAD + CART + text.replace(b"ty Order", b"ty Sale")})
        for text in (EDITED, ORDER.replace(b"    cart", b"    n: Integer\n    cart"))
    )
    merged = merge_stores(base, ours, theirs)
    text = merged.store.module_spec(b"shop.allium") or b""
    assert ask(merged) == []
    assert b"entity Sale {\n    -- Agreed.\n    due: Timestamp\n    n: Integer\n" in text


@pytest.mark.parametrize("is_first", [True, False])
def test_a_name_follows_a_definition_that_the_other_side_moved(*, is_first: bool) -> None:
    named = ORDER.replace(b"ty Order", b"ty Sale")
    base = SpecStore(modules={b"shop.allium": HEAD + CART + ORDER})
    one = SpecStore(modules={b"shop.allium": HEAD + CART + named})
    moved = EDITED.replace(b"shop/order.py", b"shop/sale.py")
    other = SpecStore(modules={b"shop.allium": HEAD + CART + moved})
    sides = (one, other) if is_first else (other, one)
    merged = merge_stores(base, *sides, lambda path: path != "shop/order.py")
    assert ask(merged) == []
    expected = HEAD + CART + moved.replace(b"ty Order", b"ty Sale")
    assert merged.store.module_spec(b"shop.allium") == expected


def test_a_question_about_a_name_goes_with_the_name() -> None:
    asked = b'\nopen question "entity Order: a side calls it Sale, and why. Which one is right?"\n'
    base = SpecStore(modules={b"shop.allium": HEAD + CART + ORDER})
    named = ORDER.replace(b"ty Order", b"ty Sale")
    ours = SpecStore(modules={b"shop.allium": HEAD + CART + named})
    theirs = SpecStore(modules={b"shop.allium": HEAD + CART + EDITED + asked})
    merged = merge_stores(base, ours, theirs)
    assert ask(merged) == []
    assert merged.store.module_spec(b"shop.allium") == HEAD + CART + EDITED.replace(
        b"ty Order", b"ty Sale"
    )


@pytest.mark.parametrize("is_first", [True, False])
def test_what_a_side_removed_is_removed_by_the_name_that_the_other_gave_it(
    *, is_first: bool
) -> None:
    buy = b"\n-- Source: shop/order.py, Buy\nentity Buy {\n    n: Integer\n}\n"
    base = SpecStore(modules={b"shop.allium": HEAD + CART + ORDER})
    named = ORDER.replace(b"ty Order", b"ty Sale")
    one = SpecStore(modules={b"shop.allium": HEAD + CART + named})
    other = SpecStore(modules={b"shop.allium": HEAD + CART + buy})
    merged = merge_stores(base, *((one, other) if is_first else (other, one)))
    assert ask(merged) == []
    assert merged.store.module_spec(b"shop.allium") == HEAD + CART + buy


LINE = b"\n-- Source: shop/line.py, Line\nentity Line {\n    n: Integer\n}\n"


@pytest.mark.parametrize("is_first", [True, False])
@pytest.mark.parametrize(
    ("order", "line", "left"),
    [
        # What is removed had the name that the other side gave to something else,
        (b"Sale", b"Line", b"Sale"),
        # or the two have changed names.
        (b"Line", b"Order", b"Line"),
    ],
)
def test_a_name_that_a_removal_frees_is_free(
    order: bytes, line: bytes, left: bytes, *, is_first: bool
) -> None:
    base = SpecStore(modules={b"shop.allium": HEAD + CART + ORDER + LINE})
    named = ORDER.replace(b"ty Order", b"ty " + order) + LINE.replace(b"ty Line", b"ty " + line)
    one = SpecStore(modules={b"shop.allium": HEAD + CART + named})
    other = SpecStore(
        modules={b"shop.allium": HEAD + CART + LINE.replace(b"ty Line", b"ty " + left)}
    )
    merged = merge_stores(base, *((one, other) if is_first else (other, one)))
    assert ask(merged) == []
    kept = left if left != b"Line" else line
    assert merged.store.module_spec(b"shop.allium") == HEAD + CART + LINE.replace(
        b"ty Line", b"ty " + kept
    )


def test_a_person_s_name_that_is_taken_is_asked_about_though_it_is_made_of_the_file_s() -> None:
    named = ORDER.replace(b"ty Order", b"ty ShopOrder")
    base = SpecStore(modules={b"shop.allium": HEAD + CART + ORDER})
    ours = SpecStore(modules={b"shop.allium": HEAD + CART + named})
    other = b"\n-- Source: shop/other.py, ShopOrder\nentity ShopOrder {\n    n: Integer\n}\n"
    theirs = SpecStore(modules={b"shop.allium": HEAD + CART + EDITED + other})
    merged = merge_stores(base, ours, theirs)
    assert merged.store.module_spec(b"shop.allium") == HEAD + CART + EDITED + other
    assert ask(merged)[0].startswith("entity Order: a side calls it ShopOrder, which is another")


def test_what_is_of_another_kind_now_is_not_removed() -> None:
    base = SpecStore(modules={b"shop.allium": HEAD + CART + ORDER})
    named = ORDER.replace(b"ty Order", b"ty Sale")
    ours = SpecStore(modules={b"shop.allium": HEAD + CART + named})
    theirs = SpecStore(
        modules={b"shop.allium": HEAD + CART + ORDER.replace(b"entity Order", b"value Order")}
    )
    text = merge_stores(base, ours, theirs).store.module_spec(b"shop.allium") or b""
    assert b"entity Sale {" in text
