"""Declarations whose source is in another file, in whole runs: a move alone is no difference."""

from collections.abc import Callable

import pytest

from tests.allium.history_shapes import entity, evolve, spec
from tests.allium.reconcile.test_offline_reconciler import PAY, edit
from tests.program import allium_here
from tests.repository import TestRepository

STAYS = "LIMIT = 3\n"


def start(repo: TestRepository) -> None:
    files = {
        "src/shop/order.py": STAYS + PAY,
        "src/shop/cart.py": entity("Cart", "size"),
        "src/post/parcel.py": entity("Parcel", "weight"),
    }
    repo.commit("a", files)
    evolve(repo, "--reconciliation-strategy", "none")


def write_by_hand(repo: TestRepository) -> str:
    """A person's clause, field and comment. Returns both declarations without what they cite."""
    edit(
        repo, "shop", "    total: Integer\n", "    -- in cents\n    total: Integer\n    due: Date\n"
    )
    edit(repo, "shop", "    ensures:", "    requires: limit > 0 -- by law 12\n    ensures:")
    return read_order(repo, "shop", "src/shop/order.py")


def read_order(repo: TestRepository, module: str, path: str) -> str:
    texts = spec(repo, module).rstrip("\n").split("\n\n")
    return "\n\n".join(
        each.partition("\n")[2] for each in texts if each.startswith(f"-- Source: {path}, Order")
    )


def move_class(repo: TestRepository) -> str:
    """The class alone goes to a file that is there. Returns its path."""
    parcel = entity("Parcel", "weight")
    repo.commit("move", {"src/shop/order.py": STAYS, "src/post/parcel.py": f"{parcel}\n\n{PAY}"})
    return "src/post/parcel.py"


def move_file(repo: TestRepository) -> str:
    repo.git("mv", "src/shop/order.py", "src/post/order.py")
    repo.commit("move", {})
    return "src/post/order.py"


@pytest.mark.parametrize("move", [move_class, move_file])
@pytest.mark.parametrize("command", ["evolve", "reconcile"])
def test_a_declaration_moves_with_what_was_written_by_hand(
    repo: TestRepository, move: Callable[[TestRepository], str], command: str
) -> None:
    start(repo)
    by_hand = write_by_hand(repo)
    path = move(repo)
    allium_here(repo.path, command, "--offline").ok()
    assert "by law 12" in by_hand
    assert read_order(repo, "post", path) == by_hand
    assert "Order" not in spec(repo, "shop")
    assert "declare" not in spec(repo, "post"), "no question about where it is"


def test_what_stays_in_a_file_stays_with_what_was_written_by_hand(repo: TestRepository) -> None:
    both = entity("Order", "total") + "\n\n" + entity("Cart", "size")
    repo.commit("a", {"src/shop/order.py": both})
    evolve(repo, "--reconciliation-strategy", "none")
    edit(repo, "shop", "    size: Integer\n", "    size: Integer\n    due: Timestamp\n")
    files = {"src/shop/order.py": entity("Cart", "size"), "src/post/a.py": entity("Order", "total")}
    repo.commit("move", files)
    allium_here(repo.path, "reconcile", "--offline").ok()
    assert "due: Timestamp" in spec(repo, "shop")
    assert "Cart" not in spec(repo, "post")
    assert "open question" not in spec(repo, "post")


SHOP = """from django.conf import settings
from django.db import models


class {name}(models.Model):
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE)
"""
FILES = {
    "src/shop/order.py": SHOP.format(name="Order"),
    "src/shop/cart.py": SHOP.format(name="Cart"),
    "src/shop/limits.py": "LIMIT = 3\n",
    "src/post/parcel.py": entity("Parcel", "weight"),
}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("src/shop/order.py", "src/shop/orders.py"),
        ("src/shop/order.py", "src/post/order.py"),
        ("src/shop/limits.py", "src/post/limits.py"),
        ("src/shop", "src/sales"),
    ],
    ids=["in its module", "to another module", "settings", "a folder"],
)
def test_a_move_of_files_is_no_difference(repo: TestRepository, old: str, new: str) -> None:
    repo.commit("a", FILES)
    evolve(repo, "--reconciliation-strategy", "none")
    repo.git("mv", old, new)
    repo.commit("move", {})
    assert allium_here(repo.path, "check", "--drift").ok().out == ""
    said = allium_here(repo.path, "reconcile", "--offline").ok().err
    assert said.endswith(": 0 findings\n")
    assert allium_here(repo.path, "check", "--drift").ok().out == ""
    assert allium_here(repo.path, "check", "--rev", "allium/evolution").ok().out == ""
    assert f"{old}, " not in repo.git("grep", "-h", "Source: ", "allium/evolution", "--", "spec")


def test_what_was_accepted_is_so_where_it_moves(repo: TestRepository) -> None:
    start(repo)
    write_by_hand(repo)
    drift = allium_here(repo.path, "check", "--drift")
    assert "field due: src/shop/order.py" in drift.out
    move_class(repo)
    moved = allium_here(repo.path, "check", "--drift")
    places = [line.rpartition("(")[2] for ran in (drift, moved) for line in ran.out.splitlines()]
    assert len(places) == 4
    assert places[:2] == places[2:], "the specification is what it was"
    allium_here(repo.path, "accept", "--all").ok()
    assert allium_here(repo.path, "check", "--drift").ok().out == ""
    evolve(repo)
    assert allium_here(repo.path, "check", "--drift").ok().out == ""


def test_what_was_accepted_is_so_where_its_types_are_in_another_module(
    repo: TestRepository,
) -> None:
    cart = "from src.shop.cart import Cart\n\n\nclass Order:\n    id: int\n    cart: Cart\n"
    files = {"src/shop/order.py": cart, "src/shop/cart.py": "class Cart:\n    id: int\n"}
    repo.commit("a", {**files, "src/post/parcel.py": entity("Parcel", "id")})
    evolve(repo)
    edit(repo, "shop", "    cart: Cart\n", "    cart: Cart\n    due: Timestamp\n")
    allium_here(repo.path, "accept", "--all").ok()
    repo.git("mv", "src/shop/order.py", "src/post/order.py")
    repo.commit("move", {})
    assert allium_here(repo.path, "check", "--drift").ok().out == ""
    evolve(repo)
    assert "cart: shop/Cart" in spec(repo, "post")
    assert allium_here(repo.path, "check", "--drift").ok().out == ""


def test_a_class_that_went_and_another_of_its_name_are_two(repo: TestRepository) -> None:
    start(repo)
    other = "\n\n@dataclass\nclass Order:\n    fee: int\n    tax: int\n"
    post = "from dataclasses import dataclass\n\n\n" + entity("Parcel", "weight") + other
    repo.commit("b", {"src/shop/order.py": STAYS, "src/post/parcel.py": post})
    drift = allium_here(repo.path, "check", "--drift")
    assert "value Order: src/shop/order.py does not declare it any more" in drift.out
    assert "value Order: src/post/parcel.py declares it" in drift.out


def test_what_is_asked_moves_along(repo: TestRepository) -> None:
    start(repo)
    write_by_hand(repo)
    repo.commit("b", {"src/shop/order.py": STAYS + PAY + "    # more\n"})
    allium_here(repo.path, "reconcile", "--offline", "--full").ok()
    asked = spec(repo, "shop").count("open question")
    assert asked == 2
    move_class(repo)
    evolve(repo)
    allium_here(repo.path, "reconcile", "--offline", "--full").ok()
    assert spec(repo, "post").count("open question") == asked
    assert "open question" not in spec(repo, "shop")


SETTINGS = """from pydantic_settings import BaseSettings


class Server(BaseSettings):
    port: int = 8000

    def __init__(self, **data):
        super().__init__(**data)
"""


def test_a_configuration_stays_with_its_file(repo: TestRepository) -> None:
    repo.commit("a", {"src/shop/server.py": SETTINGS})
    evolve(repo)
    assert "server.py, Server.port" in spec(repo, "shop")
    other = SETTINGS.replace("Server(", "Other(").replace(" port:", " host_port:")
    legacy = SETTINGS.replace("Settings):", "Model):")
    repo.commit("b", {"src/shop/server.py": other, "src/shop/legacy.py": legacy})
    evolve(repo)
    assert "host_port: Integer" in spec(repo, "shop")
    assert "open question" not in spec(repo, "shop")
    assert allium_here(repo.path, "check", "--drift").ok().out == ""


@pytest.mark.parametrize("command", ["evolve", "reconcile"])
def test_what_people_wrote_in_a_module_goes_with_its_folder(
    repo: TestRepository, command: str
) -> None:
    start(repo)
    rule = "rule Close {\n    when: Closing(order)\n    ensures: Closed(order) -- at night\n}"
    edit(repo, "shop", "-- Mirrors shop.\n", f"-- Mirrors shop.\n-- Owned by sales.\n\n{rule}\n")
    repo.git("mv", "src/shop", "src/sales")
    repo.commit("move", {})
    allium_here(repo.path, command, "--offline").ok()
    assert spec(repo, "sales").startswith(
        f"-- allium: 3\n-- Mirrors sales.\n-- Owned by sales.\n\n{rule}\n"
    )
    assert "spec/shop.allium" not in repo.git("ls-tree", "-r", "--name-only", "allium/evolution")
