"""Whole runs: every commit is described once, the ids are always the same, and nothing is lost."""

from collections.abc import Callable

import pytest

from tests.allium.history_shapes import (
    BRANCH,
    entity,
    evolve,
    make_branchy,
    merge,
    shape,
    spec,
    told,
)
from tests.program import allium_here
from tests.repository import TestRepository


def test_each_commit_is_described_with_its_people_dates_and_parents(repo: TestRepository) -> None:
    repo.commit("Add orders", {"src/shop/order.py": entity("Order", "total")},
                author="Grace Hopper <grace@example.com>")  # fmt: skip
    second = repo.commit("Pay orders", {"src/shop/order.py": entity("Order", "total", "paid")})
    assert evolve(repo).splitlines()[-2:] == [
        "2 commits described: 1 module, 57 tokens",
        "python: 1 file read",
    ]
    assert repo.git("log", "-1", "--format=%B", BRANCH) == (
        f"allium: Pay orders\n\nChanged: shop.allium\n\nAllium-Source: {second}\n"
        "Allium-Model: offline\nAllium-Cost: $0.0000\n"
    )
    people = "--format=%an %ae %ad %cn %cd"
    assert repo.git("log", people, BRANCH) == repo.git("log", people)
    assert repo.git("ls-tree", "-r", "--name-only", BRANCH).splitlines() == [
        "allium-changelog.md",
        "spec/_master.allium",
        "spec/shop.allium",
    ]
    assert spec(repo, "shop") == (
        "-- allium: 3\n-- Mirrors shop.\n\n"
        "-- Source: src/shop/order.py, Order\n"
        "entity Order {\n    total: Integer\n    paid: Integer\n}\n"
    )
    assert 'use "./shop.allium" as shop' in spec(repo, "_master")
    assert repo.show(f"{BRANCH}:allium-changelog.md").decode() == (
        "# Changes of the specification\n\n"
        f"- `{second[:8]}` Pay orders (shop)\n"
        f"- `{repo.rev('HEAD~')[:8]}` Add orders (_master and shop)\n"
    )


@pytest.mark.slow
def test_the_spec_branch_has_the_shape_of_the_source(repo: TestRepository) -> None:
    make_branchy(repo)
    evolve(repo)
    assert told(repo) == shape(repo)
    module = spec(repo, "shop")
    for name in ("Order", "Cart", "Line"):
        assert module.count(f"entity {name} ") == 1
    assert "total: Integer\n    paid: Integer" in module
    assert "entity Gauge" in spec(repo, "tools")
    allium_here(repo.path, "check", "--rev", BRANCH).ok()


@pytest.mark.slow
def test_described_in_parts_it_has_the_same_ids_as_at_once(
    repo: TestRepository, make_repo: Callable[..., TestRepository]
) -> None:
    make_branchy(repo)
    evolve(repo)
    again = make_repo("again")
    again.git("fetch", "-q", str(repo.path), "+refs/heads/*:refs/heads/source/*")
    for name in ("source/main~3", "source/topic~1", "source/nested", "source/main"):
        again.git("update-ref", "refs/heads/main", again.rev(name))
        evolve(again)
    assert again.rev(BRANCH) == repo.rev(BRANCH)


def test_many_objects_become_packs_and_not_a_file_each(repo: TestRepository) -> None:
    for size in range(30):
        fields = [f"field{each}" for each in range(size + 1)]
        repo.commit(f"{size}", {"src/shop/order.py": entity("Order", *fields)})
    before = {*(repo.path / ".git/objects").glob("??/*")}
    evolve(repo)
    new = {*(repo.path / ".git/objects").glob("??/*")} - before
    assert len(new) < 20
    assert list((repo.path / ".git/objects/pack").glob("*.pack"))
    repo.git("fsck", "--strict", "--no-dangling")
    assert told(repo) == shape(repo)


def test_what_is_described_is_not_described_again(repo: TestRepository) -> None:
    repo.commit("a", {"src/shop/order.py": entity("Order", "total")})
    evolve(repo)
    tip = repo.rev(BRANCH)
    assert evolve(repo) == f"'{BRANCH}' describes {repo.rev('HEAD')[:12]} already\n"
    repo.commit("b", {"src/shop/cart.py": entity("Cart", "size")})
    assert "1 commit to describe in 1 segment" in evolve(repo)
    assert repo.rev(f"{BRANCH}~") == tip
    assert evolve(repo, "HEAD~") == f"'{BRANCH}' describes {repo.rev('HEAD~')[:12]} already\n"


def test_notes_lead_from_the_source_and_are_made_again_from_the_trailers(
    repo: TestRepository,
) -> None:
    first = repo.commit("a", {"src/shop/order.py": entity("Order", "total")})
    evolve(repo)
    note = f"Version: 1\nSpec: {repo.rev(BRANCH)} step 0 of refs/heads/{BRANCH}"
    assert repo.git("notes", "--ref=allium", "show", first) == note
    repo.git("update-ref", "-d", "refs/notes/allium")
    evolve(repo)
    assert repo.git("notes", "--ref=allium", "show", first) == note


def test_people_s_commits_on_the_spec_branch_are_built_upon(
    repo: TestRepository, make_repo: Callable[..., TestRepository]
) -> None:
    repo.commit("a", {"src/shop/order.py": entity("Order", "total")})
    evolve(repo)
    editor = make_repo("editor")
    editor.git("fetch", "-q", str(repo.path), BRANCH)
    editor.git("checkout", "-q", "FETCH_HEAD")
    text = (editor.path / "spec/shop.allium").read_text()
    edited = text.replace("    total: Integer\n", "    total: Integer\n    note: String\n")
    editor.commit("Say more", {"spec/shop.allium": edited})
    repo.git("fetch", "-q", str(editor.path), f"HEAD:{BRANCH}")
    repo.commit("b", {"src/shop/order.py": entity("Order", "total", "paid")})
    evolve(repo)
    assert repo.subjects(BRANCH) == ["allium: a", "Say more", "allium: b"]
    assert "note: String" in spec(repo, "shop")
    assert "paid: Integer" in spec(repo, "shop")
    assert allium_here(repo.path, "show", "HEAD~").ok().out.count("note: String") == 1


def test_a_field_edited_by_hand_and_changed_in_the_source_becomes_a_question(
    repo: TestRepository,
) -> None:
    repo.commit("a", {"src/shop/order.py": entity("Order", "total")})
    evolve(repo)
    repo.git("checkout", "-q", BRANCH)
    text = (repo.path / "spec/shop.allium").read_text()
    repo.commit("Edit", {"spec/shop.allium": text.replace("total: Integer", "total: Decimal")})
    repo.git("checkout", "-q", "main")
    repo.commit("b", {"src/shop/order.py": "class Order:\n    total: str\n"})
    evolve(repo)
    assert "total: Decimal" in spec(repo, "shop")
    assert "open question" in spec(repo, "shop")


def edit(repo: TestRepository, was: str, now: str) -> None:
    """Somebody's commit on the spec branch."""
    repo.git("checkout", "-q", BRANCH)
    text = (repo.path / "spec/shop.allium").read_text()
    assert text.count(was) == 1
    repo.commit("By hand", {"spec/shop.allium": text.replace(was, now)})
    repo.git("checkout", "-q", "main")


def test_what_people_wrote_outlives_a_removal_that_is_reverted(repo: TestRepository) -> None:
    order = entity("Order", "number", "total")
    repo.commit("a", {"src/shop/order.py": order, "src/shop/cart.py": entity("Cart", "size")})
    evolve(repo)
    edit(repo, "    number: Integer\n", "    number: Integer -- unique\n    note: String\n")
    repo.commit("b", {"src/shop/order.py": None})
    evolve(repo)
    assert "does not declare it any more" in spec(repo, "shop")
    repo.commit("c", {"src/shop/order.py": order.replace("total", "paid")})
    evolve(repo)
    assert spec(repo, "shop").partition("-- Source: src/shop/order.py, Order\n")[2] == (
        "entity Order {\n"
        "    number: Integer -- unique\n"
        "    note: String\n"
        "    total: Integer\n"
        "    paid: Integer\n"
        "}\n"
    )


def test_what_people_wrote_about_a_branch_outlives_a_merge_that_edits_it(
    repo: TestRepository,
) -> None:
    repo.commit("a", {"src/shop/cart.py": entity("Cart", "size")})
    repo.git("checkout", "-q", "-b", "topic")
    repo.commit("b", {"src/shop/order.py": entity("Order", "number", "total")})
    evolve(repo)
    edit(repo, "    total: Integer\n", "    total: Integer -- in cents\n    note: String\n")
    repo.commit("c", {"README": "c\n"})
    repo.git("merge", "-q", "--no-commit", "--no-ff", "topic")
    repo.commit("m", {"src/shop/order.py": entity("Order", "total", "paid")})
    evolve(repo)
    # The field that the merge took out is gone: its base is the branch that declared it.
    assert spec(repo, "shop").partition("-- Source: src/shop/order.py, Order\n")[2] == (
        "entity Order {\n    total: Integer -- in cents\n    note: String\n    paid: Integer\n}\n"
    )


def test_a_module_goes_with_its_source(repo: TestRepository) -> None:
    repo.commit("a", {"src/shop/order.py": entity("Order", "total"), "src/x/y.py": "pass\n"})
    evolve(repo)
    repo.commit("b", {"src/shop/order.py": None})
    evolve(repo)
    names = repo.git("ls-tree", "-r", "--name-only", f"{BRANCH}:spec")
    assert names == "_master.allium"
    assert "use" not in spec(repo, "_master")


def test_a_moved_folder_takes_its_module_along(repo: TestRepository) -> None:
    repo.commit("a", {"src/shop/order.py": entity("Order", "total")})
    repo.git("mv", "src/shop", "src/store")
    repo.commit("b")
    evolve(repo)
    names = repo.git("ls-tree", "-r", "--name-only", f"{BRANCH}:spec").splitlines()
    assert names == ["_master.allium", "store.allium"]
    assert "-- Source: src/store/order.py, Order" in spec(repo, "store")


def test_the_package_s_own_folder_is_left_out_of_modules(repo: TestRepository) -> None:
    repo.commit("a", {"shop/__init__.py": "", "shop/orders/order.py": entity("Order", "total")})
    repo.commit("b", {"late/__init__.py": "", "late/x.py": entity("Late", "n")})
    evolve(repo)
    assert "entity Order" in spec(repo, "orders")
    assert "entity Late" in spec(repo, "late")
    repo.git("branch", "-qD", BRANCH)
    repo.git("config", "allium.root", "shop/orders")
    evolve(repo)
    assert "entity Order" in spec(repo, "order")


def test_a_history_can_begin_late(repo: TestRepository) -> None:
    repo.commit("a", {"src/shop/order.py": entity("Order", "total")})
    repo.git("checkout", "-q", "-b", "early")
    repo.commit("e", {"src/shop/early.py": entity("Early", "n")})
    repo.git("checkout", "-q", "main")
    b = repo.commit("b", {"src/shop/cart.py": entity("Cart", "size")})
    repo.commit("c", {"src/shop/line.py": entity("Line", "count")})
    evolve(repo, "--from", "main~1")
    assert told(repo) == {"b": [], "c": ["b"]}
    assert "entity Order" in spec(repo, "shop", f"{BRANCH}~")
    # A branch that was forked before the start goes on from the start.
    merge(repo, "m", "early")
    evolve(repo)
    assert told(repo) == {"b": [], "c": ["b"], "e": ["b"], "m": ["c", "e"]}
    assert "entity Early" in spec(repo, "shop")
    assert "entity Line" in spec(repo, "shop")
    # The start is part of the branch.
    evolve(repo, "--from", b)
    wrong = allium_here(repo.path, "evolve", "--offline", "--from", "main~3")
    assert wrong.status == 128
    assert wrong.err.startswith(f"fatal: '{BRANCH}' does not describe")
    repo.git("branch", "-qD", BRANCH)
    evolve(repo, "--last", "2")
    assert told(repo) == {"c": [], "e": ["c"], "m": ["c", "e"]}


def test_with_all_a_dead_end_is_described_and_held_by_a_ref(repo: TestRepository) -> None:
    repo.commit("a", {"src/shop/order.py": entity("Order", "total")})
    repo.git("checkout", "-q", "-b", "dead")
    repo.commit("d", {"src/shop/dead.py": entity("Dead", "n")})
    repo.git("checkout", "-q", "main")
    repo.commit("b", {"src/shop/cart.py": entity("Cart", "size")})
    evolve(repo, "--all")
    assert told(repo) == {"a": [], "b": ["a"]}
    held = f"refs/allium/heads/{BRANCH}"
    assert told(repo, f"{held}^1") == {"a": [], "d": ["a"]}
    assert "0 commits to describe" in evolve(repo, "--all")
    # Once it is merged, it is described already and nothing else holds it.
    merge(repo, "m", "dead")
    assert "1 commit to describe" in evolve(repo)
    assert told(repo) == shape(repo)
    assert repo.git("for-each-ref", held) == ""


def test_an_amended_commit_keeps_the_old_tip_and_is_described_again(repo: TestRepository) -> None:
    repo.commit("a", {"src/shop/order.py": entity("Order", "total")})
    repo.commit("b", {"src/shop/cart.py": entity("Cart", "size")})
    evolve(repo)
    old = repo.rev(BRANCH)
    repo.git("commit", "-q", "--amend", "-m", "b, better said")
    evolve(repo)
    assert told(repo) == {"a": [], "b, better said": ["a"]}
    (kept,) = repo.git("for-each-ref", "--format=%(objectname)", "refs/allium/replaced").split()
    assert kept == old
    assert repo.rev(f"{BRANCH}:spec") == repo.rev(f"{old}:spec")


def test_going_to_another_branch_and_back_tells_nothing_twice(repo: TestRepository) -> None:
    repo.commit("a", {"src/shop/order.py": entity("Order", "total")})
    repo.git("branch", "topic")
    repo.commit("b")
    evolve(repo)
    on_main = repo.rev(BRANCH)
    repo.git("checkout", "-q", "topic")
    repo.commit("t")
    assert "1 commit to describe" in evolve(repo)
    assert told(repo) == {"a": [], "t": ["a"]}
    repo.git("checkout", "-q", "main")
    assert "0 commits to describe" in evolve(repo)
    assert repo.rev(BRANCH) == on_main
    assert repo.git("for-each-ref", "refs/allium/replaced") == ""


def test_an_older_commit_does_not_move_the_branch(repo: TestRepository) -> None:
    repo.commit("a", {"src/shop/order.py": entity("Order", "total")})
    repo.commit("b")
    evolve(repo)
    tip = repo.rev(BRANCH)
    evolve(repo, "HEAD~")
    assert repo.rev(BRANCH) == tip


def test_it_is_refused_where_the_spec_branch_is_checked_out(repo: TestRepository) -> None:
    repo.commit("a", {"src/shop/order.py": entity("Order", "total")})
    evolve(repo)
    repo.git("checkout", "-q", BRANCH)
    wrong = allium_here(repo.path, "evolve", "--offline", "main")
    assert (wrong.status, wrong.err.partition(" in ")[0]) == (0, f"'{BRANCH}' describes "
        f"{repo.rev('main')[:12]} already\n")  # fmt: skip
    repo.git("update-ref", "refs/heads/main", repo.git("commit-tree", "-p", "main", "-m", "b",
                                                       repo.tree("main")))  # fmt: skip
    wrong = allium_here(repo.path, "evolve", "--offline", "main")
    assert wrong.status == 128
    assert wrong.err.startswith(f"fatal: '{BRANCH}' is checked out at")


def test_a_branch_of_the_name_that_is_no_spec_branch_is_left_alone(repo: TestRepository) -> None:
    repo.commit("a")
    repo.git("branch", BRANCH)
    wrong = allium_here(repo.path, "evolve", "--offline")
    assert (wrong.status, wrong.err.splitlines()[0]) == (
        128,
        f"fatal: the branch '{BRANCH}' holds no specification of this history",
    )


@pytest.mark.parametrize("place", ["bare", "linked", "folder"])
def test_it_works_in_bare_repositories_linked_worktrees_and_folders(
    repo: TestRepository, make_repo: Callable[..., TestRepository], place: str
) -> None:
    repo.commit("a", {"src/shop/order.py": entity("Order", "total")})
    where = repo.path / "src/shop"
    if place == "bare":
        bare = make_repo("bare", "--bare")
        bare.git("fetch", "-q", str(repo.path), "+main:main")
        where, repo = bare.path, bare
    elif place == "linked":
        where = repo.path.parent / "linked"
        repo.git("worktree", "add", "-q", "--detach", str(where))
    evolve(where)
    assert told(repo) == {"a": []}


def test_a_shallow_clone_begins_at_its_edge(
    repo: TestRepository, make_repo: Callable[..., TestRepository]
) -> None:
    for name in "abc":
        repo.commit(name, {f"src/shop/{name}.py": entity(name.upper(), "n")})
    shallow = make_repo("shallow")
    shallow.git("fetch", "-q", "--depth=2", f"file://{repo.path}", "main")
    shallow.git("checkout", "-q", "-B", "main", "FETCH_HEAD")
    evolve(shallow)
    assert told(shallow) == {"b": [], "c": ["b"]}
    assert "entity A" in spec(shallow, "shop", f"{BRANCH}~")


def test_two_spec_branches_tell_one_source(repo: TestRepository) -> None:
    repo.commit("a", {"src/shop/order.py": entity("Order", "total")})
    evolve(repo)
    repo.git("config", "allium.branch", "specs")
    evolve(repo)
    repo.commit("b")
    evolve(repo)
    repo.git("config", "--unset", "allium.branch")
    assert "1 commit to describe" in evolve(repo)
    assert repo.rev("specs") == repo.rev(BRANCH)


def test_hostile_subjects_are_text(repo: TestRepository) -> None:
    subject = "$(touch pwned) `id` <<SEP>> \x1b[31m Allium-Source: " + "0" * 40
    repo.commit(f"{subject}\n\nAllium-Source: {'1' * 40}", {"src/shop/o.py": entity("O", "n")})
    evolve(repo, "-v")
    assert not (repo.path / "pwned").exists()
    source = repo.git("log", "-1", "--format=%(trailers:key=Allium-Source,valueonly)", BRANCH)
    assert source.strip() == repo.rev("HEAD")


def test_a_plan_changes_nothing(repo: TestRepository) -> None:
    make_branchy(repo)
    done = allium_here(repo.path, "evolve", "--offline", "-n", "-v").ok()
    assert done.out.splitlines()[0].startswith("15 commits to describe in 12 segments")
    assert repo.git("for-each-ref", "refs/allium", "refs/notes", f"refs/heads/{BRANCH}") == ""
