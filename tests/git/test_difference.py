"""Each special kind of change by example, beside what git says of it."""

import itertools
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_retcon.errors import Fatal
from git_retcon.git.atoms import Atom, FileText, Hunk, Kind, Span
from git_retcon.git.difference import Difference, difference, spliced, split_lines, zero_context
from git_retcon.git.trees import EMPTY_TREE, Trees
from tests.git.hostile import Cuts, Files, edited, lines_of, text, write_tree
from tests.repository import TestRepository


def find(repo: TestRepository, base: Files, target: Files) -> Difference:
    repository = repo.open()
    return difference(repository, write_tree(repository, base), write_tree(repository, target))


def kinds(found: Difference) -> list[tuple[Kind, bytes]]:
    return [(atom.kind, atom.path) for atom in found.atoms]


def raw(repo: TestRepository, found: Difference) -> list[str]:
    """Status and paths as ``git diff-tree`` tells them."""
    listing = repo.git("diff-tree", "-r", "-M", "--name-status", found.base, found.target)
    return listing.splitlines()


def files(repo: TestRepository, tree: str) -> dict[bytes, str]:
    """Path → mode and content, as git lists and shows them."""
    repository = repo.open()
    return {
        name: f"{entry.mode.decode()} {repository.objects.odb.read(entry.oid)[1].decode()}"
        for name, entry in Trees(repository.objects).files(tree)
        if not entry.is_submodule
    }


def plain(data: bytes) -> tuple[bytes, bytes]:
    return (b"100644", data)


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
    again = difference(repo.open(), found.tree([line.id]), found.target)
    assert [atom.id for atom in again.atoms] == [mode.id]


def test_an_old_mode_that_git_shows_as_equal_still_reaches_the_source(repo: TestRepository) -> None:
    found = find(repo, {b"f": (b"100664", b"a\n")}, {b"f": plain(b"a\n")})
    assert kinds(found) == [(Kind.MODE, b"f")]
    assert raw(repo, found) == []


def test_binary_content_goes_with_its_mode(repo: TestRepository) -> None:
    found = find(repo, {b"f": plain(b"\0a\n")}, {b"f": (b"100755", b"\0b\n")})
    assert kinds(found) == [(Kind.BINARY, b"f")]


def test_text_that_became_binary_is_whole(repo: TestRepository) -> None:
    assert kinds(find(repo, {b"f": plain(b"a\n")}, {b"f": plain(b"a\0")})) == [(Kind.BINARY, b"f")]


@pytest.mark.parametrize(
    ("before", "after", "kind"),
    [
        (plain(b"a\n"), (b"120000", b"t"), Kind.SYMLINK),
        ((b"120000", b"t"), (b"160000", b"1" * 40), Kind.SUBMODULE),
        ((b"160000", b"1" * 40), plain(b"a\n"), Kind.SUBMODULE),
        ((b"120000", b"t"), (b"120000", b"u"), Kind.SYMLINK),
        ((b"160000", b"1" * 40), (b"160000", b"2" * 40), Kind.SUBMODULE),
    ],
)
def test_what_is_no_file_on_a_side_is_whole(
    repo: TestRepository, before: tuple[bytes, bytes], after: tuple[bytes, bytes], kind: Kind
) -> None:
    found = find(repo, {b"f": before}, {b"f": after})
    assert kinds(found) == [(kind, b"f")]
    changed_type = before[0] != after[0]
    assert raw(repo, found) == [f"{'T' if changed_type else 'M'}\tf"]


def test_a_rename_is_one_atom_with_its_edits(repo: TestRepository) -> None:
    body = b"".join(b"line %d\n" % number for number in range(20))
    found = find(repo, {b"old": plain(body)}, {b"new": plain(body + b"more\n")})
    (atom,) = found.atoms
    assert (atom.kind, atom.path, atom.added) == (Kind.RENAME, b"new", (b"more\n",))
    assert found.texts[b"new"].old_path == b"old"
    (line,) = raw(repo, found)
    assert line.startswith("R09")
    assert line.endswith("\told\tnew")


def test_a_change_of_case_is_a_rename_whatever_the_content(repo: TestRepository) -> None:
    found = find(repo, {b"Read/Me": plain(b"a\n")}, {b"read/me": plain(b"z\n" * 9)})
    assert kinds(found) == [(Kind.RENAME, b"read/me")]
    assert raw(repo, found) == ["D\tRead/Me", "A\tread/me"]


def test_a_change_of_case_comes_before_what_git_calls_a_rename(repo: TestRepository) -> None:
    body = b"".join(b"line %d\n" % number for number in range(20))
    found = find(
        repo,
        {b"Read": plain(body), b"other": plain(b"o\n")},
        {b"read": plain(b"z\n"), b"copy": plain(body)},
    )
    assert raw(repo, found) == ["R100\tRead\tcopy", "D\tother", "A\tread"]
    assert kinds(found) == [
        (Kind.LINES, b"copy"),
        (Kind.DELETE, b"other"),
        (Kind.RENAME, b"read"),
    ]


def test_a_file_that_becomes_a_directory_is_one_atom(repo: TestRepository) -> None:
    found = find(
        repo,
        {b"a": plain(b"x\n"), b"a.c": plain(b"s\n")},
        {b"a/b/c": plain(b"y\n"), b"a/d": plain(b"z\n"), b"a.c": plain(b"S\n")},
    )
    assert kinds(found) == [(Kind.REPLACE, b"a"), (Kind.LINES, b"a.c")]
    assert (found.atoms[0].removed, found.atoms[0].added) == ((b"x\n",), (b"y\n", b"z\n"))
    assert raw(repo, found) == ["D\ta", "M\ta.c", "A\ta/b/c", "A\ta/d"]


def test_an_unlike_file_below_its_own_name_is_a_replacement(repo: TestRepository) -> None:
    found = find(repo, {b"a": plain(b"x\n")}, {b"a/b": plain(b"y\n")})
    assert kinds(found) == [(Kind.REPLACE, b"a")]


def test_a_directory_that_becomes_a_file_takes_its_renames_along(repo: TestRepository) -> None:
    body = b"".join(b"line %d\n" % number for number in range(20))
    found = find(
        repo,
        {b"a/b": plain(body), b"a/c": plain(b"c\n")},
        {b"a": plain(b"x\n"), b"moved": plain(body), b"n": plain(b"n\n")},
    )
    assert kinds(found) == [(Kind.REPLACE, b"a"), (Kind.LINES, b"n")]
    assert [entry.path for entry in found.atoms[0].entries] == [b"a", b"a/b", b"a/c", b"moved"]


def test_directories_spelled_another_way_are_all_or_nothing(repo: TestRepository) -> None:
    repository = repo.open()
    tree: Files = {b"d/e/f": plain(b"x\n")}
    old, new = write_tree(repository, tree, b"040000"), write_tree(repository, tree)
    found = difference(repository, old, new)
    (atom,) = found.atoms
    assert found.tree([]) == old
    assert found.tree([atom.id]) == new


def test_equal_trees_have_no_atoms(repo: TestRepository) -> None:
    found = find(repo, {b"f": plain(b"x\n")}, {b"f": plain(b"x\n")})
    assert found.atoms == ()
    assert found.tree([]) == found.base


def test_an_unknown_atom_is_named(repo: TestRepository) -> None:
    found = find(repo, {}, {b"f": plain(b"x\n")})
    with pytest.raises(KeyError, match="no such atom: nonesuch"):
        found.tree(["nonesuch"])


def test_equal_lines_of_one_file_keep_their_own_ids(repo: TestRepository) -> None:
    base = b"a\nb\nc\n"
    found = find(repo, {b"f": plain(base)}, {b"f": plain(b"a\n}\nb\n}\nc\n}\n")})
    first, second, third = found.atoms
    assert len({first.id, second.id, third.id}) == 3
    left = difference(repo.open(), found.tree([first.id]), found.target)
    assert [atom.id for atom in left.atoms] == [second.id, third.id]


def test_ids_are_the_same_under_any_hash_seed(repo: TestRepository) -> None:
    found = find(
        repo,
        {b"a": plain(b"1\n2\n3\n"), b"x": plain(b"q\n"), b"p": plain(b"q\n")},
        {b"a": plain(b"0\n2\n4\n"), b"y": plain(b"q\n"), b"z": plain(b"q\n")},
    )
    script = (
        "import sys\nfrom pathlib import Path\n"
        "from git_retcon.git.difference import difference\n"
        "from git_retcon.git.repository import open_repository\n"
        "found = difference(open_repository(Path(sys.argv[1])), sys.argv[2], sys.argv[3])\n"
        "print(*[atom.id for atom in found.atoms])"
    )
    for seed in ("0", "1", "17"):
        said = in_python(script, repo, found.base, found.target, PYTHONHASHSEED=seed)
        assert said.split() == [atom.id for atom in found.atoms]


def in_python(script: str, repo: TestRepository, base: str, target: str, **env: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", script, str(repo.path), base, target],
        capture_output=True,
        text=True,
        check=False,
        env={"PATH": "/usr/bin:/bin:/usr/local/bin:/opt/homebrew/bin", **env},
        cwd=Path(__file__).parents[2],
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"a", b"a\n"), (b"a\n", b"a"), (b"a\nb", b"a\nb\nc\nd\n"), (b"a\nb\nc\n", b"a\nX"),
        (b"a\nb", b"X\nY"), (b"", b"a\nb"), (b"a\nb", b""), (b"a\rb\r", b"a\nb\r"),
        (b"a\r\nb\r\n", b"a\nb\n"), (b"\x0c\n", b"\xe2\x80\xa8\n\xc2\x85"),
    ],
)  # fmt: skip
def test_no_cut_ever_glues_two_lines(repo: TestRepository, before: bytes, after: bytes) -> None:
    repository = repo.open()
    base = write_tree(repository, {b"f": plain(before)})
    target = write_tree(repository, {b"f": plain(after)})
    known = {*lines_of(before), *lines_of(after)}
    for seed in range(30):
        found = difference(repository, base, target, granularity=Cuts(seed))
        for bits in range(2 ** min(len(found.atoms), 6)):
            chosen = [atom.id for at, atom in enumerate(found.atoms) if bits >> at & 1]
            entry = Trees(repository.objects).find(found.tree(chosen), b"f")
            content = b"" if entry is None else repository.objects.odb.read(entry.oid)[1]
            assert set(lines_of(content)) <= known
            assert b"".join(lines_of(content)) == content


def test_a_missing_newline_does_not_keep_a_long_run_whole(repo: TestRepository) -> None:
    repository = repo.open()
    base = write_tree(repository, {b"f": plain(b"a\nb\nc")})
    target = write_tree(repository, {b"f": plain(b"1\n2\n3\n4\n")})

    class Singly:
        def split(self, text: FileText, hunk: Hunk) -> list[Hunk]:
            return [Hunk(Span(at, at + 1), Span(at, at + (2 if at == 2 else 1))) for at in range(3)]

        def scope(self, text: FileText, hunk: Hunk) -> str:
            return ""

    found = difference(repository, base, target, granularity=Singly())
    assert [atom.added for atom in found.atoms] == [(b"1\n",), (b"2\n",), (b"3\n", b"4\n")]


@pytest.mark.parametrize(
    "pieces",
    [
        [],
        [Hunk(Span(0, 1), Span(0, 2))],
        [Hunk(Span(0, 2), Span(0, 1)), Hunk(Span(0, 2), Span(1, 2))],
        [Hunk(Span(0, 2), Span(0, 2)), Hunk(Span(2, 2), Span(2, 2))],
    ],
)
def test_a_granularity_that_does_not_tile_is_found_out(
    repo: TestRepository, pieces: list[Hunk]
) -> None:
    class Wrong:
        def split(self, text: FileText, hunk: Hunk) -> list[Hunk]:
            return pieces

        def scope(self, text: FileText, hunk: Hunk) -> str:
            return ""

    repository = repo.open()
    base = write_tree(repository, {b"f": plain(b"a\nb\n")})
    target = write_tree(repository, {b"f": plain(b"1\n2\n")})
    with pytest.raises(ValueError, match="pieces do not"):
        difference(repository, base, target, granularity=Wrong())


@given(text.flatmap(lambda data: st.tuples(st.just(data), edited(data))))
def test_runs_are_disjoint_and_make_the_new_lines(sides: tuple[bytes, bytes]) -> None:
    old, new = map(split_lines, sides)
    hunks = list(zero_context(old, new))
    atoms = [
        Atom("", Kind.LINES, b"f", hunk.old, hunk.new, (), new[hunk.new.start : hunk.new.stop])
        for hunk in hunks
    ]
    assert tuple(spliced(old, atoms)) == new
    for one, next_one in itertools.pairwise(hunks):
        assert one.old.stop < next_one.old.start


def test_a_missing_blob_is_fatal_and_named(repo: TestRepository) -> None:
    found = find(repo, {b"f": plain(b"here\n")}, {b"f": plain(b"lost\n")})
    entry = found.changes[b"f"].new
    assert entry is not None
    (repo.path / ".git/objects" / entry.oid[:2] / entry.oid[2:]).unlink()
    with pytest.raises(Fatal, match=f"object {entry.oid} is missing"):
        difference(repo.open(), found.base, found.target)


LARGE = 100_000_000


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
        "from git_retcon.git.difference import difference\n"
        "from git_retcon.git.repository import open_repository\n"
        "found = difference(open_repository(Path(sys.argv[1])), sys.argv[2], sys.argv[3])\n"
        "trees = {found.tree([atom.id]) for atom in found.atoms}\n"
        "print(*[atom.kind.value for atom in found.atoms], len(trees))\n"
    )
    assert in_python(script, repo, base, target) == "add binary delete 3\n"


def test_a_large_blob_that_only_moved_is_a_rename(
    repo: TestRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("git_retcon.git.difference.LARGEST_TEXT", 100)
    body = b"".join(b"line %d\n" % number for number in range(50))
    moved, other = plain(body), plain(body + b"x")
    assert kinds(find(repo, {b"a": moved}, {b"b": moved})) == [(Kind.RENAME, b"b")]
    small = plain(b"small\n")
    found = find(repo, {b"a": moved, b"s1": small}, {b"*": other, b"s2": small})
    assert kinds(found) == [(Kind.LINES, b"*"), (Kind.DELETE, b"a"), (Kind.RENAME, b"s2")]
