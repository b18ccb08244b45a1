"""Two sides of a merge may each add something of one name, in two files."""

import pytest

from git_retcon.allium.evolve.merging import merge_stores
from git_retcon.allium.evolve.names_apart import name_apart
from git_retcon.allium.store.sides import Sides
from git_retcon.allium.store.spec_store import SpecStore
from tests.allium.history_shapes import entity, evolve, merge, spec
from tests.repository import TestRepository

HEAD = b"-- allium: 3\n-- For tests.\n"
LINE = b"\n-- Source: shop/%b.py, Line\nentity %b {\n    %b: Integer\n}\n"
ORDER = b"\n-- Source: shop/y.py, Order\nentity Order {\n    line: %b\n}\n"
X, Y = LINE % (b"x", b"Line", b"a"), LINE % (b"y", b"Line", b"b")


def shop(*texts: bytes) -> SpecStore:
    return SpecStore(modules={b"shop.allium": HEAD + b"".join(texts)} if texts else {})


def test_both_are_kept_and_what_refers_to_the_second_follows() -> None:
    merged = merge_stores(shop(), shop(X), shop(Y, ORDER % b"Line"))
    assert not merged.conflicts
    assert merged.store.module_spec(b"shop.allium") == HEAD + X + LINE % (
        b"y", b"YLine", b"b",
    ) + ORDER % b"YLine"  # fmt: skip


def test_two_heirs_of_one_base_class_are_two() -> None:
    base = b"\n-- Source: shop/base.py, Base\nentity"
    one, two = (each.replace(b"\nentity", base) for each in (X, Y))
    text = merge_stores(shop(), shop(one), shop(two)).store.module_spec(b"shop.allium")
    assert text == HEAD + one + two.replace(b"entity Line", b"entity YLine")


def test_one_name_of_two_kinds_is_one_name_still() -> None:
    colour = b"\n-- Source: shop/y.py, Line\nenum Line { red | blue }\n"
    text = merge_stores(shop(), shop(X), shop(colour)).store.module_spec(b"shop.allium")
    assert text == HEAD + X + colour.replace(b"enum Line", b"enum YLine")


def test_a_class_that_each_side_moved_to_a_file_of_its_own_is_two() -> None:
    was = LINE % (b"w", b"Line", b"a")
    merged = merge_stores(shop(was), shop(X), shop(Y), lambda path: path != "shop/w.py")
    assert not merged.conflicts
    assert merged.store.module_spec(b"shop.allium") == HEAD + X + LINE % (b"y", b"YLine", b"b")


@pytest.mark.parametrize("gone", ["shop/x.py", "shop/y.py"])
def test_what_a_side_moved_is_one_where_the_merge_has_one_of_the_files(gone: str) -> None:
    sides = Sides(shop(X), shop(X), shop(Y))
    assert name_apart(sides, lambda path: path != gone) == sides
    assert name_apart(sides, lambda path: True) == sides, "what the base has of a file was moved"


def test_a_merge_describes_what_its_source_has(repo: TestRepository) -> None:
    repo.commit("a", {"src/shop/order.py": entity("Order", "n")})
    repo.git("branch", "side")
    repo.commit("b", {"src/shop/x.py": entity("Line", "a")})
    repo.git("checkout", "-q", "side")
    repo.commit("c", {"src/shop/y.py": entity("Line", "b")})
    repo.git("checkout", "-q", "main")
    merge(repo, "m", "side")
    evolve(repo)
    described = spec(repo, "shop")
    assert "entity Line {\n    a: Integer" in described
    assert "entity YLine {\n    b: Integer" in described
    assert "open question" not in described
    repo.commit("d", {"src/shop/y.py": entity("Line", "b", "c")})
    evolve(repo)
    assert spec(repo, "shop") == described.replace(
        "    b: Integer\n", "    b: Integer\n    c: Integer\n"
    )


@pytest.mark.parametrize("is_first", [True, False])
def test_a_class_that_has_the_name_of_what_a_person_wrote_gets_another_one(
    *, is_first: bool
) -> None:
    written = b"\nenum Line { red | blue }\n"
    sides = (shop(written), shop(X)) if is_first else (shop(X), shop(written))
    merged = merge_stores(shop(), *sides)
    assert not merged.conflicts
    text = merged.store.module_spec(b"shop.allium") or b""
    assert written in text
    assert X.replace(b"entity Line", b"entity XLine") in text


@pytest.mark.parametrize("is_first", [True, False])
def test_what_a_person_put_in_the_place_of_a_class_stays_in_its_place(*, is_first: bool) -> None:
    written = b"\nenum Line { red | blue }\n"
    sides = (shop(written), shop(X)) if is_first else (shop(X), shop(written))
    merged = merge_stores(shop(X), *sides)
    text = merged.store.module_spec(b"shop.allium") or b""
    assert written in text
    assert b"XLine" not in text
