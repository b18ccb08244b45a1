"""No commit of a plan imports a name that its files do not have, though base and source do."""

from git_retcon.git.difference import Difference
from git_retcon.retcon.planner.facts import read_facts
from git_retcon.retcon.planner.lacking_imports import LackingImports
from git_retcon.retcon.planner.python_states import PythonStates
from git_retcon.retcon.planner.vocabulary import Vocabulary
from tests.repository import TestRepository
from tests.retcon.planner.building import branch, pairs, placed, planned

# "total" is an attribute in the old text, so words alone do not tell what the import means.
SHOP = "def price(item):\n    return item.total\n"
MORE = SHOP + "\n\ndef total(items):\n    return sum(map(price, items))\n"
VIEW = "from .shop import price\n\n\ndef show(item):\n    return price(item)\n"
NEW_VIEW = (
    "from .shop import price, total\n\n\ndef show(item):\n    return price(item), item.total\n"
)


def _read(found: Difference, labels: range) -> set[tuple[str, str]]:
    facts = read_facts(found)
    assert len(facts) == len(labels)
    states = PythonStates(facts, found.texts)
    reader = LackingImports(states, Vocabulary(facts, found.texts))
    return pairs(found, reader.find_pairs(labels))


def test_a_name_comes_before_its_import(repo: TestRepository) -> None:
    found = branch(
        repo,
        {"pkg/shop.py": SHOP, "pkg/view.py": VIEW},
        {"pkg/shop.py": MORE, "pkg/view.py": NEW_VIEW.replace("item.total", "total")},
    )
    facts = read_facts(found)
    wanted = ("def total(items):", "from .shop import price, total")
    assert wanted in _read(found, range(len(facts))[::-1])
    assert not _read(found, range(len(facts)))


def test_a_name_goes_after_its_import(repo: TestRepository) -> None:
    found = branch(
        repo,
        {"pkg/shop.py": MORE, "pkg/view.py": "from .shop import price, total\n"},
        {"pkg/shop.py": SHOP, "pkg/view.py": "from .shop import price\n"},
    )
    assert _read(found, range(2)) == {("from .shop import price", "def total(items):")}
    assert not _read(found, range(2)[::-1])


def test_a_test_imports_from_a_source_folder(repo: TestRepository) -> None:
    found = branch(
        repo,
        {"src/pkg/shop.py": SHOP, "tests/test_a.py": "from pkg.shop import price\n"},
        {"src/pkg/shop.py": MORE, "tests/test_a.py": "from pkg.shop import price, total\n"},
    )
    wanted = {("def total(items):", "from pkg.shop import price, total")}
    assert _read(found, range(2)[::-1]) == wanted


def test_what_gives_names_unseen_orders_nothing(repo: TestRepository) -> None:
    late = "\n\ndef __getattr__(name):\n    return name\n"
    for unclear in (late, "from os import *\n"):
        found = branch(
            repo,
            {"shop.py": unclear + SHOP, "view.py": "from shop import price\n"},
            {"shop.py": unclear + MORE, "view.py": "from shop import price, total\n"},
        )
        assert not _read(found, range(2)[::-1])


def test_a_submodule_is_no_name_of_its_package(repo: TestRepository) -> None:
    found = branch(
        repo,
        {"pkg/__init__.py": "", "pkg/shop.py": "", "view.py": "from pkg import shop\n"},
        {
            "pkg/__init__.py": "shop = 1\n",
            "pkg/shop.py": "x = 1\n",
            "view.py": "from pkg import shop as s\n",
        },
    )
    assert not _read(found, range(3)) and not _read(found, range(3)[::-1])


def test_a_name_that_base_or_source_lacks_orders_nothing(repo: TestRepository) -> None:
    found = branch(
        repo,
        {"shop.py": SHOP, "view.py": "from shop import price\n"},
        {"shop.py": SHOP + "\nx = 1\n", "view.py": "from shop import price, total\n"},
    )
    assert not _read(found, range(2)) and not _read(found, range(2)[::-1])


def test_a_plan_has_a_name_before_its_import(repo: TestRepository) -> None:
    found = branch(
        repo,
        {"pkg/shop.py": SHOP, "pkg/view.py": VIEW},
        {"pkg/shop.py": MORE, "pkg/view.py": NEW_VIEW.replace("item.total", "total")},
    )
    made = planned(found, ["Show the view of an item", "Sum the shop's items: map, price"])
    places = placed(found, made)
    total = next(place for text, place in places.items() if b"def total" in text)
    view = next(place for text, place in places.items() if b"price, total" in text)
    assert total <= view
