"""What ``files`` and ``exclude`` decide outright, a repair respects, or it says otherwise."""

import sys

import pytest

from git_retcon.retcon.engine import Situation
from git_retcon.retcon.repair.claims import find_foreign
from git_retcon.retcon.spec.model import LogicalCommit, Spec
from tests.repository import TestRepository
from tests.retcon.repair.trials import Bench, Make
from tests.retcon.scene import messy_branch

RUN = f"{sys.executable} -B check.py"
FIRST, SECOND, LAST = (LogicalCommit(f"commit {number}") for number in (1, 2, 3))


def two_ways(bench: Make) -> Bench:
    """Either of two modules makes the check pass."""
    return bench(
        {"a.py": "V = 1\n", "b.py": "V = 1\n", "check.py": "import a, b\n"},
        {
            "a.py": "V = 2\n",
            "b.py": "V = 2\n",
            "check.py": "import a, b\n\nassert a.V + b.V > 2\n",
        },
        RUN,
    )


def one_way(bench: Make) -> Bench:
    """The check needs a function of one module, which is among others."""
    return bench(
        {"a.py": "import sys\n", "noise.py": "N = 1\n", "check.py": "import a\n"},
        {
            "a.py": "import sys\n\n\ndef go():\n    return 1\n\n\ndef other():\n    return 2\n",
            "noise.py": "N = 2\n",
            "check.py": "import a\n\na.go()\n",
        },
        RUN,
    )


def test_what_nobody_claims_is_taken_before_what_a_later_commit_claims(bench: Make) -> None:
    built = two_ways(bench)
    for free, claimed in (("a.py", "b.py"), ("b.py", "a.py")):
        commits = [FIRST, SECOND, LogicalCommit("commit 3", files=(claimed,))]
        answer = built.repair(built.holding("assert"), commits=commits)
        assert {built.difference[atom].path for atom in answer.atoms} == {free.encode()}
        assert answer.progress.warning == ""


def test_what_a_later_commit_claims_is_taken_where_nothing_else_helps_and_that_is_said(
    bench: Make,
) -> None:
    built = one_way(bench)
    commits = [FIRST, SECOND, LogicalCommit("commit 3", files=("a.py",))]
    answer = built.repair(built.holding("a.go()"), commits=commits)
    assert answer.atoms == built.holding("def go")
    assert answer.after is None
    (reason,) = answer.progress.choice.reasons.values()
    assert "claimed by commit 3's files" in reason.why
    assert answer.progress.warning == (
        "commit 2 takes from a.py, claimed by commit 3's files: nothing else fixes it"
    )
    assert answer.progress.remedy == (
        "build commit 3 before commit 2, or leave a.py out of the files of commit 3"
    )
    # the one without it, which proves that nothing else helps, and the one with it
    assert len(answer.trial.made) == 2


def test_the_first_version_of_a_commit_keeps_to_files(bench: Make) -> None:
    built = two_ways(bench)
    every = frozenset(atom.id for atom in built.difference.atoms)

    def foreign(own: LogicalCommit, later: LogicalCommit) -> set[str]:
        spec = Spec("source", "base", "cleaned", (own, later))
        found = find_foreign(Situation(spec, 0, built.difference, {}))
        assert found <= every
        return {built.difference[atom].path.decode() for atom in found}

    files = LogicalCommit("files", files=("a.py",))
    assert foreign(FIRST, SECOND) == set()
    assert foreign(FIRST, files) == {"a.py"}
    assert foreign(files, SECOND) == {"b.py", "check.py"}
    assert foreign(files, files) == {"b.py", "check.py"}
    barring = LogicalCommit("barring", files=("a.py",), exclude=("a.py",))
    assert foreign(FIRST, barring) == set()


def test_a_path_that_this_commit_claims_too_is_its_own(bench: Make) -> None:
    built = one_way(bench)
    commits = [
        FIRST,
        LogicalCommit("commit 2", files=("*.py",)),
        LogicalCommit("commit 3", files=("a.py",)),
    ]
    answer = built.repair(built.holding("a.go()"), commits=commits)
    assert answer.atoms == built.holding("def go")
    assert answer.progress.warning == ""


def test_what_the_commit_itself_excludes_is_never_taken(bench: Make) -> None:
    built = one_way(bench)
    commits = [FIRST, LogicalCommit("commit 2", exclude=("a.py",)), LAST]
    planned = dict.fromkeys(built.holding("def go"), 2)
    answer = built.repair(built.holding("a.go()"), commits=commits, planned=planned)
    assert "needs go from a.py (planned for commit 3), which commit 2 excludes" in answer.summary
    assert "take a.py out of its exclude, or build commit 3 before commit 2" in answer.summary


def test_what_is_excluded_is_found_by_trying_where_the_failure_names_nothing(bench: Make) -> None:
    before = {f"part{number}.py": f"V = {number}\n" for number in range(6)}
    after = {f"part{number}.py": f"V = {number + 100}\n" for number in range(6)}
    built = bench(
        {**before, "check.py": "import part3\n"},
        {**after, "check.py": "import part3\nraise SystemExit(part3.V != 103)\n"},
        RUN,
    )
    commits = [FIRST, LogicalCommit("commit 2", exclude=("part*.py",)), LAST]
    answer = built.repair(built.holding("SystemExit"), commits=commits)
    assert "needs V from part3.py, which commit 2 excludes" in answer.summary


def test_a_source_that_fails_by_itself_is_not_blamed_on_what_is_excluded(bench: Make) -> None:
    built = bench(
        {"a.py": "A = 1\n", "check.py": "import a\n"},
        {"a.py": "A = 2\n", "check.py": "import a\nraise SystemExit(1)\n"},
        RUN,
    )
    commits = [FIRST, LogicalCommit("commit 2", exclude=("a.py",)), LAST]
    answer = built.repair(built.holding("SystemExit"), commits=commits)
    assert "source's own tree fails this build" in answer.summary


CLAIMED = """\
source = "feature"
remote = "main"
cleaned = "clean"
build = "PYTHONDONTWRITEBYTECODE=1 python3 -c 'import shop'"

[[commit]]
message = "Total a shop's rows"
files = ["shop.py"]

[[commit]]
message = "Say what this is"

[[commit]]
message = "Count money in cents"
files = ["money.py", "price.py"]
"""


@pytest.mark.slow
def test_a_run_says_what_it_takes_against_the_spec(repo: TestRepository) -> None:
    scene = messy_branch(repo)
    scene.write_spec(CLAIMED)
    ran = scene.run("--offline")
    assert ran.status == 0, ran.err
    assert "warning: commit 1 takes from " in ran.err
    assert "claimed by commit 3's files" in ran.err
    scene.promise()


@pytest.mark.slow
def test_a_run_is_stuck_where_the_commit_excludes_what_it_needs(repo: TestRepository) -> None:
    scene = messy_branch(repo)
    excluding = CLAIMED.replace(
        'files = ["shop.py"]', 'files = ["shop.py"]\nexclude = ["money.py"]'
    )
    scene.write_spec(excluding)
    ran = scene.run("--offline")
    assert ran.status == 1
    assert "take money.py out of its exclude" in " ".join(ran.err.split())
    assert "money.py" not in repo.git("ls-tree", "-r", "--name-only", "clean")


def test_a_pinned_hunk_is_never_taken_for_another_commit(bench: Make) -> None:
    built = one_way(bench)
    (definition,) = built.holding("def go")
    commits = [FIRST, SECOND, LogicalCommit("commit 3", hunks=(definition,))]
    answer = built.repair(built.holding("a.go()"), commits=commits)
    assert answer.summary.endswith(
        f"needs go from a.py, pinned to commit 3: pin {definition} to commit 2, or to none"
    )


def test_a_hunk_pinned_here_is_taken_though_a_later_commit_claims_its_file(bench: Make) -> None:
    built = one_way(bench)
    (definition,) = built.holding("def go")
    second = LogicalCommit("commit 2", hunks=(definition,))
    commits = [FIRST, second, LogicalCommit("commit 3", files=("a.py",))]
    answer = built.repair(built.holding("a.go()"), commits=commits)
    assert answer.atoms == {definition}
    assert answer.progress.warning == ""
