"""What hints keep out of a commit, in the many ways in which people say it."""

import pytest

from git_retcon.git.difference import Difference
from git_retcon.retcon.planner.descriptions import read_descriptions
from git_retcon.retcon.planner.excluded_atoms import Excluder
from git_retcon.retcon.planner.facts import read_facts
from git_retcon.retcon.spec.model import LogicalCommit
from tests.repository import TestRepository
from tests.retcon.planner.building import branch, by_path, placed, planned

BEFORE = {"calc.py": "def add(a, b):\n    return a + b\n\n\ndef main():\n    print(add(1, 2))\n"}
AFTER = {
    "calc.py": (
        "def add(a, b):\n    return b + a\n\n\n"
        "def sub(a, b):\n    return a - b\n\n\n"
        "def half(x):\n    return x / 2\n\n\n"
        "class Till:\n    def open(self):\n        return 1\n\n"
        "    def close(self):\n        return 2\n\n\n"
        "def main():\n    print(add(1, 2))\n    print(half(3))\n"
    ),
    "other.py": "def half(x):\n    return 0\n",
    "pkg/__init__.py": "VERSION = 1\n",
    "pkg/sub/__init__.py": "SUB = 1\n",
    "src/main/App.java": "class App {\n    int x;\n}\n",
    "config.py": "def load():\n    return 1\n",
    "tests/test_calc.py": "def test_half():\n    assert half(2, '--level')\n",
}
HALVES = {"calc.py half", "other.py half"}


@pytest.fixture
def whole(repo: TestRepository) -> Difference:
    return branch(repo, BEFORE, AFTER)


def kept_out(whole: Difference, hints: str, message: str = "Rework it") -> set[str]:
    """The hunks kept out of a commit, by file and definition."""
    facts = read_facts(whole)
    found = Excluder(facts, read_descriptions([LogicalCommit(message, hints=hints)]))
    return {
        f"{one.atom.path.decode()} {'.'.join(reversed(one.names))}".strip()
        for at, one in enumerate(facts)
        if found.excludes(at, 0)
    }


@pytest.mark.parametrize(
    "hints",
    [
        "Does NOT include half.",
        "sub in calc.py. Doesn\u2019t include the half function yet",
        "Does NOT include `half`.",
        "All of it, excluding half",
        "Everything but half",
        "sub, apart from half",
        "sub in calc.py (not half)",
        "calc.py: sub only, without half",
        "Leave half out",
        "Leave out half",
        "Skip half",
        "Not included: half",
        "half is not part of this commit",
        "half comes later",
        "sub\nDoes NOT include\nhalf",
        "Does NOT\ninclude half.\nsub in calc.py",
        "Does NOT include:\n- half\n",
        "Does NOT include half, which is in calc.py and in other.py.",
        "Does NOT include half: main() needs it later.",
    ],
)
def test_one_name_is_kept_out(whole: Difference, hints: str) -> None:
    assert kept_out(whole, hints) == HALVES


@pytest.mark.parametrize(
    "hints",
    [
        "Does NOT include half, add or test_half.",
        "Does NOT include half,\nadd or\ntest_half",
        "Does NOT include half; add(); `test_half`.",
        "Does NOT include:\n  - half\n  - add\n  - test_half\nsub in calc.py",
        "Does NOT include half as well as add & test_half - just sub.",
        "half, add and test_half are not included.",
    ],
)
def test_a_list_is_kept_out(whole: Difference, hints: str) -> None:
    assert kept_out(whole, hints) == {*HALVES, "calc.py add", "tests/test_calc.py test_half"}


@pytest.mark.parametrize(
    ("hints", "hunks"),
    [
        ("half in calc.py", {"calc.py half"}),
        ("calc.py's half", {"calc.py half"}),
        ("half (in calc.py)", {"calc.py half"}),
        ("half in calc.py and other.py", HALVES),
        ("half and main in calc.py", {"calc.py half", "calc.py main"}),
        (
            "load, VERSION or main in calc.py",
            {"config.py load", "calc.py main", "pkg/__init__.py VERSION"},
        ),
        ("config.py or main in calc.py", {"config.py load", "calc.py main"}),
        ("half in src/calc.py", HALVES),  # no such file: the name is certain
        ("half() in main()", {"calc.py main"}),  # what main says of it
        ("add in calc.py", {"calc.py add"}),
        ("changes in other.py", {"other.py half"}),
        ("Till", {"calc.py Till", "calc.py Till.close"}),
        ("Till.close", {"calc.py Till.close"}),
        ("`Till.close()` in calc.py", {"calc.py Till.close"}),
        ("close() of Till", {"calc.py Till.close"}),
        ("Shop.close", set()),
        ("calc.half", {"calc.py half"}),
        ("`half` in tests.test_calc", {"tests/test_calc.py test_half"}),
        ("half or tests.test_calc", {*HALVES, "tests/test_calc.py test_half"}),
        ("main", {"calc.py main"}),  # not what is below src/main
        ("tests", {"tests/test_calc.py test_half"}),
        ("config", {"config.py load"}),
        ("any CONFIG", {"config.py load"}),
        ("test_calc", {"tests/test_calc.py test_half"}),
        ("pkg/sub/__init__.py", {"pkg/sub/__init__.py SUB"}),
        ("sub/", {"pkg/sub/__init__.py SUB"}),
        ("anything under src/main/", {"src/main/App.java App"}),
        ("*.java, test_*.py", {"src/main/App.java App", "tests/test_calc.py test_half"}),
        ("test_calc.py", {"tests/test_calc.py test_half"}),
        ("--level", {"tests/test_calc.py test_half"}),
        ("the half-way rounding of numbers", set()),
        ("tests other than tests/test_calc.py", set()),
    ],
)
def test_an_item_is_no_wider_than_it_says(whole: Difference, hints: str, hunks: set[str]) -> None:
    assert kept_out(whole, f"sub. Does NOT include {hints}.") == hunks


def test_anything_else_in_a_file_is_what_is_not_wanted(whole: Difference) -> None:
    found = kept_out(whole, "half in calc.py. Does NOT include anything else in calc.py.")
    assert found == {
        "calc.py add", "calc.py sub", "calc.py Till", "calc.py Till.close", "calc.py main"
    }  # fmt: skip


@pytest.mark.parametrize(
    "hints",
    [
        "The server starts without config.",
        "it only works without config",
        "parse must not change config.",
        "src/: half() without calling main()",
        "add() no longer excludes main()",
        "Use sub, not half",
        "Use sub, not the old one.",
        "Renaming only: Line is Item, parse_line is parse_item, in the package and in the tests.",
        "Does NOT include the actual OAuth flow yet - just setup.",
    ],
)
def test_what_the_code_does_or_prose_keeps_nothing_out(whole: Difference, hints: str) -> None:
    assert kept_out(whole, hints) == set()


def test_a_plain_word_that_the_commit_speaks_of_is_prose(whole: Difference) -> None:
    assert kept_out(whole, "Does NOT include half.", "Add half") == set()
    assert kept_out(whole, "Does NOT include `half`.", "Take half out of the loop") == HALVES


def test_the_plan_says_what_each_exclusion_did(whole: Difference) -> None:
    hints = "sub. Does NOT include half, nowhere() or the retry loop."
    assert planned(whole, [LogicalCommit("Subtract", hints=hints), "Rest"]).remarks[0] == (
        "leaves out 'half': 2 hunks",
        "leaves out 'nowhere()': nothing here goes by that name",
        "leaves out 'the retry loop': not one name, so nothing for certain",
    )


def test_a_misspelt_file_of_an_exclusion_is_told_the_nearest(repo: TestRepository) -> None:
    whole = branch(repo, {}, {"data/bin.dat": "1\n", "a.py": "x = 1\n"})
    hints = "Does NOT include `bin.data`, `data/bin.dta`, `b.rs` or *.data."
    assert planned(whole, [LogicalCommit("Add", hints=hints), "Rest"]).remarks[0] == (
        "leaves out '`bin.data`': nothing here goes by that name; did you mean 'bin.dat'?",
        "leaves out '`data/bin.dta`': nothing here goes by that name; did you mean 'data/bin.dat'?",
        "leaves out '`b.rs`': nothing here goes by that name",
        "leaves out '*.data': nothing here goes by that name",
    )


def test_what_no_other_hint_names_is_everything_else(repo: TestRepository) -> None:
    whole = branch(repo, BEFORE, AFTER)
    commits = [
        LogicalCommit("Halve numbers", hints="half in calc.py and other.py, test_half"),
        LogicalCommit("Tidy up", hints="Everything else."),
    ]
    made = planned(whole, commits)
    assert by_path(whole, made)[b"src/main/App.java"] == {1}
    assert by_path(whole, made)[b"config.py"] == {1}
    assert by_path(whole, made)[b"other.py"] == {0}


@pytest.mark.parametrize(
    ("first", "rest"),
    [
        (LogicalCommit("Close the till", hints="Till.close."), 1),
        (LogicalCommit("Keep the settings", files=("config.py",)), 1),
        # prose may mean any hunk: then everything else is a word like others
        (LogicalCommit("Work on App.java", hints="The whole application in Java."), 0),
    ],
)
def test_everything_else_needs_others_that_say_what_is_theirs(
    repo: TestRepository, first: LogicalCommit, rest: int
) -> None:
    whole = branch(repo, BEFORE, AFTER)
    made = planned(whole, [first, LogicalCommit("Tidy up", hints="Everything else.")])
    assert by_path(whole, made)[b"src/main/App.java"] == {rest}
    if first.hints == "Till.close.":
        assert "Till.close" in {whole[atom].scope for atom in made.atoms(0)}


def test_a_word_of_a_path_names_nothing_else(repo: TestRepository) -> None:
    changed = {"src/calc/half.py": "x = 1\n", "README.md": "# calc\n\nIt halves.\n"}
    whole = branch(repo, {"a": "a\n"}, {"a": "a\n", **changed})
    commits = [
        LogicalCommit("Halve numbers", hints="src/calc/half.py"),
        LogicalCommit("Tidy up", hints="Everything else."),
    ]
    assert by_path(whole, planned(whole, commits))[b"README.md"] == {1}


def test_a_definition_excluded_from_where_it_is_used_takes_the_use_along(
    repo: TestRepository,
) -> None:
    """It does not go to some earlier commit that has nothing to do with it."""
    whole = branch(
        repo,
        {"pager.py": "def pipe(text):\n    return text\n", "bar.py": "def bar():\n    return 1\n"},
        {
            "pager.py": (
                "def is_raw(text):\n    return not text\n\n\n"
                "def pipe(text):\n    if is_raw(text):\n        return None\n    return text\n"
            ),
            "bar.py": "def bar():\n    return 2\n",
        },
    )
    commits = [
        LogicalCommit("Progress bar", hints="bar in bar.py"),
        LogicalCommit("Pipe to the pager", hints="pipe in pager.py. Does NOT include is_raw."),
        LogicalCommit("Raw mode", hints="is_raw"),
    ]
    found = placed(whole, planned(whole, commits))
    where = {text.split(b"(")[0]: commit for text, commit in found.items()}
    assert where[b"def is_raw"] == 2
    assert where[b"    if is_raw"] == 2
