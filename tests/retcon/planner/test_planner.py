"""Placing by evidence: complete, repeatable, obedient to hints, and in an order that can build."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from git_retcon.git.difference import Difference
from git_retcon.retcon.planner.constraints import read_constraints
from git_retcon.retcon.planner.descriptions import read_descriptions
from git_retcon.retcon.planner.excluded_atoms import Excluder
from git_retcon.retcon.planner.facts import read_facts
from git_retcon.retcon.planner.plan import Plan, Task, make_plan
from git_retcon.retcon.planner.vocabulary import Vocabulary
from git_retcon.retcon.spec.model import LogicalCommit
from tests.repository import TestRepository
from tests.retcon.planner.building import branch, by_path, placed, planned

BEFORE = {
    "src/app.py": "import os\n\n\ndef main():\n    run()\n",
    "src/token.py": "def scan(text):\n    return text.split()\n",
    "README.md": "# App\n\nRuns things.\n",
}
AFTER = {
    "src/app.py": (
        "import os\nfrom token import parse_token\n\n\n"
        "def main():\n    parse_token('x')\n    run()\n"
    ),
    "src/token.py": (
        "def scan(text):\n    return text.split()\n\n\n"
        "def parse_token(text):\n    return scan(text)[0]\n"
    ),
    "src/cache.py": "class Cache:\n    def __init__(self):\n        self.held = {}\n",
    "tests/test_cache.py": (
        "from cache import Cache\n\n\ndef test_cache():\n    assert Cache().held == {}\n"
    ),
    "README.md": "# App\n\nRuns things.\n\n## Installing\n\nCopy it.\n",
}


def test_each_change_goes_where_its_words_are(repo: TestRepository) -> None:
    whole = branch(repo, BEFORE, AFTER)
    made = planned(
        whole,
        [
            "Parse tokens before running",
            "Add a cache, with tests",
            "Document installing in the README",
        ],
    )
    assert by_path(whole, made) == {
        b"src/app.py": {0},
        b"src/token.py": {0},
        b"src/cache.py": {1},
        b"tests/test_cache.py": {1},
        b"README.md": {2},
    }


def test_hints_outweigh_the_message(repo: TestRepository) -> None:
    whole = branch(repo, BEFORE, AFTER)
    commits = [
        LogicalCommit(
            "First part", hints="src/cache.py and tests/test_cache.py: Cache, test_cache"
        ),
        LogicalCommit("Second part", hints="src/token.py, src/app.py: parse_token, main"),
        LogicalCommit("Third part", hints="README.md"),
    ]
    found = by_path(whole, planned(whole, commits))
    assert found[b"src/cache.py"] == found[b"tests/test_cache.py"] == {0}
    assert found[b"src/token.py"] == found[b"src/app.py"] == {1}
    assert found[b"README.md"] == {2}


def test_hints_name_files_without_an_ending(repo: TestRepository) -> None:
    after = {
        "Makefile": "all:\n\tcc a.c\n",
        "deploy/Dockerfile": "FROM scratch\nCOPY a /\n",
        "LICENSE": "Do as you like.\n",
        ".gitignore": "a\n*.o\n",
        "build": "#!/bin/sh\nmake\n",
    }
    whole = branch(repo, {}, after)
    commits = [
        LogicalCommit("First part", hints="LICENSE and .gitignore"),
        LogicalCommit("Build with makefile rules", hints="the Makefile and `build`"),
        LogicalCommit("Ignore the license, git, and do as you like", hints="Dockerfile"),
    ]
    assert by_path(whole, planned(whole, commits)) == {
        b"LICENSE": {0},
        b".gitignore": {0},
        b"Makefile": {1},
        b"build": {1},
        b"deploy/Dockerfile": {2},
    }


def test_the_rest_is_what_a_readme_named_without_its_ending_leaves(repo: TestRepository) -> None:
    after = {
        "README.md": "Install, configure and start the server.\n",
        "docs/CHANGELOG.rst": "The server can be configured.\n",
        "server.py": "def start_server(port):\n    configure(port)\n",
    }
    whole = branch(repo, {}, after)
    commits = [
        LogicalCommit("Install, configure and start the server", hints="README, the Changelog"),
        LogicalCommit("Say more", hints="Everything else."),
    ]
    assert by_path(whole, planned(whole, commits)) == {
        b"README.md": {0},
        b"docs/CHANGELOG.rst": {0},
        b"server.py": {1},
    }


def test_what_hints_exclude_goes_elsewhere(repo: TestRepository) -> None:
    whole = branch(repo, BEFORE, AFTER)
    commits = [
        LogicalCommit(
            "Add the cache", hints="All about the cache. Does NOT include test_cache.py."
        ),
        LogicalCommit("Do the rest"),
    ]
    assert by_path(whole, planned(whole, commits))[b"tests/test_cache.py"] == {1}


HALVES = {
    "calc.py": "def add(a, b):\n    return a + b\n\n\ndef main():\n    print(add(1, 2))\n",
}
WITH_HALVES = {
    "calc.py": (
        "from halves import half\n\n\ndef add(a, b):\n    return a + b\n\n\n"
        "def sub(a, b):\n    return a - b\n\n\n"
        "def main():\n    print(add(1, 2))\n    print(sub(3, 2))\n    print(half(3))\n"
    ),
    "halves.py": "def half(x):\n    return x / 2\n",
}


@pytest.mark.parametrize("excluded", ["half", "the half function", "halves, main's call of `half`"])
def test_a_plain_word_excludes_what_has_that_name_and_what_needs_it(
    repo: TestRepository, excluded: str
) -> None:
    whole = branch(repo, HALVES, WITH_HALVES)
    commits = [
        LogicalCommit("Subtract", hints=f"sub in calc.py. Does NOT include {excluded}."),
        LogicalCommit("Halve", hints="halves.py and half"),
    ]
    # one source commit brought everything, and speaks for the first
    origin = {atom.id: {0: len(atom.added)} for atom in whole.atoms}
    made = make_plan(Task(whole, commits, range(2), origin=origin, subjects=("WIP",)))
    first = b"".join(line for atom in made.atoms(0) for line in whole[atom].added)
    assert b"def sub" in first
    assert b"half" not in first


def test_an_exclusion_in_a_file_leaves_the_rest_of_the_file(repo: TestRepository) -> None:
    whole = branch(repo, HALVES, WITH_HALVES)
    commits = [
        LogicalCommit("Subtract", hints="calc.py. Does NOT include changes to main in calc.py."),
        LogicalCommit("Print", hints="main prints half, halves.py"),
    ]
    made = planned(whole, commits)
    first = b"".join(line for atom in made.atoms(0) for line in whole[atom].added)
    assert b"def sub" in first
    assert b"print" not in first


def test_a_word_the_commit_itself_is_about_is_not_excluded(repo: TestRepository) -> None:
    whole = branch(repo, HALVES, WITH_HALVES)
    commits = [
        LogicalCommit("Add half", hints="halves.py. Does NOT include callers, half in main."),
        LogicalCommit("Subtract"),
    ]
    assert by_path(whole, planned(whole, commits))[b"halves.py"] == {0}


def test_files_and_exclude_decide_outright(repo: TestRepository) -> None:
    whole = branch(repo, BEFORE, AFTER)
    commits = [
        LogicalCommit("Document the cache and the tests of the cache", files=("*.md",)),
        LogicalCommit("Add the cache", exclude=("tests/",)),
        LogicalCommit("Parse tokens"),
    ]
    found = by_path(whole, planned(whole, commits))
    assert found[b"README.md"] == {0}
    assert all(0 not in places for path, places in found.items() if path != b"README.md")
    assert 1 not in found[b"tests/test_cache.py"]


def test_a_definition_comes_no_later_than_its_use(repo: TestRepository) -> None:
    whole = branch(
        repo,
        {"app.py": "def main():\n    pass\n", "lib.py": "x = 1\n"},
        {
            "app.py": "def main():\n    fetch_everything()\n",
            "lib.py": "x = 1\n\n\ndef fetch_everything():\n    return 1\n",
        },
    )
    made = planned(whole, ["Let main do its work in app", "Add lib"])
    found = by_path(whole, made)
    assert max(found[b"lib.py"]) <= min(found[b"app.py"])


def test_a_weak_use_does_not_draw_all_that_it_needs_along(repo: TestRepository) -> None:
    names = [f"helper_{number}" for number in range(12)]
    helpers = "\n\n".join(f"def {name}(text):\n    return text + '{name}'\n" for name in names)
    calls = ", ".join(f"helpers.{name}(text)" for name in names)
    source = {
        "helpers.py": helpers,
        "tools.py": f"import helpers\n\n\ndef tool(text):\n    return [{calls}]\n",
        "main.py": "import tools\n\n\ndef run(text):\n    return tools.tool(text)\n",
    }
    whole = branch(repo, {}, source)
    plan = planned(whole, ["Run tools", "Add helpers"])
    places = [plan.placements[atom.id].commit for atom in whole.atoms if atom.path == b"helpers.py"]
    assert len(places) == 12
    assert places.count(1) >= 11


def test_a_definition_goes_no_earlier_than_its_last_use(repo: TestRepository) -> None:
    whole = branch(
        repo,
        {
            "app.py": "def main():\n    fetch_everything()\n",
            "lib.py": "x = 1\n\n\ndef fetch_everything():\n    return 1\n",
        },
        {"app.py": "def main():\n    pass\n", "lib.py": "x = 1\n"},
    )
    made = planned(whole, ["Drop code from lib", "Empty main in app"])
    found = by_path(whole, made)
    assert max(found[b"app.py"]) <= min(found[b"lib.py"])


def test_an_import_comes_with_what_first_uses_it(repo: TestRepository) -> None:
    before = "def one():\n    pass\n\n\ndef alpha():\n    pass\n\n\ndef beta():\n    pass\n"
    after = (
        "import json\nimport zlib\n\n\ndef one():\n    pass\n\n\n"
        "def alpha():\n    json.dumps(1)\n\n\n"
        "def beta():\n    zlib.crc32(b'')\n"
    )
    whole = branch(repo, {"a.py": before}, {"a.py": after})
    found = placed(whole, planned(whole, ["Change beta", "Change alpha"]))
    assert found[b"    zlib.crc32(b'')\n"] == 0
    assert found[b"    json.dumps(1)\n"] == 1
    assert all(commit == 0 for text, commit in found.items() if b"import zlib" in text)


def test_a_lock_file_goes_with_its_manifest(repo: TestRepository) -> None:
    whole = branch(
        repo,
        {"Cargo.toml": "[dependencies]\n", "Cargo.lock": "# lock\n", "a.rs": "fn a() {}\n"},
        {
            "Cargo.toml": '[dependencies]\noauth2 = "4"\n',
            "Cargo.lock": '# lock\n[[package]]\nname = "ring"\n',
            "a.rs": "fn a() {}\n\nfn ring() {}\n",
        },
    )
    found = by_path(whole, planned(whole, ["Ring", "Depend on oauth2"]))
    assert found[b"Cargo.toml"] == found[b"Cargo.lock"] == {1}


def test_the_source_s_own_commits_outweigh_words(repo: TestRepository) -> None:
    whole = branch(repo, BEFORE, AFTER)
    commits = [LogicalCommit("Speak of the cache"), LogicalCommit("Speak of tokens")]
    origin = {atom.id: {1: 1} if b"cache" in atom.path else {0: 1} for atom in whole.atoms}
    subjects = ("Speak of the cache", "Speak of tokens")
    made = make_plan(Task(whole, commits, range(2), origin=origin, subjects=subjects))
    found = by_path(whole, made)
    assert found[b"src/cache.py"] == {1}
    assert found[b"src/token.py"] == {0}
    why = next(placement.reason.why for placement in made.placements.values())
    assert "source commit" in why


def test_what_came_together_in_the_source_stays_together(repo: TestRepository) -> None:
    """Where neither messages nor subjects say anything, lines that came together do."""
    whole = branch(repo, BEFORE, AFTER)
    commits = [LogicalCommit("First part"), LogicalCommit("Second part")]
    for first in (b"cache", b"README"):
        origin = {atom.id: {int(first not in atom.path): 1} for atom in whole.atoms}
        task = Task(whole, commits, range(2), origin=origin, subjects=("wip", "wip"))
        found = by_path(whole, make_plan(task))
        assert found == {path: {int(first not in path)} for path in found}


def test_source_commits_without_a_subject_count_as_unnamed(repo: TestRepository) -> None:
    whole = branch(repo, BEFORE, AFTER)
    commits = [LogicalCommit("Speak of the cache"), LogicalCommit("Speak of tokens")]
    origin = {atom.id: {2: 1} if b"cache" in atom.path else {0: 1} for atom in whole.atoms}
    unnamed, given = (
        make_plan(Task(whole, commits, range(2), origin=origin, subjects=subjects))
        for subjects in ((), ("", "", ""))
    )
    assert unnamed == given


def test_a_reason_only_quotes_what_the_message_says(repo: TestRepository) -> None:
    whole = branch(repo, BEFORE, AFTER)
    messages = ["Cache what is fetched", "Let a token be parsed in the application"]
    for placement in planned(whole, messages).placements.values():
        _, quoted, words = placement.reason.why.partition("message or hints say ")
        if quoted:
            said = messages[placement.commit].lower().split()
            assert set(words.partition(";")[0].split(", ")) <= set(said)


def test_no_commit_is_left_empty_where_that_is_possible(repo: TestRepository) -> None:
    whole = branch(repo, BEFORE, AFTER)
    made = planned(whole, ["Cache", "Something else entirely", "Parse tokens", "Whatever"])
    assert all(made.atoms(k) for k in range(4))
    assert {"moved here so that the commit is not empty"} & {
        placement.reason.why for placement in made.placements.values()
    }


def test_more_commits_than_atoms_leave_some_empty(repo: TestRepository) -> None:
    whole = branch(repo, {"a": "1\n"}, {"a": "2\n"})
    made = planned(whole, ["One", "Two", "Three"])
    assert sum(bool(made.atoms(k)) for k in range(3)) == 1


def test_what_is_taken_stays_and_only_pending_commits_get_more(repo: TestRepository) -> None:
    whole = branch(repo, BEFORE, AFTER)
    commits = [LogicalCommit("Parse tokens"), LogicalCommit("Cache"), LogicalCommit("Docs")]
    taken = {atom.id: 0 for atom in whole.atoms if atom.path == b"src/token.py"}
    made = make_plan(Task(whole, commits, [1, 2], taken))
    assert made.placements.keys() == {atom.id for atom in whole.atoms} - taken.keys()
    assert {placement.commit for placement in made.placements.values()} <= {1, 2}


def test_whole_entries_are_placed_too(repo: TestRepository) -> None:
    whole = branch(
        repo,
        {"old_name.py": "x = 1\ny = 2\nz = 3\n", "logo.png": b"\0 1", "gone.c": "int x;\n"},
        {"new_name.py": "x = 1\ny = 2\nz = 3\n", "logo.png": b"\0 2", "gone.c": None,
         "old_name.py": None, "odd\xff name": b"\xff\xfe\n"},
    )  # fmt: skip
    made = planned(whole, ["Rename old_name to new_name", "New logo", "Drop gone.c"])
    assert made.placements.keys() == {atom.id for atom in whole.atoms}
    found = by_path(whole, made)
    assert found[b"new_name.py"] == {0}
    assert found[b"logo.png"] == {1}
    assert found[b"gone.c"] == {2}


NAMES = ["alpha_part", "beta_part", "gamma_part", "delta_part"]
STATEMENTS = st.sampled_from(
    [f"    {name}()\n" for name in NAMES] + ["    return 1\n", "    x = 2\n", "\n"]
)
FUNCTION = st.tuples(st.sampled_from(NAMES), st.lists(STATEMENTS, min_size=1, max_size=9)).map(
    lambda pair: f"def {pair[0]}():\n    pass\n{''.join(pair[1])}\n\n"
)
IMPORTS = st.lists(st.sampled_from([f"from a import {name}\n" for name in NAMES]), max_size=2)
MODULE = st.tuples(IMPORTS, st.lists(FUNCTION, max_size=4)).map(
    lambda pair: "".join((*pair[0], *pair[1]))
)
TREES = st.dictionaries(st.sampled_from(["a.py", "b.py", "tests/test_a.py"]), MODULE, min_size=1)
MESSAGES = st.lists(
    st.sampled_from(
        ["Add alpha_part", "Change beta", "Remove gamma_part", "Tests", "Work on a.py"]
    ),
    min_size=1,
    max_size=4,
)


@given(TREES, TREES, MESSAGES, st.data())
@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_every_plan_is_complete_repeatable_and_in_order(
    repo: TestRepository,
    before: dict[str, str],
    after: dict[str, str],
    messages: list[str],
    data: st.DataObject,
) -> None:
    whole = branch(repo, before, after)
    commits = [LogicalCommit(message) for message in messages]
    positions = st.dictionaries(st.integers(0, 3), st.integers(1, 5), min_size=1, max_size=2)
    is_messy = data.draw(st.booleans())
    origin = {atom.id: data.draw(positions) for atom in whole.atoms} if is_messy else {}
    task = Task(whole, commits, range(len(commits)), origin=origin, subjects=("a", "b", "c", "d"))
    made = make_plan(task)
    assert list(made.placements) == [atom.id for atom in whole.atoms]
    again = make_plan(task)
    assert made == again
    assert [each.reason.why for each in made.placements.values()] == [
        each.reason.why for each in again.placements.values()
    ]
    assert broken(whole, made) == []
    for placement in made.placements.values():
        assert 0 <= placement.commit < len(commits)
        assert 0 <= placement.reason.confidence <= 1
        assert placement.reason.why


EXCLUSIONS = st.sampled_from(
    [
        "",
        "Does NOT include a.py.",
        "Not yet beta_part().",
        "Excluding tests.",
        "All but not gamma_part or b.py.",
    ]
)


@pytest.mark.slow
@given(TREES, TREES, st.lists(EXCLUSIONS, min_size=1, max_size=3))
@settings(
    max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_exclusions_are_respected_whenever_another_commit_is_there(
    repo: TestRepository, before: dict[str, str], after: dict[str, str], hints: list[str]
) -> None:
    whole = branch(repo, before, after)
    commits = [LogicalCommit("Work on a.py", hints=each) for each in hints]
    commits.append(LogicalCommit("The rest"))
    made = planned(whole, commits)
    facts = read_facts(whole)
    hinted = Excluder(facts, read_descriptions(commits))
    for at, one in enumerate(facts):
        assert not hinted.excludes(at, made.placements[one.atom.id].commit)


def broken(whole: Difference, made: Plan) -> list[tuple[str, str]]:
    """Pairs whose order the text forbids."""
    facts = read_facts(whole)
    at = [made.placements[one.atom.id].commit for one in facts]
    before = read_constraints(facts, whole.texts, Vocabulary(facts, whole.texts)).order
    return [(facts[a].atom.id, facts[b].atom.id) for a, b in before if at[a] > at[b]]


@pytest.mark.slow
def test_the_plan_does_not_depend_on_the_hash_seed(repo: TestRepository, tmp_path: Path) -> None:
    branch(repo, BEFORE, AFTER)
    script = tmp_path / "show.py"
    script.write_text(
        "import sys\nfrom pathlib import Path\n"
        "from git_retcon.git.difference import compare_trees\n"
        "from git_retcon.git.repository import open_repository\n"
        "from git_retcon.retcon.branch.granularity import StatementGranularity\n"
        "from git_retcon.retcon.planner.plan import Task, make_plan\n"
        "from git_retcon.retcon.spec.model import LogicalCommit\n"
        "opened = open_repository(Path(sys.argv[1]))\n"
        "whole = compare_trees(opened, *sys.argv[2:4], granularity=StatementGranularity())\n"
        "commits = [LogicalCommit(each) for each in ('Cache', 'Parse tokens', 'Docs and rest')]\n"
        "for atom, placed in make_plan(Task(whole, commits, range(3))).placements.items():\n"
        "    print(atom, placed.commit, placed.reason.why, placed.reason.confidence)\n"
    )
    said = {
        subprocess.run(
            [sys.executable, str(script), str(repo.path), repo.tree("HEAD~"), repo.tree("HEAD")],
            env=os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": str(Path.cwd())},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(said) == 1
