"""What the next step sees: the steps before it, variables, and whether something failed."""

from pathlib import Path

import pytest

from git_retcon.heal.execution.job_session import JobSession
from git_retcon.heal.execution.masks import Masks
from git_retcon.heal.execution.step_environment import JobFolders
from git_retcon.heal.execution.step_scope import Scope
from git_retcon.heal.workflows.contexts import Variables, evaluate_node
from git_retcon.heal.workflows.expressions.evaluation import Surroundings
from git_retcon.heal.workflows.expressions.values import NotKnown, make_value
from git_retcon.heal.workflows.workflow import Defaults
from git_retcon.heal.workflows.yaml import read_yaml


@pytest.fixture
def session(tmp_path: Path) -> JobSession:
    folders = JobFolders(tmp_path, tmp_path)
    return JobSession(folders, tmp_path, {}, Masks((), lambda text: text), 0.0)


@pytest.fixture
def scope() -> Scope:
    return Scope(Surroundings({"github": make_value({"ref": "refs/heads/main"})}), Defaults())


def see(scope: Scope, session: JobSession, expression: str) -> object:
    return evaluate_node(read_yaml(f"'${{{{ {expression} }}}}'".encode()), scope.see(session))


def test_a_step_is_seen_by_its_id_alone(scope: Scope, session: JobSession) -> None:
    scope.record("lint", "failure", "success", {"count": "3"})
    scope.record("", "success", "success", {})
    assert list(scope.steps) == ["lint"]
    assert see(scope, session, "steps.lint.outputs.count") == "3"
    assert see(scope, session, "steps.lint.outcome") == "failure"
    assert see(scope, session, "steps.lint.conclusion") == "success"
    assert see(scope, session, "github.ref") == "refs/heads/main"


def test_outputs_of_what_did_not_run_are_not_known(scope: Scope, session: JobSession) -> None:
    scope.record("build", "skipped", "skipped", None)
    with pytest.raises(NotKnown):
        see(scope, session, "steps.build.outputs.path")


def test_variables_are_those_of_now_and_unknown_ones_are_not_empty(
    scope: Scope, session: JobSession
) -> None:
    session.set_variables(Variables((("A", "1"),), ("B",)))
    assert see(scope, session, "env.A") == "1"
    with pytest.raises(NotKnown):
        see(scope, session, "env.B")
    session.env["B"] = "2"
    assert see(scope, session, "env.B") == "2"


def test_an_action_fails_apart_from_its_job(scope: Scope, session: JobSession) -> None:
    assert (see(scope, session, "success()"), see(scope, session, "failure()")) == (True, False)
    scope.failed = True
    assert (see(scope, session, "success()"), see(scope, session, "failure()")) == (False, True)
    assert see(scope, session, "job.status") == "success"
    session.failed = True
    assert see(scope, session, "job.status") == "failure"
    assert (see(scope, session, "always()"), see(scope, session, "cancelled()")) == (True, False)
