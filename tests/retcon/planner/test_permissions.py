"""Where an atom may go, before any evidence: pending, patterns, hints, in this order."""

from collections.abc import Mapping, Sequence

from git_retcon.files.patterns import Case
from git_retcon.retcon.planner.descriptions import read_descriptions
from git_retcon.retcon.planner.excluded_atoms import Excluder
from git_retcon.retcon.planner.facts import read_facts
from git_retcon.retcon.planner.permissions import find_allowed
from git_retcon.retcon.spec.model import LogicalCommit
from tests.repository import TestRepository
from tests.retcon.planner.building import branch

PLAIN = LogicalCommit("Anything")


def allowed(
    repo: TestRepository,
    commits: Sequence[LogicalCommit],
    pending: Sequence[int] | None = None,
    taken: Sequence[str] = (),
) -> Mapping[str, set[int]]:
    """Path → the commits that it may go to; ``taken`` paths are in the first commit."""
    whole = branch(repo, {"x": "1\n"}, {"x": "1\n", "a.py": "a = 1\n", "b.md": "b\n"})
    facts, descriptions = read_facts(whole), read_descriptions(commits)
    ids = {one.atom.path.decode(): one.atom.id for one in facts}
    found = find_allowed(
        facts,
        descriptions,
        commits,
        range(len(commits)) if pending is None else pending,
        {ids[path]: 0 for path in taken},
        Excluder(facts, descriptions),
        Case.MATTERS,
    )
    return {
        one.atom.path.decode(): {k for k, may in enumerate(line) if may}
        for one, line in zip(facts, found, strict=True)
    }


def test_files_claim_and_keep_others_out(repo: TestRepository) -> None:
    found = allowed(repo, [PLAIN, LogicalCommit("Code", files=("*.py",))])
    assert found == {"a.py": {1}, "b.md": {0}}


def test_exclude_is_kept_before_files(repo: TestRepository) -> None:
    both = LogicalCommit("Code", files=("*.py",), exclude=("a.*",))
    assert allowed(repo, [PLAIN, both])["a.py"] == {0}


def test_a_path_that_all_commits_deny_may_go_to_any_that_is_pending(repo: TestRepository) -> None:
    commits = [LogicalCommit("A", exclude=("*",)), LogicalCommit("B", exclude=("*",)), PLAIN]
    assert allowed(repo, commits, pending=[0, 1])["a.py"] == {0, 1}
    commits = [LogicalCommit("A", files=("*.md",)), LogicalCommit("B", exclude=("*",))]
    assert allowed(repo, commits)["a.py"] == {0}


def test_what_is_taken_stays_and_only_pending_commits_take_more(repo: TestRepository) -> None:
    found = allowed(repo, [PLAIN, PLAIN, PLAIN], pending=[1, 2], taken=["a.py"])
    assert found == {"a.py": {0}, "b.md": {1, 2}}


def test_hints_exclude_unless_no_commit_is_left(repo: TestRepository) -> None:
    without = LogicalCommit("Other", hints="Does NOT include a.py.")
    assert allowed(repo, [without, PLAIN])["a.py"] == {1}
    assert allowed(repo, [without, without])["a.py"] == {0, 1}


def test_everything_else_is_what_no_other_hints_name(repo: TestRepository) -> None:
    found = allowed(repo, [LogicalCommit("A", hints="a.py"), LogicalCommit("R", hints="The rest.")])
    assert found == {"a.py": {0}, "b.md": {1}}
