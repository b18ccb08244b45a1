"""One failure is nearer to passing than another by what it complains of, not by where."""

from git_retcon.retcon.repair.problems import Problems, is_answered, is_nearer, read_problems
from git_retcon.run.failure import Failure

GCC = b"%s.c:%d:5: error: unknown type name '%s'\n"


def _failed(output: bytes, step: str = "build") -> Problems:
    return read_problems(Failure(step, "make", 1, output))


def test_lines_and_folders_do_not_tell_problems_apart() -> None:
    assert _failed(GCC % (b"a", 3, b"t")) == _failed(GCC % (b"/tmp/x/a", 90, b"t"))
    assert _failed(b"odd 3\n") != _failed(b"odder 3\n")


def test_fewer_of_the_same_problems_or_a_later_step_are_nearer() -> None:
    one, two = GCC % (b"a", 1, b"t"), GCC % (b"a", 2, b"u")
    assert is_nearer(_failed(one + two), _failed(one))
    assert not is_nearer(_failed(one), _failed(one))
    assert not is_nearer(_failed(one), _failed(two))
    assert is_nearer(_failed(one), None)
    assert is_nearer(_failed(one), _failed(two, "test"))
    assert not is_nearer(_failed(one, "test"), _failed(two))


def test_an_answer_counts_when_its_problem_is_gone_and_the_tree_still_parses() -> None:
    one, two = GCC % (b"a", 1, b"t"), GCC % (b"a", 2, b"u")
    broken = b"a.c:1:1: error: expected ';' before '}' token\n"
    before = _failed(one)
    assert is_answered(before, _failed(two), before.found)
    assert is_answered(before, None, before.found)
    assert not is_answered(before, _failed(one + two), before.found)
    assert not is_answered(before, _failed(broken), before.found)
