"""Two failures are one where they differ in what two runs of the same tree print differently."""

import datetime
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_retcon.run.failure import Failure
from git_retcon.run.stalled import (
    Headway,
    failure_key,
    without_durations,
    without_variable_parts,
)

PLACE = Path("/home/ada/.local/share/git-retcon/worktrees/app-12ab/retcon/tree")


def failed(output: str, step: str = "build") -> Failure:
    return Failure(step, "make", 1, output.encode())


def key(output: str, *places: Path) -> bytes:
    return failure_key(failed(output), places)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("fault at 0x7ffe12", "fault at 0x55d0a88c10"),
        ("Store@1b2c3d4 is null", "Store@9f8e7d6 is null"),
        ("<Store object at 000055d0c0ffee00>", "<Store object at 00007f0012345678>"),
        ("1 failed in 0.03s", "1 failed in 12.50s"),
        ("Finished in 2m3.5s", "Finished in 59.1s"),
        ("--- FAIL: TestAdd (0.00 seconds)", "--- FAIL: TestAdd (1.25 seconds)"),
        ("  duration_ms 1.25", "  duration_ms 1310"),
        ("[2026-11-21T21:59:31.123Z] x", "[2027-01-02T03:04:05Z] x"),
        ("2026/11/21 21:59:31 panic", "2026/11/22 01:00:00 panic"),
        ("Sat Nov 21 21:59:31 UTC 2026: x", "Sun Nov 22 00:00:00 UTC 2026: x"),
        ("made 21 Nov 2026", "made 2 Dec 2026"),
        ("Start at 21:59:31", "Start at 08:01:02"),
        ("seed of 1700000000", "seed of 1763762371"),
        ("worker (pid 412) died", "worker (pid 98211) died"),
        ("pid=412 died", "pid=7 died"),
        ("Process 412 exited", "Process 413 exited"),
        ("==412== Invalid read", "==98211== Invalid read"),
        ("(node:412) Warning", "(node:98211) Warning"),
        ("sshd[4121]: no", "sshd[98211]: no"),
        ("goroutine 7 [running]:", "goroutine 34 [running]:"),
        ("thread 'main' (412) panicked at a.rs:2:5", "thread 'main' (413) panicked at a.rs:2:5"),
        ("/tmp/ccXyZ123.o: in function", "/tmp/ccAbC9.o: in function"),
        ("/tmp/ccXyZabc.o: in function", "/tmp/ccQwErty.o: in function"),
        ("/tmp/tmpab12cd/gen.c:4: error", "/tmp/tmpzz99xy/gen.c:4: error"),
        ("/tmp/pytest-of-ada/pytest-3/t/a.py:1: x", "/tmp/pytest-of-ada/pytest-41/t/a.py:1: x"),
        ("/var/folders/zz/q1/T/tmp1/a.py:1: x", "/var/folders/zz/q1/T/tmp2/a.py:1: x"),
    ],
)
def test_what_two_runs_of_one_tree_print_differently_does_not_count(one: str, other: str) -> None:
    assert one != other
    assert key(one) == key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("main.c:633: error: x", "main.c:646: error: x"),
        ("main.c:633:5: error: x", "main.c:633:9: error: x"),
        ("  12:30  error  x", "  12:31  error  x"),
        ("a.py:12:30:00 x", "a.py:12:30:01 x"),
        ('File "a.py", line 12 sec', 'File "a.py", line 13 sec'),
        ('File "a.py", line 3, in f', 'File "b.py", line 3, in f'),
        ("src/2026-11-21/a.py:3: x", "src/2026-11-22/a.py:3: x"),
        ("/tmp/tmpab12cd/gen.c:4: error", "/tmp/tmpab12cd/gen.c:5: error"),
        ("/tmp/tmpab12cd/gen.c:4: error", "/tmp/tmpab12cd/out.c:4: error"),
        ("assert 3 == 4", "assert 3 == 5"),
        ("make: *** [Makefile:3: a]", "make: *** [Makefile:4: a]"),
        ("undefined: one", "undefined: two"),
    ],
)
def test_file_line_and_cause_count(one: str, other: str) -> None:
    assert key(one) != key(other)


def test_the_directory_that_a_command_ran_in_does_not_count() -> None:
    there = Path("/srv/b/retcon-2/tree")
    assert key(f"{PLACE}/a.py:3: x", PLACE, there) == key(f"{there}/a.py:3: x", PLACE, there)
    assert key(f"in {PLACE}", PLACE) == key(f"in {there}", there)
    assert without_variable_parts(f"{PLACE}/a.py:3".encode(), [PLACE]) == b"a.py:3"


def test_of_places_inside_one_another_the_innermost_counts() -> None:
    outer = PLACE.parent
    assert without_variable_parts(f"{PLACE}/a.py:3".encode(), [outer, PLACE]) == b"a.py:3"
    assert without_variable_parts(f"{PLACE}/a.py:3".encode(), [PLACE, outer]) == b"a.py:3"


def test_the_temporary_directory_of_this_machine_does_not_count(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    outputs = []
    for name in ("one", "two"):
        monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / name))
        outputs.append(key(f"{tmp_path / name}/xyz{name}/a.py:3: x"))
    assert outputs[0] == outputs[1]


def test_step_and_deadline_count() -> None:
    assert failure_key(failed("x")) != failure_key(failed("x", "test"))
    late = Failure("build", "make", 1, b"x", timed_out=True)
    assert failure_key(failed("x")) != failure_key(late)


texts = st.text(st.sampled_from("abcxyz ERROR:\n"), max_size=12)
variable = st.one_of(
    st.integers(0, 2**48).map(lambda n: f" 0x{n:x} "),
    st.floats(0, 5000).map(lambda s: f" {s:.3f}s "),
    st.integers(1, 4_000_000).map(lambda n: f" pid {n} "),
    st.datetimes(datetime.datetime(1970, 1, 1)).map(lambda at: f" {at:%Y-%m-%d %H:%M:%S} "),
    st.from_regex(r"\A /tmp/tmp[a-z0-9_]{8}/ \Z"),
)


def kinds(value: str) -> str:
    """Which of the five it is, so that a pair is of one kind."""
    for mark in ("/tmp", " 0x", "pid", "-"):  # a temporary name may hold "0x"
        if mark in value:
            return mark
    return "s"


@given(parts=st.lists(st.tuples(texts, variable, variable), min_size=1, max_size=6))
def test_no_variable_part_makes_a_failure_another(parts: list[tuple[str, str, str]]) -> None:
    same_kind = [(text, a, b if kinds(a) == kinds(b) else a) for text, a, b in parts]
    assert key("".join(t + a for t, a, _ in same_kind)) == key(
        "".join(t + b for t, _, b in same_kind)
    )


files = st.from_regex(r"\A[a-z]{1,8}(?:/[a-z]{1,8}){0,2}\.(?:c|py|rs|go)\Z")
lines = st.integers(1, 99_999)


@given(text=texts, file=files, others=files, line=lines, other_line=lines, noise=variable)
def test_another_file_or_line_makes_a_failure_another(
    text: str, file: str, others: str, line: int, other_line: int, noise: str
) -> None:
    def at(name: str, number: int) -> bytes:
        return key(f"{text}\n{noise}\n{name}:{number}: error: bad\n")

    assert (at(file, line) == at(others, other_line)) == ((file, line) == (others, other_line))


@given(output=st.binary(max_size=200))
def test_any_bytes_have_a_key(output: bytes) -> None:
    failure = Failure("build", "make", 1, output)
    assert failure_key(failure) == failure_key(failure)


def stalled_at(outputs: list[str]) -> int | None:
    """The number of the failure, from 1, after which a loop gives up."""
    headway = Headway()
    for number, output in enumerate(outputs, start=1):
        if headway.why_stalled(failed(output)) is not None:
            return number
    return None


def test_the_same_failure_after_three_fixes_is_stuck() -> None:
    assert stalled_at(["bad at 0x1", "bad at 0x2", "bad at 0x3"]) is None
    assert stalled_at(["bad at 0x1", "bad at 0x2", "bad at 0x3", "bad at 0x4"]) == 4


def test_going_round_in_circles_is_stuck() -> None:
    assert stalled_at(["a", "b", "a", "b", "a"]) == 5


def test_a_new_verdict_begins_the_count_again() -> None:
    assert stalled_at(["a", "a", "a", "b", "a", "a"]) is None
    assert stalled_at(["a", "a", "a", "b", "a", "a", "a"]) == 7


def undefined(*names: str) -> str:
    return "".join(f"a.c:{ord(name)}:1: error: '{name}' undeclared\n" for name in names)


def test_fewer_errors_are_a_new_verdict() -> None:
    many, two, one = undefined("x", "y", "z"), undefined("x", "y"), undefined("x")
    assert stalled_at([many, many, many, two, two, two, one, one, one]) is None


def test_as_few_errors_as_once_before_are_a_circle() -> None:
    many, one = undefined("x", "y", "z"), undefined("x")
    assert stalled_at([one, many, one, many, one]) == 5


def test_no_known_tool_need_have_printed_the_output() -> None:
    headway = Headway()
    unread = [failed(f"{left} tests do not pass\n") for left in (9, 8, 7, 6, 5)]
    assert [headway.why_stalled(failure) for failure in unread] == [None] * 5
    assert not any(failure.diagnostics for failure in unread)


def test_the_reason_is_in_words() -> None:
    headway = Headway()
    said = [headway.why_stalled(failed("x")) for _ in range(4)]
    assert said == [None] * 3 + ["3 fixes in a row brought no new verdict and no fewer errors"]


def test_the_time_a_tool_took_is_nothing_for_a_reader() -> None:
    printed = "3 passed in 0.12s, done in 1 min\n\udcff within 3 ms, timeout=30s, in 404 s3\n"
    told = "3 passed in #, done in #\n\udcff within 3 ms, timeout=30s, in 404 s3\n"
    assert without_durations(printed) == told


def test_places_and_temporary_paths_are_taken_out_and_nothing_else() -> None:
    def kept(output: str, *places: str) -> str:
        return without_variable_parts(output.encode(), map(Path, places)).decode()

    assert kept("/w/tree/a.c:1 in /w/tree", "/w/tree") == "a.c:1 in ."
    assert kept("/a/b and /", "/") == "/a/b and /"
    assert kept("cc /tmp/ccAb12.o /tmp/ccAb12.s") == "cc #.o #.s"
    assert kept("/tmp/tmpabcd1234/src/a.py") == "#/a.py"


def test_a_temporary_directory_of_ones_own_is_one_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", "/scratch/me/")
    assert without_variable_parts(b"in /scratch/me/x7/a.c, /scratch/you/a.c") == (
        b"in #/a.c, /scratch/you/a.c"
    )


def test_a_deadline_that_passed_is_another_failure() -> None:
    headway = Headway()
    late = Failure("build", "make", 1, b"x", timed_out=True)
    said = [headway.why_stalled(each) for each in (failed("x"), failed("x"), failed("x"), late)]
    assert said == [None] * 4
