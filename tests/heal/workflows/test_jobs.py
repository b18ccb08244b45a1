import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_retcon.heal.workflows.contexts import Misevaluated
from git_retcon.heal.workflows.expressions.evaluation import Surroundings
from git_retcon.heal.workflows.jobs import (
    JobResult,
    Result,
    conclude_job,
    find_ancestors,
    job_runs,
    join_results,
    order_jobs,
    see_needs,
)
from git_retcon.heal.workflows.workflow import Workflow
from tests.heal.workflows.expressions.test_conformance import to_plain
from tests.heal.workflows.files import make_workflow

FOUR = """\
    on: push
    jobs:
      last: {runs-on: x, needs: [left, right]}
      left: {runs-on: x, needs: first}
      right: {runs-on: x, needs: [first, first]}
      first: {runs-on: x}
    """


def runs(workflow: Workflow, name: str, **results: Result) -> bool:
    """Whether a job runs after these results of the others."""
    job = workflow.job(name)
    assert job is not None
    done = {one: JobResult(result, (("x", "1"),)) for one, result in results.items()}
    return job_runs(job, see_needs(Surroundings({}), job, workflow.jobs, done))


def after(condition: str, **results: Result) -> bool:
    """The same of a job that needs `b`, which needs `a`."""
    workflow = make_workflow(f"""\
        on: push
        jobs:
          a: {{runs-on: x}}
          b: {{runs-on: x, needs: a}}
          c: {{runs-on: x, needs: b, if: "{condition}"}}
        """)
    return runs(workflow, "c", **results)


def test_jobs_are_in_rows_each_as_early_as_it_can() -> None:
    rows = order_jobs(make_workflow(FOUR).jobs)
    assert [[job.id for job in row] for row in rows] == [["first"], ["left", "right"], ["last"]]


def test_a_job_needs_what_its_needs_need() -> None:
    workflow = make_workflow(FOUR)
    assert set(find_ancestors(workflow.jobs[0], workflow.jobs)) == {"left", "right", "first"}
    assert find_ancestors(workflow.jobs[3], workflow.jobs) == []


def test_a_job_is_skipped_unless_all_before_it_succeeded() -> None:
    assert after("", a="success", b="success")
    assert not after("", a="success", b="failure")
    assert not after("", a="success", b="skipped")
    assert not after("", a="success", b="cancelled")
    assert not after("1 == 1", a="success", b="failure")


def test_a_skip_goes_on_past_a_job_that_ran_in_spite_of_it() -> None:
    """GitHub asks all ancestors: behind a skipped one, `success()` is false for all."""
    assert not after("", a="skipped", b="success")
    assert not after("needs.b.result == 'success'", a="failure", b="success")
    assert after("always() && needs.b.result == 'success'", a="failure", b="success")


def test_a_condition_may_ask_for_the_status_itself() -> None:
    assert after("always()", a="failure", b="skipped")
    assert after("failure()", a="failure", b="skipped")
    assert not after("failure()", a="success", b="success")
    assert not after("failure()", a="cancelled", b="skipped")
    assert after("cancelled()", a="cancelled", b="skipped")
    assert after("!cancelled()", a="failure", b="skipped")
    assert after("success('b')", a="failure", b="success")
    assert after("failure('a')", a="failure", b="success")
    assert not after("failure('b')", a="failure", b="success")


def test_a_job_sees_the_results_and_outputs_of_what_it_needs() -> None:
    workflow = make_workflow(FOUR)
    results = {"left": JobResult("success", (("x", "1"),)), "right": JobResult("failure")}
    around = see_needs(Surroundings({}), workflow.jobs[0], workflow.jobs, results)
    assert to_plain(around.contexts["needs"]) == {
        "left": {"result": "success", "outputs": {"x": "1"}},
        "right": {"result": "failure", "outputs": {}},
    }


def test_a_condition_that_fails_is_placed() -> None:
    with pytest.raises(Misevaluated, match="Error parsing fromJson") as caught:
        after("fromJSON('')", a="success", b="success")
    assert (caught.value.line, caught.value.column) == (5, 33)


def test_a_failure_that_is_forgiven_is_a_success() -> None:
    assert conclude_job("failure", True) == "success"
    assert conclude_job("failure", False) == "failure"
    assert conclude_job("cancelled", True) == "cancelled"
    assert conclude_job("skipped", True) == "skipped"


def test_the_result_of_a_job_is_the_worst_of_its_cells() -> None:
    def joined(*results: Result) -> Result:
        return join_results(map(JobResult, results)).result

    assert joined("success", "skipped") == "success"
    assert joined("success", "cancelled") == "cancelled"
    assert joined("cancelled", "failure", "success") == "failure"
    assert joined("skipped", "skipped") == "skipped"
    assert joined() == "skipped"


def test_a_job_is_as_sure_as_all_of_its_cells() -> None:
    sure, guessed = JobResult("success"), JobResult("success", sure=False)
    assert join_results([sure, sure]).sure
    assert not join_results([sure, guessed]).sure
    assert not join_results([guessed, JobResult("success", None)]).sure


def test_of_outputs_the_last_that_is_not_empty_counts() -> None:
    cells = [
        JobResult("success", (("x", "1"), ("y", ""))),
        JobResult("success", (("x", "2"),)),
        JobResult("success", (("x", ""), ("z", "3"))),
    ]
    assert dict(join_results(cells).outputs or ()) == {"x": "2", "y": "", "z": "3"}


@given(st.dictionaries(st.sampled_from("abcdef"), st.sets(st.sampled_from("abcdef")), min_size=1))
def test_every_job_is_ordered_after_its_needs_or_can_never_run(needs: dict[str, set[str]]) -> None:
    jobs = make_workflow(FOUR).jobs
    need = jobs[1].needs[0]
    made = tuple(
        jobs[0]._replace(id=name, needs=tuple(need._replace(value=one) for one in sorted(some)))
        for name, some in needs.items()
    )
    done: set[str] = set()
    for row in order_jobs(made):
        assert row
        for job in row:
            assert needs[job.id] <= done
        done.update(job.id for job in row)
    never = set(needs) - done
    assert all(needs[name] & never or needs[name] - set(needs) for name in never)
