"""Files and folders whose names cannot be printed, or are one on some file systems."""

import os

from tests.allium.history_shapes import entity, evolve, spec
from tests.allium.subcommands.test_reconciliation import reconcile
from tests.program import allium_here
from tests.repository import TestRepository

STRANGE = (b"caf\xe9.py", b"or\nder.py", b"ta\tb.py", b"sl\\new.py", b"right\xe2\x80\xaeleft.py")


def _commit(repo: TestRepository, subject: str, kind: str) -> None:
    names = (os.fsdecode(name) for name in STRANGE)
    text = entity("Order{}", "total").replace("int", kind)
    repo.write({f"src/shop/{name}": text.format(n) for n, name in enumerate(names)})
    repo.git("add", "-A")
    repo.git("commit", "-q", "-m", subject)


def test_what_a_file_of_any_name_declares_is_found_in_it_again(repo: TestRepository) -> None:
    _commit(repo, "a", "int")
    evolve(repo)
    assert spec(repo, "shop").count("total: Integer") == len(STRANGE)
    assert allium_here(repo.path, "check", "--drift").ok().out == ""
    assert reconcile(repo, "-n", "--full").ok().out == ""
    blamed = allium_here(repo.path, "blame", "Order0.total").ok().out
    assert "src/shop/caf\\xe9.py:2" in blamed
    _commit(repo, "b", "str")
    found = allium_here(repo.path, "check", "--drift").out
    assert found.count(".py:2: warning: ") == len(STRANGE)
    reconcile(repo).ok()
    assert spec(repo, "shop").count("total: String") == len(STRANGE)
    assert allium_here(repo.path, "check", "--drift").ok().out == ""


def test_folders_that_differ_in_case_alone_share_a_module_from_the_first_commit_on(
    repo: TestRepository,
) -> None:
    files = {"src/Shop/order.py": entity("Order", "total"), "src/shop/cart.py": entity("Cart", "n")}
    repo.commit("a", files)
    evolve(repo)
    assert "entity Cart" in spec(repo, "Shop")
    user = "from shop.cart import Cart\n\nclass Line:\n    cart: Cart\n"
    repo.commit("b", {"src/line/line.py": user, "src/shop/more.py": entity("More", "n")})
    evolve(repo)
    assert "cart: shop/Cart" in spec(repo, "line")
    assert "More" in spec(repo, "Shop")
    assert allium_here(repo.path, "check", "--drift").ok().out == ""
    repo.commit("c", {"src/TAX/a.py": entity("Rate", "n"), "src/tax/b.py": entity("Share", "n")})
    reconcile(repo).ok()
    assert "Share" in spec(repo, "TAX")
