"""What a merge of specifications is of."""

from git_retcon.allium.store.sides import Sides, list_moving
from git_retcon.allium.store.spec_store import SpecStore

HEAD = b"-- allium: 3\n-- For tests.\n"
CART = b"\nentity Cart {\n    n: Integer\n}\n"
OTHERS = b'\nconfig {\n    n: Integer = 1\n}\n\nopen question "Why?"\n\nexternal entity User {}\n'


def test_modules_that_all_three_have_alike_are_not_looked_at() -> None:
    same, one = {b"a.allium": HEAD + CART}, {b"b.allium": HEAD + CART}
    sides = Sides(
        SpecStore(modules=same), SpecStore(modules={**same, **one}), SpecStore(modules=same)
    )
    assert sides.list_changed() == [b"b.allium"]
    assert sides.change(lambda store: SpecStore(modules=same)).list_changed() == []


def test_what_a_module_may_have_several_of_stays_in_it() -> None:
    assert [each.name for each in list_moving(HEAD + CART + OTHERS)] == ["Cart"]
    assert [*list_moving(None)] == []
