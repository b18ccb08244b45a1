"""Trees read and written byte for byte."""

import pytest
from hypothesis import HealthCheck, given, settings
from pygit2.enums import ObjectType

from git_retcon.errors import Fatal
from git_retcon.git import trees as module
from git_retcon.git.repository import Repository
from git_retcon.git.trees import EMPTY_BLOB, EMPTY_TREE, Entry, EntryChange, Trees
from tests.git.hostile import Pair, pairs, read_files, write_tree
from tests.repository import TestRepository

FILE = Entry(b"100644", EMPTY_BLOB)


@pytest.fixture
def repository(repo: TestRepository) -> Repository:
    return repo.open()


@pytest.fixture
def trees(repo: TestRepository) -> Trees:
    repo.git("hash-object", "-w", "--stdin")
    return Trees(repo.open().objects)


@settings(
    deadline=None, max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(pairs())
def test_edits_one_by_one_or_at_once_make_the_same(repository: Repository, pair: Pair) -> None:
    trees = Trees(repository.objects)
    base, target = pair.write(repository)
    edits = {change.path: change.new for change in trees.changes(base, target)}
    made = trees.edit(base, edits)
    assert read_files(repository, made) == pair.target
    # What goes must go first where a directory takes a file's place, or the reverse.
    order = sorted(edits, key=lambda path: (edits[path] is not None, path))
    tree = base
    for path in order:
        tree = trees.edit(tree, {path: edits[path]})
    assert read_files(repository, tree) == pair.target
    assert [(c.path, c.new) for c in trees.changes(target, made)] == []


@settings(
    deadline=None, max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(pairs())
def test_changes_are_what_differs_and_nothing_else(repository: Repository, pair: Pair) -> None:
    trees = Trees(repository.objects)
    base, target = pair.write(repository)
    before, after = dict(trees.files(base)), dict(trees.files(target))
    assert trees.changes(base, target) == [
        EntryChange(path, before.get(path), after.get(path))
        for path in sorted(before.keys() | after.keys())
        if before.get(path) != after.get(path)
    ]
    for path, entry in after.items():
        assert trees.find(target, path) == entry
        assert trees.find(target, path + b"/x") is None
    assert trees.find(target, b"nowhere/at/all") is None


def test_files_come_in_tree_order(repo: TestRepository) -> None:
    repo.commit("one", {"a.c": "", "a/b": "", "a0": "", "a-b": "", "b/c/d": "", "b/e": ""})
    listed = repo.git("ls-tree", "-r", "--name-only", "HEAD").encode().splitlines()
    assert [path for path, _ in Trees(repo.open().objects).files(repo.tree("HEAD"))] == listed


def test_equal_subtrees_are_never_opened(repo: TestRepository) -> None:
    repo.commit("one", {"same/a": "s", "other/a": "1"})
    repo.git("branch", "one")
    repo.commit("two", {"other/a": "2"})
    same = repo.rev("main:same")
    (repo.path / ".git" / "objects" / same[:2] / same[2:]).unlink()
    found = Trees(repo.open().objects).changes(repo.tree("one"), repo.tree("main"))
    assert [change.path for change in found] == [b"other/a"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("path", "is_same"),
    [
        (b"a/x", True), (b"b/x", False), (b"b/y", True), (b"b", False), (b"c", False),
        (b"c/x", False), (b"b/none", True), (b"none/x", True), (b"d", False), (b"d/x", False),
        (b"b/y/z", True),
    ],
)  # fmt: skip
def test_paths_are_compared_from_tree_to_tree(
    repo: TestRepository, path: bytes, *, is_same: bool
) -> None:
    repo.commit("a", {"a/x": "1", "b/x": "1", "b/y": "1", "c": "1"})
    one = repo.tree("HEAD")
    repo.commit("b", {"a/x": "1", "b/x": "2", "c": None, "c/x": "1", "d/x": "1"})
    trees = repo.open().trees
    two = repo.tree("HEAD")
    assert trees.is_same(one, two, path) == trees.is_same(two, one, path) == is_same
    assert not is_same or trees.find(one, path) == trees.find(two, path)


def test_depth_costs_no_stack(repo: TestRepository, trees: Trees) -> None:
    path = b"/".join([b"d"] * 2000) + b"/f"
    deep = trees.edit(EMPTY_TREE, {path: FILE})
    assert [entry for entry, _ in trees.files(deep)] == [path]
    assert trees.changes(EMPTY_TREE, deep) == [EntryChange(path, None, FILE)]
    assert trees.find(deep, path) == FILE
    assert trees.edit(deep, {path: None}) == EMPTY_TREE
    repo.git("fsck", "--strict", "--no-dangling")


def test_the_empty_tree_is_written_too(repo: TestRepository, trees: Trees) -> None:
    full = trees.edit(EMPTY_TREE, {b"d/f": FILE})
    assert trees.edit(full, {b"d/f": None}) == EMPTY_TREE
    assert EMPTY_TREE in repo.open().objects


def test_a_directory_beats_a_file_of_its_name(trees: Trees) -> None:
    start = trees.edit(EMPTY_TREE, {b"a": FILE, b"b/c": FILE})
    swapped = trees.edit(start, {b"a": None, b"a/x": FILE, b"b": FILE, b"b/c": None})
    assert [path for path, _ in trees.files(swapped)] == [b"a/x", b"b"]
    assert trees.edit(start, {b"b": None, b"a/x": None, b"none": None}) == start


def test_a_tree_made_by_git_keeps_its_id(repo: TestRepository, trees: Trees) -> None:
    repo.commit("one", {"a.c": "x", "a/b": "y", "a0": "z"})
    tree = repo.tree("HEAD")
    blob = repo.rev("HEAD:a0")
    without = trees.edit(tree, {b"a0": None})
    assert trees.edit(without, {b"a0": Entry(b"100644", blob)}) == tree


def test_old_spellings_are_read_for_what_they_are() -> None:
    assert Entry(b"040000", "").is_tree
    assert Entry(b"40755", "").is_tree
    assert Entry(b"100664", "").is_file
    assert Entry(b"120777", "").is_symlink
    assert Entry(b"160000", "").is_submodule
    assert not Entry(b"160000", "").is_tree


def test_untouched_directories_keep_their_spelling(repo: TestRepository) -> None:
    repository = repo.open()
    file = (b"100664", b"x")
    old = write_tree(repository, {b"d/f": file, b"e/f": file, b"e/g/h": file}, b"040000")
    trees = Trees(repository.objects)
    edited = trees.edit(old, {b"d/f": None})
    assert trees.read(edited)[b"e"] == Entry(b"40000", trees.read(old)[b"e"].oid)
    assert trees.find(edited, b"e/g") == trees.find(old, b"e/g")


def test_the_cache_is_bounded(trees: Trees, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MOST_CACHED", 100)
    tree = EMPTY_TREE
    for number in range(60):
        tree = trees.edit(tree, {b"%d/f" % number: FILE, b"g%d" % number: FILE})
    assert sum(map(len, trees._parsed.values())) == trees._cached
    assert trees._cached <= max(100, len(trees.read(tree)))
    assert len(list(trees.files(tree))) == 120


def test_a_missing_tree_is_fatal_and_named(trees: Trees) -> None:
    with pytest.raises(Fatal, match=r"object 1{40} is missing") as refusal:
        trees.read("1" * 40)
    assert refusal.value.hint


def test_a_malformed_tree_is_fatal_and_named(repo: TestRepository, trees: Trees) -> None:
    odb = repo.open().objects.odb
    oid = str(odb.write(ObjectType.TREE, b"100644 f\0" + b"1" * 19))
    with pytest.raises(Fatal, match=f"tree {oid} is malformed"):
        trees.read(oid)


def test_every_tree_that_is_written_is_spelled_as_today(repo: TestRepository) -> None:
    repository = repo.open()
    before = {b"f": (b"100644", b"x"), b"d/g": (b"100644", b"x"), b"e/g": (b"100644", b"x")}
    after = {**before, b"f": (b"100644", b"y"), b"d/g": (b"100644", b"y")}
    old = write_tree(repository, before, b"040000")
    blob = str(repository.objects.create_blob(b"y"))
    edits = {path: Entry(b"100644", blob) for path in (b"f", b"d/g")}
    made = Trees(repository.objects).edit(old, edits)
    # What was not touched below the root keeps its spelling; here that is the same either way.
    assert made == write_tree(repository, after)
