"""A source tree notes what it is asked, and whether another one answers the same."""

from git_retcon.allium.extract.traced_tree import CUT, LOOPED, TracedTree, make_loop
from tests.allium.extract.declared import Sources

FILES = {"shop/order.py": "class Order:\n    id: int\n", "shop/desk.py": "x = 1\n"}


def test_what_is_asked_is_noted_in_its_order_and_all_around() -> None:
    tree = TracedTree(Sources(FILES))
    whole = tree.begin()
    tree.read(b"shop/desk.py")
    part = tree.begin()
    tree.list_folder(b"shop")
    tree.read(b"shop/none.py")
    assert [*tree.end(part).asked] == [(b"shop",), b"shop/none.py"]
    assert [*tree.end(whole).asked] == [b"shop/desk.py", (b"shop",), b"shop/none.py"]


def test_another_tree_answers_alike_where_all_that_was_asked_is_the_same() -> None:
    sources = Sources(FILES)
    tree = TracedTree(sources)
    answers = tree.answer({b"shop/none.py": None, (b"shop",): None})
    assert answers is not None
    assert TracedTree(Sources(FILES)).answers_alike(answers)
    assert not TracedTree(Sources({**FILES, "shop/none.py": ""})).answers_alike(answers)
    assert not TracedTree(Sources({**FILES, "shop/other.py": ""})).answers_alike(answers)


def test_what_is_not_found_yet_is_no_answer() -> None:
    tree = TracedTree(Sources(FILES))
    loop = make_loop(b"shop/order.py", "Order")
    assert tree.answer({CUT: None, loop: None}) is None
    assert tree.answer({CUT: None}) == []
    outer = tree.begin()
    tree.note({loop: None, b"shop/order.py": None})
    assert [*tree.end(outer, loop).asked] == [b"shop/order.py", LOOPED]


def test_only_what_found_something_went_deep() -> None:
    tree = TracedTree(Sources(FILES))
    whole, part = tree.begin(), tree.begin(3)
    assert tree.end(part, is_found=False).deepest == 3
    assert tree.end(whole).deepest == 0
    whole, part = tree.begin(), tree.begin(3)
    assert tree.end(part).deepest == tree.end(whole).deepest == 3
