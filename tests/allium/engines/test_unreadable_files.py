"""A file that cannot be read says what it said before, to all that rest on it."""

import pytest

from tests.allium.engines.test_type_users import ORDER
from tests.allium.fresh_reading import expect_a_fresh_reading, read_spec
from tests.allium.history_shapes import evolve
from tests.program import allium_here
from tests.repository import TestRepository

BASE, SHOP = "src/base/base.py", "src/shop/order.py"
BROKEN = "class Base((:\n"


def base(*fields: str) -> str:
    return "class Base:\n" + "".join(f"    {each}: str\n" for each in fields)


@pytest.mark.parametrize(
    "steps",
    [
        [{BASE: BROKEN}],
        [{BASE: BROKEN, SHOP: ORDER + "    # a comment\n"}],
        [{BASE: BROKEN}, {SHOP: ORDER.replace("total", "amount")}],
        [{BASE: None, "src/mid/base.py": BROKEN, SHOP: ORDER.replace("base.base", "mid.base")}],
    ],
    ids=["alone", "with-heir", "before-heir", "renamed"],
)
@pytest.mark.parametrize("fields", [("note",), ("label",), ()], ids=["same", "other", "none"])
@pytest.mark.parametrize("command", ["evolve", "reconcile"])
def test_a_base_class_comes_back(
    repo: TestRepository, steps: list[dict[str, str | None]], fields: tuple[str, ...], command: str
) -> None:
    repo.commit("whole", {BASE: base("note"), SHOP: ORDER})
    evolve(repo)
    for number, files in enumerate(steps):
        repo.commit(f"step {number}", files)
        allium_here(repo.path, command, "--offline").ok()
        assert "    note: String\n" in read_spec(repo)["spec/shop.allium"]
    path = next(path for path, content in steps[0].items() if content == BROKEN)
    repo.commit("repaired", {path: base(*fields, "name")})
    allium_here(repo.path, command, "--offline").ok()
    expect_a_fresh_reading(repo)


def test_what_it_says_itself_follows_the_types_of_others(repo: TestRepository) -> None:
    kinds = "import enum\nclass Kind(enum.Enum):\n    A = 'a'\n"
    order = "from base.kinds import Kind\nclass Order:\n    id: int\n    kind: Kind\n"
    repo.commit("whole", {"src/base/kinds.py": kinds, SHOP: order})
    evolve(repo)
    repo.commit("broken", {SHOP: "class Order((:\n"})
    evolve(repo)
    repo.commit("renamed", {"src/base/kinds.py": "class Kind:\n    pass\n"})
    evolve(repo)
    repo.commit("repaired", {SHOP: order})
    evolve(repo)
    expect_a_fresh_reading(repo)


def test_drift_says_nothing_of_its_heirs(repo: TestRepository) -> None:
    repo.commit("whole", {BASE: base("note"), SHOP: ORDER})
    evolve(repo)
    repo.commit("broken", {BASE: BROKEN})
    assert "entity Order" not in allium_here(repo.path, "check", "--drift").ok().out


def test_a_history_that_begins_with_it(repo: TestRepository) -> None:
    """What it said before is what its heirs have, and comes to the specification with them."""
    repo.commit("whole", {BASE: base("note"), SHOP: ORDER})
    repo.commit("broken", {BASE: BROKEN})
    evolve(repo, "--last=1")
    assert "    note: String\n" in read_spec(repo)["spec/shop.allium"]
    repo.commit("repaired", {BASE: base("label")})
    evolve(repo)
    expect_a_fresh_reading(repo)


def test_a_reconciliation_asks_nothing_of_what_comes_back_otherwise(repo: TestRepository) -> None:
    order = "class Order:\n    id: int\n    total: float\n"
    repo.commit("whole", {SHOP: order})
    repo.commit("broken", {SHOP: "class Order((:\n"})
    evolve(repo)
    repo.commit("repaired", {SHOP: order.replace("float", "int")})
    allium_here(repo.path, "reconcile", "--offline").ok()
    assert "open question" not in read_spec(repo)["spec/shop.allium"]
    expect_a_fresh_reading(repo)


@pytest.mark.parametrize("command", ["evolve", "reconcile"])
def test_nothing_is_asked_where_a_type_goes_meanwhile(repo: TestRepository, command: str) -> None:
    kinds = "import enum\nclass Kind(enum.Enum):\n    A = 'a'\n    B = 'b'\n"
    order = "from base.kinds import Kind\nclass Order:\n    id: int\n    kind: Kind\n"
    repo.commit("whole", {"src/base/kinds.py": kinds, SHOP: order})
    evolve(repo)
    # The first one compares all of the source.
    allium_here(repo.path, "reconcile", "--offline").ok()
    repo.commit("broken", {"src/base/kinds.py": None, SHOP: f"{order}def (\n"})
    allium_here(repo.path, command, "--offline").ok()
    repo.commit("repaired", {SHOP: order})
    allium_here(repo.path, command, "--offline").ok()
    assert "kind: Any -- Kind\n" in expect_a_fresh_reading(repo)["spec/shop.allium"]


@pytest.mark.parametrize("broken", ["side", "main"])
@pytest.mark.parametrize("merged", [("note", "late"), ("label",), ("note", "label")])
def test_a_merge_asks_nothing_of_a_side_that_ends_with_it(
    repo: TestRepository, broken: str, merged: tuple[str, ...]
) -> None:
    """The specification of that side has what the file said before."""
    repo.commit("whole", {BASE: base("note")})
    repo.git("branch", "side")
    for branch, field in (("main", "late"), ("side", "label")):
        repo.git("checkout", "-q", branch)
        repo.commit(f"{branch} changes it", {BASE: base("note", field)})
        if branch == broken:
            repo.commit("it breaks", {BASE: BROKEN})
    repo.git("checkout", "-q", "main")
    repo.git("merge", "-q", "-s", "ours", "--no-commit", "side")
    repo.commit("merged", {BASE: base(*merged)})
    evolve(repo)
    spec = expect_a_fresh_reading(repo)
    assert "open question" not in "".join(spec.values())
