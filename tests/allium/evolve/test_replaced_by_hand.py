"""A class that one side changed, where a person wrote something of another kind in its place."""

import pytest

from git_retcon.allium.evolve.merging import add_questions, merge_stores
from git_retcon.allium.evolve.replaced_by_hand import part_replaced
from git_retcon.allium.store.sides import Sides
from git_retcon.allium.store.spec_store import SpecStore
from tests.allium.history_shapes import entity, evolve, merge, spec
from tests.allium.reconcile.test_offline_reconciler import edit
from tests.repository import TestRepository

HEAD = b"-- allium: 3\n-- For tests.\n"
LINE = b"\n-- Source: shop/x.py, Line\nentity Line {\n    a: Integer\n}\n"
LONGER = LINE.replace(b"    a: Integer\n", b"    a: Integer\n    b: Integer\n")
ORDER = b"\n-- Source: shop/order.py, Order\nentity Order {\n    %b: Line\n}\n"
ENUM = b"\nenum Line { red | blue }\n"
QUESTION = (
    b'\nopen question "entity XLine: the other side has enum Line in its place, since the branch '
    b'and what is merged into it came together. Which one is right?"\n'
)


def shop(*texts: bytes) -> SpecStore:
    return SpecStore(modules={b"shop.allium": HEAD + b"".join(texts)} if texts else {})


@pytest.mark.parametrize("is_first", [True, False])
def test_both_stay_under_two_names_beside_a_question(*, is_first: bool) -> None:
    changed, written = shop(LONGER), shop(ORDER % b"colour", ENUM)
    ours, theirs = (written, changed) if is_first else (changed, written)
    merged = merge_stores(shop(LINE), ours, theirs)
    text = add_questions(merged.store, merged.conflicts).module_spec(b"shop.allium") or b""
    assert LONGER.replace(b"entity Line", b"entity XLine") in text
    assert ORDER % b"colour" in text, "what the person refers to is what the person wrote"
    assert ENUM in text
    assert text.endswith(QUESTION)


def test_what_the_other_side_refers_to_is_the_class() -> None:
    merged = merge_stores(shop(LINE), shop(ENUM), shop(LONGER, ORDER % b"line"))
    text = merged.store.module_spec(b"shop.allium") or b""
    assert (ORDER % b"line").replace(b"Line", b"XLine") in text


@pytest.mark.parametrize("written", [ENUM, ENUM.replace(b"enum", b"entity")])
def test_what_nobody_changed_has_its_name(written: bytes) -> None:
    sides = Sides(shop(LINE), shop(written), shop(LINE if written == ENUM else LONGER))
    assert part_replaced(sides).sides == sides


def test_a_merge_asks_which_one_is_right(repo: TestRepository) -> None:
    repo.commit("a", {"src/shop/x.py": entity("Line", "a")})
    evolve(repo)
    repo.git("branch", "side")
    repo.commit("b", {"src/shop/order.py": entity("Order", "n")})
    evolve(repo)
    line = "-- Source: src/shop/x.py, Line\nentity Line {\n    a: Integer\n}\n"
    edit(repo, "shop", line, "enum Line { red | blue }\n")
    repo.git("checkout", "-q", "side")
    repo.commit("c", {"src/shop/x.py": entity("Line", "a", "b")})
    repo.git("checkout", "-q", "main")
    merge(repo, "m", "side")
    evolve(repo)
    described = spec(repo, "shop")
    assert "enum Line { red | blue }" in described
    assert "entity XLine {\n    a: Integer\n    b: Integer\n}" in described
    assert QUESTION.decode().strip() in described
    repo.commit("d", {"src/shop/x.py": entity("Line", "a", "b", "c")})
    evolve(repo)
    assert spec(repo, "shop") == described.replace(
        "    b: Integer\n", "    b: Integer\n    c: Integer\n"
    )
