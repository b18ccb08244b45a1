"""Which workflows are meant, and what starts them."""

from pathlib import Path

import pytest

from git_retcon.errors import Fatal
from git_retcon.heal.current_branch import CurrentBranch
from git_retcon.heal.workflow_choice import Choice, choose_workflows
from git_retcon.heal.workflows.happenings import Checkout, Happening, name_event
from git_retcon.heal.workflows.workflow import Workflow
from git_retcon.heal.workflows.workflow_plan import JobPlan

JOBS = "jobs: {%s: {runs-on: x, name: The job}}\n"
TEXTS = {
    "ci": "name: All checks\non: [push, pull_request]\n" + JOBS % "test",
    "docs": "on: {push: {paths: [docs/**]}}\n" + JOBS % "test",
    "nightly": "on: {schedule: [{cron: 0 0 * * *}], push: {branches: [main]}}\n" + JOBS % "slow",
    "broken": "on: push\njobs: []\n",
}


class Files:
    """The workflows above."""

    def list_workflows(self) -> list[bytes]:
        return sorted(f".github/workflows/{name}.yml".encode() for name in TEXTS)

    def read(self, path: bytes) -> bytes | None:
        return TEXTS[Path(path.decode()).stem].encode()

    def has_submodules(self) -> bool:
        return False


def plan_none(workflow: Workflow, event: Happening) -> list[JobPlan]:
    return []


def branch(name: str = "topic", base: str = "main") -> CurrentBranch:
    return CurrentBranch(Checkout("me/mine", name, base, "c" * 40), "origin", [b"a"], [b"a", b"b"])


def chosen(choice: Choice, current: CurrentBranch | None = None) -> list[str]:
    """Each workflow with the events that start it, or why it does not start, in a line."""
    lines = []
    for one in choose_workflows(Files(), current or branch(), choice, plan_none):
        events = " ".join(map(name_event, one.started))
        lines.append(f"{Path(one.path.decode()).stem}: {events or '-'}: {one.reason}")
    return lines


def test_a_branch_starts_what_its_push_or_its_pull_request_starts() -> None:
    assert chosen(Choice()) == [
        "broken: -: GitHub refuses it",
        "ci: pull_request push: starts on pull_request",
        "docs: -: no changed path is asked for",
        "nightly: -: the branch 'topic' is filtered out",
    ]
    assert chosen(Choice(), branch("main"))[3] == "nightly: push: starts on push"


def test_an_event_is_taken_instead() -> None:
    assert chosen(Choice(event="push"))[1] == "ci: push: starts on push"
    assert chosen(Choice(event="pull_request"), branch("main"))[1] == (
        "ci: pull_request: starts on pull_request"
    )
    assert chosen(Choice(event="schedule"))[3] == "nightly: schedule: starts on schedule"
    assert chosen(Choice(event="schedule"))[1] == (
        "ci: -: starts on push, pull_request, not on schedule"
    )


@pytest.mark.parametrize("name", [".github/workflows/nightly.yml", "nightly.yml", "nightly"])
def test_a_workflow_that_is_named_starts_though_its_filters_hold_it_back(name: str) -> None:
    reason = "asked for by name (the branch 'topic' is filtered out)"
    assert chosen(Choice(workflow=name)) == [f"nightly: push: {reason}"]


def test_a_workflow_that_is_named_starts_with_its_own_event_where_it_has_no_other() -> None:
    detached = branch("", "")
    assert chosen(Choice(), detached)[1] == "ci: -: no branch is checked out"
    assert chosen(Choice(workflow="nightly"), detached) == [
        "nightly: schedule: asked for by name (no branch is checked out)"
    ]
    assert chosen(Choice(workflow="nightly", event="pull_request"))[0].startswith("nightly: -: ")


def test_a_workflow_may_be_called_by_its_own_name() -> None:
    assert chosen(Choice(workflow="All checks")) == [
        "ci: pull_request push: starts on pull_request"
    ]
    assert chosen(Choice(workflow="broken")) == ["broken: -: GitHub refuses it"]


def test_a_job_that_is_named_is_looked_for_first_in_what_starts_by_itself() -> None:
    assert [line.partition(":")[0] for line in chosen(Choice(job="test"))] == ["ci"]
    assert [line.partition(":")[0] for line in chosen(Choice(job="The job"))] == ["ci"]
    assert [line.partition(":")[0] for line in chosen(Choice(job="slow"))] == ["nightly"]
    assert chosen(Choice(job="test", workflow="docs")) == [
        "docs: push: asked for by name (no changed path is asked for)"
    ]


@pytest.mark.parametrize(
    ("choice", "current", "error", "hint"),
    [
        (Choice(workflow="x"), branch(), "there is no workflow 'x'",
         "there are: broken.yml, ci.yml, docs.yml and nightly.yml"),
        (Choice(job="x"), branch(), "there is no job 'x'", "there are: test and slow"),
        (Choice(job="test", workflow="broken"), branch(), "there is no job 'test'",
         "there are none in .github/workflows"),
        (Choice(workflow="nigtly.yml"), branch(), "there is no workflow 'nigtly.yml'",
         "did you mean 'nightly.yml'? there are: broken.yml, ci.yml, docs.yml and nightly.yml"),
        (Choice(event="nosuch"), branch(), "there is no workflow that starts on 'nosuch'",
         "there are: push, pull_request and schedule"),
        (Choice(event="pull_reqest"), branch(), "there is no workflow that starts on 'pull_reqest'",
         "did you mean 'pull_request'? there are: push, pull_request and schedule"),
        (Choice(event="push"), branch(""), "no branch is checked out that could be pushed",
         "'git switch' checks a branch out"),
        (Choice(event="pull_request"), branch(base=""),
         "the remote's default branch is not known",
         "'git remote set-head origin --auto' asks the remote"),
    ],
)  # fmt: skip
def test_what_is_not_there_is_refused_with_what_there_is(
    choice: Choice, current: CurrentBranch, error: str, hint: str
) -> None:
    with pytest.raises(Fatal) as raised:
        choose_workflows(Files(), current, choice, plan_none)
    assert (str(raised.value), raised.value.hint) == (error, hint)
