"""Steps of a plan, those of actions with the inputs that they get."""

from pathlib import Path

from git_retcon.heal.workflows.step_plans import list_setups, list_tools, skipped_reasons
from tests.heal.checks import check_steps
from tests.heal.workflows.test_workflow_plan import plan, tell_steps

_SET = "echo FOUND=x >>$GITHUB_ENV"
ACTION = {
    b"act/action.yml": """\
        inputs: {flag: {default: no}, number: {default: 1}}
        runs:
          using: composite
          steps:
          - {if: inputs.flag == 'true', shell: sh, run: "flag ${{ inputs.number }}"}
          - {if: inputs.flag != 'true', shell: sh, run: no flag}
        """
}


def test_inputs_of_an_action_are_texts_also_where_a_step_gives_something_else() -> None:
    steps = "[{uses: ./act, with: {flag: true, number: 2}}, {uses: ./act}]"
    job = f"jobs: {{job: {{runs-on: ubuntu-latest, steps: {steps}}}}}"
    assert tell_steps(plan(job, ACTION)[0].cells[0].steps) == [
        "Local", "  run flag 2", "Local", "  run no flag"
    ]  # fmt: skip


def test_the_tools_of_what_does_the_same_as_an_action_are_its_own() -> None:
    steps = "[{uses: actions/setup-go@v5}, {uses: crate-ci/typos@v1}]"
    planned = plan(f"jobs: {{job: {{runs-on: ubuntu-latest, steps: {steps}}}}}")[0].cells[0].steps
    assert [one.tool for one in list_tools(planned)] == ["go", "typos"]
    assert [one.tool for one in list_setups(planned)] == ["go"]


def test_a_checkout_with_submodules_is_skipped_where_the_state_has_some() -> None:
    steps = "[{uses: actions/checkout@v4, with: {submodules: recursive}}, {run: make test}]"
    job = f"jobs: {{job: {{runs-on: ubuntu-latest, steps: {steps}}}}}"
    planned = plan(job, {b".gitmodules": ""})[0].cells[0].steps
    assert skipped_reasons(planned) == ["checks out submodules"]
    assert skipped_reasons(plan(job)[0].cells[0].steps) == []


def test_a_condition_on_a_variable_that_a_step_may_set_is_not_known() -> None:
    asks = "{if: env.FOUND == 'x', uses: somebody/action@v1}"

    def reasons(first: str) -> list[str]:
        job = f"jobs: {{job: {{runs-on: ubuntu-latest, steps: [{first}, {asks}]}}}}"
        action = f"runs: {{using: composite, steps: [{{shell: sh, run: {_SET}}}]}}"
        planned = plan(job, {b"act/action.yml": action})
        return skipped_reasons(planned[0].cells[0].steps)

    assert reasons("{run: make}") == []
    assert reasons(f"{{run: {_SET}}}") == ["third-party action (somebody/action)"]
    assert reasons("{uses: ./act}") == ["third-party action (somebody/action)"]


def test_what_a_run_finds_decides_in_the_end(tmp_path: Path) -> None:
    asks = "- {{if: env.FOUND == '{}', uses: somebody/action@v1}}\n"
    checked = check_steps(tmp_path / "a", f"- run: {_SET}\n{asks.format('y')}")
    assert checked.jobs == ["job: passed"]
    checked = check_steps(tmp_path / "b", f"- run: {_SET}\n{asks.format('x')}")
    assert checked.jobs == ["job: incomplete: 1 step skipped: third-party action (somebody/action)"]
