"""What follows from a yes: files changed all or nothing, never over another change, and undone."""

import json
from pathlib import Path

import pytest

from git_retcon.errors import Fatal
from git_retcon.heal.records.database import database_path, open_database
from git_retcon.heal.records.heals import (
    Decision,
    HealVerdict,
    StoredHeal,
    decide_heal,
    list_heals,
)
from tests.heal.checks import new_project
from tests.heal.healing.test_heal_flow import CLEAN, LINT, RUN_LINT, heal
from tests.heal.project import CI
from tests.program import heal_here, on_terminal, rest
from tests.repository import TestRepository

BROKEN = f"import os\n\n\n{CLEAN}"
FIXED = f"\n\n{CLEAN}"


@pytest.fixture
def kept(tmp_path: Path) -> TestRepository:
    """A repository with one proved fix that nobody has decided about: heal 1."""
    steps = "[{uses: actions/checkout@v4}, {run: sh checks/lint.sh a.py}]"
    workflow = f"on: push\njobs: {{ci: {{runs-on: ubuntu-latest, steps: {steps}}}}}\n"
    files = {"checks/lint.py": LINT, "checks/lint.sh": RUN_LINT, "a.py": BROKEN, "b.txt": "b\n"}
    repository = new_project(tmp_path / "project", workflow, files)
    assert heal(repository, "--no-apply")["heals"] == [1]
    return repository


def read(repository: TestRepository) -> str:
    return (repository.path / "a.py").read_text()


@pytest.mark.slow
def test_a_kept_fix_is_applied_once_and_undone(kept: TestRepository) -> None:
    heal_here(kept.path, "apply", "1").ok()
    assert read(kept) == FIXED
    heal_here(kept.path, "apply", "1").ok()
    assert read(kept) == FIXED
    heal_here(kept.path, "undo").ok()
    assert read(kept) == BROKEN
    assert heal_here(kept.path, "undo").status == 128


def test_a_fix_beside_other_files_than_it_was_proved_with_is_unverified(
    kept: TestRepository,
) -> None:
    kept.write({"b.txt": "mine\n"})
    said = heal_here(kept.path, "apply", "1").ok().err
    assert (kept.path / "b.txt").read_text() == "mine\n"
    why = "the files around it are not those that it was proved with"
    assert said.splitlines() == [
        f"heal 1: applied, unverified ({why}): a.py",
        "hint: 'git heal check' runs the jobs on the files as they are now",
    ]
    (stored,) = read_heals(kept)
    assert (stored.heal.verdict, stored.heal.reason) == (HealVerdict.UNVERIFIED, why)
    again = heal_here(kept.path, "apply", "1", "--json").ok()
    assert json.loads(again.out)["heals"][0]["unverified"] == why


def test_a_fix_is_unverified_where_other_files_change_while_it_is_proved(tmp_path: Path) -> None:
    other = tmp_path / "project/b.txt"
    # Each run of the step is as if somebody worked on in the checkout.
    step = f"echo more >> '{other}'; sh checks/lint.sh a.py"
    files = {"checks/lint.py": LINT, "checks/lint.sh": RUN_LINT, "a.py": BROKEN, "b.txt": "b\n"}
    workflow = f"{CI}    - run: {json.dumps(step)}\n"
    repository = new_project(tmp_path / "project", workflow, files)
    why = "the files around it are not those that it was proved with"
    said = heal(repository, "--yes", status=1)
    assert read(repository) == FIXED
    assert (said["healed"], [one["reason"] for one in said["unverified"]]) == ([], [why])
    assert [(one["decision"], one["unverified"]) for one in said["applied"]] == [("applied", why)]
    (stored,) = read_heals(repository)
    assert (stored.heal.verdict, stored.heal.reason) == (HealVerdict.UNVERIFIED, why)


@pytest.mark.slow
def test_a_file_that_changed_is_not_overwritten_and_the_fix_is_on_a_branch(
    kept: TestRepository,
) -> None:
    kept.write({"a.py": f"{BROKEN}# mine\n"})
    done = heal_here(kept.path, "apply", "1", "--json")
    assert done.status == 1
    (settled,) = json.loads(done.out)["heals"]
    assert read(kept) == f"{BROKEN}# mine\n"
    assert kept.show(f"{settled['branch']}:a.py").decode() == FIXED
    assert kept.git("rev-parse", f"{settled['branch']}^") == kept.rev("HEAD")


def test_undo_refuses_what_somebody_changed_since(kept: TestRepository) -> None:
    heal_here(kept.path, "apply", "1").ok()
    kept.write({"a.py": "mine\n"})
    assert heal_here(kept.path, "undo").status == 1
    assert read(kept) == "mine\n"
    said = heal_here(kept.path, "undo", "--force").ok().err
    assert read(kept) == BROKEN
    ref = kept.git("for-each-ref", "--format=%(refname)", "refs/heal/before")
    assert f"what --force overwrites is kept as {ref}" in said
    assert kept.show(f"{ref}:a.py") == b"mine\n"


@pytest.mark.slow
def test_what_a_kill_left_half_way_is_taken_back(kept: TestRepository) -> None:
    heal_here(kept.path, "apply", "1").ok()
    journal = kept.path / ".git/heal/applied/1.json"
    journal.write_text(json.dumps({**json.loads(journal.read_text()), "phase": "begun"}))
    heal(kept, "-n")
    assert read(kept) == BROKEN


@pytest.mark.slow
def test_a_branch_or_a_patch_in_place_of_the_files(kept: TestRepository) -> None:
    heal(kept, "--branch", "fixes")
    assert kept.show("fixes:a.py").decode() == FIXED
    heal(kept, "--patch", "fix.diff")
    assert read(kept) == BROKEN
    kept.git("apply", "fix.diff")
    assert read(kept) == FIXED


@pytest.mark.slow
def test_a_commit_has_the_fix_alone(kept: TestRepository) -> None:
    kept.write({"b.txt": "mine\n"})
    kept.git("add", "b.txt")
    heal(kept, "--yes", "--commit")
    assert kept.git("diff", "--name-only", "HEAD^", "HEAD") == "a.py"
    assert kept.git("diff", "--cached", "--name-only") == "b.txt"
    made, before = kept.rev("HEAD"), kept.rev("HEAD^")
    heal_here(kept.path, "undo").ok()
    assert (kept.rev("HEAD"), read(kept)) == (before, BROKEN)
    assert kept.git("diff", "--cached", "--name-only") == "b.txt"
    kept.git("reset", "-q", "--hard", made)
    journal = kept.path / ".git/heal/applied/1.json"
    journal.write_text(json.dumps({**json.loads(journal.read_text()), "phase": "done"}))
    kept.commit("mine", {"c.txt": "c\n"})
    refused = heal_here(kept.path, "undo")
    assert (refused.status, read(kept)) == (1, FIXED)
    assert f"'git revert {made[:12]}'" in refused.err


def test_a_commit_that_a_kill_cut_off_is_made_by_the_next_command(kept: TestRepository) -> None:
    heal(kept, "--yes", "--commit")
    kept.git("reset", "-q", "--soft", "HEAD^")
    journal = kept.path / ".git/heal/applied/1.json"
    said = json.loads(journal.read_text())
    journal.write_text(json.dumps({**said, "commit": [*said["commit"][:2], ""]}))
    heal(kept, "--yes", "--commit")
    assert kept.git("diff", "--name-only", "HEAD^", "HEAD") == "a.py"
    assert kept.git("status", "--porcelain") == ""


def test_undo_on_another_branch_forgets_no_commit(kept: TestRepository) -> None:
    heal(kept, "--yes", "--commit")
    made = kept.rev("HEAD")
    kept.git("switch", "-qc", "topic", "HEAD^")
    refused = heal_here(kept.path, "undo")
    assert refused.status == 1
    assert "the commit of the fix was made on 'main', and 'topic' is checked out" in refused.err
    assert "'git switch main', then 'git heal undo'" in refused.err
    assert kept.rev("main") == made
    kept.git("switch", "-q", "main")
    heal_here(kept.path, "undo").ok()
    assert (kept.rev("main"), read(kept)) == (kept.rev("topic"), BROKEN)


def test_undo_forgets_no_fix_that_is_not_in_the_files(kept: TestRepository) -> None:
    heal_here(kept.path, "apply", "1").ok()
    kept.git("stash", "-q")
    refused = heal_here(kept.path, "undo")
    assert refused.status == 1
    assert "no file here has the fix of heal 1, which was applied on 'main'" in refused.err
    kept.git("stash", "pop", "-q")
    heal_here(kept.path, "undo").ok()
    assert read(kept) == BROKEN


def test_an_undo_that_a_kill_cut_off_is_finished(kept: TestRepository) -> None:
    heal_here(kept.path, "apply", "1").ok()
    kept.git("checkout", "-q", "a.py")
    journal = kept.path / ".git/heal/applied/1.json"
    journal.write_text(json.dumps({**json.loads(journal.read_text()), "phase": "undoing"}))
    heal_here(kept.path, "undo").ok()
    assert heal_here(kept.path, "undo").status == 128


def test_what_healed_an_error_before_is_tried_first(kept: TestRepository) -> None:
    heal_here(kept.path, "apply", "1").ok()
    kept.commit("healed", {"a.py": FIXED})
    kept.commit("again", {"a.py": BROKEN + "\n\nmore = 1\n"})
    (again,) = heal(kept, "--yes")["healed"]
    assert (again["how"], again["files"]) == ("what healed it before (heal 1)", ["a.py"])
    assert read(kept) == FIXED + "\n\nmore = 1\n"


def test_a_rejected_fix_stays_out(kept: TestRepository) -> None:
    # All or none: a number that is no heal's rejects nothing.
    assert heal_here(kept.path, "reject", "1", "7").status == 128
    assert [one.heal.decision for one in read_heals(kept)] == [Decision.OPEN]
    heal_here(kept.path, "reject", "1", "1").ok()
    assert [one.heal.decision for one in read_heals(kept)] == [Decision.REJECTED]
    assert read(kept) == BROKEN
    heal_here(kept.path, "apply", "1").ok()
    refused = heal_here(kept.path, "reject", "1")
    assert (refused.status, "heal 1 is applied" in refused.err) == (128, True)


def test_what_is_applied_at_once_is_undone_at_once(tmp_path: Path) -> None:
    steps = "[{uses: actions/checkout@v4}, {run: sh checks/lint.sh a.py b.py}]"
    workflow = f"on: push\njobs: {{ci: {{runs-on: ubuntu-latest, steps: {steps}}}}}\n"
    broken = {"a.py": BROKEN, "b.py": BROKEN}
    files = {"checks/lint.py": LINT, "checks/lint.sh": RUN_LINT, **broken}
    repository = new_project(tmp_path / "project", workflow, files)
    assert heal(repository, "--no-apply")["heals"] == [1, 2]
    alone = heal_here(repository.path, "apply", "2").ok().err
    assert alone.startswith("heal 2: applied, unverified (the files around it are not those")
    heal_here(repository.path, "undo").ok()
    both = heal_here(repository.path, "apply", "1", "2").ok()
    assert both.err == "heal 1: applied: a.py\nheal 2: applied: b.py\n"
    assert [(repository.path / name).read_text() for name in broken] == [FIXED, FIXED]
    said = heal_here(repository.path, "undo").ok().err
    assert said == "heal 1: undone: a.py\nheal 2: undone: b.py\n"
    assert [(repository.path / name).read_text() for name in broken] == [BROKEN, BROKEN]


def test_a_patch_on_standard_output_is_the_patch_alone(kept: TestRepository) -> None:
    ran = heal_here(kept.path, "--trust", "--offline", "--patch=-")
    assert ran.out.startswith("diff --git a/a.py b/a.py\n")
    (kept.path / "fix.diff").write_text(ran.out)
    kept.git("apply", "fix.diff")
    assert read(kept) == FIXED
    assert "healed, heal 2" in ran.err


def test_what_cannot_be_is_refused_before_anything_runs(tmp_path: Path) -> None:
    repository = new_project(tmp_path / "project", "on: push\njobs: {}\n")
    for option, said in {
        "--patch=no/such/x": "there is no folder 'no/such'",
        "--patch=.": "'.' is a folder",
        "--error=deadbeef": "there is no error 'deadbeef'",
    }.items():
        refused = heal_here(repository.path, "--offline", option)  # nothing is trusted here
        assert (refused.status, refused.err.partition("\n")[0]) == (128, f"fatal: {said}")


def read_heals(repository: TestRepository) -> list[StoredHeal]:
    path = database_path(repository.open().common_dir)
    with open_database(path, lambda *_: None) as database:
        return list_heals(database)


def test_a_heal_names_the_run_that_found_its_errors(kept: TestRepository) -> None:
    (stored,) = read_heals(kept)
    assert stored.heal.run == 1
    listed = json.loads(heal_here(kept.path, "errors", "--json").out)
    assert [one["fingerprint"] for one in listed["errors"]] == list(stored.heal.fingerprints)


MIDDLE = "".join(f"VALUE_{number} = {number}\n" for number in range(20))
TWO_FAULTS = f"import os\nfirst = 1\n{MIDDLE}print(firts)\n"


@pytest.fixture
def two_hunks(tmp_path: Path) -> TestRepository:
    """A repository whose one file gets a fix of two hunks."""
    steps = "[{uses: actions/checkout@v4}, {run: sh checks/lint.sh a.py}]"
    workflow = f"on: push\njobs: {{ci: {{runs-on: ubuntu-latest, steps: {steps}}}}}\n"
    files = {"checks/lint.py": LINT, "checks/lint.sh": RUN_LINT, "a.py": TWO_FAULTS}
    return new_project(tmp_path / "project", workflow, files)


@pytest.mark.slow
def test_a_part_is_proved_and_recorded_in_place_of_the_whole(two_hunks: TestRepository) -> None:
    child = on_terminal("heal", two_hunks.path, "--offline", "--trust")
    for answer in ("n", "y"):
        child.expect(r"apply this hunk\?")
        child.sendline(answer)
    child.expect("only a part was chosen")
    assert rest(child).status == 1
    half = TWO_FAULTS.replace("firts", "first")
    assert read(two_hunks) == half
    (stored,) = read_heals(two_hunks)
    assert (stored.heal.verdict, stored.heal.decision) == (
        HealVerdict.UNVERIFIED,
        Decision.APPLIED,
    )
    assert b"import os" not in stored.heal.patch
    assert [one["passed"] for one in stored.heal.proof] == [False]


@pytest.mark.slow
def test_one_answer_does_for_all_later_hunks(two_hunks: TestRepository) -> None:
    healed = TWO_FAULTS.replace("import os\n", "").replace("firts", "first")
    decisions = []
    for answer, after in (("d", TWO_FAULTS), ("a", healed)):
        child = on_terminal("heal", two_hunks.path, "--offline", "--trust")
        child.expect(r"apply this hunk\?")
        child.sendline(answer)
        assert "apply this hunk" not in rest(child).out
        assert read(two_hunks) == after
        decisions.append(read_heals(two_hunks)[0].heal.decision)
    assert decisions == [Decision.REJECTED, Decision.APPLIED]


@pytest.mark.slow
@pytest.mark.parametrize(("answer", "after"), [("y", FIXED), ("n", BROKEN), ("q", BROKEN)])
def test_a_person_is_asked(kept: TestRepository, answer: str, after: str) -> None:
    child = on_terminal("heal", kept.path, "--offline")
    child.expect(r"apply this hunk\?")
    child.sendline("?")
    child.expect("print this help")
    child.sendline(answer)
    rest(child)
    assert read(kept) == after


@pytest.mark.parametrize("before", [Decision.OPEN, Decision.KEPT, Decision.UNDONE])
def test_what_was_killed_before_it_was_recorded_is_applied_all_the_same(
    before: Decision, kept: TestRepository
) -> None:
    heal_here(kept.path, "apply", "1").ok()
    path = database_path(kept.open().common_dir)
    with open_database(path, lambda *_: None) as database:
        decide_heal(database, 1, before, "Ada")
    done = heal_here(kept.path, "apply", "1", "--json").ok()
    assert [one["decision"] for one in json.loads(done.out)["heals"]] == ["applied"]
    assert read(kept) == FIXED


def test_an_undo_that_cannot_be_recorded_is_finished_by_the_next(
    kept: TestRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    heal_here(kept.path, "apply", "1").ok()

    def fail(*_: object) -> None:
        raise Fatal("the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr("git_retcon.heal.review.settlement.decide_heal", fail)
        assert heal_here(kept.path, "undo").status == 128
    assert read(kept) == BROKEN
    heal_here(kept.path, "undo").ok()
    with open_database(database_path(kept.open().common_dir), lambda *_: None) as database:
        (stored,) = list_heals(database)
    assert stored.heal.decision is Decision.UNDONE
    heal_here(kept.path, "apply", "1").ok()
    assert read(kept) == FIXED


@pytest.mark.slow
def test_of_fixes_that_pass_together_one_alone_is_not_called_healed(tmp_path: Path) -> None:
    steps = "[{uses: actions/checkout@v4}, {run: sh checks/lint.sh a.py b.py}]"
    workflow = f"on: push\njobs: {{ci: {{runs-on: ubuntu-latest, steps: {steps}}}}}\n"
    files = {"checks/lint.py": LINT, "checks/lint.sh": RUN_LINT, "a.py": BROKEN, "b.py": BROKEN}
    repository = new_project(tmp_path / "project", workflow, files)
    child = on_terminal("heal", repository.path, "--offline", "--trust")
    for answer in ("y", "n"):
        child.expect(r"apply this hunk\?")
        child.sendline(answer)
    child.expect("the fix of a.py does not pass without the rest: it is unverified")
    assert rest(child).status == 1
    assert read(repository) == FIXED
    decided = {
        one.heal.path: (one.heal.verdict, one.heal.decision) for one in read_heals(repository)
    }
    assert decided == {
        b"a.py": (HealVerdict.UNVERIFIED, Decision.APPLIED),
        b"b.py": (HealVerdict.HEALED, Decision.REJECTED),
    }
