"""Steps as GitHub's runner takes them, run by real shells."""

import hashlib
import json
import textwrap
from pathlib import Path

import pytest

from tests.heal.checks import check, check_steps, new_project


def test_steps_hand_variables_outputs_and_paths_to_later_ones(tmp_path: Path) -> None:
    checked = check_steps(
        tmp_path / "project",
        """\
        - id: first
          run: |
            echo "NAME=one two" >> "$GITHUB_ENV"
            { echo 'TEXT<<END'; echo a; echo b; echo END; } >> "$GITHUB_ENV"
            echo "out=value" >> "$GITHUB_OUTPUT"
            echo '::set-output name=old::older'
            mkdir -p "$RUNNER_TEMP/bin"
            printf '#!/bin/sh\\necho found\\n' > "$RUNNER_TEMP/bin/tool"
            chmod +x "$RUNNER_TEMP/bin/tool"
            echo "$RUNNER_TEMP/bin" >> "$GITHUB_PATH"
        - name: reads
          run: |
            echo "$NAME/$TEXT/${{ steps.first.outputs.out }}/${{ steps.first.outputs.old }}"
            echo "${{ env.NAME }}"
            tool
        """,
    )
    assert checked.log("reads") == "one two/a\nb/value/older\none two\nfound\n"
    assert (checked.jobs, checked.status) == (["job: passed"], 0)


def test_a_login_shell_has_the_programs_of_the_job(tmp_path: Path) -> None:
    # Debian's /etc/profile sets PATH anew.
    checked = check_steps(
        tmp_path / "project",
        """
        - name: first
          run: |
            mkdir -p "$RUNNER_TEMP/bin"
            printf '#!/bin/sh\\necho found\\n' > "$RUNNER_TEMP/bin/tool"
            chmod +x "$RUNNER_TEMP/bin/tool"
            echo "$RUNNER_TEMP/bin" >> "$GITHUB_PATH"
        - {name: login, shell: 'bash -el {0}', run: tool}
        - {name: long, shell: 'bash --login -eo pipefail {0}', run: tool}
        """,
    )
    assert (checked.log("login"), checked.log("long")) == ("found\n", "found\n")
    assert (checked.jobs, checked.status) == (["job: passed"], 0)


def test_a_failed_step_holds_back_those_that_do_not_ask_for_failures(tmp_path: Path) -> None:
    checked = check_steps(
        tmp_path / "project",
        """\
        - {name: forgiven, id: forgiven, run: exit 4, continue-on-error: true}
        - {name: sees, run: "echo ${{ steps.forgiven.outcome }} ${{ steps.forgiven.conclusion }}"}
        - {name: fails, run: exit 3}
        - {name: held back, run: echo never}
        - {name: on failure, if: failure(), run: "echo ${{ job.status }}"}
        - {name: always, if: always(), run: echo always}
        - {name: on success, if: success(), run: echo never}
        """,
    )
    assert checked.steps == [
        "forgiven: forgiven: exit status 4",
        "sees: passed",
        "fails: failed: exit status 3",
        "held back: not wanted: its condition is false",
        "on failure: passed",
        "always: passed",
        "on success: not wanted: its condition is false",
    ]
    assert checked.log("sees") == "failure success\n"
    assert checked.log("on failure") == "failure\n"
    assert checked.jobs == ["job: failed: fails: exit status 3"]
    assert checked.status == 1


@pytest.mark.slow
def test_each_shell_reads_its_script_as_on_github(tmp_path: Path) -> None:
    checked = check_steps(
        tmp_path / "project",
        """\
        - {name: default, run: "false | true; echo default goes on"}
        - {name: bash, shell: bash, run: "false | true; echo never", continue-on-error: true}
        - {name: sh, shell: sh, run: 'echo "$0" | grep -c bash || echo none'}
        - {name: custom, shell: 'cat {0}', run: just text}
        - {name: python, shell: python, run: "import sys; print(sys.version_info.major)"}
        - {name: missing, shell: pwsh, run: Write-Host x}
        """,
    )
    assert checked.log("default") == "default goes on\n"
    assert checked.log("bash") == ""
    assert checked.log("sh") == "0\nnone\n"
    assert checked.log("custom").strip() == "just text"
    assert checked.log("python") == "3\n"
    assert checked.steps[-1] == "missing: skipped: its shell is not here (pwsh)"
    assert checked.jobs == ["job: incomplete: 1 step skipped: its shell is not here (pwsh)"]
    assert checked.status == 0


def test_variables_of_a_step_beat_those_of_the_job_and_these_the_workflow(tmp_path: Path) -> None:
    workflow = """\
        on: push
        env: {A: workflow, B: workflow, C: workflow}
        defaults: {run: {working-directory: sub}}
        jobs:
          job:
            runs-on: ubuntu-latest
            env: {B: job, C: job, D: "${{ github.ref_name }}"}
            steps:
            - uses: actions/checkout@v4
            - {name: shows, run: 'echo $A $B $C $D; pwd', env: {C: step}}
            - {name: elsewhere, run: pwd, working-directory: other}
            - {name: nowhere, run: pwd, working-directory: missing}
        """
    files = {"sub/a": "a", "other/b": "b"}
    checked = check(new_project(tmp_path / "project", workflow, files))
    said, where = checked.log("shows").splitlines()
    assert said == "workflow job step main"
    assert where.endswith("/tree/sub")
    assert checked.log("elsewhere").strip().endswith("/tree/other")
    assert checked.steps[-1] == "nowhere: failed: there is no folder 'missing' to work in"


def test_a_local_action_has_steps_inputs_and_outputs_of_its_own(tmp_path: Path) -> None:
    action = """\
        name: Greet
        inputs: {who: {default: nobody}, how: {default: hello}}
        outputs:
          said: {value: "${{ steps.say.outputs.text }}"}
        runs:
          using: composite
          steps:
          - id: say
            name: say
            shell: bash
            run: |
              echo "${{ inputs.how }} ${{ inputs.who }}"
              echo "text=${{ inputs.how }} ${{ inputs.who }}" >> "$GITHUB_OUTPUT"
              cat "$GITHUB_ACTION_PATH/data" "${{ github.action_path }}/data"
          - {name: not seen, shell: bash, run: 'echo "${{ steps.outer.outputs.x }}-"'}
        """
    checked = check_steps(
        tmp_path / "project",
        """\
        - {name: brings, uses: actions/checkout@v4}
        - {id: outer, run: 'echo x=1 >> $GITHUB_OUTPUT', name: outer}
        - {id: greet, name: greets, uses: ./.github/actions/greet, with: {who: world}}
        - {name: reads, run: 'echo "${{ steps.greet.outputs.said }}"'}
        """,
        {
            ".github/actions/greet/action.yml": textwrap.dedent(action),
            ".github/actions/greet/data": "data\n",
        },
    )
    assert checked.steps == [
        "brings: satisfied: checkout",
        "outer: passed", "greets: passed", "  say: passed", "  not seen: passed", "reads: passed",
    ]  # fmt: skip
    assert checked.log("say") == "hello world\ndata\ndata\n"
    assert checked.log("not seen") == "-\n"
    assert checked.log("reads") == "hello world\n"


def test_variables_of_a_step_reach_the_action_that_it_uses(tmp_path: Path) -> None:
    inner = "runs: {using: composite, steps: [{name: inner, shell: bash, run: 'echo $A $B $C $D'}]}"
    outer = """\
        runs:
          using: composite
          steps:
          - name: outer
            shell: bash
            run: |
              echo $A $B $C $D ${{ env.A }}
              echo A=file >> $GITHUB_ENV
              echo E=file >> $GITHUB_ENV
            env: {C: within}
          - {name: later, shell: bash, run: 'echo $A $E'}
          - {name: uses, uses: ./inner, env: {D: within}}
        """
    workflow = """\
        on: push
        jobs:
          job:
            runs-on: ubuntu-latest
            env: {A: job, B: job}
            steps:
            - uses: actions/checkout@v4
            - {name: calls, uses: ./outer, env: {A: step, C: step, D: step}}
            - {name: behind, run: 'echo $A $B $C.$D. $E'}
        """
    files = {"outer/action.yml": outer, "inner/action.yml": inner}
    checked = check(new_project(tmp_path / "project", workflow, files))
    assert checked.jobs == ["job: passed"]
    assert checked.log("outer") == "step job within step step\n"
    # GitHub's runner lets the variables of the step win over what those within it write, too.
    assert checked.log("later") == "step file\n"
    assert checked.log("inner") == "step job step within\n"
    assert checked.log("behind") == "file job .. file\n"


@pytest.mark.parametrize(
    ("steps", "used"),
    [
        ("- run: mkdir later; cp act/action.yml later", "./later"),
        ("- run: sed -i s/known/other/ act/action.yml", "./act"),
        ("- uses: actions/checkout@v4\n  with: {path: o}", "$/o/act"),
    ],
)
def test_an_action_that_nobody_was_asked_about_does_not_run(
    tmp_path: Path, steps: str, used: str
) -> None:
    action = "name: a\nruns: {using: composite, steps: [{run: echo known, shell: sh}]}\n"
    checked = check_steps(
        tmp_path / "project",
        f"- uses: actions/checkout@v4\n{steps}\n- run: echo here\n- uses: {used}\n",
        {"act/action.yml": action},
    )
    reason = f"an action that was not there when trust was asked ({used[2:]})"
    assert checked.steps[-1] == f"{used}: skipped: {reason}"
    assert checked.jobs == [f"job: incomplete: 1 step skipped: {reason}"]


def test_what_a_skipped_step_would_say_is_never_taken_for_empty(tmp_path: Path) -> None:
    checked = check_steps(
        tmp_path / "project",
        """\
        - {id: other, name: other, uses: somebody/action@v1}
        - {name: needs it, run: 'rm -rf "./${{ steps.other.outputs.folder }}/"'}
        - {name: asks, if: steps.other.outputs.changed == 'true', run: echo never}
        - {name: goes on, run: echo on}
        """,
    )
    assert checked.steps == [
        "other: skipped: third-party action (somebody/action)",
        "needs it: skipped: depends on what is not known here (steps.other.outputs)",
        "asks: skipped: depends on what is not known here (steps.other.outputs)",
        "goes on: passed",
    ]
    assert checked.jobs[0].startswith("job: incomplete: 3 steps skipped")


@pytest.mark.slow
def test_a_step_that_takes_too_long_is_ended(tmp_path: Path) -> None:
    checked = check_steps(
        tmp_path / "project",
        """\
        - {name: slow, run: echo begins; sleep 60, timeout-minutes: 0.01}
        - {name: after, if: always(), run: echo after}
        """,
    )
    assert checked.steps == ["slow: failed: timed out after 1 seconds", "after: passed"]
    assert checked.log("slow") == "begins\n"


def test_files_of_the_worktree_have_one_digest(tmp_path: Path) -> None:
    checked = check_steps(
        tmp_path / "project",
        """\
        - uses: actions/checkout@v4
        - {name: shows, run: "echo ${{ hashFiles('*.lock') }}-${{ hashFiles('none') }}-"}
        """,
        {"a.lock": "a\n"},
    )
    digest = hashlib.sha256(hashlib.sha256(b"a\n").digest()).hexdigest()
    assert checked.log("shows") == f"{digest}--\n"


def test_concurrency_is_said_to_be_ignored(tmp_path: Path) -> None:
    workflow = """\
        on: push
        concurrency: one
        jobs: {job: {runs-on: ubuntu-latest, steps: [{run: echo}]}}
        """
    checked = check(new_project(tmp_path / "project", workflow))
    assert "'concurrency' of .github/workflows/ci.yml is ignored" in checked.ran.err


def test_a_variable_that_is_not_known_is_never_taken_for_empty(tmp_path: Path) -> None:
    workflow = """\
        on: push
        env: {TOP: "${{ github.event.head_commit.id }}"}
        jobs:
          job:
            runs-on: ubuntu-latest
            env: {FOLDER: "${{ github.event.there_is_none }}"}
            steps:
            - {name: shell, run: 'rm -rf "./$FOLDER/"'}
            - {name: expression, run: "rm -rf ./${{ env.TOP }}/"}
            - {name: neither, run: "echo ${FOLDERS:-none}"}
            - {name: its own, run: echo $FOLDER, env: {FOLDER: known}}
            - {name: sets, run: "printf 'T%s=set' OP >> $GITHUB_ENV"}
            - {name: again, run: "echo $TOP ${{ env.TOP }}"}
        """
    checked = check(new_project(tmp_path / "project", workflow))
    assert checked.steps == [
        "shell: skipped: FOLDER is not known here",
        "expression: skipped: depends on what is not known here (env.TOP)",
        "neither: passed",
        "its own: passed",
        "sets: passed",
        "again: passed",
    ]
    assert checked.log("again") == "set set\n"


def test_a_path_without_programs_fails_the_step_alone(tmp_path: Path) -> None:
    workflow = """\
        on: push
        jobs:
          given: {runs-on: ubuntu-latest, env: {PATH: /nowhere}, steps: [{run: echo a}]}
          set:
            runs-on: ubuntu-latest
            steps: [{run: 'echo PATH=/nowhere >> "$GITHUB_ENV"'}, {run: echo b}]
          later: {runs-on: ubuntu-latest, steps: [{run: echo c}]}
        """
    checked = check(new_project(tmp_path / "project", workflow))
    assert (checked.status, [job["verdict"] for job in checked.data["jobs"]]) == (
        1,
        ["failed", "failed", "passed"],
    )
    assert "echo b: failed: exit status 127" in checked.steps


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        (
            """python3 -c 'print("BIG=" + "x" * 200000)' >> "$GITHUB_ENV\"""",
            "cannot run 'sh': Argument list too long (the variable 'BIG' has 200,000 characters)",
        ),
        (
            """printf 'HIDDEN=a\\000b\\n' >> "$GITHUB_ENV\"""",
            "cannot run 'sh': embedded null byte (in the variable 'HIDDEN')",
        ),
    ],
)
def test_a_variable_that_no_program_takes_fails_its_job_alone(
    tmp_path: Path, script: str, reason: str
) -> None:
    workflow = f"""\
        on: push
        jobs:
          bad:
            runs-on: ubuntu-latest
            steps:
            - run: {json.dumps(script)}
            - {{name: after, run: echo}}
          good: {{runs-on: ubuntu-latest, steps: [run: echo]}}
        """
    checked = check(new_project(tmp_path / "project", workflow))
    assert checked.jobs == [f"bad: failed: after: {reason}", "good: passed"]


def test_a_file_in_the_way_of_an_artifact_fails_its_job_alone(tmp_path: Path) -> None:
    checked = check_steps(
        tmp_path / "project",
        """\
        - run: mkdir -p out/a; echo x > out/a/b; echo g > file
        - {uses: actions/upload-artifact@v4, with: {name: n, path: out}}
        - {name: down, uses: actions/download-artifact@v4, with: {name: n, path: file}}
        """,
    )
    assert [job.startswith("job: failed: down: '") for job in checked.jobs] == [True]
    assert checked.jobs[0].endswith("/file': File exists")


def test_a_step_that_is_not_wanted_was_skipped_to_later_ones(tmp_path: Path) -> None:
    checked = check_steps(
        tmp_path / "project",
        """\
        - {id: not-wanted, if: false, run: echo never}
        - name: sees
          run: echo ${{ steps.not-wanted.outcome }} ${{ steps.not-wanted.conclusion }}
        """,
    )
    assert checked.log("sees") == "skipped skipped\n"


def test_what_nobody_knows_here_excuses_no_failure_and_runs_no_script(tmp_path: Path) -> None:
    checked = check_steps(
        tmp_path / "project",
        """\
        - name: unknown variable
          env: {FOLDER: "${{ github.event.head_commit.id }}"}
          run: echo "${FOLDER}/"
        - name: fails
          continue-on-error: ${{ github.event.head_commit.distinct }}
          run: exit 3
        """,
    )
    assert checked.steps == [
        "unknown variable: skipped: FOLDER is not known here",
        "fails: failed: exit status 3",
    ]


def test_a_failure_within_an_action_that_is_forgiven_is_none_of_the_job(tmp_path: Path) -> None:
    action = """\
        runs:
          using: composite
          steps: [{shell: bash, run: exit 7}]
        """
    checked = check_steps(
        tmp_path / "project",
        """\
        - uses: actions/checkout@v4
        - {uses: ./act, continue-on-error: true}
        - {name: sees, run: "echo ${{ job.status }}"}
        """,
        {"act/action.yml": textwrap.dedent(action)},
    )
    assert checked.log("sees") == "success\n"
    assert checked.jobs == ["job: passed"]
