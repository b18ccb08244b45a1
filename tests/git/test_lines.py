"""Lines of bytes: split, compared, spliced, and never glued together."""

import itertools
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_retcon.git.atoms import Atom, Hunk, Kind, Span
from git_retcon.git.difference import compare_trees
from git_retcon.git.lines import (
    check_tiling,
    close_tail,
    count_changed_lines,
    diff_lines,
    is_part_of_change,
    splice_lines,
    split_lines,
)
from git_retcon.git.trees import Trees
from tests.git.differences import plain
from tests.git.hostile import Cuts, edited, lines_of, text, write_tree
from tests.repository import TestRepository


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
        found = compare_trees(repository, base, target, granularity=Cuts(seed))
        for bits in range(2 ** min(len(found.atoms), 6)):
            chosen = [atom.id for at, atom in enumerate(found.atoms) if bits >> at & 1]
            entry = Trees(repository.objects).find(found.tree(chosen), b"f")
            content = b"" if entry is None else repository.objects.odb.read(entry.oid)[1]
            assert set(lines_of(content)) <= known
            assert b"".join(lines_of(content)) == content


@given(text.flatmap(lambda data: st.tuples(st.just(data), edited(data))))
def test_runs_are_disjoint_and_make_the_new_lines(sides: tuple[bytes, bytes]) -> None:
    old, new = map(split_lines, sides)
    hunks = list(diff_lines(old, new))
    atoms = [
        Atom("", Kind.LINES, b"f", hunk.old, hunk.new, (), new[hunk.new.start : hunk.new.stop])
        for hunk in hunks
    ]
    assert tuple(splice_lines(old, atoms)) == new
    for one, next_one in itertools.pairwise(hunks):
        assert one.old.stop < next_one.old.start


@pytest.mark.parametrize(
    ("content", "lines"),
    [
        (b"", ()),
        (b"\n", (b"\n",)),
        (b"a", (b"a",)),
        (b"a\n", (b"a\n",)),
        (b"a\r\nb\x0cc\xe2\x80\xa8d\n\ne", (b"a\r\n", b"b\x0cc\xe2\x80\xa8d\n", b"\n", b"e")),
    ],
)
def test_a_newline_alone_ends_a_line(content: bytes, lines: tuple[bytes, ...]) -> None:
    assert split_lines(content) == lines


@pytest.mark.parametrize(
    ("before", "after", "runs"),
    [
        ("a b c", "a b c", []),
        ("a b c", "a X c", [(Span(1, 2), Span(1, 2))]),
        ("a b c", "a b c d", [(Span(3, 3), Span(3, 4))]),
        ("a b c", "0 a b c", [(Span(0, 0), Span(0, 1))]),
        ("a b c", "b c", [(Span(0, 1), Span(0, 0))]),
        ("", "a", [(Span(0, 0), Span(0, 1))]),
        ("a", "", [(Span(0, 1), Span(0, 0))]),
        # One line between two changes is enough to keep them apart.
        ("a b c", "X b Y", [(Span(0, 1), Span(0, 1)), (Span(2, 3), Span(2, 3))]),
    ],
)
def test_runs_are_counted_from_nothing(
    before: str, after: str, runs: list[tuple[Span, Span]]
) -> None:
    old, new = (tuple(f"{line}\n".encode() for line in side.split()) for side in (before, after))
    assert [(hunk.old, hunk.new) for hunk in diff_lines(old, new)] == runs


def test_a_run_that_could_begin_elsewhere_begins_as_git_shows_it() -> None:
    """By the indent heuristic: a block that is added comes whole, not from its second line."""
    old = split_lines(b"one do\n  b\nend\n")
    new = split_lines(b"one do\n  a\nend\none do\n  b\nend\n")
    assert [(hunk.old, hunk.new) for hunk in diff_lines(old, new)] == [(Span(0, 0), Span(0, 3))]


WHOLE = Hunk(Span(4, 6), Span(7, 9))


@pytest.mark.parametrize(
    ("parts", "fault"),
    [
        ([WHOLE], None),
        ([Hunk(Span(4, 5), Span(7, 7)), Hunk(Span(5, 6), Span(7, 9))], None),
        ([], "cover"),
        ([Hunk(Span(4, 5), Span(7, 9))], "cover"),
        ([Hunk(Span(4, 6), Span(7, 8))], "cover"),
        ([Hunk(Span(5, 6), Span(7, 9))], "tile"),
        ([Hunk(Span(4, 6), Span(8, 9))], "tile"),
        ([WHOLE, Hunk(Span(6, 6), Span(9, 9))], "tile"),
        ([Hunk(Span(4, 5), Span(7, 8)), Hunk(Span(4, 6), Span(8, 9))], "tile"),
    ],
)
def test_pieces_tile_their_hunk_or_are_refused(parts: list[Hunk], fault: str | None) -> None:
    if fault is None:
        check_tiling(WHOLE, parts)
        return
    with pytest.raises(ValueError, match=f"parts do not {fault}"):
        check_tiling(WHOLE, parts)


@pytest.mark.parametrize(
    ("old", "new", "kept"),
    [
        ("a b c", "x y z", 3),
        ("a b c|", "x y z", 3),  # the open line is in the last part alone
        ("a b c|", "x y z|", 3),
        ("a b", "x y z|", 3),
        ("a b|", "x y z", 2),  # it is in the second part, and nothing may follow that
        ("a|", "x y z", 1),
    ],
)
def test_nothing_follows_a_line_without_its_newline(old: str, new: str, kept: int) -> None:
    before, after = (_open_lines(side) for side in (old, new))
    hunk = Hunk(Span(0, len(before)), Span(0, len(after)))
    ends = [min(at, len(before)) for at in (0, 1, 2, 3)]
    parts = [Hunk(Span(ends[at], ends[at + 1]), Span(at, at + 1)) for at in range(3)]
    closed = close_tail(before, after, hunk, parts)
    assert len(closed) == kept
    check_tiling(hunk, closed)


def _open_lines(side: str) -> tuple[bytes, ...]:
    """A line a word; behind a bar, the last one lacks its newline."""
    return split_lines(
        "".join(f"{word}\n" for word in side.rstrip("|").split()).encode()[
            : -1 if "|" in side else None
        ]
    )


@pytest.mark.parametrize(
    ("old", "new"),
    [(b"a\nb\n", b"a\nc\nd\n"), (b"", b"a\nb"), (b"a\n", b"a"), (b"a\nb\n" * 9, b"b\na\n" * 8)],
)
def test_lines_are_counted_as_git_counts_them(tmp_path: Path, old: bytes, new: bytes) -> None:
    (tmp_path / "old").write_bytes(old)
    (tmp_path / "new").write_bytes(new)
    command = ["git", "diff", "--no-index", "--numstat", "old", "new"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
    added, removed, _ = done.stdout.split(b"\t")
    assert count_changed_lines(old, new) == int(added) + int(removed)


def test_a_binary_file_has_no_lines() -> None:
    assert count_changed_lines(b"a\0\n", b"b\0\n\n") == 0


few_lines = st.lists(st.sampled_from([b"a\n", b"b\n", b"c\n", b"\n"]), max_size=8)


@given(few_lines, few_lines, st.integers(min_value=0))
def test_any_part_of_a_change_is_one(old: list[bytes], new: list[bytes], which: int) -> None:
    part, at = [], 0
    for number, hunk in enumerate(diff_lines(old, new)):
        part += old[at : hunk.old.start]
        is_taken = which >> number & 1
        span, side = (hunk.new, new) if is_taken else (hunk.old, old)
        part += side[span.start : span.stop]
        at = hunk.old.stop
    assert is_part_of_change([*part, *old[at:]], old, new)


@pytest.mark.parametrize(
    ("lines", "is_part"),
    [
        ("anbc", True), ("abx", True), ("anx", True), ("anbx", True), ("ax", True), ("a", True),
        ("bac", False), ("acb", False), ("nabc", False), ("abcc", False), ("azbc", False),
        ("bc", False), ("axn", False), ("", False),
    ],
)  # fmt: skip
def test_what_is_part_of_a_change(lines: str, is_part: bool) -> None:
    # Both begin with "a"; then one has "b" and "c", the other "n" and "x".
    part, old, new = ([f"{letter}\n".encode() for letter in text] for text in (lines, "abc", "anx"))
    assert is_part_of_change(part, old, new) is is_part
