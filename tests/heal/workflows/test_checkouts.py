"""What checkouts of a job make of its workspace."""

import pytest

from git_retcon.heal.workflows.checkouts import (
    asks_network,
    fetches_all,
    list_taken_refs,
)
from git_retcon.heal.workflows.step_plans import StepPlan, skipped_reasons
from tests.heal.workflows.test_workflow_plan import plan


def _plan_steps(*inputs: str) -> tuple[StepPlan, ...]:
    steps = "".join(f"    - {{uses: actions/checkout@v4, with: {{{one}}}}}\n" for one in inputs)
    return plan(f"jobs:\n  job:\n    runs-on: ubuntu-latest\n    steps:\n{steps}")[0].cells[0].steps


@pytest.mark.parametrize(
    ("inputs", "expected"),
    [
        ([""], False),
        (["", "path: sub"], False),
        (["path: sub"], True),
        (["repository: you/yours"], True),
        (["repository: you/yours", "path: sub"], True),
    ],
)
def test_the_top_is_empty_where_no_step_checks_the_state_out_there(
    inputs: list[str], expected: bool
) -> None:
    steps = _plan_steps(*inputs)
    assert fetches_all(steps) is expected
    assert skipped_reasons(steps) == []


def test_a_part_of_the_state_at_the_top_is_not_imitated() -> None:
    both = "sparse-checkout: docs, submodules: true"
    steps = _plan_steps(both, "lfs: true", "lfs: false", "fetch-depth: 0", "sparse-checkout: docs")
    assert skipped_reasons(steps) == [
        "checks out this commit with 'sparse-checkout'",
        "checks out this commit with 'lfs'",
    ]


@pytest.mark.parametrize("part", ["sparse-checkout: docs", "lfs: true"])
def test_with_a_part_of_it_the_state_is_at_the_top(part: str) -> None:
    steps = _plan_steps(part, "path: sub")
    assert len(skipped_reasons(steps)) == ("lfs" in part)
    assert not fetches_all(steps)


def test_the_refs_that_checkouts_take_are_known_or_said_to_be_unknown() -> None:
    unknown = "path: c, ref: '${{ steps.x.outputs.y }}'"
    steps = _plan_steps("", "path: sub", "path: a, ref: v1", unknown, "path: b, repository: a/b")
    assert list_taken_refs(steps) == ["v1", ""]
    assert asks_network(steps)
    assert not asks_network(_plan_steps("", "path: a, ref: v1"))


def test_nothing_takes_the_place_of_the_state_at_the_top() -> None:
    assert skipped_reasons(_plan_steps("", "ref: old", "repository: you/yours, path: ./")) == [
        "checks out another commit (old) over this commit",
        "checks out another repository (you/yours) over this commit",
    ]
    # A folder of its own harms nothing.
    assert skipped_reasons(_plan_steps("", "ref: old, path: sub")) == []


def test_with_submodules_that_are_not_fetched_the_state_is_at_the_top() -> None:
    steps = """\
    jobs:
      job:
        runs-on: ubuntu-latest
        steps:
        - {uses: actions/checkout@v4, with: {submodules: true}}
        - {uses: actions/checkout@v4, with: {ref: old, path: sub}}
    """
    planned = plan(steps, {b".gitmodules": ""})[0].cells[0].steps
    assert skipped_reasons(planned) == ["checks out submodules"]
    assert not fetches_all(planned)
