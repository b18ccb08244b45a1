"""Which source commit each line of a difference came from."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from git_retcon.git.atoms import Kind
from git_retcon.git.difference import Difference, compare_trees
from git_retcon.git.provenance import Provenance, trace_lines
from tests.repository import TestRepository


def read(repo: TestRepository, base: str, source: str) -> tuple[Difference, Provenance]:
    opened = repo.open()
    whole = compare_trees(opened, repo.tree(base), repo.tree(source))
    return whole, trace_lines(opened, base, source).of(whole)


def origins(repo: TestRepository, base: str, source: str) -> dict[bytes, dict[int, int]]:
    """The origin by what the atom adds, or else removes, or else its path."""
    whole, found = read(repo, base, source)
    return {
        b"".join(atom.added) or b"".join(atom.removed) or atom.path: dict(
            found.origin.get(atom.id, {})
        )
        for atom in whole.atoms
    }


def test_an_added_line_belongs_to_the_commit_that_brought_it(repo: TestRepository) -> None:
    base = repo.commit("base", {"a": "1\n2\n3\n"})
    repo.commit("one", {"a": "0\n1\n2\n3\n"})
    tip = repo.commit("two", {"a": "0\n1\n2\n3\n4\n"})
    assert origins(repo, base, tip) == {b"0\n": {0: 1}, b"4\n": {1: 1}}


def test_a_removed_line_belongs_to_the_commit_that_removed_it(repo: TestRepository) -> None:
    base = repo.commit("base", {"a": "1\n2\n3\n4\n5\n"})
    repo.commit("one", {"a": "2\n3\n4\n5\n"})
    tip = repo.commit("two", {"a": "2\n3\n4\n"})
    assert origins(repo, base, tip) == {b"1\n": {0: 1}, b"5\n": {1: 1}}


def test_a_line_written_twice_belongs_to_the_last(repo: TestRepository) -> None:
    base = repo.commit("base", {"a": "1\n"})
    repo.commit("one", {"a": "one\n"})
    tip = repo.commit("two", {"a": "two\n"})
    # The old line went with the first commit, what is there now came with the second.
    assert origins(repo, base, tip) == {b"two\n": {0: 1, 1: 1}}


def test_what_came_and_went_again_is_nowhere(repo: TestRepository) -> None:
    base = repo.commit("base", {"a": "1\n"})
    repo.commit("one", {"a": "1\nshort-lived\n", "b": "gone\n"})
    repo.commit("two", {"a": "1\n", "b": None})
    tip = repo.commit("three", {"a": "1\n2\n"})
    assert origins(repo, base, tip) == {b"2\n": {2: 1}}
    whole, _ = read(repo, base, tip)
    assert trace_lines(repo.open(), base, tip).lines(whole.texts[b"a"]) == ([-1, 2], {})


def test_a_squashed_branch_has_no_origins_but_still_its_author(repo: TestRepository) -> None:
    base = repo.commit("base", {"a": "1\n"})
    tip = repo.commit("all\n\nof it", {"a": "2\n"}, author="Bé <be@example.com>")
    _, found = read(repo, base, tip)
    assert found.origin == {}
    assert found.subjects == ("all",)
    assert found.commits[0].author == "Bé <be@example.com> 1500000000 +0000"
    assert found.commits[0].message == "all\n\nof it\n"


def test_a_renamed_file_takes_its_lines_along(repo: TestRepository) -> None:
    base = repo.commit("base", {"x": "x\n"})
    repo.commit("one", {"a": "1\n2\n3\n"})
    repo.commit("two", {"a": None, "b": "1\n2\n3\n"})
    tip = repo.commit("three", {"b": "1\n2\n3\n4\n"})
    assert origins(repo, base, tip) == {b"1\n2\n3\n4\n": {0: 3, 2: 1}}


def test_a_rename_belongs_to_the_commit_that_made_the_new_name(repo: TestRepository) -> None:
    text = "".join(f"line {at}\n" for at in range(20))
    base = repo.commit("base", {"a": text})
    repo.commit("one", {"x": "x\n"})
    repo.commit("two", {"a": None, "b": text})
    tip = repo.commit("three", {"b": text + "more\n"})
    whole, found = read(repo, base, tip)
    rename = next(atom for atom in whole.atoms if atom.kind is Kind.RENAME)
    assert found.origin[rename.id].keys() == {1}


def test_a_whole_entry_belongs_to_the_last_commit_that_touched_it(repo: TestRepository) -> None:
    base = repo.commit("base", {"a": b"\0 1", "gone": "x\n"})
    repo.commit("one", {"a": b"\0 2"})
    repo.commit("two", {"a": b"\0 3"})
    tip = repo.commit("three", {"gone": None})
    whole, found = read(repo, base, tip)
    by_path = {atom.path: dict(found.origin[atom.id]) for atom in whole.atoms}
    assert by_path == {b"a": {1: 1}, b"gone": {2: 1}}


def test_what_a_merge_brought_from_the_trunk_is_not_the_branch_s(repo: TestRepository) -> None:
    body = "".join(f"{at}\n" for at in range(1, 9))
    repo.commit("root", {"a": body})
    repo.git("checkout", "-q", "-b", "topic")
    repo.commit("one", {"a": "mine\n" + body})
    repo.git("checkout", "-q", "main")
    base = repo.commit("trunk", {"a": body + "theirs\n"})
    repo.git("checkout", "-q", "topic")
    repo.git("merge", "-q", "--no-edit", "main")
    tip = repo.commit("two", {"a": "mine\n" + body.removeprefix("1\n") + "theirs\nmore\n"})
    assert origins(repo, base, tip) == {
        b"mine\n": {0: 1, 2: 1},  # and line 1, removed
        b"more\n": {2: 1},
    }


def test_each_line_knows_its_commit(repo: TestRepository) -> None:
    base = repo.commit("base", {"a": "x\ny\n"})
    repo.commit("one", {"a": "x\ny\n1\n"})
    tip = repo.commit("two", {"a": "y\n1\n2\n"})
    whole, found = read(repo, base, tip)
    assert found.commits
    added, removed = trace_lines(repo.open(), base, tip).lines(whole.texts[b"a"])
    assert [by if by >= 0 else None for by in added] == [None, 0, 1]
    assert removed == {0: 1}


def test_a_difference_from_half_way_has_the_same_origins(repo: TestRepository) -> None:
    body = "".join(f"{at}\n" for at in range(9))
    base = repo.commit("base", {"a": body})
    repo.commit("one", {"a": "first\n" + body})
    tip = repo.commit("two", {"a": "first\n" + body.removesuffix("8\n")})
    repo.git("checkout", "-q", "-b", "cleaned", base)
    repo.commit("rebuilt", {"a": "first\n" + body})
    opened = repo.open()
    rest = compare_trees(opened, repo.tree("cleaned"), repo.tree(tip))
    found = trace_lines(opened, base, tip).of(rest)
    assert [dict(found.origin[atom.id]) for atom in rest.atoms] == [{1: 1}]


LINES = st.lists(st.sampled_from(["a\n", "b\n", "c\n", "d\n"]), max_size=8)


@pytest.mark.slow
@given(
    st.lists(
        st.dictionaries(st.sampled_from(["x", "y"]), LINES, min_size=1), min_size=3, max_size=5
    )
)
@settings(
    max_examples=12,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_every_origin_is_a_commit_that_touched_the_file(
    repo: TestRepository, versions: list[dict[str, list[str]]]
) -> None:
    ids = [
        repo.commit(str(at), {name: "".join(lines) for name, lines in files.items()})
        for at, files in enumerate(versions)
    ]
    whole, found = read(repo, ids[0], ids[-1])
    for atom in whole.atoms:
        origin = found.origin.get(atom.id, {})
        if atom.kind is Kind.LINES:
            assert sum(origin.values()) <= len(atom.added) + len(atom.removed)
        for position in origin:
            before, after = ids[position], ids[position + 1]
            touched = repo.git("diff", "--name-only", before, after).splitlines()
            assert atom.path.decode() in touched


def test_what_takes_the_place_of_a_file_belongs_to_the_last_commit_of_it(
    repo: TestRepository,
) -> None:
    base = repo.commit("base", {"a": "x\n"})
    repo.commit("one", {"other": "1\n"})
    repo.commit("two", {"a": None})
    repo.commit("three", {"a/b": "1\n"})
    tip = repo.commit("four", {"a/c": "2\n"})
    whole, found = read(repo, base, tip)
    (replaced,) = (atom for atom in whole.atoms if atom.kind is Kind.REPLACE)
    assert found.origin[replaced.id].keys() == {3}
