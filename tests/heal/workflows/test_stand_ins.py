"""Actions in whose place their script runs."""

import shutil
import subprocess
import tempfile
import textwrap
from pathlib import Path

import pytest

from git_retcon.heal.execution.step_scope import to_plain
from git_retcon.heal.workflows.nodes import to_value
from git_retcon.heal.workflows.stand_ins import replace_action
from git_retcon.heal.workflows.workflow import Step
from tests.heal.checks import check_steps
from tests.heal.workflows.files import make_job


def _read(step: str) -> list[str]:
    made = make_job(f"steps:\n- {step}\n").steps[0]
    assert replace_action(made) == made  # the reader has done it
    return [node.text if node else "-" for node in (made.name, made.run, made.uses, made.directory)]


@pytest.mark.parametrize(
    ("step", "read"),
    [
        ("uses: pre-commit/action@v3",
         ["pre-commit/action@v3", "python -m pip install pre-commit\npre-commit run "
          "--show-diff-on-failure --color=always --all-files\n", "-", "-"]),
        ("{name: Bench, uses: CodSpeedHQ/action@v4, with: {mode: memory, run: '${{ env.it }}'}}",
         ["Bench", "${{ env.it }}", "-", "-"]),
        ("{uses: coactions/setup-xvfb@v1, with: {run: make, working-directory: gui}}",
         ["coactions/setup-xvfb@v1", "xvfb-run --auto-servernum make", "-", "gui"]),
        ("uses: CodSpeedHQ/action@v4", ["-", "-", "CodSpeedHQ/action@v4", "-"]),
        ("uses: ada/action@v1", ["-", "-", "ada/action@v1", "-"]),
    ],
)  # fmt: skip
def test_the_script_of_an_action_is_run_with_its_inputs(step: str, read: list[str]) -> None:
    assert _read(step) == read


def test_a_retried_command_runs_until_it_passes() -> None:
    made = make_job(
        "steps:\n- uses: nick-fields/retry@v3\n"
        "  with: {timeout_minutes: 5, max_attempts: 2, command: 'make test # all'}\n"
    ).steps[0]
    assert made.run is not None
    assert made.shell is not None
    assert made.timeout is not None
    assert made.timeout.value == 10
    shell = made.shell.text.partition(" ")[0]
    for makes, status in (("[ -e made ]", 0), ("false", 1)):
        script = made.run.text.replace(
            "make test", f"echo tried; {makes} || {{ touch made; false; }}"
        )
        with tempfile.TemporaryDirectory() as folder:
            ran = subprocess.run(
                [shell, "-c", script], cwd=folder, capture_output=True, check=False
            )
        assert (ran.returncode, ran.stdout) == (status, b"tried\ntried\n")


@pytest.mark.parametrize(
    "inputs",
    [
        "max_attempts: 2",
        "command: x, shell: python",
        "command: x, retry_on: timeout",
        "command: x, on_retry_command: y",
        "command: x, continue_on_error: true",
        "command: x, max_attempts: '${{ env.N }}'",
        "command: x, timeout_minutes: '${{ env.N }}'",
    ],
)
def test_a_retry_of_another_kind_stays_an_action(inputs: str) -> None:
    made = make_job(f"steps:\n- uses: nick-fields/retry@v3\n  with: {{{inputs}}}\n").steps[0]
    assert made.uses is not None
    assert made.run is None


def test_a_retried_action_of_github_is_used_itself() -> None:
    retried = """\
        - uses: Wandalen/wretry.action@v3
          ID
          with:
            action: ACTION
            attempt_limit: 5
            with: |
              name: one
              path: ${{ env.FOLDER }}
        """
    download = "actions/download-artifact@v4"

    def read(action: str, id: str = "") -> Step:  # noqa: A002
        step = textwrap.dedent(retried).replace("  ID\n", id).replace("ACTION", action)
        return make_job(f"steps:\n{step}").steps[0]

    made = read(download)
    assert made.uses is not None
    assert made.inputs is not None
    assert made.uses.text == download
    assert to_plain(to_value(made.inputs)) == {"name": "one", "path": "${{ env.FOLDER }}"}
    for other in (
        read(download, "  id: asked\n"),
        read("someone/flaky@v1"),
        read(f"{download}\n    command: make"),
    ):
        assert other.uses is not None
        assert other.uses.text == "Wandalen/wretry.action@v3"


@pytest.mark.slow
def test_a_script_for_github_that_only_computes_runs(tmp_path: Path) -> None:
    if shutil.which("node") is None:
        pytest.skip("node is not installed")
    checked = check_steps(
        tmp_path / "project",
        """\
        - id: text
          uses: actions/github-script@v7
          with:
            result-encoding: string
            script: |
              return '${{ github.event_name }}' === 'push' ? 'x64' : ''
        - id: more
          uses: actions/github-script@v7
          with:
            script: |
              core.setOutput('list', [1, 'a'])
              core.exportVariable('MORE', 'two\\nlines')
              await new Promise(done => setTimeout(done, 1))
              return { a: 1 }
        - name: says
          run: echo "${{ steps.text.outputs.result }} ${{ steps.more.outputs.list }} $MORE"
        - name: and says
          run: echo '${{ steps.more.outputs.result }}'
        - {id: none, uses: actions/github-script@v7, with: {script: 'core.info(1)'}}
        - {name: nothing, run: 'echo "[${{ steps.none.outputs.result }}]"'}
        - name: fails
          uses: actions/github-script@v7
          with: {script: "if (process.env.MORE) core.setFailed('no: 5%')"}
        - name: throws
          if: always()
          uses: actions/github-script@v7
          with: {script: 'undefined.x'}
        """,
    )
    assert checked.jobs == ["job: failed: fails: exit status 1"]
    assert checked.log("says") == "x64 [1,a] two\nlines\n"
    assert checked.log("and says") == '{"a":1}\n'
    assert checked.log("nothing") == "[]\n"
    assert "no: 5%" in checked.log("fails")
    assert [step["verdict"] for step in checked.job("job")["steps"]][-1] == "failed"


@pytest.mark.parametrize(
    "script",
    [
        "await github.rest.issues.createComment({})",
        "return context.payload.number",
        "const fs = require('fs')",
        "const { appendFile } = await import('fs/promises')",
        "await fetch('https://example.org')",
        "core.summary.addRaw('x')",
        "return core.getInput('x')",
        "const { setOutput } = core",
        "return (0, eval)('1')",
        "return core['set' + 'Output']('a', 1)",
        "return g\\\\u0069thub",
    ],
)
def test_a_script_that_asks_github_or_a_module_stays_an_action(script: str) -> None:
    made = make_job(f'steps:\n- {{uses: actions/github-script@v7, with: {{script: "{script}"}}}}\n')
    assert made.steps[0].uses is not None
    given = "script: return 1, result-encoding: xml"
    made = make_job(f"steps:\n- {{uses: actions/github-script@v7, with: {{{given}}}}}\n")
    assert made.steps[0].uses is not None
