"""What one side of a merge took away, and the merge has."""

from git_retcon.allium.store.contradictions import Contradiction
from git_retcon.allium.store.kept_declarations import restore_kept
from git_retcon.allium.store.spec_store import SpecStore
from git_retcon.allium.store.three_way import make_question

HEAD = b"-- allium: 3\n-- For tests.\n\n"
CART = b"-- Source: shop/cart.py, Cart\nentity Cart {\n    n: Integer\n}\n"
ORDER = b"-- Source: shop/order.py, Order\n-- Agreed.\nentity Order {\n    n: Integer\n}\n"
ASKED = make_question(Contradiction.UNDECLARED.ask("entity Order", "shop/order.py")).text + b"\n"


def store(*parts: bytes) -> SpecStore:
    return SpecStore(modules={b"shop.allium": HEAD + b"\n".join(parts)} if parts else {})


def test_it_is_there_again_and_no_question_why_it_went() -> None:
    base = store(CART, ORDER)
    whole = restore_kept(base, store(CART, ASKED), base, lambda path: path == "shop/order.py")
    text = whole.module_spec(b"shop.allium") or b""
    assert ORDER in text + b"\n"
    assert CART in text + b"\n"
    assert b"open question" not in text
    whole = restore_kept(base, store(), base, lambda path: True)
    assert whole.all_modules() == base.all_modules()


def test_it_stays_away_where_the_merge_has_not_its_file() -> None:
    base, side = store(CART, ORDER), store(CART, ASKED)
    assert restore_kept(base, side, base, lambda path: False) == side
    assert restore_kept(base, side, store(CART), lambda path: True) == side


def test_another_type_of_its_name_is_not_what_became_of_it() -> None:
    base, side = store(CART, ORDER), store(CART, ASKED)
    elsewhere = b"-- Source: post/order.py, Order\nentity Order {\n    %b: Integer\n}\n"
    for field, comes_back in ((b"n", True), (b"m", False)):
        post = HEAD + elsewhere % field
        keeper = store(CART).set_module_spec(b"post.allium", post)
        whole = restore_kept(base, side, keeper, lambda path: path == "post/order.py")
        assert (ORDER.strip() in (whole.module_spec(b"shop.allium") or b"")) is comes_back
