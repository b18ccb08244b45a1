"""Classes that have the name of a type of the language itself."""

import json

import pytest

from tests.allium.history_shapes import BRANCH, evolve, spec
from tests.program import allium_here
from tests.repository import TestRepository

OWN = ("Duration", "String", "Timestamp", "Integer", "Boolean", "Decimal")


@pytest.mark.parametrize("name", OWN)
def test_a_class_with_the_name_of_a_type_of_the_language_is_another(
    repo: TestRepository, name: str
) -> None:
    repo.commit(
        "a",
        {
            "src/shop/order.py": (
                f"class {name}:\n    amount: int\n    text: str\n\n\n"
                f"class Order:\n    own: {name}\n    count: int\n    label: str\n"
            ),
            "src/post/letter.py": (
                "from datetime import datetime, timedelta\n\nfrom shop.order import "
                f"{name}\n\n\nclass Letter:\n    own: {name}\n    at: datetime\n"
                "    took: timedelta\n    paid: bool\n    price: float\n"
            ),
        },
    )
    evolve(repo)
    shop = spec(repo, "shop")
    assert f"entity Order{name} {{" in shop
    assert f"    own: Order{name}\n    count: Integer\n    label: String\n" in shop
    assert (
        f"    own: shop/Order{name}\n    at: Timestamp\n    took: Duration\n"
        "    paid: Boolean\n    price: Decimal\n"
    ) in spec(repo, "post")
    assert allium_here(repo.path, "check", "--drift").ok().err == "no divergence\n"
    tree = repo.tree(BRANCH)
    done = allium_here(repo.path, "reconcile", "--offline", "--full", "--json").ok()
    assert json.loads(done.out)["findings"] == []
    assert repo.tree(BRANCH) == tree


def test_a_class_that_comes_to_have_such_a_name_leaves_the_others_as_they_are(
    repo: TestRepository,
) -> None:
    source = "class Span:\n    amount: int\n\n\nclass Order:\n    own: Span\n    took: {}\n"
    repo.commit(
        "a", {"src/shop/order.py": "import datetime\n" + source.format("datetime.timedelta")}
    )
    evolve(repo)
    renamed = source.replace("Span", "Duration").format("datetime.timedelta")
    repo.commit("b", {"src/shop/order.py": "import datetime\n" + renamed})
    evolve(repo)
    assert "    own: OrderDuration\n    took: Duration\n" in spec(repo, "shop")
    assert allium_here(repo.path, "check", "--drift").ok().err == "no divergence\n"


def test_a_class_of_a_file_of_its_own_name_is_told_apart_too(repo: TestRepository) -> None:
    repo.commit(
        "a", {"src/shop/duration.py": "class Duration:\n    n: int\n    next: 'Duration'\n"}
    )
    evolve(repo)
    assert "entity DurationDuration {" in spec(repo, "shop")
    assert "    next: DurationDuration\n" in spec(repo, "shop")


@pytest.mark.parametrize("name", ["Boolean", "Decimal", "String"])
def test_so_it_is_in_typescript(repo: TestRepository, name: str) -> None:
    own = f"export class {name} {{\n  amount: number;\n}}\n"
    order = (
        f"import {{ {name} }} from './own';\n\nexport class Order {{\n  own: {name};\n"
        "  text: string;\n  paid: boolean;\n  price: number;\n}\n"
    )
    other = f"export class Letter {{\n  plain: {name};\n}}\n"
    repo.commit("a", {"src/shop/own.ts": own, "src/shop/order.ts": order, "src/post/a.ts": other})
    evolve(repo)
    assert (
        f"    own: Own{name}\n    text: String\n    paid: Boolean\n    price: Decimal\n"
    ) in spec(repo, "shop")
    assert f"    plain: {name}\n" in spec(repo, "post")
    assert allium_here(repo.path, "check", "--drift").ok().err == "no divergence\n"
