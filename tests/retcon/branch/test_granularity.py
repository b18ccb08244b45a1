"""Hunks cut by statements, on whole differences."""

import random

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from git_retcon.git.difference import compare_trees
from git_retcon.git.provenance import trace_lines
from git_retcon.retcon.branch.granularity import StatementGranularity
from tests.repository import TestRepository

BEFORE = "import os\n\n\ndef one():\n    return 1\n"
AFTER = (
    "import os\nimport sys\n\n\nclass Box:\n    def put(self):\n        pass\n\n"
    "    def take(self):\n        pass\n\n\n"
    "def one():\n    return 1\n\n\ndef two():\n    return 2\n"
)


def test_atoms_know_the_definition_they_stand_in(repo: TestRepository) -> None:
    repo.commit("base", {"a.py": BEFORE})
    repo.commit("source", {"a.py": AFTER})
    whole = compare_trees(
        repo.open(), repo.tree("HEAD~"), repo.tree("HEAD"), granularity=StatementGranularity()
    )
    scopes = [atom.scope for atom in whole.atoms]
    assert scopes == ["", "Box", "Box.take", "two"]


def test_any_subset_still_applies_and_all_of_it_is_the_source(repo: TestRepository) -> None:
    lines = [f"x{at} = f({at})\n" for at in range(60)]
    chance = random.Random(3)
    changed = [line for line in lines if chance.random() < 0.7]
    changed += [f"def g{at}():\n    return {at}\n\n\n" for at in range(9)]
    repo.commit("base", {"a.py": "".join(lines), "b.c": "int x;\r\nint y;"})
    repo.commit("source", {"a.py": "".join(changed), "b.c": "int x;\r\nint z(void)\r\n{\r\n}\r\n"})
    base, target = repo.tree("HEAD~"), repo.tree("HEAD")
    whole = compare_trees(repo.open(), base, target, granularity=StatementGranularity())
    some = [atom.id for atom in whole.atoms if chance.random() < 0.5]
    middle = whole.tree(some)
    rest = compare_trees(repo.open(), middle, target, granularity=StatementGranularity())
    assert rest.tree([atom.id for atom in rest.atoms]) == target
    assert whole.tree([atom.id for atom in whole.atoms]) == target


def test_lines_of_different_source_commits_are_different_atoms(repo: TestRepository) -> None:
    base = repo.commit("base", {"a.py": "a = 1\n"})
    repo.commit("one", {"a.py": "a = 1\nb = 2\nc = 3\n"})
    tip = repo.commit("two", {"a.py": "a = 1\nb = 2\nc = 3\nd = 4\n"})
    opened = repo.open()
    history = trace_lines(opened, base, tip)
    whole = compare_trees(
        opened, repo.tree(base), repo.tree(tip), granularity=StatementGranularity(history.lines)
    )
    assert [b"".join(atom.added) for atom in whole.atoms] == [b"b = 2\nc = 3\n", b"d = 4\n"]
    assert [dict(each) for each in history.of(whole).origin.values()] == [{0: 2}, {1: 1}]


ENTRIES = st.sets(st.integers(0, 9), max_size=8)


def listed(keys: set[int]) -> dict[str, str]:
    """Files that are lists of entries: imports, items, members, bullets, lines."""

    def rows(row: str) -> str:
        return "".join(row.format(key) for key in sorted(keys))

    return {
        "a.py": rows("import m{0}\n")
        + ("import os\n\nA = {\n" + rows("    {0}: {0},\n") + "    'last': 1,\n}\n\n\n")
        + ("class B(Enum):\n    FIRST = 0\n" + rows("    N{0} = {0}\n")),
        "requirements.txt": "a==1\n" + rows("name{0}\n"),
        "CHANGES.md": "# 1.0\n\n" + rows("- did {0}\n") + "- began\n",
    }


@settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(some=ENTRIES, more=ENTRIES, comes=st.booleans(), seed=st.integers(0, 2**16))
def test_entries_that_come_or_go_keep_their_ids_while_others_are_taken(
    repo: TestRepository, some: set[int], more: set[int], comes: bool, seed: int
) -> None:
    before, after = (some, some | more) if comes else (some | more, some)
    repo.commit("base", listed(before))
    repo.commit("source", {**listed(after), "always": str(seed)})
    base, target = repo.tree("HEAD~"), repo.tree("HEAD")
    whole = compare_trees(repo.open(), base, target, granularity=StatementGranularity())
    chance = random.Random(seed)
    ids = [atom.id for atom in whole.atoms]
    chosen = chance.sample(ids, chance.randint(0, len(ids)))
    tree = whole.tree(chosen)
    assert whole.tree(sorted(chosen)) == tree
    rest = compare_trees(repo.open(), tree, target, granularity=StatementGranularity())
    assert rest.tree([atom.id for atom in rest.atoms]) == target
    assert {atom.id for atom in rest.atoms} == set(ids) - set(chosen)
