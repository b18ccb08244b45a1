"""Jobs of a workflow: their order, what they see of each other, matrices, called workflows."""

import textwrap
from pathlib import Path

import pytest

from tests.heal.checks import check, new_project

CALLED = """\
    on:
      workflow_call:
        inputs: {what: {type: string, default: none}}
        outputs: {made: {value: "${{ jobs.inner.outputs.made }}"}}
    jobs:
      inner:
        runs-on: ubuntu-latest
        outputs: {made: "${{ steps.make.outputs.made }}"}
        steps: [{id: make, name: make, run: 'echo "made=of ${{ inputs.what }}" >> $GITHUB_OUTPUT'}]
    """


def test_jobs_see_results_and_outputs_of_those_they_need(tmp_path: Path) -> None:
    workflow = """\
        on: push
        jobs:
          last:
            needs: [makes, fails]
            if: always()
            runs-on: ubuntu-latest
            steps:
            - {name: reads, run: "echo ${{ needs.makes.outputs.x }} ${{ needs.fails.result }}"}
          makes:
            runs-on: ubuntu-latest
            outputs: {x: "${{ steps.one.outputs.x }}"}
            steps: [{id: one, run: 'echo x=made >> $GITHUB_OUTPUT'}]
          fails: {needs: makes, runs-on: ubuntu-latest, steps: [{name: step, run: exit 1}]}
          behind: {needs: fails, runs-on: ubuntu-latest, steps: [{run: echo never}]}
          further: {needs: behind, runs-on: ubuntu-latest, steps: [{run: echo never}]}
          cleans: {needs: fails, if: failure(), runs-on: ubuntu-latest, steps: [{run: echo x}]}
        """
    checked = check(new_project(tmp_path / "project", workflow))
    assert checked.jobs == [
        "makes: passed",
        "fails: failed: step: exit status 1",
        "last: passed",
        "behind: not run: needs 'fails', which failed",
        "cleans: passed",
        "further: not run: needs 'behind', which does not run",
    ]
    assert checked.log("reads") == "made failure\n"


def test_what_a_job_that_does_not_run_here_hands_on_is_not_known(tmp_path: Path) -> None:
    workflow = """\
        on: push
        jobs:
          windows:
            runs-on: windows-latest
            outputs: {x: "1"}
            steps: [{run: echo}]
          reads:
            needs: windows
            runs-on: ubuntu-latest
            steps:
            - {name: uses it, run: "echo ${{ needs.windows.outputs.x }}"}
            - {name: goes on, run: echo}
          matrix:
            needs: windows
            runs-on: ubuntu-latest
            strategy: {matrix: {x: "${{ fromJSON(needs.windows.outputs.x) }}"}}
            steps: [{run: echo}]
        """
    checked = check(new_project(tmp_path / "project", workflow))
    unknown = "depends on what is not known here (needs.windows.outputs)"
    assert checked.jobs == [
        "windows: not run: needs Windows",
        f"reads: incomplete: 1 step skipped: {unknown}",
        f"matrix: not run: {unknown}",
    ]


def test_cells_run_until_one_fails_unless_that_is_switched_off(tmp_path: Path) -> None:
    workflow = """\
        on: push
        jobs:
          fast:
            runs-on: ubuntu-latest
            strategy: {matrix: {n: [1, 2, 3]}}
            steps: [{name: step, run: "test ${{ matrix.n }} = 1"}]
          all:
            runs-on: ubuntu-latest
            strategy: {fail-fast: false, matrix: {n: [1, 2, 3]}}
            steps: [{name: step, run: "test ${{ matrix.n }} != 2"}]
          forgiven:
            runs-on: ubuntu-latest
            continue-on-error: true
            steps: [{name: step, run: exit 1}]
          behind: {needs: forgiven, runs-on: ubuntu-latest, steps: [{run: echo}]}
        """
    checked = check(new_project(tmp_path / "project", workflow))
    assert checked.jobs == [
        "fast (1): passed",
        "fast (2): failed: step: exit status 1",
        "fast (3): not run: another cell failed (fail-fast)",
        "all (1): passed",
        "all (2): failed: step: exit status 1",
        "all (3): passed",
        "forgiven: incomplete: failed, and continue-on-error lets that be: step: exit status 1",
        "behind: passed",
    ]


def test_a_job_runs_the_workflow_that_it_calls(tmp_path: Path) -> None:
    workflow = """\
        on: push
        jobs:
          call: {uses: ./.github/workflows/called.yml, with: {what: "${{ github.ref_name }}"}}
          after:
            needs: call
            runs-on: ubuntu-latest
            steps: [{name: reads, run: 'echo "${{ needs.call.outputs.made }}"'}]
          other: {uses: someone/else/.github/workflows/x.yml@v1}
        """
    files = {".github/workflows/called.yml": textwrap.dedent(CALLED)}
    checked = check(new_project(tmp_path / "project", workflow, files))
    assert checked.jobs == [
        "call / inner: passed",
        "other: not run: calls a workflow of another repository"
        " (someone/else/.github/workflows/x.yml@v1)",
        "after: passed",
    ]
    assert checked.log("reads") == "of main\n"


@pytest.mark.slow
def test_two_jobs_of_one_name_that_call_the_same_workflow_have_folders_of_their_own(
    tmp_path: Path,
) -> None:
    call = "{name: same, uses: ./.github/workflows/called.yml}"
    workflow = f"on: push\njobs:\n  one: {call}\n  two: {call}\n"
    called = """\
        on: workflow_call
        jobs:
          inner:
            runs-on: ubuntu-latest
            steps: [{run: echo here}]
        """
    files = {".github/workflows/called.yml": textwrap.dedent(called)}
    checked = check(new_project(tmp_path / "project", workflow, files))
    assert checked.jobs == ["same / inner: passed", "same / inner: passed"]
    logs = [Path(job["steps"][0]["log"]) for job in checked.data["jobs"]]
    assert logs[0].parent != logs[1].parent


def test_a_job_asked_for_by_name_runs_with_what_it_needs(tmp_path: Path) -> None:
    workflow = """\
        on: push
        jobs:
          first: {runs-on: ubuntu-latest, steps: [{run: echo}]}
          other: {runs-on: ubuntu-latest, steps: [{run: exit 1}]}
          wanted: {needs: first, runs-on: ubuntu-latest, steps: [{run: echo}]}
        """
    checked = check(new_project(tmp_path / "project", workflow), "--job=wanted")
    assert checked.jobs == ["first: passed", "wanted: passed"]
    assert checked.status == 0


def test_nothing_that_runs_is_no_success(tmp_path: Path) -> None:
    workflow = """\
        on: push
        jobs:
          never: {if: "false", runs-on: ubuntu-latest, steps: [{run: echo}]}
          mac: {runs-on: macos-latest, steps: [{run: echo}]}
        """
    checked = check(new_project(tmp_path / "project", workflow))
    assert checked.jobs == [
        "never: not run: its condition is false",
        "mac: not run: needs macOS",
    ]
    assert checked.status == 1
    assert checked.data["error"] == "nothing ran (2 jobs: 2 not run)"
    assert "heal.step" in checked.data["hint"]


BAD = "Error parsing fromJson: Expecting property name"


def test_what_judges_all_needs_does_not_judge_a_job_that_did_not_wholly_run(
    tmp_path: Path,
) -> None:
    judge = "{if: always(), runs-on: ubuntu-latest, steps: [{run: \"echo '${{ toJSON(needs) }}'\"}]"
    workflow = f"""\
        on: push
        jobs:
          whole: {{runs-on: ubuntu-latest, steps: [{{run: echo x}}]}}
          part: {{runs-on: ubuntu-latest, steps: [{{uses: some/action@v1}}, {{run: echo x}}]}}
          cells:
            strategy: {{matrix: {{image: ["", alpine]}}}}
            container: "${{{{ matrix.image }}}}"
            runs-on: ubuntu-latest
            steps: [{{run: echo x}}]
          of-whole: {judge}, needs: whole}}
          of-part: {judge}, needs: part}}
          of-cells: {judge}, needs: cells}}
        """
    checked = check(new_project(tmp_path / "project", workflow))
    said = {job.partition(":")[0]: job for job in checked.jobs}
    assert said["of-whole"] == "of-whole: passed"
    for name in ("of-part", "of-cells"):
        assert said[name].startswith(f"{name}: incomplete: 1 step skipped: depends on what is not")


def test_what_github_cannot_read_of_a_job_fails_it_at_its_place(tmp_path: Path) -> None:
    workflow = """\
        on: push
        jobs:
          matrix:
            runs-on: ubuntu-latest
            strategy: {matrix: "${{ fromJSON('{bad') }}"}
            steps: [{run: echo never}]
          condition: {if: "fromJSON('{bad')", runs-on: ubuntu-latest, steps: [{run: echo never}]}
          variables:
            runs-on: ubuntu-latest
            env: {A: "${{ fromJSON('{bad') }}"}
            steps: [{run: echo never}]
          behind: {needs: matrix, runs-on: ubuntu-latest, steps: [{run: echo never}]}
        """
    checked = check(new_project(tmp_path / "project", workflow))
    assert [job[: job.index(BAD)] for job in checked.jobs[:3]] == [
        "matrix: failed: line 5: ",
        "condition: failed: line 7: ",
        "variables: failed: line 10: ",
    ]
    assert checked.jobs[3:] == ["behind: not run: needs 'matrix', which failed"]
    assert [(one["file"], one["line"]) for one in checked.data["errors"]] == [
        (".github/workflows/ci.yml", line) for line in (5, 7, 10)
    ]


def test_an_expression_of_a_step_that_fails_fails_the_step_alone(tmp_path: Path) -> None:
    workflow = """\
        on: push
        jobs:
          fails:
            runs-on: ubuntu-latest
            steps: [{name: bad, run: "echo ${{ fromJSON('{bad') }}"}, {run: echo never}]
          forgives:
            runs-on: ubuntu-latest
            steps: [{continue-on-error: true, run: "echo ${{ fromJSON('{bad') }}"}, {run: echo x}]
          not-wanted:
            runs-on: ubuntu-latest
            steps: [{if: false, run: "echo ${{ fromJSON('{bad') }}"}, {run: echo x}]
          condition:
            runs-on: ubuntu-latest
            steps: [{name: bad, if: "fromJSON('{bad')", run: echo never}, {run: echo never}]
        """
    checked = check(new_project(tmp_path / "project", workflow))
    fails, forgives, not_wanted, condition = checked.jobs
    assert fails.startswith(f"fails: failed: bad: {BAD}")
    assert condition.startswith(f"condition: failed: bad: {BAD}")
    assert (forgives, not_wanted) == ("forgives: passed", "not-wanted: passed")


def test_what_an_earlier_step_sets_may_be_read_as_json(tmp_path: Path) -> None:
    workflow = """\
        on: push
        jobs:
          job:
            runs-on: ubuntu-latest
            steps:
            - run: echo 'SET={"a":["b"]}' >> $GITHUB_ENV
            - {if: "fromJSON(env.SET).a[0] == 'b'", run: 'test "${{ fromJSON(env.SET).a[0] }}" = b'}
        """
    checked = check(new_project(tmp_path / "project", workflow))
    assert checked.jobs == ["job: passed"]


def test_what_is_empty_only_here_fails_nothing(tmp_path: Path) -> None:
    workflow = """\
        on: push
        jobs:
          secret:
            runs-on: ubuntu-latest
            steps: [{run: "echo ${{ fromJSON(secrets.CONFIG).a }}"}]
          variable:
            runs-on: ubuntu-latest
            strategy: {matrix: {on: "${{ fromJSON(vars.RUNNERS) }}"}}
            steps: [{run: echo never}]
          env:
            runs-on: ubuntu-latest
            env: {CONFIG: "${{ secrets.CONFIG }}"}
            steps: [{run: echo x}, {run: "echo ${{ fromJSON(env.CONFIG).a }}"}]
        """
    checked = check(new_project(tmp_path / "project", workflow))
    assert checked.jobs == [
        "secret: incomplete: 1 step skipped: depends on what is not known here (secrets.CONFIG)",
        "variable: not run: depends on what is not known here (vars.RUNNERS)",
        "env: incomplete: 1 step skipped: depends on what is not known here (env.CONFIG)",
    ]
