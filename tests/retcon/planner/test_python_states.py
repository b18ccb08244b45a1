"""Python files as they are with some of the atoms of a difference."""

import pytest

from git_retcon.code.imported_names import ImportedName
from git_retcon.code.unbound_names import ModuleNames
from git_retcon.retcon.planner import python_states
from git_retcon.retcon.planner.facts import read_facts
from git_retcon.retcon.planner.python_states import PythonStates
from tests.repository import TestRepository
from tests.retcon.planner.building import branch

BEFORE = {"a.py": "x = 1\n\n\ny = 2\n", "a.txt": "x = 1\n"}
AFTER = {"a.py": "from b import x\n\n\nz = y\n", "a.txt": "x = 2\n"}


def read_states(repo: TestRepository) -> PythonStates:
    found = branch(repo, BEFORE, AFTER)
    return PythonStates(read_facts(found), found.texts)


def test_a_file_is_read_with_some_of_its_atoms(repo: TestRepository) -> None:
    states = read_states(repo)
    (path, (first, second)) = next(iter(states.atoms.items()))
    assert list(states.atoms) == [b"a.py"]
    expected: dict[tuple[int, ...], tuple[set[str], set[str]]] = {
        (): ({"x", "y"}, set()),
        (first,): ({"x", "y"}, set()),
        (second,): ({"x", "z"}, {"y"}),
    }
    for taken, names in expected.items():
        assert states.read_names(path, frozenset(taken)) == ModuleNames(*map(frozenset, names))
    assert states.find_imported(path, frozenset([first])) == {ImportedName(0, "b", "x")}
    assert not states.find_imported(path, frozenset([second]))


def test_too_much_is_not_read(repo: TestRepository, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(python_states, "_MOST_READ", 3)
    states = read_states(repo)
    assert states.read_names(b"a.py", frozenset()) is not None
    assert states.read_names(b"a.py", frozenset(states.atoms[b"a.py"])) is None
    # What is read is still known.
    assert states.read_names(b"a.py", frozenset()) is not None


def test_a_long_file_is_not_read(repo: TestRepository, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(python_states, "_MOST_LINES", 7)
    assert not read_states(repo).atoms
