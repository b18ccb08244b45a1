"""A choice is built once, as often as a trial affords; without a trial nothing is nearer."""

from collections.abc import Collection

from git_retcon.retcon.repair.problems import read_problems
from git_retcon.retcon.repair.trials import Trials
from git_retcon.run.failure import Failure

ONE, TWO = frozenset("a"), frozenset("ab")


def gcc(*names: str, step: str = "build") -> Failure:
    lines = (f"a.c:1:5: error: unknown type name '{name}'\n" for name in names)
    return Failure(step, "make", 1, "".join(lines).encode())


class Build:
    """A trial with set outcomes: what is taken ends the complaints about its letters."""

    def __init__(self, remaining: int) -> None:
        self.remaining = remaining
        self.made: list[frozenset[str]] = []

    def __call__(self, atoms: Collection[str], released: Collection[str] = ()) -> Failure | None:
        self.remaining -= 1
        self.made.append(frozenset(atoms))
        left = sorted({"a", "b"} - set(atoms))
        return gcc(*left) if left else None


def test_the_same_choice_is_built_once() -> None:
    build = Build(9)
    trials = Trials(gcc("a", "b"), build)
    assert not trials.is_known(ONE)
    assert trials.outcome(ONE) == trials.outcome(ONE) == gcc("b")
    assert trials.is_known(ONE)
    assert build.made == [ONE]


def test_what_ends_a_complaint_is_nearer_and_what_ends_all_passes() -> None:
    trials = Trials(gcc("a", "b"), Build(9))
    assert trials.is_nearer(ONE)
    assert not trials.passes(ONE)
    assert trials.passes(TWO)
    assert trials.problems(TWO) is None
    assert trials.problems(ONE) == read_problems(gcc("b"))
    assert not trials.is_nearer(frozenset())


def test_an_answer_must_end_what_was_asked() -> None:
    trials = Trials(gcc("a", "b"), Build(9))
    first, second = (read_problems(gcc(name)).found for name in "ab")
    assert trials.answers(ONE, first)
    assert not trials.answers(ONE, second)


def test_without_trials_nothing_is_built_and_nothing_helps() -> None:
    build = Build(1)
    trials = Trials(gcc("a", "b"), build)
    assert trials.affords(1)
    assert not trials.affords(2)
    trials.outcome(ONE)
    assert not trials.affords(1)
    assert trials.outcome(TWO) == gcc("a", "b")
    assert not trials.is_known(TWO)
    assert not trials.is_nearer(TWO)
    assert len(build.made) == 1


def test_a_limit_is_for_new_trials_only() -> None:
    trials = Trials(gcc("a", "b"), Build(9))
    may = trials.limit(1)
    assert may(ONE)
    trials.outcome(ONE)
    assert may(ONE)
    assert not may(TWO)
