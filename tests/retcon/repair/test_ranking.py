"""What a failure points at comes before the rest, for every tool."""

from collections.abc import Mapping

import pytest

from git_retcon.retcon.engine import Situation
from git_retcon.retcon.repair.inventory import Inventory
from git_retcon.retcon.repair.ranking import rank_groups
from git_retcon.retcon.spec.model import LogicalCommit, Spec
from git_retcon.run.failure import Failure
from tests.retcon.repair.trials import Bench, Make


def likeliest(
    built: Bench,
    output: str,
    taken: frozenset[str] = frozenset(),
    origin: Mapping[str, Mapping[int, int]] | None = None,
) -> list[str]:
    """The paths of what is left, the likeliest first."""
    commits = (LogicalCommit("first"), LogicalCommit("second"))
    spec = Spec("source", "base", "cleaned", commits)
    situation = Situation(spec, 0, built.difference, dict.fromkeys(taken, 0), origin=origin or {})
    current = [atom for atom in built.difference.atoms if atom.id in taken]
    failure = Failure("test", "check", 1, output.encode())
    groups = rank_groups(Inventory(situation), failure, current)
    return [built.difference[min(group)].path.decode() for group in groups]


def changed(bench: Make, *paths: str) -> Bench:
    """A branch that changes one line in each of some files."""
    before = dict.fromkeys(paths, "V = 1\n")
    return bench(before, dict.fromkeys(paths, "V = 2\n"), "true")


@pytest.mark.parametrize(
    ("output", "named"),
    [
        ("FAILED tests/test_rates.py::test_it - assert 1 == 2", "src/rates.py"),
        ("not ok 1 - /w/test/rates.test.js", "src/rates.js"),
        ("    rates_test.go:7: got 1", "src/rates.go"),
        ("java.lang.AssertionError\n\tat app.RatesTest.it(RatesTest.java:9)", "src/Rates.java"),
    ],
)
def test_the_file_that_a_failing_test_is_about(bench: Make, output: str, named: str) -> None:
    suffix = named.rpartition(".")[2]
    built = changed(bench, f"src/alpha.{suffix}", named, f"src/zeta.{suffix}", "README.md")
    assert likeliest(built, output)[0] == named
    assert likeliest(built, output)[-1] == "README.md"


def test_a_file_in_the_frames_of_a_stack(bench: Make) -> None:
    built = changed(bench, "src/a.py", "src/b.py", "src/c.py")
    output = 'File "/w/src/b.py", line 3, in go\nZeroDivisionError: division by zero\n'
    assert likeliest(built, output)[0] == "src/b.py"


def test_what_adds_or_takes_away_the_words_of_the_message(bench: Make) -> None:
    old = "import x\n\nraise ValueError('spaces are no good')\n"
    built = bench(
        {"a.py": old, "b.py": old.replace("spaces", "tabs"), "c.py": "import x\n"},
        {
            "a.py": old.replace("spaces are no good", "an invalid name"),
            "b.py": old.replace("spaces are no good", "no"),
            "c.py": "import x\n\nraise ValueError('not open yet')\n",
        },
        "true",
    )
    assert likeliest(built, 'assert "an invalid name" in str(error)')[0] == "a.py"
    assert likeliest(built, "ValueError: spaces are no good")[0] == "a.py"
    assert likeliest(built, "expected: not open yet")[0] == "c.py"


def test_what_came_with_the_commit_in_work_in_the_source(bench: Make) -> None:
    built = changed(bench, "a.py", "b.py", "c.py", "check.py")
    at = {atom.path: atom.id for atom in built.difference.atoms}
    origin = {
        at[b"a.py"]: {0: 1},
        at[b"b.py"]: {1: 1},
        at[b"c.py"]: {2: 1},
        at[b"check.py"]: {1: 1},
    }
    found = likeliest(built, "exit status 1", frozenset((at[b"check.py"],)), origin)
    assert found[0] == "b.py"


def test_what_is_planned_for_a_later_commit_comes_later(bench: Make) -> None:
    built = changed(bench, "a.py", "b.py", "c.py")
    at = {atom.path: atom.id for atom in built.difference.atoms}
    planned = {at[b"a.py"]: 2, at[b"b.py"]: 0, at[b"c.py"]: 1}
    inventory = Inventory(built.situation(planned=planned))
    groups = rank_groups(inventory, Failure("test", "check", 1, b"exit status 1"), [])
    assert [built.difference[min(group)].path for group in groups] == [b"b.py", b"c.py", b"a.py"]


def test_a_module_that_the_failing_test_imports(bench: Make) -> None:
    before = {"a.py": "V = 1\n", "b.py": "V = 1\n", "tests/test_it.py": "import b\n"}
    after = {path: text.replace("1", "2") + "import b\n" for path, text in before.items()}
    built = bench(before, {**after, "a.py": "V = 2\n", "b.py": "V = 2\n"}, "true")
    assert likeliest(built, "FAILED tests/test_it.py - exit")[0] == "b.py"


def test_what_only_removes_comes_after_what_adds(bench: Make) -> None:
    built = bench(
        {"a.py": "V = 1\n\n\ndef go():\n    return 1\n", "b.py": "V = 1\n"},
        {"a.py": "V = 1\n", "b.py": "V = 1\n\n\ndef run():\n    return 1\n"},
        "true",
    )
    assert likeliest(built, "assert go() == run()")[-1] == "a.py"
