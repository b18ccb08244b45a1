"""A file that one side of a merge moved and the other changed is as the merge has it."""

import pytest

from tests.allium.fresh_reading import expect_the_same_declarations
from tests.allium.history_shapes import entity, evolve
from tests.repository import TestRepository

ORDER = "src/shop/order.py"
MOVED = "src/post/order.py"
# Words that say nothing, and are those of what the merge leaves out.
WORDS = "\n\ndef is_late(order):\n    return late(order)\n"


@pytest.mark.parametrize("mover", ["main", "side"])
@pytest.mark.parametrize(
    "merged",
    [
        entity("Order", "id", "total"),
        entity("Order", "id", "total") + entity("Extra", "id"),
        entity("Order", "id", "total") + WORDS,
        entity("Order", "id", "total", "both") + WORDS,
        entity("Order", "id", "total", "late") + WORDS,
        entity("Bill", "id"),
        None,
    ],
)
def test_a_file_that_one_side_moved_and_the_other_changed_is_as_the_merge_has_it(
    repo: TestRepository, mover: str, merged: str | None
) -> None:
    order = entity("Order", "id", "total")
    repo.commit("a", {ORDER: order, "src/tax/rate.py": entity("Rate", "id")})
    repo.git("branch", "side")
    repo.git("checkout", "-q", mover)
    repo.commit("move", {ORDER: None, MOVED: order + entity("Extra", "id")})
    repo.git("checkout", "-q", "side" if mover == "main" else "main")
    repo.commit(
        "change",
        {ORDER: entity("Order", "id", "total", "late").replace("total: int", "total: str")},
    )
    repo.git("checkout", "-q", "main")
    repo.git("merge", "-q", "--no-commit", "-Xours", "side")
    # With this, it is the tree of neither side.
    repo.commit("merge", {MOVED: merged, "src/tax/zone.py": entity("Zone", "id")})
    evolve(repo)
    expect_the_same_declarations(repo)


@pytest.mark.parametrize("words", ["", WORDS])
@pytest.mark.parametrize("mover", ["main", "side"])
def test_a_class_that_is_new_in_a_file_which_the_other_side_moved(
    repo: TestRepository, mover: str, words: str
) -> None:
    order = entity("Order", "id", *(f"f{n}" for n in range(20)))
    other = order + entity("Bill", "id")
    repo.commit("a", {ORDER: order + entity("Line", "id"), "src/tax/rate.py": entity("Rate", "id")})
    repo.git("branch", "side")
    repo.git("checkout", "-q", mover)
    repo.commit("move", {ORDER: None, MOVED: order + entity("Line", "id")})
    repo.git("checkout", "-q", "side" if mover == "main" else "main")
    repo.commit("change", {ORDER: other})
    repo.git("checkout", "-q", "main")
    repo.git("merge", "-q", "--no-commit", "side")
    assert (repo.path / MOVED).read_text() == other
    repo.commit("merge", {MOVED: other + words})
    evolve(repo)
    expect_the_same_declarations(repo)


def test_one_that_a_side_moved_and_changed_and_a_merge_settled(repo: TestRepository) -> None:
    order = "class Order:\n    id: int\n" + "".join(f"    f{n}: int\n" for n in range(20))
    repo.commit("a", {ORDER: order, "src/tax/rate.py": entity("Rate", "id")})
    repo.git("checkout", "-q", "-b", "side")
    repo.commit("move", {ORDER: None, MOVED: order.replace("f1: int", "f1: str")})
    repo.git("checkout", "-q", "main")
    repo.commit("change", {ORDER: order.replace("f1: int", "f1: bool")})
    repo.git("merge", "-q", "--no-edit", "-Xours", "side")
    assert "f1: bool" in (repo.path / MOVED).read_text()
    evolve(repo)
    expect_the_same_declarations(repo)
