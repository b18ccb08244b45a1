"""What a proof says of the step that failed, and which steps have to pass twice."""

from types import SimpleNamespace
from typing import Any, cast

import pytest

from git_retcon.code.diagnostics.diagnostic import Category
from git_retcon.heal.check_jobs import SeenJob
from git_retcon.heal.engine import Item
from git_retcon.heal.healing.fix_proof import Proof, StepProof, runs_tests
from git_retcon.heal.healing.work_items import FailedJob, StepIdentity
from git_retcon.heal.results import StepVerdict
from tests.heal.records.databases import end_step, find_error

STEP = StepIdentity(b"ci.yml", "test-3-12-1", 1)
PROVED = StepProof(STEP, "test (3.12)", "Lint", 1, 0, 0.5, True, 1)


def fail_step(category: Category, step: StepIdentity = STEP) -> FailedJob:
    ready = SimpleNamespace(file=step.workflow, key=step.job)
    steps = (end_step("Setup"), end_step("Lint", StepVerdict.FAILED))
    seen = SeenJob(cast("Any", ready), cast("Any", SimpleNamespace(steps=steps)))
    item = Item(b"src/a.py", (find_error("src/a.py", 1, "x", category),))
    return FailedJob(seen, step.position, (item,))


def test_a_job_is_proved_by_its_own_step_in_its_own_cell_whatever_their_names() -> None:
    proof = Proof((PROVED,))
    assert proof.passes(fail_step(Category.LINT))
    assert not proof.passes(fail_step(Category.LINT, STEP._replace(position=0)))
    assert not proof.passes(fail_step(Category.LINT, STEP._replace(job="test-3-12-2")))
    assert not proof.passes(fail_step(Category.LINT, STEP._replace(workflow=b"b.yml")))
    assert not Proof((PROVED._replace(passed=False),)).passes(fail_step(Category.LINT))


@pytest.mark.parametrize("category", Category)
def test_tests_have_to_pass_twice(category: Category) -> None:
    assert runs_tests(fail_step(category)) == (category in (Category.TEST, Category.RUNTIME))


def test_the_database_keeps_of_which_tree_each_step_was_proved() -> None:
    (kept,) = Proof((PROVED,), tree="t").as_json()
    assert (kept["tree"], kept["file"], kept["before"], kept["after"]) == ("t", "ci.yml", 1, 0)
