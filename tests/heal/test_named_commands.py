"""Every command that a workflow can run here is shown before."""

import textwrap

import pytest

from git_retcon.heal.named_commands import list_commands
from git_retcon.run.trust import NamedCommand
from tests.heal.workflows.files import make_workflow

WORKFLOW = """\
on: push
jobs:
  a:
    runs-on: x
    steps:
    - run: one
    - {run: two, shell: "evil {0}"}
    - uses: ./.github/actions/mine
    - uses: ./
    - uses: actions/checkout@v4
  b: {uses: ./.github/workflows/called.yml}
  c: {uses: ./.github/workflows/called.yml}
"""
CALLED = """\
on: workflow_call
jobs:
  x: {runs-on: x, steps: [{run: called}]}
  y: {uses: ./.github/workflows/called.yml}
"""
ACTION = """\
name: mine
runs: {using: composite, steps: [{run: inner, shell: sh}, {uses: ./.github/actions/mine}]}
"""


class Files(dict[bytes, str]):
    def read(self, path: bytes) -> bytes | None:
        return textwrap.dedent(self[path]).encode() if path in self else None

    def has_submodules(self) -> bool:
        return False


def test_scripts_of_actions_and_called_workflows_are_listed_once() -> None:
    files = Files(
        {
            b".github/workflows/called.yml": CALLED,
            b".github/actions/mine/action.yml": ACTION,
            b"action.yaml": "name: top\nruns: {using: composite, steps: [{run: top, shell: sh}]}\n",
        }
    )
    workflow = make_workflow(WORKFLOW)
    file = workflow.file.decode()
    assert [*list_commands([workflow], files).commands] == [
        NamedCommand(f"{file}:6", "one"),
        NamedCommand(f"{file}:7", "(evil {0}) two"),
        NamedCommand(".github/actions/mine/action.yml:2", "(sh) inner"),
        NamedCommand("action.yaml:2", "(sh) top"),
        NamedCommand(".github/workflows/called.yml:3", "called"),
    ]


def test_the_inputs_of_what_runs_in_the_place_of_an_action_are_listed() -> None:
    workflow = make_workflow("""\
        on: push
        jobs:
          a:
            runs-on: x
            steps:
            - {uses: Golangci/golangci-lint-action@v9, with: {args: "; evil", verify: false}}
            - {uses: nobody/knows@v1, with: {args: x}}
        """)
    assert [*list_commands([workflow], Files()).commands] == [
        NamedCommand(
            ".github/workflows/ci.yml:6",
            "(uses) Golangci/golangci-lint-action@v9\nargs: ; evil\nverify: false",
        )
    ]


VALUES = """\
on: {workflow_dispatch: {inputs: {what: {default: default-input}}}}
defaults: {run: {shell: "top-shell {0}"}}
env: {TOP: top-env}
jobs:
  a:
    runs-on: x
    strategy: {matrix: {cmd: [cell]}}
    defaults: {run: {working-directory: job-folder}}
    env: {JOB: job-env}
    outputs: {out: job-output}
    steps:
    - {run: "${{ matrix.cmd }}", env: {STEP: step-env}}
    - {uses: $/act, with: {word: given-input}}
  b:
    uses: ./.github/workflows/called.yml
    with: {word: call-input}
"""
VALUES_ACTION = """\
name: act
inputs: {word: {default: action-input}}
outputs: {said: {description: no, value: action-output}}
runs: {using: composite, steps: [{run: "${{ inputs.word }}", shell: sh}]}
"""
VALUES_CALLED = """\
on: {workflow_call: {outputs: {said: {value: call-output}}}}
jobs: {x: {runs-on: x, steps: [{run: called}]}}
"""


def test_all_that_decides_what_commands_do_is_listed_with_them() -> None:
    files = Files(
        {b"act/action.yml": VALUES_ACTION, b".github/workflows/called.yml": VALUES_CALLED}
    )
    ci, act, called = ".github/workflows/ci.yml", "act/action.yml", ".github/workflows/called.yml"
    assert [*list_commands([make_workflow(VALUES)], files).commands] == [
        NamedCommand(f"{ci}:1", "(inputs)\nwhat: default-input"),
        NamedCommand(f"{ci}:1", "(env)\nTOP: top-env"),
        NamedCommand(f"{ci}:5", '(matrix)\ncmd: ["cell"]'),
        NamedCommand(f"{ci}:5", "(env)\nJOB: job-env"),
        NamedCommand(f"{ci}:12", "(top-shell {0}, in job-folder) ${{ matrix.cmd }}"),
        NamedCommand(f"{ci}:12", "(env)\nSTEP: step-env"),
        NamedCommand(f"{ci}:13", "(uses) $/act\nword: given-input"),
        NamedCommand(f"{act}:1", "(inputs)\nword: action-input"),
        NamedCommand(f"{act}:4", "(sh) ${{ inputs.word }}"),
        NamedCommand(f"{act}:1", "(outputs)\nsaid: action-output"),
        NamedCommand(f"{ci}:14", "(inputs)\nword: call-input"),
        NamedCommand(f"{called}:2", "called"),
        NamedCommand(f"{called}:1", "(outputs)\nsaid: call-output"),
        NamedCommand(f"{ci}:5", "(outputs)\nout: job-output"),
    ]


@pytest.mark.parametrize(
    ("step", "shown"),
    [("{run: make}", False), ("{run: make, env: {A: '${{ matrix.a }}'}}", True)],
)
def test_a_matrix_of_which_nothing_is_made_is_left_out(step: str, shown: bool) -> None:
    strategy = "strategy: {matrix: {a: [1]}}"
    workflow = make_workflow(f"on: push\njobs: {{a: {{runs-on: x, {strategy}, steps: [{step}]}}}}")
    texts = [one.command for one in list_commands([workflow], Files()).commands]
    assert ("(matrix)\na: [1]" in texts) is shown


def test_values_without_a_command_are_nothing_to_trust() -> None:
    workflow = make_workflow("""\
        on: push
        env: {A: b}
        jobs: {a: {runs-on: x, env: {C: d}, steps: [{uses: actions/checkout@v4}]}}
        """)
    assert not list_commands([workflow], Files()).commands


def test_what_an_action_far_inside_uses_is_listed_where_it_is_used_at_the_top_too() -> None:
    def action(name: str) -> str:
        return f"name: x\nruns: {{using: composite, steps: [{{uses: ./{name}}}]}}\n"

    files = Files({f"a{i}/action.yml".encode(): action(f"a{i + 1}") for i in range(10)})
    files[b"a10/action.yml"] = (
        "name: x\nruns: {using: composite, steps: [{run: last, shell: sh}]}\n"
    )
    steps = "steps: [{uses: ./a0}, {uses: ./a9}]"
    workflow = make_workflow(f"on: push\njobs: {{a: {{runs-on: x, {steps}}}}}")
    assert [*list_commands([workflow], files).commands] == [
        NamedCommand("a10/action.yml:2", "(sh) last")
    ]
