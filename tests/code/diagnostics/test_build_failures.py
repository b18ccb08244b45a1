"""Reading survives any bytes, takes linear time, and names the cause in a few words."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from git_retcon.code.diagnostics.build_failures import FAMILIES, headline, read_failures
from git_retcon.code.diagnostics.diagnostic import Kind
from tests.code.diagnostics.sample import rendered, sample
from tests.timing import cpu_ratio

_WORDS = st.sampled_from(
    [
        b"error: ",
        b"error[E0425]: ",
        b"  --> ",
        b"a.py",
        b":3:1: ",
        b"'",
        b"`",
        b'"',
        b"\n",
        b"\r",
        b"undefined reference to ",
        b"cannot find ",
        b"has no attribute ",
        b" is not defined",
        b"E   ",
        b"NameError: ",
        b"\x1b[31m",
        b"\x1b]8;;",
        b"\xff\xfe",
        b"::",
        b"(",
        b"<",
        b"symbol: ",
        b"main.go",
        b"A.java:3: error: cannot find symbol\n",
        b"CMake Error at ",
        b"No module named ",
        b"TS2304: ",
        b"ERROR in ",
        b"-- ",
        b"   ",
        b'File "',
        b'", line ',
        b"99999999999",
        b"x",
    ]
)


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(st.one_of(st.binary(max_size=400), st.lists(_WORDS, max_size=60).map(b"".join)))
def test_any_bytes_are_read(output: bytes) -> None:
    diagnostics = read_failures(output)
    assert read_failures(output) == diagnostics
    cause = headline(diagnostics, output)
    assert cause
    cause.encode("utf-8")
    for diagnostic in diagnostics:
        diagnostic.message.encode("utf-8")
        assert "\n" not in diagnostic.message


_HOSTILE = [
    b"a" * 2_000_000,
    b" " * 2_000_000,
    b"a.c:" * 500_000,
    b"error: " * 280_000,
    b"error[E0425]: cannot find `" * 80_000,
    b"'a' has no attribute " * 90_000,
    b"((((((((((" * 200_000,
    b"::" * 1_000_000,
    b"ld: a.o: " * 200_000,
    b"E   NameError: name " * 100_000,
    b"\x1b[" * 1_000_000,
    b"/a/b" * 500_000,
    b"a.py:1: error: \n" * 120_000,
    b"error: x\n" * 200_000,
    b"Traceback (most recent call last):\n" * 50_000,
    b"CMake Error at x:1 (y):\n" * 80_000,
    (b" " * 30 + b"an error\n") * 60_000,
    (b"# " * 30 + b"an error\n") * 30_000,
]


# One sign of every family, so that each reads what follows.
_SIGNS = b"error: error[E a.go: java.lang. Cannot find not ok 1 No rule to make FAILED\n"


def test_the_signs_wake_every_family() -> None:
    text = _SIGNS.decode()
    assert [hints for hints, _ in FAMILIES if not any(hint in text for hint in hints)] == []


@pytest.mark.parametrize("output", _HOSTILE, ids=lambda output: output[:12].decode("latin-1"))
def test_sixteen_times_the_output_costs_at_most_forty_times_the_time(output: bytes) -> None:
    small, large = _SIGNS + output[: 1 << 13], _SIGNS + output[: 1 << 17]
    assert cpu_ratio(lambda: read_failures(small), lambda: read_failures(large)) < 40


_BEGINNINGS = (
    "",
    "    ",
    "E   ",
    "error: ",
    "a.c:1:1: error: ",
    "TypeError: ",
    "ERROR in ",
    "undefined ",
)
_REPEATED = (
    *("a", " ", "# ", "'", "`", "a.", "a, ", "::", "((", "/a/b", "[x] ", "a.c:", "error: ", "at ("),
    *("error[E0425]: cannot find `", "'a' has no attribute ", "E   NameError: name ", "ld: a.o: "),
)


@pytest.mark.parametrize("repeated", _REPEATED)
def test_a_longer_line_costs_at_most_the_square_of_its_length(repeated: str) -> None:
    """Lines beyond a thousand characters are cut, so this bounds what a line can cost."""

    def read_line(size: int) -> None:
        text = (repeated * size)[:size]
        lines = [each + text + end for each in _BEGINNINGS for end in ("", "!", " an error")]
        for _, read_family in FAMILIES:
            list(read_family(lines))

    assert cpu_ratio(lambda: read_line(60), lambda: read_line(960)) < 1.6 * 16**2


def test_carriage_returns_and_colours_do_not_matter() -> None:
    plain = sample("rustc")
    dressed = plain.replace(b"error", b"\x1b[1m\x1b[38;5;9merror\x1b[0m").replace(b"\n", b"\r\n")
    assert read_failures(dressed) == read_failures(plain)


def test_a_complaint_is_reported_once() -> None:
    line = b"main.c:3:1: error: unknown type name 'token_t'\n"
    assert len(read_failures(line * 1000)) == 1


def test_the_number_of_diagnostics_is_bounded() -> None:
    output = b"".join(
        b"main.c:%d:1: error: unknown type name 't%d'\n" % (n, n) for n in range(5000)
    )
    found = read_failures(output)
    assert 100 <= len(found) <= 1000
    assert found[0].missing == ("t0",)


def test_bytes_of_a_path_that_is_no_text_are_kept() -> None:
    (found,) = read_failures(b"src/\xff\xe9.c:3:1: error: unknown type name 'token_t'\n")
    assert found.path == b"src/\xff\xe9.c"


def test_what_nothing_knows_gives_nothing() -> None:
    assert read_failures(b"") == ()
    assert read_failures(b"all is well\nok\n") == ()


@pytest.mark.parametrize(
    ("name", "cause"),
    [
        ("gcc", "cannot find token.h"),
        ("tsc", "missing import gone"),
        ("eslint", "undefined missing"),
        ("rustc", "P has no field y"),
        ("maven", "undefined class Helper"),
        ("go", "undefined parseToken"),
        ("unittest", "cannot find nothere"),
        ("make", "cannot find x.c"),
    ],
)
def test_the_headline_is_the_first_cause(name: str, cause: str) -> None:
    output = sample(name)
    assert headline(read_failures(output), output) == cause


def test_the_headline_of_a_test_protocol_is_the_failed_test() -> None:
    output = (
        b"TAP version 13\nok 1 - lowercases\nnot ok 2 - folds accents\n  ---\n"
        b"  error: |-\n    Expected values to be strictly equal:\n  ...\n"
    )
    assert headline(read_failures(output), output) == "not ok 2 - folds accents"


def test_the_headline_of_the_specification() -> None:
    output = b"error[E0412]: cannot find type `TokenStore` in this scope\n --> src/flow.rs:3:5\n"
    (found,) = read_failures(output)
    assert rendered(found) == "undefined flow.rs:3 TokenStore"
    assert headline((found,), output) == "undefined type TokenStore"


def test_without_diagnostics_the_headline_is_the_line_that_tells_most() -> None:
    assert headline((), b"step 1\nthe frobnicator failed\nbye\n") == "the frobnicator failed"
    assert headline((), b"one\ntwo\n") == "two"
    assert headline((), b"") == "no output"
    assert len(headline((), b"error " + b"x" * 500)) <= 60


def test_a_failed_test_has_a_place_and_no_names() -> None:
    tests = [each for each in read_failures(sample("cargo_test")) if each.kind is Kind.TEST]
    assert [(each.path, each.line) for each in tests] == [(b"src/main.rs", 2)]


def test_what_no_file_and_no_terminal_could_hold_is_left_out() -> None:
    (found,) = read_failures(b"a.c:12345678901:1: error: " + b"x" * 900 + b"\n")
    assert found.line is None
    assert len(found.message) == 300
