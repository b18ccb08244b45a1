import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_retcon.heal.workflows.reader import read_action, read_workflow
from tests.heal.workflows.files import make_workflow

JOB = "jobs:\n  a:\n    runs-on: ubuntu-latest\n"
STEPS = "on: push\n" + JOB + "    steps:\n"


def problems_of(text: str) -> list[str]:
    return [str(problem) for problem in read_workflow(b"ci.yml", text.encode()).problems]


def test_a_workflow_has_its_events_its_jobs_and_their_steps() -> None:
    workflow = make_workflow("""\
        name: CI
        on:
          push: {branches: [main, 'v*'], paths-ignore: docs/**}
          pull_request: {types: [opened]}
          workflow_call:
            inputs: {deep: {type: boolean, required: true, default: false}}
            outputs: {x: {value: '${{ jobs.build.outputs.x }}'}}
        env: {A: 1}
        defaults: {run: {shell: sh}}
        concurrency: one
        jobs:
          build:
            name: Build it
            needs: lint
            if: always()
            runs-on: [self-hosted, linux]
            timeout-minutes: 5
            steps:
            - &checkout {uses: actions/checkout@v4}
            - {id: make, run: make, shell: bash, working-directory: src, continue-on-error: true}
          lint:
            uses: ./.github/workflows/lint.yml
            with: {strict: true}
            secrets: inherit
        """)
    push, request, call = workflow.triggers
    assert (push.event, request.event, call.event) == ("push", "pull_request", "workflow_call")
    assert [one.text for one in push.branches.wanted] == ["main", "v*"]
    assert [one.text for one in push.paths.ignored] == ["docs/**"]
    assert request.types == ("opened",)
    (deep,) = call.inputs
    assert (deep.name, deep.type, deep.required) == ("deep", "boolean", True)
    assert workflow.outputs is not None
    build, lint = workflow.jobs
    assert [need.text for need in build.needs] == ["lint"]
    assert (build.line, build.column) == (12, 3)
    checkout, make = build.steps
    assert checkout.uses is not None
    assert checkout.uses.text == "actions/checkout@v4"
    assert (make.number, make.id, make.line) == (2, "make", 20)
    assert make.shell is not None
    assert make.shell.text == "bash"
    assert lint.uses is not None
    assert workflow.defaults.shell is not None
    assert workflow.job("build") is build
    assert workflow.job("nobody") is None


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("on: push", "1:1: error: Required property is missing: jobs"),
        (JOB, "1:1: error: Required property is missing: on"),
        ("on: []\n" + JOB, "1:1: error: No event triggers defined in `on`"),
        ("[]", "1:1: error: the file holds no mapping"),
        ("on: psh\n" + JOB, "1:5: error: Unexpected value 'psh'"),
        ("on: push\njob: 1\n" + JOB, "2:1: error: Unexpected value 'job'"),
        ("on: push\nON: push\n" + JOB, "2:1: error: 'ON' is already defined"),
        ("on: push\nenv: {A: 1, a: 2}\n" + JOB, "2:13: error: 'a' is already defined"),
        ("on: push\nname: [a]\n" + JOB, "2:7: error: A sequence was not expected"),
        ("on: push\nname: {a: b}\n" + JOB, "2:7: error: A mapping was not expected"),
        ("on: {push: {branch: x}}\n" + JOB, "1:13: error: Unexpected value 'branch'"),
        ("on: push\njobs:\n  a: {}\n", "3:6: error: There's not enough info to determine what you "
         "meant. Add one of these properties: runs-on, uses"),
        ("on: push\njobs:\n  a: {steps: []}\n",
         "3:6: error: Required property is missing: runs-on"),
        ("on: push\njobs:\n  a: {uses: ./.github/workflows/b.yml, steps: []}\n",
         "3:40: error: Unexpected value 'steps'"),
        (STEPS + "    - run: a\n      uses: b/c@d\n", "7:7: error: Unexpected value 'uses'"),
        (STEPS + "    - {nope: 1, uses: a/b@c}\n", "6:8: error: Unexpected value 'nope'"),
        (STEPS + "    - name: a\n", "6:7: error: There's not enough info to determine what you "
         "meant. Add one of these properties: cancel, run, uses, wait, wait-all"),
        (STEPS + "    - uses: actions/checkout\n",
         "6:13: error: Expected format {org}/{repo}[/path]@ref. Actual 'actions/checkout'"),
        (STEPS + "    - {run: a, id: 1x}\n",
         "6:7: error: The identifier '1x' is invalid. IDs may only contain alphanumeric "
         "characters, '_', and '-'. IDs must start with a letter or '_' and must be less than 100 "
         "characters."),
        (STEPS + "    - {run: a, id: " + "x" * 100 + "}\n",
         "6:7: error: The identifier '" + "x" * 100 + "' is invalid. IDs may only contain "
         "alphanumeric characters, '_', and '-'. IDs must start with a letter or '_' and must be "
         "less than 100 characters."),
        (STEPS + "    - {run: a, id: __x}\n",
         "6:7: error: The identifier '__x' is invalid. IDs starting with '__' are reserved."),
        (STEPS + "    - {run: a, id: x}\n    - {run: b, id: X}\n",
         "7:7: error: The identifier 'X' may not be used more than once within the same scope."),
        (STEPS + "    - {run: a, timeout-minutes: '5'}\n", "6:33: error: Unexpected value '5'"),
        (STEPS + "    - {run: a, continue-on-error: 'true'}\n",
         "6:35: error: Unexpected value 'true'"),
        (STEPS + "    - {run: a, shell: ''}\n", "6:23: error: Unexpected value ''"),
        ("on: push\njobs:\n  a:\n    uses: ./other.yml\n",
         "4:11: error: invalid value workflow reference: './other.yml'"),
        ("on: {push: {branches: a, branches-ignore: b}}\n" + JOB,
         "1:12: error: you may only define one of `branches` and "
         "`branches-ignore` for a single event"),
        ("on: {push: {tags: ['v[1-']}}\n" + JOB,
         "1:20: error: Invalid pattern 'v[1-': a '[' is not closed"),
        ("on: {schedule: [{cron: '1 2 3'}]}\n" + JOB,
         "1:24: error: Invalid cron expression '1 2 3'"),
        ("on: {workflow_call: {inputs: {a: {}}}}\n" + JOB,
         "1:34: error: Required property is missing: type"),
        ("on: push\njobs: {}\n",
         "2:7: error: The workflow must contain at least one job with no dependencies."),
        ("on: push\n" + JOB + "    needs: b\n  b:\n    runs-on: x\n    needs: a\n",
         "3:3: error: The workflow must contain at least one job with no dependencies."),
        ("on: push\n" + JOB + "  b:\n    runs-on: x\n    needs: [a, nobody]\n",
         "7:16: error: Job 'b' depends on unknown job 'nobody'."),
        ("on: push\n" + JOB + "  b: {runs-on: x, needs: c}\n  c: {runs-on: x, needs: [a, b]}\n",
         "5:26: error: Job 'b' depends on job 'c' which creates a cycle in the dependency graph."),
        ("on: push\njobs:\n  1a:\n    runs-on: x\n",
         "3:3: error: The identifier '1a' is invalid. IDs may only contain alphanumeric "
         "characters, '_', and '-'. IDs must start with a letter or '_' and must be less than 100 "
         "characters."),
    ],
)  # fmt: skip
def test_what_github_would_refuse_is_refused_at_its_place(text: str, problem: str) -> None:
    assert f"ci.yml:{problem}" in problems_of(text)
    assert read_workflow(b"ci.yml", text.encode()).workflow is None


@pytest.mark.parametrize(
    ("text", "place"),
    [
        (STEPS + "    - run: echo ${{ nope }}\n", "6:21"),
        (STEPS + "    - run: 'echo ${{ nope }}'\n", "6:22"),
        (STEPS + "    - run: |\n        echo 1\n        echo ${{ nope }}\n", "8:1"),
        (STEPS + "    - run: >\n        echo 1\n        echo ${{ nope }}\n", "6:12"),
        (STEPS + "    - {run: a, if: nope}\n", "6:20"),
        (STEPS + "    - {run: a, if: '${{ nope }}'}\n", "6:25"),
        (STEPS + "    - run: a\n      env: {A: '${{ nope }}'}\n", "7:21"),
    ],
)
def test_a_fault_of_an_expression_is_placed_in_its_text(text: str, place: str) -> None:
    (problem,) = problems_of(text)
    assert problem.startswith(f"ci.yml:{place}: error: Unrecognized named-value: 'nope'.")


@pytest.mark.parametrize(
    ("field", "allowed"),
    [
        ("    if: {}\n", "github inputs vars needs"),
        ("    name: {}\n", "github inputs vars needs strategy matrix"),
        ("    env: {{A: {}}}\n", "github inputs vars needs strategy matrix secrets"),
        ("    outputs: {{a: {}}}\n",
         "github inputs vars needs strategy matrix secrets steps job runner env"),
        ("    steps: [{{run: {}}}]\n",
         "github inputs vars needs strategy matrix secrets steps job runner env"),
        ("    steps: [{{run: a, if: {}}}]\n",
         "github inputs vars needs strategy matrix steps job runner env"),
        ("    strategy: {{matrix: {}}}\n", "github inputs vars needs"),
        ("    defaults: {{run: {{shell: {}}}}}\n",
         "github inputs vars needs strategy matrix env"),
    ],
)  # fmt: skip
def test_a_context_is_allowed_just_where_github_has_it(field: str, allowed: str) -> None:
    every = [*allowed.split(" "), "env", "jobs", "runner", "secrets", "strategy", "steps", "job"]
    taken = [
        name
        for name in every
        if not problems_of("on: push\n" + JOB + field.format(f"'${{{{ {name}.x }}}}'"))
    ]
    assert set(taken) == set(allowed.split(" "))


def test_one_fault_is_reported_once() -> None:
    """An unknown key does not decide what the others are taken for."""
    assert len(problems_of(STEPS + "    - {nope: 1, uses: a/b@c}\n")) == 1
    assert (
        len(problems_of("on: push\njobs:\n  a: {nope: 1, uses: ./.github/workflows/b.yml}\n")) == 1
    )


def test_functions_of_the_status_are_for_conditions() -> None:
    assert not problems_of(STEPS + "    - {run: a, if: failure() && hashFiles('x')}\n")
    for text in ("    - run: ${{ failure() }}\n", "    - {run: a, if: failure('x')}\n"):
        assert len(problems_of(STEPS + text)) == 1
    assert not problems_of("on: push\n" + JOB + "    if: failure('x')\n")
    assert len(problems_of("on: push\n" + JOB + "    if: hashFiles('x')\n")) == 1


@pytest.mark.parametrize("key", ["on", "permissions"])
def test_where_no_expression_may_be_it_is_refused(key: str) -> None:
    text = f"on: push\n{key}: ${{{{ github.x }}}}\n" + JOB
    assert any("A template expression is not allowed in this context" in p or "already" in p
               for p in problems_of(text))  # fmt: skip


def test_what_is_only_doubtful_is_a_warning() -> None:
    read = read_workflow(
        b"ci.yml", (STEPS + "    - {run: a, if: \"${{ github.x }} == 'y'\"}\n").encode()
    )
    assert read.workflow is not None
    assert [str(problem) for problem in read.problems] == [
        "ci.yml:6:20: warning: this condition is a text around ${{ }}: it is always true"
    ]
    assert problems_of("on: {push: {branches: ['!a']}}\n" + JOB) == [
        "ci.yml:1:24: warning: `branches` has only negative patterns: nothing matches"
    ]


@pytest.mark.parametrize(
    "text",
    [
        "on: [push, pull_request]\n" + JOB,
        "on:\n  push:\n    branches: main\n    tags:\n" + JOB,
        "on: push\n" + JOB + "    strategy: {matrix: {a: '${{ fromJSON(github.x) }}'}}\n",
        "on: push\n" + JOB + "    strategy: {matrix: '${{ fromJSON(needs.x.outputs.y) }}'}\n",
        "on: push\n" + JOB + "    env: {A: true, B: 1.5, C: , D: '${{ github.x }}'}\n",
        "on: push\n" + JOB + "    env: {'${{ insert }}': '${{ fromJSON(vars.x) }}'}\n",
        "on: push\n" + JOB + "    container: {image: a, env: {A: b}, ports: ['80']}\n",
        "on: push\npermissions: read-all\n" + JOB + "    permissions: {contents: read}\n",
        "on: push\nconcurrency: {'${{ insert }}': '${{ fromJSON(vars.x) }}'}\n" + JOB,
        "on: {workflow_dispatch: {inputs: {a: {type: choice, options: [b]}}}}\n" + JOB,
        "on: {schedule: [{cron: '*/5 1-3 * JAN MON,TUE'}]}\n" + JOB,
        STEPS + "    - {run: a, id: " + "x" * 99 + "}\n",
        STEPS + "    - {uses: docker://alpine}\n    - {uses: ./.github/actions/x}\n",
        STEPS + "    - {run: a, background: true, id: x}\n    - {wait: x}\n    - {parallel: []}\n",
    ],
)
def test_what_github_accepts_is_accepted(text: str) -> None:
    assert problems_of(text) == []


def test_an_action_has_its_inputs_and_if_it_is_composite_its_steps() -> None:
    content = """\
        name: Set up
        inputs:
          version: {description: d, default: '${{ github.ref }}'}
          plain:
        outputs: {x: {description: d, value: '${{ steps.a.outputs.x }}'}}
        runs:
          using: composite
          steps:
          - {id: a, run: 'echo ${{ inputs.version }}', shell: bash}
        """
    action, problems = read_action(b"action.yml", textwrap.dedent(content).encode())
    assert action is not None, problems
    assert (action.using, len(action.steps)) == ("composite", 1)
    assert [one.name for one in action.inputs] == ["version", "plain"]
    node, _ = read_action(b"action.yml", b"runs: {using: node20, main: a.js, x: '${{ a }}'}")
    assert node is not None
    assert (node.using, node.steps) == ("node20", ())


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("name: x\n", "1:1: error: Required property is missing: runs"),
        ("runs: {main: x}\n", "1:7: error: Required property is missing: using"),
        ("runs: {using: composite}\n", "1:7: error: Required property is missing: steps"),
        ("runs:\n  using: composite\n  steps:\n  - run: a\n",
         "4:5: error: Required property is missing: shell"),
        ("runs:\n  using: composite\n  steps:\n  - {run: '${{ secrets.x }}', shell: sh}\n",
         "4:16: error: Unrecognized named-value: 'secrets'. Located at position 1 within "
         "expression: secrets.x"),
    ],
)  # fmt: skip
def test_an_action_that_github_would_refuse_is_refused(content: str, problem: str) -> None:
    action, problems = read_action(b"action.yml", content.encode())
    assert action is None
    assert f"action.yml:{problem}" in [str(one) for one in problems]


WORDS = st.sampled_from(
    [
        "on: push\n", "jobs:\n", "  a:\n", "    runs-on: x\n", "    steps:\n", "    - run: a\n",
        "      if: ${{ x }}\n", "    needs: [a, b]\n", "    strategy: {matrix: {a: [1]}}\n",
        "on: {schedule: [{cron: 1}]}\n", "  b: {uses: x, needs: 1}\n", "    env: [1]\n", "? - a\n",
        "on:\n  push: [a]\n", "    needs: {a: 1}\n", "  ${{ a }}: 1\n", "{}\n", "    - 1\n",
    ]
)  # fmt: skip


@given(st.lists(WORDS, max_size=14).map("".join))
def test_any_file_is_a_workflow_or_has_an_error(text: str) -> None:
    read = read_workflow(b"ci.yml", text.encode())
    errors = [problem for problem in read.problems if problem.severity == "error"]
    assert (read.workflow is None) == bool(errors)
    action = read_action(b"action.yml", text.encode())
    assert (action.action is None) == any(one.severity == "error" for one in action.problems)
