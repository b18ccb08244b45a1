"""One alias for two modules, on two sides of a merge."""

from git_retcon.allium.evolve.merging import merge_stores
from git_retcon.allium.store.aligned_aliases import align_aliases, share_aliases
from git_retcon.allium.store.spec_errors import list_errors
from git_retcon.allium.store.spec_store import SpecStore

HEAD = b"-- allium: 3\n-- For tests.\n"


def side(folder: str, name: str) -> bytes:
    used = f'\nuse "./{folder}/models.allium" as models\n\n'
    return HEAD + (used + f"entity {name} {{\n    a: models/{folder.title()}\n}}\n").encode()


def test_both_modules_can_be_meant_after_a_merge() -> None:
    plain = HEAD + b"\nentity Plain {\n    n: Integer\n}\n"
    base, ours, theirs = (
        SpecStore(modules={b"shop.allium": text})
        for text in (plain, side("a", "One"), side("b", "Two"))
    )
    merged = merge_stores(base, ours, theirs)
    text = merged.store.module_spec(b"shop.allium") or b""
    assert not merged.conflicts
    assert list_errors(text) == frozenset()
    assert text == HEAD + (
        b'\nuse "./a/models.allium" as models\nuse "./b/models.allium" as b_models\n\n'
        b"entity One {\n    a: models/A\n}\n\nentity Two {\n    a: b_models/B\n}\n"
    )


def test_what_does_not_clash_is_left_as_it_is() -> None:
    ours, theirs = side("a", "One"), side("a", "Two")
    assert align_aliases(b"shop.allium", ours, [b"", theirs]) == [b"", theirs]
    assert align_aliases(b"shop.allium", HEAD, [theirs]) == [theirs]


def use(**lines: str) -> str:
    return "".join(f'use "./{path}.allium" as {alias}\n' for path, alias in lines.items())


def master(uses: str, *names: str) -> bytes:
    relations = "".join(f"\nvalue Relation {{\n    a: {name}\n}}\n" for name in names)
    return HEAD + f"\n{uses}{relations}".encode()


def test_a_module_that_both_sides_named_has_our_name_and_what_they_say_of_it() -> None:
    ours = master(use(shop="src"))
    theirs = master(use(shop="shop_src", sales="src"), "src/Order", "shop_src/Item")
    shared = share_aliases(b"_master.allium", master(use(sales="src")), ours, theirs)
    assert shared == master(use(sales="sales", shop="src"), "sales/Order", "src/Item")


def test_the_name_that_one_side_changed_stays_changed() -> None:
    base, theirs = master(use(shop="shop")), master(use(shop="store"), "store/Order")
    assert share_aliases(b"_master.allium", base, base, theirs) == theirs
    assert share_aliases(b"_master.allium", base, theirs, base) == base
