"""Steps of a plan, those of actions with the inputs that they get."""

from git_retcon.heal.workflows.step_plans import list_setups, list_tools, skipped_reasons
from tests.heal.workflows.test_workflow_plan import plan, tell_steps

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
