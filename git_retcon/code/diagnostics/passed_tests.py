"""What tests printed of which their runner says that it is no failure.

A test that passes may log what looks like an error, and may print an exception that it has caught.
Only runners that set such output apart are known here; what failed is always said elsewhere.
"""

from collections.abc import Iterator, Sequence, Set

from git_retcon.code.diagnostics.line_index import LineIndex, index_lines
from git_retcon.code.lazy_pattern import LazyPattern

_RUNNING = LazyPattern(r"^=== (?:RUN|NAME|CONT) +(?P<test>\S+)$")
_ENDED = LazyPattern(r"^ *--- (?P<verdict>PASS|SKIP|FAIL): (?P<test>\S+)")
_PYTEST = LazyPattern(r"^=+ .+ =+$")
_JEST = LazyPattern(r"^  (?:console\.[a-z]+(?: \S+:\d+)?|● Console)$")
_VITEST = LazyPattern(r"^std(?:out|err) \| \S")
_VITEST_ELSE = LazyPattern(
    r"^(?: *[❯✓×↓·⎯]| *(?:RUN|FAIL|PASS|Test Files|Snapshots)\b|std(?:out|err) \|)"
)
_RUST = LazyPattern(r"^(?:failures:|test result: .*|successes:)$")
_RUST_PASSED = LazyPattern(r"^test (?P<test>\S+)(?: - should panic)? \.\.\. ok$")
_RUST_PANIC = LazyPattern(r"^thread '(?P<test>.{1,200}?)'(?: \(\d+\))? panicked at ")
_SUREFIRE = LazyPattern(r"^\[INFO\] Running (?P<owner>[\w.$]+)$")
_SUREFIRE_END = LazyPattern(r"^\[(?P<level>[A-Z]+)\] Tests run: \d.* --? in (?P<owner>[\w.$]+)$")
_ANT = LazyPattern(r"^-{6,} Standard (?:Output|Error) -+$")
_ANT_END = LazyPattern(r"^-{6,} -+ -+$")


def find_passed_output(lines: Sequence[str]) -> Set[int]:
    """The numbers of the lines on which no failure is reported."""
    index = index_lines(lines)
    return {at for needle, find in _RUNNERS if needle in index.text for at in find(index)}


def _find_go(lines: LineIndex) -> Iterator[int]:
    """With -v, a log of a test that passes looks like the report of one that fails."""
    running = ""
    reported: list[tuple[int, str]] = []
    tests: dict[str, set[str]] = {"PASS": set(), "SKIP": set(), "FAIL": set()}
    for at, line in enumerate(lines):
        if line.startswith("=== "):
            if found := _RUNNING.match(line):
                running = found["test"]
        elif running and line.startswith("    ") and ".go:" in line:
            reported.append((at, running))
        elif "--- " in line and (found := _ENDED.match(line)):
            tests[found["verdict"]].add(found["test"])
    # Two packages may have tests of one name.
    passed = (tests["PASS"] | tests["SKIP"]) - tests["FAIL"]
    return (at for at, test in reported if test in passed)


def _find_pytest(lines: LineIndex) -> Iterator[int]:
    """Of -rA and -rP: what is printed of tests that passed has a part of its own."""
    inside = False
    for at, line in enumerate(lines):
        if line.startswith("=") and _PYTEST.match(line):
            inside = " PASSES " in line
        if inside:
            yield at


def _find_jest(lines: LineIndex) -> Iterator[int]:
    """What a test gives to the console, further in; what fails is below "● " and its name."""
    inside = False
    for at, line in enumerate(lines):
        inside = _JEST.match(line) is not None or (inside and (not line or line.startswith("    ")))
        if inside:
            yield at


def _find_vitest(lines: LineIndex) -> Iterator[int]:
    """What a test gives to the console, up to the next line of vitest's own."""
    inside = False
    for at, line in enumerate(lines):
        if _VITEST.match(line):
            inside = True
        elif inside and _VITEST_ELSE.match(line):
            inside = False
        if inside:
            yield at


def _find_rust(lines: LineIndex) -> Iterator[int]:
    """Of --show-output: what tests printed that passed. And their panics, which they caught."""
    passed = {found["test"] for found in map(_RUST_PASSED.match, lines) if found}
    inside = False
    for at, line in enumerate(lines):
        if _RUST.match(line):
            inside = line == "successes:"
        panic = _RUST_PANIC.match(line) if line.startswith("thread '") else None
        if inside or (panic is not None and panic["test"] in passed):
            yield at


def _find_surefire(lines: LineIndex) -> Iterator[int]:
    """What is printed between the two lines about a class of which no test failed."""
    start, owner = 0, ""
    for at, line in enumerate(lines):
        if not line.startswith("["):
            continue
        if found := _SUREFIRE.match(line):
            start, owner = at, found["owner"]
        elif owner and (found := _SUREFIRE_END.match(line)):
            if found["owner"] == owner and found["level"] != "ERROR":
                yield from range(start, at)
            owner = ""


def _find_ant(lines: LineIndex) -> Iterator[int]:
    """What the tests of a class printed; its failures are reported before."""
    inside = False
    for at, line in enumerate(lines):
        if line.startswith("------"):
            inside = _ANT.match(line) is not None or (inside and not _ANT_END.match(line))
        if inside:
            yield at


# A literal without which a runner has set nothing apart.
_RUNNERS = (
    ("=== RUN ", _find_go),
    (" PASSES ==", _find_pytest),
    ("  console.", _find_jest),
    ("stdout | ", _find_vitest),
    ("stderr | ", _find_vitest),
    ("test result: ", _find_rust),
    ("[INFO] Running ", _find_surefire),
    ("--- Standard ", _find_ant),
)
