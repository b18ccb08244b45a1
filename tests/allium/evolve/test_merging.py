"""The specification of a merge."""

import pytest

from git_retcon.allium.evolve.merging import MergedTrees, add_questions, merge_specs, merge_stores
from git_retcon.allium.evolve.removed_by_hand import HandRemovals
from git_retcon.allium.store.spec_store import SpecStore
from git_retcon.allium.store.spec_tree import SpecTrees
from tests.allium.fresh_reading import expect_the_same_declarations
from tests.allium.history_shapes import entity, evolve, merge, spec
from tests.allium.reconcile.test_offline_reconciler import edit
from tests.repository import TestRepository

HEAD = b"-- allium: 3\n-- For tests.\n\n"
ORDER = HEAD + b"entity Order {\n    total: Integer\n}\n"


def store(**modules: bytes) -> SpecStore:
    return SpecStore(modules={f"{name}.allium".encode(): text for name, text in modules.items()})


def names(found: SpecStore) -> list[str]:
    return [path.removesuffix(b".allium").decode() for path in found.all_modules()]


def test_modules_of_one_side_are_taken_and_removed_ones_go() -> None:
    base = store(old=ORDER, both=ORDER, gone=ORDER)
    merged = merge_stores(base, store(old=ORDER, both=ORDER, mine=ORDER), store(
        both=ORDER, gone=ORDER, theirs=ORDER))  # fmt: skip
    assert names(merged.store) == ["both", "mine", "theirs"]
    assert not merged.conflicts


def test_a_module_that_one_side_changed_is_not_removed_by_the_other() -> None:
    changed = ORDER.replace(b"Integer", b"Decimal")
    assert names(merge_stores(store(a=ORDER), store(), store(a=changed)).store) == ["a"]
    assert names(merge_stores(store(a=ORDER), store(a=changed), store()).store) == ["a"]


def test_a_module_of_both_sides_is_merged_by_declaration() -> None:
    ours = ORDER + b"\nentity Mine {\n}\n"
    theirs = ORDER.replace(b"Integer", b"Decimal")
    merged = merge_stores(store(a=ORDER), store(a=ours), store(a=theirs))
    assert merged.store.module_spec(b"a.allium") == ours.replace(b"Integer", b"Decimal")


def test_a_conflict_becomes_a_question_in_its_module_once() -> None:
    ours, theirs = ORDER.replace(b"Integer", b"String"), ORDER.replace(b"Integer", b"Decimal")
    merged = merge_stores(store(a=ORDER), store(a=ours), store(a=theirs))
    asked = add_questions(merged.store, merged.conflicts)
    text = asked.module_spec(b"a.allium")
    assert text is not None
    assert text.startswith(ours)
    assert text.count(b"open question") == 1
    assert add_questions(asked, merged.conflicts).module_spec(b"a.allium") == text


def test_nobody_is_asked_which_modules_a_master_uses() -> None:
    def with_master(line: str) -> SpecStore:
        return SpecStore(HEAD + line.encode(), {})

    base, ours, theirs = (
        with_master(f'use "./{path}/shop.allium" as shop\n') for path in ("old", "one", "two")
    )
    assert not merge_stores(base, ours, theirs).conflicts
    base, ours, theirs = (
        with_master(f"config {{\n    rate: Integer = {number}\n}}\n") for number in (1, 2, 3)
    )
    assert [*merge_stores(base, ours, theirs).conflicts] == [b"_master.allium"]


KINDS = """\
import enum
from dataclasses import dataclass


class Kind(enum.Enum):
    A = 'a'
    B = 'b'


@dataclass
class %s:
    kind: Kind
"""


def test_a_file_moved_on_one_side_and_a_class_renamed_on_the_other(repo: TestRepository) -> None:
    repo.commit("a", {"src/shop/m.py": KINDS % "Old", "src/shop/other.py": KINDS % "Other"})
    repo.git("checkout", "-q", "-b", "side")
    repo.commit("b", {"src/shop/m.py": KINDS % "New"})
    repo.git("checkout", "-q", "main")
    repo.commit("c", {"src/shop/m.py": None, "src/post/m.py": KINDS % "Old"})
    repo.git("merge", "-q", "--no-edit", "side")
    evolve(repo)
    described = spec(repo, "post")
    assert "value New {\n    kind: Kind\n}\n" in described
    assert "open question" not in described


def test_a_class_that_a_side_had_alone_is_declared_once(repo: TestRepository) -> None:
    """Where there were two of one name, the second was called after its file."""
    one, two = entity("Link", "a"), entity("Link", "b")
    repo.commit("a", {"src/net/one.py": one, "src/net/two.py": two})
    repo.git("checkout", "-q", "-b", "side")
    repo.commit("b", {"src/net/one.py": None, "src/net/two.py": None})
    repo.commit("c", {"src/net/two.py": two})
    repo.git("checkout", "-q", "main")
    repo.commit("d", {"src/net/two.py": entity("Link", "b", "c")})
    repo.git("merge", "-q", "-s", "ours", "--no-commit", "side")
    repo.commit("e", {"src/net/more.py": entity("More", "n")})
    evolve(repo)
    described = spec(repo, "net")
    assert described.count("-- Source: src/net/two.py, Link") == 1
    assert "    b: Integer\n    c: Integer\n" in described
    assert "open question" not in described


def test_what_both_sides_wrote_at_the_top_of_a_module_stays() -> None:
    ours, theirs = (
        ORDER.replace(b"tests.\n", b"tests.\n-- " + each) for each in (b"A.\n", b"B.\n")
    )
    merged = merge_stores(store(shop=ORDER), store(shop=ours), store(shop=theirs))
    expected = ORDER.replace(b"tests.\n", b"tests.\n-- A.\n-- B.\n")
    assert (merged.store.module_spec(b"shop.allium"), merged.conflicts) == (expected, {})


def split_history(repo: TestRepository, edited: tuple[str, str]) -> None:
    """A person edits the specification of the trunk, and a branch goes on from before."""
    files = {"src/shop/order.py": entity("Order", "n"), "src/shop/cart.py": entity("Cart", "n")}
    repo.commit("a", files)
    repo.git("branch", "side")
    repo.commit("b", {"src/shop/b.py": entity("Bee", "n")})
    evolve(repo)
    edit(repo, "shop", *edited)
    repo.git("checkout", "-q", "side")


def test_a_name_that_a_merge_drops_is_asked_about_though_the_other_side_changed_it(
    repo: TestRepository,
) -> None:
    split_history(repo, ("entity Order {", "entity Sale {"))
    repo.commit("c", {"src/shop/order.py": entity("Order", "n", "m"),
                      "src/shop/sale.py": entity("Sale", "k")})  # fmt: skip
    repo.git("checkout", "-q", "main")
    merge(repo, "m", "side")
    evolve(repo)
    described = spec(repo, "shop")
    assert "entity Order {\n    n: Integer\n    m: Integer\n}" in described
    assert "entity Sale {\n    k: Integer\n}" in described
    assert 'open question "entity Order: a side calls it Sale, which is another' in described


def test_what_a_person_took_out_stays_out_in_a_merge(repo: TestRepository) -> None:
    cart = "-- Source: src/shop/cart.py, Cart\nentity Cart {\n    n: Integer\n}\n"
    split_history(repo, (cart, ""))
    assert "Cart" not in spec(repo, "shop")
    repo.commit("c", {"src/shop/c.py": entity("Cee", "n")})
    repo.git("checkout", "-q", "main")
    merge(repo, "m", "side")
    evolve(repo)
    assert "Cart" not in spec(repo, "shop")
    assert "entity Cee" in spec(repo, "shop")


@pytest.mark.parametrize("sides", [("left", "right"), ("right", "left")])
def test_branches_that_were_merged_into_each_other(
    repo: TestRepository, sides: tuple[str, str]
) -> None:
    repo.commit("a", {"src/shop/order.py": entity("Order", "total")})
    for side in sides:
        repo.git("checkout", "-q", "-b", side, "main")
        repo.commit(side, {f"src/shop/{side}.py": entity(side.title(), "size")})
        repo.git("branch", f"{side}-first")
    for side, other in (sides, sides[::-1]):
        repo.git("checkout", "-q", side)
        merge(repo, f"{other} into {side}", f"{other}-first")
        repo.commit(f"more {side}", {f"src/shop/{side}.py": entity(side.title(), "size", "price")})
    repo.git("checkout", "-q", "main")
    for side in sides:
        merge(repo, f"{side} is done", side)
    evolve(repo)
    expect_the_same_declarations(repo)


def test_branches_that_were_merged_into_each_other_come_from_all_that_both_had(
    repo: TestRepository,
) -> None:
    def write(*fields: str) -> dict[str, str | bytes | None]:
        lines = "".join(f"    {field}: Integer\n" for field in ("total", *fields))
        return {
            "spec/_master.allium": HEAD,
            "spec/a.allium": HEAD + f"entity Order {{\n{lines}}}\n".encode(),
        }

    def join(message: str, other: str) -> str:
        repo.git("merge", "-q", "--no-commit", "-s", "ours", other)
        return repo.commit(message, write("p", "q"))

    repo.commit("a", write())
    repo.git("checkout", "-q", "-b", "side")
    one = repo.commit("p", write("p"))
    repo.git("checkout", "-q", "main")
    two = repo.commit("q", write("q"))
    join("m", one)
    specs = [repo.commit("without p", write("q"))]
    repo.git("checkout", "-q", "side")
    join("s", two)
    specs.append(repo.commit("without q", write("p")))
    repository = repo.open()
    trees = SpecTrees(repository)
    sides = [repo.tree(spec) for spec in specs]
    merged = merge_specs(
        repository,
        trees,
        specs,
        [trees.read(side) for side in sides],
        MergedTrees(repository, sides[0], sides),
        HandRemovals(repository, trees),
    )
    text = merged.store.module_spec(b"a.allium")
    assert text is not None
    assert b"entity Order {\n    total: Integer\n}\n" in text
