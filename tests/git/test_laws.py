"""The laws of atoms across ``atoms``, ``difference``, ``trees`` and what finds them.

Over trees that nobody would make by hand; each module's own promises are in its own file.
"""

import random
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st

from git_retcon.git.atoms import Kind
from git_retcon.git.difference import Difference, compare_trees
from git_retcon.git.repository import Repository
from tests.git.hostile import (
    Cuts,
    Pair,
    as_git_lists,
    lines_of,
    modelled,
    pairs,
    read_files,
    write_tree,
)
from tests.repository import TestRepository

Find = Callable[[str, str, int], Difference]


def law(examples: int) -> Callable[[Callable[..., None]], Callable[..., None]]:
    # One repository serves all examples: objects are only ever added to it.
    return settings(
        max_examples=examples,
        deadline=None,
        suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    )


@pytest.fixture
def repository(repo: TestRepository) -> Repository:
    return repo.open()


@pytest.fixture
def find(repository: Repository) -> Find:
    def run(base: str, target: str, cuts: int) -> Difference:
        return compare_trees(repository, base, target, granularity=Cuts(cuts))

    return run


@pytest.fixture(autouse=True)
def fsck_at_the_end(repo: TestRepository) -> Iterator[None]:
    yield
    # What the generated sides spell the old way on purpose.
    old = ["-c", "fsck.zeroPaddedFilemode=ignore", "-c", "fsck.badFilemode=ignore"]
    repo.git(*old, "fsck", "--strict", "--no-dangling")


def some(found: Difference, seed: int) -> list[str]:
    """A random part of the atoms, in random order."""
    chance = random.Random(seed)
    ids = [atom.id for atom in found.atoms]
    return chance.sample(ids, chance.randint(0, len(ids)))


seeds = st.integers(0, 2**16)


@pytest.mark.slow
@law(60)
@given(pairs(), seeds)
def test_none_is_the_base_and_all_is_the_source(
    repository: Repository, find: Find, pair: Pair, seed: int
) -> None:
    base, target = pair.write(repository)
    found = find(base, target, seed)
    ids = [atom.id for atom in found.atoms]
    assert len(set(ids)) == len(ids)
    assert bool(ids) == (base != target)
    assert found.tree([]) == base
    assert found.tree(ids) == target


EXTRA = b"zz extra"
EXTRA_FILE = (b"100644", b"unlike anything else, so that nothing is renamed to it\n" * 9)


@law(100)
@given(pairs(), seeds)
def test_all_but_one_atom_make_the_source_without_it(
    repository: Repository, find: Find, pair: Pair, seed: int
) -> None:
    """The law above through the edits: of none and of all the trees are known beforehand."""
    more = replace(pair, target={**pair.target, EXTRA: EXTRA_FILE})
    base, target = more.write(repository)
    found = find(base, target, seed)
    extra = [atom.id for atom in found.atoms if atom.path == EXTRA]
    rest = [atom.id for atom in found.atoms if atom.path != EXTRA]
    made = found.tree(rest)
    assert read_files(repository, made) == pair.target
    alone = found.tree(extra)
    assert read_files(repository, alone) == {**pair.base, EXTRA: EXTRA_FILE}
    if b"040000" not in (pair.base_directory, pair.target_directory):
        assert made == write_tree(repository, pair.target)
        assert alone == write_tree(repository, {**pair.base, EXTRA: EXTRA_FILE})


@law(60)
@given(pairs(), seeds)
def test_any_subset_makes_the_tree_that_it_says(
    repo: TestRepository, repository: Repository, find: Find, pair: Pair, seed: int
) -> None:
    found = find(*pair.write(repository), seed)
    chosen = some(found, seed)
    note(f"{found.atoms} {chosen}")
    if any(found[name].path == b"." for name in chosen):
        return
    tree = found.tree(chosen)
    made = read_files(repository, tree)
    assert made == modelled(pair, found, chosen)
    listed = as_git_lists(repo, tree)
    assert listed.keys() == made.keys()
    for name, (mode, data) in made.items():
        assert listed[name] == mode.replace(b"664", b"644")
        known = {
            line
            for side in (pair.base, pair.target)
            for line in lines_of(side.get(name, (b"", b""))[1])
        }
        assert set(lines_of(data)) <= known


@law(60)
@given(pairs(), seeds)
def test_every_tree_passes_fsck(repository: Repository, find: Find, pair: Pair, seed: int) -> None:
    found = find(*pair.write(repository), seed)
    for part in range(4):
        found.tree(some(found, seed + part))


@law(40)
@given(pairs(), seeds)
def test_applying_knows_no_order_and_no_past(
    repository: Repository, find: Find, pair: Pair, seed: int
) -> None:
    base, target = pair.write(repository)
    found = find(base, target, seed)
    for part in range(6):
        chosen = some(found, seed + part)
        fresh = find(base, target, seed)
        assert found.tree(chosen) == fresh.tree(sorted(chosen))
    grown: list[str] = []
    for name in some(found, seed):
        grown.append(name)
        assert found.tree(grown) == find(base, target, seed).tree(frozenset(grown))


@law(40)
@given(pairs(), seeds)
def test_what_is_left_still_leads_to_the_source(
    repository: Repository, find: Find, pair: Pair, seed: int
) -> None:
    base, target = pair.write(repository)
    tree, turns = base, 0
    while tree != target:
        found = find(tree, target, seed + turns)
        assert found.tree([atom.id for atom in found.atoms]) == target
        chosen = some(found, seed + turns) or [found.atoms[0].id]
        tree = found.tree(chosen)
        turns += 1


@law(40)
@given(pairs(), seeds)
def test_entries_belong_to_one_atom_each(
    repository: Repository, find: Find, pair: Pair, seed: int
) -> None:
    found = find(*pair.write(repository), seed)
    changed = [entry.path for atom in found.atoms for entry in atom.entries]
    assert len(set(changed)) == len(changed)
    lines = {atom.path for atom in found.atoms if atom.kind is Kind.LINES}
    modes = {atom.path for atom in found.atoms if atom.kind is Kind.MODE} - {b"."}
    assert set(changed) | lines == found.changes.keys()
    assert lines & set(changed) <= modes


@law(40)
@given(pairs(), seeds)
def test_atoms_tell_what_they_remove_and_add(
    repository: Repository, find: Find, pair: Pair, seed: int
) -> None:
    found = find(*pair.write(repository), seed)
    assert list(found.atoms) == sorted(found.atoms, key=lambda atom: atom.path)
    for atom in found.atoms:
        assert atom.id in found
        assert found[atom.id] is atom
        if atom.kind is Kind.LINES:
            text = found.texts[atom.path]
            assert atom.removed == text.old[atom.old.start : atom.old.stop]
            assert atom.added == text.new[atom.new.start : atom.new.stop]
            assert atom.removed or atom.added
    for name, text in found.texts.items():
        assert b"".join(text.new) == (b"" if text.is_deleted else pair.target[name][1])
        assert b"".join(text.old) == (b"" if text.is_new else pair.base[text.old_path][1])


@law(40)
@given(pairs(), seeds)
def test_files_keep_their_ids_while_others_are_taken(
    repository: Repository, find: Find, pair: Pair, seed: int
) -> None:
    base, target = pair.write(repository)
    found = find(base, target, seed)
    again = find(base, target, seed)
    assert again.atoms == found.atoms
    taken_paths = {found[name].path for name in some(found, seed)}
    taken = [atom.id for atom in found.atoms if atom.path in taken_paths]
    left = [atom.id for atom in found.atoms if atom.path not in {*taken_paths, b"."}]
    tree = found.tree(taken)
    if tree != target:
        note(f"{found.atoms} {taken}")
        now = find(tree, target, seed).atoms
        assert [atom.id for atom in now if atom.path != b"."] == left
