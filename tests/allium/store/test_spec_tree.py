"""Specifications as trees of git."""

from git_retcon.allium.store.spec_store import SpecStore
from git_retcon.allium.store.spec_tree import NO_SNAPSHOT, SpecTrees, list_changed_files
from tests.repository import TestRepository


def test_a_snapshot_is_written_and_read_again(repo: TestRepository) -> None:
    trees = SpecTrees(repo.open())
    store = SpecStore(
        modules={b"a/b.allium": b"-- allium: 3\n", b"c.allium": b"-- allium: 3\n--\n"}
    )
    written = trees.write(store, b"# Changes\n", NO_SNAPSHOT)
    assert repo.git("ls-tree", "-r", "--name-only", written.tree).splitlines() == [
        "allium-changelog.md",
        "spec/_master.allium",
        "spec/a/b.allium",
        "spec/c.allium",
    ]
    read = SpecTrees(repo.open()).read(written.tree)
    assert read.store.to_file_map() == store.to_file_map()
    assert (read.changelog, read.tree) == (b"# Changes\n", written.tree)


def test_the_same_content_is_the_same_tree_in_any_steps(repo: TestRepository) -> None:
    trees = SpecTrees(repo.open())
    one = SpecStore(modules={b"a.allium": b"1", b"b.allium": b"2"})
    first = trees.write(one, b"", NO_SNAPSHOT)
    second = trees.write(
        one.remove_module_spec(b"a.allium").set_module_spec(b"c.allium", b"3"), b"x", first
    )
    at_once = trees.write(SpecStore(modules={b"b.allium": b"2", b"c.allium": b"3"}), b"x",
                          NO_SNAPSHOT)  # fmt: skip
    assert second.tree == at_once.tree
    assert trees.write(second.store, b"x", second).tree == second.tree
    assert trees.find_spec_tree(second.tree) == repo.rev(f"{second.tree}:spec")


def test_links_and_other_files_are_no_modules(repo: TestRepository) -> None:
    (repo.path / "spec").mkdir()
    (repo.path / "spec/link.allium").symlink_to("/etc/passwd")
    repo.commit("by hand", {"spec/notes.txt": "x", "spec/a.allium": "-- allium: 3\n"})
    read = SpecTrees(repo.open()).read(repo.tree("HEAD"))
    assert list(read.store.all_modules()) == [b"a.allium"]


def test_changed_files_are_named_with_what_they_became() -> None:
    before = SpecStore(modules={b"a.allium": b"1", b"b.allium": b"2"})
    after = before.remove_module_spec(b"a.allium").set_module_spec(b"b.allium", b"3")
    assert list_changed_files(before, after.set_master_spec(b"m")) == {
        b"a.allium": None,
        b"b.allium": b"3",
        b"_master.allium": b"m",
    }
