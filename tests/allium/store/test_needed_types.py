"""What a declaration that stays names stays as well."""

from git_retcon.allium.store.needed_types import restore_needed
from git_retcon.allium.store.spec_store import SpecStore
from tests.allium.history_shapes import entity, evolve, spec
from tests.allium.reconcile.test_offline_reconciler import edit
from tests.program import allium_here
from tests.repository import TestRepository

HEAD = b"-- allium: 3\n-- For tests.\n\n"
KIND = b"-- Source: shop/kind.py, Kind\nenum Kind { a | b }\n"
BOX = b"-- Source: shop/box.py, Box\nentity Box {\n    kind: Kind\n}\n"
CART = b'use "./shop.allium" as shop\n\nentity Cart {\n    box: shop/Box\n}\n'
ASKED = b"does not declare it any more, and it is named here. Is it still true?"


def test_what_another_module_names_comes_back_with_what_it_names_itself() -> None:
    before = SpecStore(modules={b"shop.allium": HEAD + KIND + b"\n" + BOX, b"cart.allium": CART})
    after = before.remove_module_spec(b"shop.allium")
    restored = restore_needed(before, after)
    text = restored.store.module_spec(b"shop.allium") or b""
    assert text.startswith(HEAD)
    assert BOX.strip() in text
    assert KIND.strip() in text
    assert text.count(ASKED) == len(restored.asked) == len(restored.needed) == 2
    assert restore_needed(before, restored.store).store == restored.store
    gone = after.remove_module_spec(b"cart.allium")
    assert restore_needed(before, gone).store == gone, "nothing names it"


def test_a_specification_without_its_source_has_no_errors(repo: TestRepository) -> None:
    source = (
        "import enum\n\n\nclass Status(enum.Enum):\n    OPEN = 'open'\n    SHUT = 'shut'\n\n\n"
        "class Order:\n    id: int\n    status: Status\n"
    )
    repo.commit("a", {"src/shop/order.py": source, "src/shop/cart.py": entity("Cart", "n")})
    evolve(repo)
    edit(repo, "shop", "id: Integer", "id: Decimal")
    repo.commit("b", {"src/shop/order.py": None})
    evolve(repo)
    text = spec(repo, "shop")
    assert "enum Status { open | shut }" in text
    place = repo.path / "shop.allium"
    place.write_text(text)
    assert allium_here(repo.path, "check", str(place)).status == 0
    order = text[
        text.index("-- Source: src/shop/order.py, Order") : text.index(
            "-- Source: src/shop/order.py, Status"
        )
    ]
    edit(repo, "shop", order, "")
    allium_here(repo.path, "reconcile", "--offline", "--full").ok()
    assert "Status" not in spec(repo, "shop"), "it goes with what named it"


def test_what_people_wrote_about_all_of_a_class_keeps_it(repo: TestRepository) -> None:
    repo.commit("a", {"src/a/k.py": entity("Order", "n"), "src/a/l.py": entity("Line", "k")})
    evolve(repo)
    everywhere = "\n\ninvariant Positive {\n    for order in Orders:\n        order.n > 0\n}"
    edit(repo, "a", "    n: Integer\n}", "    n: Integer\n}" + everywhere)
    repo.commit("b", {"src/a/k.py": None})
    evolve(repo)
    assert "entity Order {" in spec(repo, "a")
    assert f"{ASKED.decode()}" in spec(repo, "a")


def test_a_class_that_has_a_plural_for_its_name_keeps_no_other(repo: TestRepository) -> None:
    line = entity("Line", "k") + "    all: Orders\n"
    orders = entity("Orders", "id") + "\n\n" + line
    repo.commit("a", {"src/a/k.py": entity("Order", "n"), "src/a/l.py": orders})
    evolve(repo)
    repo.commit("b", {"src/a/k.py": None})
    evolve(repo)
    assert "entity Order {" not in spec(repo, "a")
    assert "    all: Orders\n" in spec(repo, "a")


def test_questions_about_a_declaration_go_with_it() -> None:
    why = "entity Box: field kind: box.py says it otherwise. Which one is right?"
    asked = f'open question "{why}"\n'.encode()
    other = b'open question "Who pays?"\n'
    whole = HEAD + b"\n".join([KIND, BOX, asked, other])
    before = SpecStore(modules={b"shop.allium": whole})
    after = before.set_module_spec(b"shop.allium", whole.replace(BOX + b"\n", b""))
    text = restore_needed(before, after).store.module_spec(b"shop.allium")
    assert text == HEAD + KIND + b"\n" + other
    changed = before.set_module_spec(b"shop.allium", whole.replace(KIND + b"\n", b""))
    assert asked in (restore_needed(before, changed).store.module_spec(b"shop.allium") or b"")
