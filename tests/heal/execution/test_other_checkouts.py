"""Checkouts of something else than the state at the top, done for real."""

from pathlib import Path

import pytest

from tests.heal.checks import check, new_project
from tests.repository import new_repository

ADDRESS = "https://github.com/me/mine"  # by which it is known that another one is another


def test_the_state_is_checked_out_into_a_folder_of_an_empty_workspace(tmp_path: Path) -> None:
    workflow = """\
        on: push
        jobs:
          job:
            runs-on: ubuntu-latest
            steps:
            - {id: ours, uses: actions/checkout@v4, with: {path: sub/ours}}
            - {name: shows, run: "ls -A . sub/ours && cat sub/ours/a"}
            - name: knows git
              working-directory: sub/ours
              run: |
                git status --short
                git tag
                test $(git rev-parse HEAD) = ${{ steps.ours.outputs.commit }}
                test ${{ github.sha }} = ${{ steps.ours.outputs.commit }}
        """
    project = new_project(tmp_path / "project", workflow, {"a": "committed\n", ".gitignore": "b\n"})
    project.git("tag", "v1")
    project.write({"a": "not committed\n", "b": "ignored\n"})
    checked = check(project)
    assert checked.jobs == ["job: passed"]
    assert checked.log("shows") == (
        ".:\nsub\n\nsub/ours:\n.git\n.github\n.gitignore\na\nnot committed\n"
    )
    assert checked.log("knows git") == "v1\n"


def test_another_commit_is_checked_out_beside_the_state(tmp_path: Path) -> None:
    workflow = """\
        on: push
        jobs:
          job:
            runs-on: ubuntu-latest
            steps:
            - uses: actions/checkout@v4
            - {uses: actions/checkout@v4, with: {ref: v1, path: old}}
            - {uses: actions/checkout@v4, with: {ref: main, path: main}}
            - {name: shows, run: cat a old/a main/a}
            - {uses: actions/checkout@v4, with: {ref: gone, path: gone}}
            - {uses: actions/checkout@v4, with: {ref: v1}}
        """
    project = new_project(tmp_path / "project", workflow, {"a": "first\n"})
    project.git("tag", "v1")
    project.commit("second", {"a": "second\n"})
    project.git("switch", "-qc", "topic")
    project.commit("third", {"a": "third\n"})
    checked = check(project)
    assert checked.log("shows") == "third\nfirst\nsecond\n"
    assert checked.jobs == [
        "job: incomplete: 2 steps skipped: the commit of 'gone' is not here, "
        "checks out another commit (v1) over this commit"
    ]
    assert project.git("status", "--short", "--branch") == "## topic"


def test_another_repository_is_fetched_and_its_files_are_not_taken_for_ours(tmp_path: Path) -> None:
    other = new_repository(tmp_path / "server/them/theirs", "-b", "trunk")
    other.commit("theirs", {"tests/test_a.py": "1\n2\n3\n", "more": ""})
    other.git("tag", "v1")
    other.commit("more", {"tests/test_a.py": "1\n2\n3\n4\n"})
    workflow = f"""\
        on: push
        jobs:
          job:
            runs-on: ubuntu-latest
            steps:
            - uses: actions/checkout@v4
              with: {{repository: them/theirs, github-server-url: 'file://{tmp_path}/server'}}
            - uses: actions/checkout@v4
              with:
                repository: them/theirs
                github-server-url: file://{tmp_path}/server
                ref: v1
                path: v1
            - {{uses: actions/checkout@v4, with: {{path: '${{{{ github.workspace }}}}/ours'}}}}
            - {{name: shows, run: 'wc -l < tests/test_a.py; wc -l < v1/tests/test_a.py; ls'}}
            - name: theirs
              continue-on-error: true
              run: 'echo "tests/test_a.py:2:1: E1 bad"; exit 1'
            - name: theirs by its whole name
              continue-on-error: true
              run: 'echo "$PWD/tests/test_a.py:2:1: E1 bad"; exit 1'
            - name: ours
              continue-on-error: true
              working-directory: ours
              run: 'echo "tests/test_a.py:1:1: E2 bad"; exit 1'
            - {{name: ours from the top, run: 'echo "ours/tests/test_a.py:2:1: E3 bad"; exit 1'}}
        """
    project = new_project(tmp_path / "project", workflow, {"tests/test_a.py": "x\ny\n"})
    project.git("remote", "add", "origin", ADDRESS)
    checked = check(project)
    assert checked.log("shows").split() == ["4", "3", "more", "ours", "tests", "v1"]
    assert checked.jobs == ["job: failed: ours from the top: exit status 1"]
    found = [(one["file"], one["line"], one["message"]) for one in checked.data["errors"]]
    assert found == [("tests/test_a.py", 1, "E2 bad"), ("tests/test_a.py", 2, "E3 bad")]


def test_an_action_is_found_in_the_folder_that_its_own_repository_is_checked_out_to(
    tmp_path: Path,
) -> None:
    workflow = """\
        on: push
        jobs:
          copied:
            runs-on: ubuntu-latest
            steps:
            - {uses: actions/checkout@v4, with: {path: ./copy/}}
            - {uses: ./copy/says, with: {what: copy}}
          changed:
            runs-on: ubuntu-latest
            steps:
            - {uses: actions/checkout@v4, with: {path: copy}}
            - {uses: ./says, with: {what: copy}, continue-on-error: true}
            - run: sed -i s/echo/printf/ copy/says/action.yml
            - {uses: ./copy/says, with: {what: changed}}
        """
    action = """\
        inputs: {what: {}}
        runs:
          using: composite
          steps: [{name: says, run: 'echo "${{ inputs.what }}"', shell: sh}]
        """
    checked = check(new_project(tmp_path / "project", workflow, {"says/action.yml": action}))
    assert checked.jobs == [
        "copied: passed",
        "changed: incomplete: 1 step skipped: an action that was not there when trust was asked "
        "(copy/says)",
    ]
    assert checked.log("says") == "copy\n"


def test_a_part_of_the_files_is_checked_out_until_the_rest_is(tmp_path: Path) -> None:
    workflow = """\
        on: push
        jobs:
          part:
            runs-on: ubuntu-latest
            steps:
            - uses: actions/checkout@v4
              with:
                sparse-checkout: |
                  docs

                  src/one
            - {name: cone, run: git ls-files -t; git status --porcelain; ls}
            - uses: actions/checkout@v4
            - {name: whole, run: ls src; git status --porcelain}
            - uses: actions/checkout@v4
              with: {sparse-checkout: '*.md', sparse-checkout-cone-mode: false}
            - {name: pattern, run: find . -type f -not -path './.git*'}
          usual:
            runs-on: ubuntu-latest
            steps:
            - uses: actions/checkout@v4
            - {name: all, run: ls; git status --porcelain}
        """
    files = {"top": "", "docs/a.md": "", "src/one/a": "", "src/two/a": ""}
    project = new_project(tmp_path / "project", workflow, files)
    project.write({"src/two/uncommitted": "", "docs/new": ""})
    checked = check(project)
    assert checked.jobs == ["part: passed", "usual: passed"]
    assert checked.log("cone").splitlines() == [
        "S .github/workflows/ci.yml", "H docs/a.md", "H docs/new", "H src/one/a",
        "S src/two/a", "S src/two/uncommitted", "H top", "docs", "src", "top",
    ]  # fmt: skip
    assert checked.log("whole").split() == ["one", "two"]
    assert checked.log("pattern").split() == ["./docs/a.md"]
    assert checked.log("all").split() == ["docs", "src", "top"]


def test_what_cannot_be_fetched_makes_a_job_incomplete_and_is_tried_again(tmp_path: Path) -> None:
    workflow = f"""\
        on: push
        jobs:
          job:
            runs-on: ubuntu-latest
            steps:
            - uses: actions/checkout@v4
            - uses: actions/checkout@v4
              with: {{repository: a/b, github-server-url: 'file://{tmp_path}/none', path: sub}}
            - {{run: echo}}
        """
    project = new_project(tmp_path / "project", workflow)
    project.git("remote", "add", "origin", ADDRESS)
    reason = "another repository (a/b) could not be fetched, for the lack of something here"
    assert check(project).jobs == [f"job: incomplete: 1 step skipped: {reason}"]
    new_repository(tmp_path / "none/a/b").commit("theirs", {"x": ""})
    assert check(project).jobs == ["job: passed"]


@pytest.mark.parametrize(
    ("inputs", "verdict"),
    [
        ("path: ../out", "failed: checkout: '../out' is not in the workspace"),
        ("path: /tmp/out", "failed: checkout: '/tmp/out' is not in the workspace"),
        ("path: .git/hooks", "failed: checkout: '.git/hooks' is not in the workspace"),
        ("path: link/out", "failed: checkout: 'link/out' is not in the workspace"),
        ("repository: '--upload-pack=x/y', path: sub",
         "incomplete: 1 step skipped: checks out another repository (--upload-pack=x/y)"),
        ("path: sub, sparse-checkout: x",
         "incomplete: 1 step skipped: checks out this commit in 'sub' with 'sparse-checkout'"),
        ("repository: a/b, path: sub, lfs: true",
         "incomplete: 1 step skipped: checks out another repository (a/b) with 'lfs'"),
        ("ref: '--orphan', path: sub",
         "incomplete: 1 step skipped: the commit of '--orphan' is not here"),
        ("path: '${{ github.workspace }}'", "passed"),
        ("path: '${{ github.workspace }}/a/..'", "passed"),
    ],
)  # fmt: skip
def test_no_checkout_leads_out_of_the_workspace(tmp_path: Path, inputs: str, verdict: str) -> None:
    project = new_repository(tmp_path / "project", "-b", "main")
    (tmp_path / "outside/out").mkdir(parents=True)
    (tmp_path / "outside/out/kept").write_text("")
    project.path.joinpath("link").symlink_to(tmp_path / "outside")
    other = f"{{name: checkout, uses: actions/checkout@v4, with: {{{inputs}}}}}"
    steps = f"[uses: actions/checkout@v4, {other}, run: echo]"
    job = f"on: push\njobs: {{job: {{runs-on: ubuntu-latest, steps: {steps}}}}}\n"
    project.git("remote", "add", "origin", ADDRESS)
    project.commit("begin", {".github/workflows/ci.yml": job})
    checked = check(project)
    assert checked.jobs == [f"job: {verdict}"]
    assert (tmp_path / "outside/out/kept").exists()


def test_github_takes_any_case_for_the_name_of_a_repository(tmp_path: Path) -> None:
    project = new_repository(tmp_path / "project", "-b", "main")
    project.git("remote", "add", "origin", ADDRESS)
    name = ADDRESS.removesuffix(".git").partition("github.com")[2][1:].upper()
    job = (
        "on: push\njobs: {job: {runs-on: ubuntu-latest, steps: "
        f"[{{uses: actions/checkout@v4, with: {{repository: {name}}}}}, run: cat kept]}}}}\n"
    )
    project.commit("begin", {".github/workflows/ci.yml": job, "kept": ""})
    assert check(project).jobs == ["job: passed"]


def test_the_commit_that_a_pull_request_is_for_is_known_where_git_knows_it(tmp_path: Path) -> None:
    workflow = """\
        on: pull_request
        jobs:
          job:
            runs-on: ubuntu-latest
            steps:
            - {uses: actions/checkout@v4, with: {ref: '${{ github.event.pull_request.head.sha }}'}}
            - uses: actions/checkout@v4
              with: {ref: '${{ github.event.pull_request.base.sha }}', path: base}
            - {name: shows, run: cat a base/a}
        """
    project = new_project(tmp_path / "project", workflow, {"a": "base\n"})
    project.git("switch", "-qc", "topic")
    project.commit("change", {"a": "topic\n"})
    project.write({"a": "not committed\n"})
    checked = check(project)
    assert checked.jobs == ["job: passed"]
    assert checked.log("shows") == "not committed\nbase\n"
