"""Each special kind of change by example, beside what git says of it."""

import pytest

from git_retcon.errors import Fatal
from git_retcon.git.atoms import Kind, Span
from git_retcon.git.difference import compare_trees
from git_retcon.git.trees import EMPTY_TREE
from tests.git.differences import files, find, in_python, kinds, plain, raw
from tests.git.hostile import Files, write_tree
from tests.repository import TestRepository


def test_separate_runs_are_separate_atoms(repo: TestRepository) -> None:
    found = find(repo, {b"f": plain(b"a\nb\nc\nd\n")}, {b"f": plain(b"A\nb\nc\nd\ne\n")})
    first, second = found.atoms
    assert (first.removed, first.added, first.old) == ((b"a\n",), (b"A\n",), Span(0, 1))
    assert (second.removed, second.added, second.new) == ((), (b"e\n",), Span(4, 5))
    assert files(repo, found.tree([second.id])) == {b"f": "100644 a\nb\nc\nd\ne\n"}
    assert raw(repo, found) == ["M\tf"]


def test_a_new_file_is_made_of_lines_and_an_empty_one_is_an_addition(repo: TestRepository) -> None:
    found = find(repo, {}, {b"empty": plain(b""), b"text": (b"100755", b"x\ny\n")})
    assert kinds(found) == [(Kind.ADD, b"empty"), (Kind.LINES, b"text")]
    assert found.texts[b"text"].is_new
    assert files(repo, found.tree([found.atoms[1].id])) == {b"text": "100755 x\ny\n"}
    assert raw(repo, found) == ["A\tempty", "A\ttext"]


def test_a_deleted_file_is_one_atom_that_tells_its_lines(repo: TestRepository) -> None:
    found = find(repo, {b"d/f": plain(b"x\ny\n"), b"g": plain(b"")}, {b"g": plain(b"")})
    (atom,) = found.atoms
    assert (atom.kind, atom.removed) == (Kind.DELETE, (b"x\n", b"y\n"))
    assert found.texts[b"d/f"].is_deleted
    assert raw(repo, found) == ["D\td/f"]


def test_an_emptied_file_stays(repo: TestRepository) -> None:
    found = find(repo, {b"f": plain(b"x\n"), b"g": plain(b"")}, {b"f": plain(b"")})
    assert kinds(found) == [(Kind.LINES, b"f"), (Kind.DELETE, b"g")]
    assert files(repo, found.tree([found.atoms[0].id])) == {b"f": "100644 ", b"g": "100644 "}


def test_everything_removed_is_the_empty_tree(repo: TestRepository) -> None:
    found = find(repo, {b"d/e/f": plain(b"x\n"), b"g": (b"160000", b"1" * 40)}, {})
    assert found.target == EMPTY_TREE
    assert files(repo, found.tree([found.atoms[0].id])) == {}
    assert found.tree([atom.id for atom in found.atoms]) == EMPTY_TREE


def test_a_mode_is_an_atom_beside_the_lines(repo: TestRepository) -> None:
    found = find(repo, {b"f": plain(b"a\nb\n")}, {b"f": (b"100755", b"A\nb\n")})
    mode, line = found.atoms
    assert (mode.kind, line.kind) == (Kind.MODE, Kind.LINES)
    assert files(repo, found.tree([mode.id])) == {b"f": "100755 a\nb\n"}
    assert files(repo, found.tree([line.id])) == {b"f": "100644 A\nb\n"}
    again = compare_trees(repo.open(), found.tree([line.id]), found.target)
    assert again.atoms == (mode,)


def test_a_mode_alone_is_one_for_any_content(repo: TestRepository) -> None:
    data = b"\0binary"
    assert kinds(find(repo, {b"f": plain(data)}, {b"f": (b"100755", data)})) == [(Kind.MODE, b"f")]


def test_an_old_mode_that_git_shows_as_equal_still_reaches_the_source(repo: TestRepository) -> None:
    found = find(repo, {b"f": (b"100664", b"a\n")}, {b"f": plain(b"a\n")})
    assert kinds(found) == [(Kind.MODE, b"f")]
    assert raw(repo, found) == []


def test_directories_spelled_another_way_are_all_or_nothing(repo: TestRepository) -> None:
    repository = repo.open()
    tree: Files = {b"d/e/f": plain(b"x\n")}
    old, new = write_tree(repository, tree, b"040000"), write_tree(repository, tree)
    found = compare_trees(repository, old, new)
    (atom,) = found.atoms
    assert found.tree([]) == old
    assert found.tree([atom.id]) == new


def test_equal_trees_have_no_atoms(repo: TestRepository) -> None:
    found = find(repo, {b"f": plain(b"x\n")}, {b"f": plain(b"x\n")})
    assert found.atoms == ()
    assert found.tree([]) == found.base


def test_only_the_last_few_trees_are_remembered(repo: TestRepository) -> None:
    names = [b"%02d" % number for number in range(20)]
    found = find(repo, {}, {name: plain(b"x\n") for name in names})
    trees = {atom.path: found.tree([atom.id]) for atom in found.atoms}
    assert len(found._results) <= 4
    assert {name: found.tree([found.atoms[at].id]) for at, name in enumerate(names)} == trees


def test_an_unknown_atom_is_named(repo: TestRepository) -> None:
    found = find(repo, {}, {b"f": plain(b"x\n")})
    with pytest.raises(KeyError, match="no such atom: nonesuch"):
        found.tree(["nonesuch"])


def test_a_missing_blob_is_fatal_and_named(repo: TestRepository) -> None:
    found = find(repo, {b"f": plain(b"here\n")}, {b"f": plain(b"lost\n")})
    entry = found.changes[b"f"].new
    assert entry is not None
    (repo.path / ".git/objects" / entry.oid[:2] / entry.oid[2:]).unlink()
    with pytest.raises(Fatal, match=f"object {entry.oid} is missing"):
        compare_trees(repo.open(), found.base, found.target)


LARGE = 100_000_000


@pytest.mark.slow
def test_large_blobs_are_never_loaded(repo: TestRepository) -> None:
    """Two texts of 100 MB that changed and look renamed, where less than that may be held."""
    one, other = (
        repo.git("hash-object", "-w", "--stdin", stdin=start + b"0123456789abcde\n" * (LARGE // 16))
        for start in (b"one\n", b"other\n")
    )
    listings = [
        f"100644 blob {one}\tf\n100644 blob {one}\tgone\n",
        f"100644 blob {other}\tcome\n100644 blob {other}\tf\n",
    ]
    base, target = (repo.git("mktree", stdin=listing.encode()) for listing in listings)
    script = (
        "import sys, resource\nfrom pathlib import Path\n"
        f"resource.setrlimit(resource.RLIMIT_DATA, ({LARGE}, {LARGE}))\n"
        "from git_retcon.git.difference import compare_trees\n"
        "from git_retcon.git.repository import open_repository\n"
        "found = compare_trees(open_repository(Path(sys.argv[1])), sys.argv[2], sys.argv[3])\n"
        "trees = {found.tree([atom.id]) for atom in found.atoms}\n"
        "print(*[atom.kind.value for atom in found.atoms], len(trees))\n"
    )
    assert in_python(script, repo, base, target) == "add binary delete 3\n"
