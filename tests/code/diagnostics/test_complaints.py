"""Reading an output of any length: bounded, linear, the same in parts as at once."""

import random
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from git_retcon.code.diagnostics.complaints import extract_complaints, extract_stream, read_lines
from git_retcon.code.diagnostics.diagnostic import Diagnostic
from git_retcon.code.diagnostics.readers import READERS
from tests.code.diagnostics.sample import described, sample
from tests.timing import cpu_ratio

_SAMPLES = sorted(path.stem for path in (Path(__file__).parent / "samples").glob("*.txt"))
_QUIET = [b"step %d: compiled target number %d" % (n, n * 7) for n in range(400)]


def _places(found: Sequence[Diagnostic]) -> list[str]:
    return [described(each) for each in found]


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=600))
def test_any_bytes_are_read(output: bytes) -> None:
    for each in extract_complaints(output):
        each.message.encode("utf-8")
        assert each.first <= each.last <= output.count(b"\n") + output.count(b"\r")


@pytest.mark.parametrize("name", _SAMPLES)
def test_the_lines_that_a_record_was_read_from_are_in_the_output(name: str) -> None:
    output = sample(name)
    count = output.count(b"\n") + 1
    assert all(0 <= each.first <= each.last < count for each in extract_complaints(output))


@pytest.mark.parametrize(
    "name", ["pytest_long", "tsc", "eslint_stylish", "clippy", "go_test_fail", "javac_lint", "gcc"]
)
def test_runners_prefixes_do_not_matter(name: str) -> None:
    plain = sample(name)
    lines = plain.split(b"\n")
    expected = _places(extract_complaints(plain))
    assert expected
    for prefix in (
        b"2024-01-01T00:00:00.0000000Z ",
        b"test\tRun tests\t2024-01-01T00:00:00.0000000Z ",
        b"[CI/build   ]   | ",
    ):
        assert _places(extract_complaints(b"\n".join(prefix + line for line in lines))) == expected


def test_colours_do_not_matter() -> None:
    plain = sample("eslint_stylish")
    dressed = plain.replace(b"error", b"\x1b[31merror\x1b[39m")
    assert _places(extract_complaints(dressed)) == _places(extract_complaints(plain))


@pytest.mark.parametrize("name", _SAMPLES)
def test_among_many_quiet_lines_the_same_is_found(name: str) -> None:
    """A long output is read only around what looks like a complaint."""
    alone = extract_complaints(sample(name))
    among = extract_complaints(b"\n".join([*_QUIET * 3, sample(name), *_QUIET * 3]))
    shift = 3 * len(_QUIET)
    assert [each._replace(first=0, last=0) for each in among] == [
        each._replace(first=0, last=0) for each in alone
    ]
    assert [each.first - shift for each in among] == [each.first for each in alone]


def test_in_parts_of_any_size_the_same_is_found() -> None:
    parts = [sample(name) for name in ("pytest_long", "gcc", "tsc", "javac_lint", "clippy")]
    output = b"\n".join(b"\n".join([*_QUIET * 25, part]) for part in parts * 3)
    expected = extract_complaints(output)
    assert len(expected) > 30
    assert len(output) > 1 << 20
    choose = random.Random(3)

    def chunks() -> Iterator[bytes]:
        at = 0
        while at < len(output):
            size = choose.choice((1000, 4096, 65536, 300000))
            yield output[at : at + size]
            at += size

    assert extract_stream(chunks()).kept == expected


def test_a_long_line_is_cut_and_the_next_is_read() -> None:
    output = b"x" * 5_000_000 + b"\nmain.go:10:5: undefined: foo\n"
    assert _places(extract_complaints(output)) == ["main.go:10:5 error compile go: undefined: foo"]


@pytest.mark.parametrize("ending", [b"\n", b"\r\n", b""])
def test_what_a_progress_bar_redraws_hides_nothing_below(ending: bytes) -> None:
    output = b"10%\r40%\r70%\r100%\nmain.go:10:5: undefined: foo" + ending
    expected = ["main.go:10:5 error compile go: undefined: foo"]
    assert _places(extract_complaints(output)) == expected
    parts = (output[at : at + 1] for at in range(len(output)))
    assert _places(extract_stream(parts).kept) == expected


def test_a_record_is_reported_once_and_its_echo_never() -> None:
    line = b"main.go:10:5: undefined: foo\n"
    assert len(extract_complaints(line * 50)) == 1
    both = b"app.py:3: error: gone [misc]\n" + b"::error file=app.py,line=3::gone\n"
    assert len(extract_complaints(both)) == 1


def test_a_line_belongs_to_the_surest_reader() -> None:
    output = b"a.sh:2:10: error: Iterating over ls output is fragile. [SC2045]\n"
    assert [each.tool for each in extract_complaints(output)] == ["shellcheck"]


def test_families_leave_out_the_others() -> None:
    output = b"main.go:10:5: undefined: foo\na.c:3:1: error: expected ';'\n"
    assert [each.tool for each in extract_complaints(output, {"go"})] == ["go", "generic"]
    assert [each.tool for each in extract_complaints(output)] == ["go", "cc"]


def test_the_directory_that_make_is_in_is_known() -> None:
    output = (
        b"make[1]: Entering directory '/home/ada/demo/lib'\na.c:3:1: error: expected ';'\n"
        b"make[1]: Leaving directory '/home/ada/demo/lib'\nb.c:3:1: error: expected ';'\n"
    )
    assert [each.base for each in extract_complaints(output)] == [b"/home/ada/demo/lib", b""]


def test_readers_of_lines_alone() -> None:
    assert read_lines(["nothing", "to see"], READERS) == []


@pytest.mark.slow
def test_eight_times_the_output_costs_at_most_twenty_times_the_time() -> None:
    part = b"\n".join([*_QUIET * 10, sample("pytest_long"), sample("gcc")]) + b"\n"
    assert (
        cpu_ratio(lambda: extract_complaints(part * 2), lambda: extract_complaints(part * 16)) < 20
    )
