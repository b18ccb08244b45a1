"""Every command that a workflow can run here is shown before."""

import textwrap

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
    assert list_commands([workflow], files) == [
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
    assert list_commands([workflow], Files()) == [
        NamedCommand(
            ".github/workflows/ci.yml:6",
            "(uses) Golangci/golangci-lint-action@v9\nargs: ; evil\nverify: false",
        )
    ]
