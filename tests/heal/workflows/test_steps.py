import pytest

from git_retcon.heal.workflows.contexts import Misevaluated
from git_retcon.heal.workflows.github_context import see_run
from git_retcon.heal.workflows.happenings import Checkout, PullRequest
from git_retcon.heal.workflows.setups import ToolRequest
from git_retcon.heal.workflows.shells import DEFAULT, read_shell
from git_retcon.heal.workflows.steps import (
    Fetch,
    Keep,
    Kind,
    Local,
    Run,
    Satisfied,
    Setup,
    Skipped,
    classify_step,
)
from tests.heal.workflows.files import make_job

CHECKOUT = Checkout("me/mine", "topic", "main", "c" * 40)
AROUND = see_run(PullRequest("main", None), CHECKOUT)


def classify(step: str, defaults: str = "{}") -> Kind:
    job = make_job(f"defaults: {{run: {defaults}}}\nsteps:\n- {step}\n")
    return classify_step(job.steps[0], job.defaults, AROUND)


@pytest.mark.parametrize(
    ("step", "kind"),
    [
        ("run: make test", Run(DEFAULT, "make test")),
        ("{run: make, shell: bash}", Run(read_shell("bash"), "make")),
        ("{run: print(1), shell: python}", Run(read_shell("python"), "print(1)")),
        ("{run: 'sudo()', shell: python}", Run(read_shell("python"), "sudo()")),
        ("run: echo ${{ github.base_ref }} ${{ steps.a.outputs.b }}", Run(DEFAULT, "echo main …")),
        ("run: sudo apt-get install -y jq", Setup((), packages=("jq",))),
        ("run: sudo apt-get update", Satisfied("the system's packages are as they are")),
        ("{run: 'sudo apt-get install jq', shell: 'cmd {0}'}", Skipped("needs Windows (cmd)")),
        ('run: "sudo apt-get install jq\\nmake"', Run(DEFAULT, ":\nmake", ("jq",))),
        ('run: "sudo apt-get install jq\\nsudo make"', Skipped("needs root (sudo)")),
        ("{run: dir, shell: cmd}", Skipped("needs Windows (cmd)")),
        ("{run: x, shell: '${{ steps.a.outputs.b }}'}", Skipped("its shell is not known (steps)")),
        ("run: sudo make install", Skipped("needs root (sudo)")),
        ("uses: actions/checkout@v4", Satisfied("checkout")),
        ("{uses: actions/checkout@v4, with: {fetch-depth: 0}}", Satisfied("checkout")),
        ("{uses: actions/checkout@v4, with: {repository: '${{ github.repository }}'}}",
         Satisfied("checkout")),
        ("{uses: actions/checkout@v4, with: {repository: you/yours}}",
         Fetch("you/yours", "", "")),
        ("{uses: actions/checkout@v4, with: {ref: gh-pages}}",
         Fetch("", "gh-pages", "")),
        ("{uses: actions/checkout@v4, with: {ref: '${{ github.head_ref }}'}}",
         Satisfied("checkout")),
        ("{uses: actions/checkout@v4, with: {ref: '${{ github.event.pull_request.head.sha }}'}}",
         Satisfied("checkout")),
        ("{uses: actions/checkout@v4, with: {ref: 'refs/pull/${{ github.event.number }}/merge'}}",
         Satisfied("checkout")),
        ("{uses: actions/checkout@v4, with: {path: sub}}",
         Fetch("", "", "sub")),
        ("{uses: actions/setup-python@v5, with: {python-version: 3.12}}",
         Setup((ToolRequest("python", "3.12"),))),
        ("uses: Actions/Cache@v4", Keep("cache", "actions/cache")),
        ("uses: actions/upload-artifact@v4", Keep("artifact", "actions/upload-artifact")),
        ("uses: step-security/harden-runner@v2", Satisfied("the network of GitHub's machine")),
        ("{uses: codecov/codecov-action@v5, with: {token: x}}",
         Satisfied("coverage is not sent from here")),
        ("uses: testlens-app/setup-testlens@v1", Satisfied("results are not sent from here")),
        ("{uses: coverallsapp/github-action@v2, with: {unheard: x}}",
         Skipped("third-party action (coverallsapp/github-action with 'unheard')")),
        ("{uses: coverallsapp/github-action@v2, with: {fail-on-error: false}}",
         Satisfied("coverage is not sent from here")),
        ("{run: rustup update stable}", Setup((ToolRequest("rust", "stable"),))),
        ("{run: 'rustup target add a b'}", Setup((), (), ("a", "b"))),
        ("{run: 'rustup update stable && cargo test'}",
         Skipped("changes your own tools (rustup update)")),
        ("uses: dtolnay/install@cargo-docs-rs", Setup((ToolRequest("cargo-docs-rs", ""),))),
        ("{uses: codecov/test-results-action@v1, with: {fail_ci_if_error: true}}",
         Skipped("publishes or deploys (codecov/test-results-action)")),
        ("uses: mikepenz/action-junit-report@v5", Satisfied("results are not sent from here")),
        ("{uses: mikepenz/action-junit-report@v5, with: {require_tests: true}}",
         Skipped("third-party action (mikepenz/action-junit-report)")),
        ("uses: actions/cache/restore@v2",
         Skipped("GitHub refuses this version (actions/cache/restore@v2)")),
        ("uses: ./.github/actions/x/", Local(b".github/actions/x")),
        ("uses: ./", Local(b"")),
        ("uses: docker://alpine", Skipped("needs containers")),
        ("uses: docker/login-action@v3", Skipped("needs containers (docker/login-action)")),
        ("uses: me/x@v1", Skipped("third-party action (me/x)")),
        ("uses: pypa/gh-action-pypi-publish@v1",
         Skipped("publishes or deploys (pypa/gh-action-pypi-publish)")),
        ("uses: actions/deploy-pages@v4", Skipped("publishes or deploys (actions/deploy-pages)")),
        ("uses: github/codeql-action/init@v3", Skipped("needs GitHub (github/codeql-action/init)")),
        ("uses: actions/github-script@v7", Skipped("needs GitHub (actions/github-script)")),
        ("parallel: [{run: a}]", Skipped("steps with `parallel` are not run here")),
    ],
)  # fmt: skip
def test_a_step_is_a_command_or_satisfied_or_skipped_with_its_reason(step: str, kind: Kind) -> None:
    assert classify(step) == kind


def test_the_job_s_shell_holds_for_steps_that_name_none() -> None:
    assert classify("run: a", "{shell: sh}") == Run(read_shell("sh"), "a")
    assert classify("{run: a, shell: bash}", "{shell: sh}") == Run(read_shell("bash"), "a")
    assert classify("run: dir", "{shell: powershell}") == Skipped("needs Windows (powershell)")


def test_a_step_that_would_fail_to_start_is_placed() -> None:
    for step in ("{run: a, shell: fish}", "run: echo ${{ fromJSON('') }}"):
        with pytest.raises(Misevaluated) as caught:
            classify(step)
        assert caught.value.line == 7


def test_without_a_name_of_the_repository_any_other_is_another() -> None:
    job = make_job("steps:\n- {uses: actions/checkout@v4, with: {repository: a/b}}\n")
    unnamed = see_run(PullRequest("main", None), CHECKOUT._replace(repository=""))
    kind = classify_step(job.steps[0], job.defaults, unnamed)
    assert kind == Skipped("checks out another repository (a/b)")
