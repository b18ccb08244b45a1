import textwrap

from hypothesis import given
from hypothesis import strategies as st

from git_retcon.heal.workflows.cells import FoundTool
from git_retcon.heal.workflows.happenings import Checkout, Happening, NamedEvent, PullRequest, Push
from git_retcon.heal.workflows.machines import Machine
from git_retcon.heal.workflows.reader import read_workflow
from git_retcon.heal.workflows.setups import ToolRequest
from git_retcon.heal.workflows.step_plans import StepPlan, skipped_reasons
from git_retcon.heal.workflows.steps import Run, Skipped
from git_retcon.heal.workflows.workflow_plan import JobPlan, Planner, plan_workflow
from tests.heal.workflows.files import make_workflow

CHECKOUT = Checkout("me/mine", "topic", "main", "c" * 40)
REQUEST = PullRequest("main", None)


class OneOfEach:
    """A machine with one version of every tool."""

    def find_tool(self, request: ToolRequest) -> FoundTool:
        return FoundTool(request.tool, exact=request.version == "1")


class Files(dict[bytes, str]):
    """A tree of these files."""

    def read(self, path: bytes) -> bytes | None:
        text = self.get(path)
        return None if text is None else textwrap.dedent(text).encode()

    def has_submodules(self) -> bool:
        return False


def plan(
    jobs: str, files: dict[bytes, str] | None = None, happening: Happening = REQUEST
) -> list[JobPlan]:
    """The plan of a workflow whose text after `on:` this is."""
    workflow = make_workflow("on: [push, workflow_dispatch]\n" + textwrap.dedent(jobs))
    planner = Planner(Files(files or {}), OneOfEach(), Machine("Linux", "x64"))
    return plan_workflow(workflow, happening, CHECKOUT, planner)


def tell(plans: list[JobPlan]) -> list[str]:
    """Each job, cell and step in a line; steps of actions behind those that use them."""
    lines = []
    for one in plans:
        lines.append(f"{one.job.id}: {one.reason}" if one.reason else one.job.id)
        for cell in one.cells:
            why = f"same as {cell.same_as}" if cell.same_as else cell.reason
            lines.append(f"  {cell.name}: {why}" if why else f"  {cell.name}")
            lines += [f"    {line}" for line in tell_steps(cell.steps)]
        lines += [f"  {line}" for line in tell(list(one.called))]
    return lines


def tell_steps(steps: tuple[StepPlan, ...]) -> list[str]:
    lines = []
    for one in steps:
        match one.kind:
            case Run(_, script):
                lines.append(f"run {script}")
            case Skipped(reason):
                lines.append(f"skip: {reason}")
            case other:
                lines.append(type(other).__name__)
        lines += [f"  {line}" for line in tell_steps(one.inner)]
    return lines


def test_what_would_run_is_reported_in_the_order_in_which_it_can() -> None:
    told = tell(
        plan("""\
        env: {A: one}
        jobs:
          test:
            needs: lint
            runs-on: ${{ matrix.os }}
            strategy: {matrix: {os: [ubuntu-latest, windows-latest]}}
            env: {B: '${{ github.base_ref }}-two'}
            steps:
            - uses: actions/checkout@v4
            - run: >-
                echo ${{ env.A }} ${{ env.B }} ${{ env.C }}
                ${{ needs.lint.outputs.x }} ${{ runner.os }}
              env: {C: three}
            - {run: only, if: "matrix.os == 'windows-latest'"}
            - {run: push, if: github.event_name == 'push'}
            - {run: maybe, if: steps.x.outputs.y}
            - {run: broken, if: failure()}
            - {run: always, if: always()}
          lint: {runs-on: ubuntu-latest, steps: [{run: sudo lint}]}
        """)
    )
    assert told == [
        "lint",
        "  lint",
        "    skip: needs root (sudo)",
        "test",
        "  test (ubuntu-latest)",
        "    Satisfied",
        "    run echo one main-two three … Linux",
        "    run maybe",
        "    run always",
        "  test (windows-latest): same as test (ubuntu-latest)",
        "    Satisfied",
        "    run echo one main-two three … Windows",
        "    run only",
        "    run maybe",
        "    run always",
    ]


def test_cells_that_do_the_same_here_name_the_one_that_runs() -> None:
    told = tell(
        plan("""\
        jobs:
          test:
            runs-on: ${{ matrix.os }}
            strategy: {matrix: {os: [ubuntu-latest, macos-latest], v: [0, 1]}}
            steps:
            - {uses: actions/setup-node@v4, with: {node-version: '${{ matrix.v }}'}}
            - run: npm test
        """)
    )
    assert [line for line in told if "(" in line] == [
        "  test (ubuntu-latest, 0): same as test (ubuntu-latest, 1)",
        "  test (ubuntu-latest, 1)",
        "  test (macos-latest, 0): same as test (ubuntu-latest, 1)",
        "  test (macos-latest, 1): same as test (ubuntu-latest, 1)",
    ]


def reasons(job: str) -> list[str]:
    (only,) = plan(f"jobs:\n  a: {job}\n")
    return [only.reason, *(cell.reason for cell in only.cells)]


def test_a_job_that_cannot_run_here_says_why() -> None:
    assert reasons("{runs-on: x, container: 'node:20'}") == ["", "needs a container"]
    assert reasons("{runs-on: x, container: \"${{ '' }}\"}") == ["", ""]
    assert reasons("{runs-on: x, services: {db: {image: y}}}") == [
        "", "needs services in containers",
    ]  # fmt: skip
    assert reasons("{runs-on: x, environment: production}") == ["", "deploys to an environment"]
    assert reasons("{runs-on: windows-latest, container: x}") == ["", "needs Windows"]
    assert reasons("{runs-on: x, if: github.event_name == 'push'}") == ["its condition is false"]
    assert reasons("{runs-on: x, if: failure()}") == ["its condition is false"]
    assert reasons("{runs-on: x, if: github.actor == 'me'}") == ["", ""]
    assert reasons("{uses: a/b/.github/workflows/c.yml@v1}") == [
        "calls a workflow of another repository (a/b/.github/workflows/c.yml@v1)"
    ]
    assert reasons("{runs-on: x, strategy: {matrix: {a: []}}}") == [
        "line 3: Matrix vector 'a' does not contain any values"
    ]


def test_a_matrix_that_is_not_known_is_planned_as_one_cell() -> None:
    told = tell(
        plan("""\
        jobs:
          a: {runs-on: x}
          b:
            needs: a
            runs-on: ${{ matrix.os }}
            strategy: {matrix: '${{ fromJSON(needs.a.outputs.m) }}'}
            steps: [{run: 'make ${{ matrix.x }}'}]
        """)
    )
    assert told[2:] == ["b", "  b", "    run make …"]


ACTION = """\
    inputs: {what: {default: world}, who: {}}
    runs:
      using: composite
      steps:
      - {run: 'echo ${{ inputs.what }} ${{ inputs.who }}', shell: bash}
      - {run: sudo x, shell: bash, if: inputs.who == 'root'}
      - {uses: ./inner}
    """
INNER = "runs: {using: composite, steps: [{run: gh pr, shell: sh}]}"


def test_actions_of_the_repository_are_reported_with_their_steps() -> None:
    plans = plan(
        "jobs: {a: {runs-on: x, steps: [{uses: ./act, with: {who: '${{ github.base_ref }}'}}]}}",
        {b"act/action.yml": ACTION, b"inner/action.yaml": INNER},
    )
    assert tell(plans)[2:] == [
        "    Local", "      run echo world main", "      Local",
        "        skip: talks to GitHub (gh pr)",
    ]  # fmt: skip
    assert skipped_reasons(plans[0].cells[0].steps) == ["talks to GitHub (gh pr)"]


def test_an_action_that_cannot_run_here_says_why() -> None:
    def told(uses: str, **files: str) -> str:
        found = {name.encode() + b"/action.yml": text for name, text in files.items()}
        return tell(plan(f"jobs: {{a: {{runs-on: x, steps: [{{uses: {uses}}}]}}}}", found))[
            2
        ].strip()

    assert told("./none") == "skip: there is no action in none"
    assert told("./act", act="runs: {using: node20, main: x}") == (
        "skip: a local action by node20 (act)"
    )
    assert told("./act", act="runs: {using: composite}") == (
        "skip: act/action.yml:1:7: error: Required property is missing: steps"
    )


def test_an_action_that_uses_itself_comes_to_an_end() -> None:
    itself = "runs: {using: composite, steps: [{uses: ./act}]}"
    plans = plan("jobs: {a: {runs-on: x, steps: [{uses: ./act}]}}", {b"act/action.yml": itself})
    assert tell(plans)[-1].strip() == "skip: actions within actions, deeper than 10 (act)"


CALLED = b".github/workflows/called.yml"
CALLED_TEXT = """\
    on:
      workflow_call:
        inputs:
          what: {type: string, default: world}
          deep: {type: boolean}
          size: {type: number}
    env: {A: '${{ inputs.what }}'}
    jobs:
      inner:
        runs-on: x
        steps: [{run: 'echo ${{ env.A }} ${{ inputs.deep }} ${{ inputs.size }} ${{ env.OUT }}'}]
    """


def test_a_workflow_of_the_repository_that_is_called_is_planned_with_its_inputs() -> None:
    call = "env: {OUT: no}\njobs: {a: {uses: ./.github/workflows/called.yml, with: {size: 3}}}\n"
    assert tell(plan(call, {CALLED: CALLED_TEXT})) == [
        "a", "  inner", "    inner", "      run echo world false 3 ",
    ]  # fmt: skip


def test_a_called_workflow_that_is_missing_or_broken_or_calls_itself_says_so() -> None:
    call = "jobs: {a: {uses: ./.github/workflows/called.yml}}\n"
    missing = "a: calls a workflow that cannot be read (./.github/workflows/called.yml)"
    assert tell(plan(call)) == [missing]
    assert tell(plan(call, {CALLED: "on: x"}))[0] == (
        "a: .github/workflows/called.yml:1:5: error: Unexpected value 'x'"
    )
    assert tell(plan(call, {CALLED: "on: workflow_call\n" + call}))[-1].strip() == missing


def test_a_push_and_a_pull_request_are_planned_each_for_itself() -> None:
    jobs = "jobs: {a: {runs-on: x, if: github.event_name == 'push', steps: [{run: a}]}}\n"
    assert tell(plan(jobs)) == ["a: its condition is false"]
    assert tell(plan(jobs, happening=Push("refs/heads/topic", None)))[2:] == ["    run a"]


def test_a_call_that_github_would_refuse_is_refused() -> None:
    def told(given: str, inputs: str) -> str:
        call = f"jobs: {{a: {{uses: ./.github/workflows/called.yml, with: {given}}}}}\n"
        on = f"on: {{workflow_call: {{inputs: {inputs}}}}}\njobs: {{b: {{runs-on: x}}}}\n"
        return tell(plan(call, {CALLED: on}))[0]

    assert told("{X: 1}", "{x: {type: number, required: true}}") == "a"
    assert told("{}", "{x: {type: number, required: true}}") == (
        "a: Input x is required, but not provided while calling."
    )
    assert told("{y: 1}", "{x: {type: number}}") == (
        "a: Invalid input, y is not defined in the referenced workflow."
    )
    other = plan(
        "jobs: {a: {uses: ./.github/workflows/called.yml}}\n",
        {CALLED: "on: push\njobs: {b: {runs-on: x}}\n"},
    )
    assert tell(other) == [
        "a: workflow is not reusable as it is missing a `on.workflow_call` trigger"
    ]


def test_a_run_by_hand_has_the_inputs_that_are_set_if_nobody_gives_them() -> None:
    workflow = make_workflow("""\
        on: {workflow_dispatch: {inputs: {a: {default: x}, b: {type: boolean}, c: {}}}}
        jobs: {a: {runs-on: y, steps: [{run: 'a ${{ inputs.a }} ${{ inputs.b }} ${{ inputs.c }}'}]}}
        """)
    planner = Planner(Files(), OneOfEach(), Machine("Linux", "x64"))
    plans = plan_workflow(workflow, NamedEvent("workflow_dispatch"), CHECKOUT, planner)
    assert tell(plans)[2:] == ["    run a x false "]


def test_what_fails_for_all_jobs_is_said_of_each() -> None:
    told = tell(plan("env: {A: \"${{ fromJSON('') }}\"}\njobs: {a: {runs-on: x}}\n"))
    assert told[0].startswith("a: line 2: Error parsing fromJson")


BAD = "${{ fromJSON('') }}"
FIELDS = st.sets(
    st.sampled_from(
        [
            f'name: "{BAD}"', "if: fromJSON('')", "if: steps", "if: needs.x.y",
            f'env: {{A: "{BAD}"}}',
            "strategy: {matrix: {a: []}}", f'strategy: "{BAD}"', "strategy: {matrix: {a: [1, 2]}}",
            f'container: "{BAD}"', "container: a", "services: {a: b}", "environment: x",
            f'steps: [{{run: "{BAD}"}}]', f'steps: [{{run: a, env: {{A: "{BAD}"}}}}]',
            "steps: [{run: a, if: fromJSON('')}]", "steps: [{run: a, shell: fish}]",
            f'steps: [{{uses: ./a, with: {{who: "{BAD}"}}}}]', "steps: [{wait: a}]",
            f'defaults: {{run: {{shell: "{BAD}"}}}}', "steps: [{uses: ./a}, {uses: b/c@d}]",
        ]
    ),
    max_size=5,
)  # fmt: skip


@given(FIELDS, st.sampled_from(["x", BAD, "${{ matrix.a }}", "${{ needs.x }}"]))
def test_any_workflow_has_a_plan(fields: set[str], runs_on: str) -> None:
    """What fails when it is evaluated is the reason of its job, and stops no other."""
    unique = {field.partition(":")[0]: field for field in sorted(fields)}
    lines = "".join(f"    {field}\n" for field in unique.values())
    text = f'on: push\njobs:\n  b: {{runs-on: x}}\n  a:\n    runs-on: "{runs_on}"\n{lines}'
    workflow = read_workflow(b"ci.yml", text.encode()).workflow
    if workflow is not None:
        planner = Planner(Files({b"a/action.yml": ACTION}), OneOfEach(), Machine("Linux", "x64"))
        other, planned = plan_workflow(workflow, REQUEST, CHECKOUT, planner)
        assert other.cells
        assert planned.reason or planned.cells


def test_a_condition_that_is_false_after_any_job_is_false() -> None:
    told = tell(
        plan("""\
        jobs:
          a: {runs-on: x}
          b: {runs-on: x, needs: a, if: github.event_name == 'push'}
          c: {runs-on: x, needs: a, if: success() && github.event_name == 'push'}
          d: {runs-on: x, needs: a, if: needs.a.outputs.x}
          e: {runs-on: x, needs: a, if: failure() || cancelled()}
        """)
    )
    false = "its condition is false"
    assert told == ["a", "  a", f"b: {false}", f"c: {false}", "d", "  d", "e", "  e"]


def test_jobs_behind_a_skipped_one_are_skipped_unless_their_condition_asks_otherwise() -> None:
    told = tell(
        plan("""\
        jobs:
          a: {runs-on: x, if: false}
          b: {runs-on: x, needs: a}
          c: {runs-on: x, needs: b, if: always()}
          d: {runs-on: x, needs: c}
          e: {runs-on: x, needs: a, if: needs.a.outputs.x || always()}
          f: {runs-on: x, needs: a, if: failure()}
          g: {runs-on: x, needs: a, if: fromJSON('') && true}
          h: {runs-on: x}
          i: {runs-on: x, needs: h}
        """)
    )
    assert [line for line in told if not line.startswith(" ")] == [
        "a: its condition is false",
        "h",
        "b: needs 'a', which does not run",
        "e",
        "f",
        "g: needs 'a', which does not run",
        "i",
        "c",
        "d: needs 'c', which does not run",
    ]


def test_cells_for_another_usual_processor_run_where_none_is_for_this_one() -> None:
    cells = "{runs-on: '${{ matrix.os }}', "
    steps = "steps: [{uses: actions/setup-go@v5, with: {go-version: '${{ matrix.v }}'}}]"
    both = cells + "strategy: {matrix: {os: [ubuntu-24.04-arm, ubuntu-latest], v: [1, 2]}}, "
    arm = cells + "strategy: {matrix: {os: [ubuntu-24.04-arm], v: [2, 1]}}, "
    plans = plan(f"jobs:\n  both: {both}{steps}}}\n  arm: {arm}{steps}}}\n")
    assert [(cell.name, cell.same_as, cell.machine) for one in plans for cell in one.cells] == [
        ("both (ubuntu-24.04-arm, 1)", "both (ubuntu-latest, 1)", "x64, wanted arm64"),
        ("both (ubuntu-24.04-arm, 2)", "both (ubuntu-latest, 1)", "x64, wanted arm64"),
        ("both (ubuntu-latest, 1)", "", ""),
        ("both (ubuntu-latest, 2)", "both (ubuntu-latest, 1)", ""),
        ("arm (ubuntu-24.04-arm, 2)", "arm (ubuntu-24.04-arm, 1)", "x64, wanted arm64"),
        ("arm (ubuntu-24.04-arm, 1)", "", "x64, wanted arm64"),
    ]
