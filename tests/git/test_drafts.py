"""How changed entries become atoms, and what an atom's id depends on."""

import pytest

from git_retcon.git.atoms import FileText, Hunk, Kind, Span
from git_retcon.git.difference import compare_trees
from git_retcon.git.drafts import Draft, name_drafts
from tests.git.differences import find, in_python, kinds, plain, raw
from tests.git.hostile import write_tree
from tests.repository import TestRepository


def test_binary_content_goes_with_its_mode(repo: TestRepository) -> None:
    found = find(repo, {b"f": plain(b"\0a\n")}, {b"f": (b"100755", b"\0b\n")})
    assert kinds(found) == [(Kind.BINARY, b"f")]


def test_text_that_became_binary_is_whole(repo: TestRepository) -> None:
    assert kinds(find(repo, {b"f": plain(b"a\n")}, {b"f": plain(b"a\0")})) == [(Kind.BINARY, b"f")]


@pytest.mark.parametrize(
    ("before", "after", "kind"),
    [
        (plain(b"a\n"), (b"120000", b"t"), Kind.SYMLINK),
        ((b"120000", b"t"), plain(b"a\n"), Kind.SYMLINK),
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


def test_the_lines_of_a_symlink_are_its_targets(repo: TestRepository) -> None:
    [atom] = find(repo, {b"f": (b"120000", b"old")}, {b"f": (b"120000", b"new")}).atoms
    assert (atom.removed, atom.added) == ((b"old",), (b"new",))
    [atom] = find(repo, {b"f": plain(b"a\nb\n")}, {b"f": (b"120000", b"new")}).atoms
    assert (atom.removed, atom.added) == ((b"a\n", b"b\n"), (b"new",))


def test_equal_lines_of_one_file_keep_their_own_ids(repo: TestRepository) -> None:
    base = b"a\nb\nc\n"
    found = find(repo, {b"f": plain(base)}, {b"f": plain(b"a\n}\nb\n}\nc\n}\n")})
    first, second, third = found.atoms
    assert len({first.id, second.id, third.id}) == 3
    left = compare_trees(repo.open(), found.tree([first.id]), found.target)
    assert [atom.id for atom in left.atoms] == [second.id, third.id]


def test_ids_are_the_same_under_any_hash_seed(repo: TestRepository) -> None:
    found = find(
        repo,
        {b"a": plain(b"1\n2\n3\n"), b"x": plain(b"q\n"), b"p": plain(b"q\n")},
        {b"a": plain(b"0\n2\n4\n"), b"y": plain(b"q\n"), b"z": plain(b"q\n")},
    )
    script = (
        "import sys\nfrom pathlib import Path\n"
        "from git_retcon.git.difference import compare_trees\n"
        "from git_retcon.git.repository import open_repository\n"
        "found = compare_trees(open_repository(Path(sys.argv[1])), sys.argv[2], sys.argv[3])\n"
        "print(*[atom.id for atom in found.atoms])"
    )
    for seed in ("0", "1", "17"):
        said = in_python(script, repo, found.base, found.target, PYTHONHASHSEED=seed)
        assert said.split() == [atom.id for atom in found.atoms]


def test_a_missing_newline_does_not_keep_a_long_run_whole(repo: TestRepository) -> None:
    repository = repo.open()
    base = write_tree(repository, {b"f": plain(b"a\nb\nc")})
    target = write_tree(repository, {b"f": plain(b"1\n2\n3\n4\n")})

    class Singly:
        def split(self, text: FileText, hunk: Hunk) -> list[Hunk]:
            return [Hunk(Span(at, at + 1), Span(at, at + (2 if at == 2 else 1))) for at in range(3)]

        def scope(self, text: FileText, hunk: Hunk) -> str:
            return ""

    found = compare_trees(repository, base, target, granularity=Singly())
    assert [atom.added for atom in found.atoms] == [(b"1\n",), (b"2\n",), (b"3\n", b"4\n")]


@pytest.mark.parametrize(
    "parts",
    [
        [],
        [Hunk(Span(0, 1), Span(0, 2))],
        [Hunk(Span(0, 2), Span(0, 1)), Hunk(Span(0, 2), Span(1, 2))],
        [Hunk(Span(0, 2), Span(0, 2)), Hunk(Span(2, 2), Span(2, 2))],
    ],
)
def test_a_granularity_that_does_not_tile_is_found_out(
    repo: TestRepository, parts: list[Hunk]
) -> None:
    class Wrong:
        def split(self, text: FileText, hunk: Hunk) -> list[Hunk]:
            return parts

        def scope(self, text: FileText, hunk: Hunk) -> str:
            return ""

    repository = repo.open()
    base = write_tree(repository, {b"f": plain(b"a\nb\n")})
    target = write_tree(repository, {b"f": plain(b"1\n2\n")})
    with pytest.raises(ValueError, match="parts do not"):
        compare_trees(repository, base, target, granularity=Wrong())


def test_the_same_line_removed_or_added_is_not_the_same_atom() -> None:
    drafts = [
        Draft(Kind.LINES, b"f", removed=(b"x\n",)),
        Draft(Kind.LINES, b"f", added=(b"x\n",)),
        Draft(Kind.LINES, b"f", added=(b"x\n",), place=b"1 y\n"),
        Draft(Kind.LINES, b"g", added=(b"x\n",)),
    ]
    ids = [atom.id for atom in name_drafts(drafts)]
    assert len(set(ids)) == len(ids)
    assert [atom.id for draft in drafts for atom in name_drafts([draft])] == ids


def test_what_is_equal_in_everything_is_counted() -> None:
    draft = Draft(Kind.LINES, b"f", added=(b"x\n",))
    first, second, third = (atom.id for atom in name_drafts([draft] * 3))
    assert (second, third) == (f"{first}.2", f"{first}.3")
