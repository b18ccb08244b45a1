"""What a job fetches is what git knows here of the remote."""

from pathlib import Path

import pytest

from tests.heal.checks import check, new_project

WORKFLOW = """\
    on: [push, pull_request]
    jobs:
      fetches:
        runs-on: ubuntu-latest
        steps:
        - uses: actions/checkout@v4
        - name: says
          run: |
            git fetch -q --no-tags --prune --depth=1 origin main
            git diff --name-only origin/main
            git log --format=%s origin/main
            git config remote.origin.url
        - {name: all, run: git fetch -q --tags --unshallow; git for-each-ref '--format=%(refname)'}
        - {name: lacks, run: git fetch origin gone}
      pushes:
        runs-on: ubuntu-latest
        if: always()
        steps: [{uses: actions/checkout@v4}, {run: git fetch}, {run: 'sh push.sh'}]
      usual:
        runs-on: ubuntu-latest
        if: always()
        steps:
        - uses: actions/checkout@v4
        - {name: none, run: git remote; git for-each-ref refs/remotes}
    """


def test_a_job_fetches_the_branches_that_git_knows_of_the_remote(tmp_path: Path) -> None:
    project = new_project(
        tmp_path / "project", WORKFLOW, {"old": "", "push.sh": "git push origin HEAD:refs/heads/x"}
    )
    project.git("remote", "add", "origin", "https://me:secret@github.com/me/mine.git")
    project.git("update-ref", "refs/remotes/origin/main", "HEAD")
    project.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main")
    project.git("update-ref", "refs/remotes/origin/old", "HEAD")
    project.git("update-ref", "refs/remotes/other/topic", "HEAD")
    project.git("tag", "-am", "one", "v1")
    project.git("switch", "-qc", "topic")
    project.commit("more", {"new": ""})
    before = project.git("for-each-ref", "refs/heads", "refs/remotes", "refs/tags")
    checked = check(project)
    assert checked.log("says") == "new\nbegin\nhttps://github.com/me/mine\n"
    assert checked.log("all").split() == [
        "refs/remotes/origin/main", "refs/remotes/origin/old", "refs/tags/v1",
    ]  # fmt: skip
    lack = "exit status 128, for the lack of something here"
    # What is not known here is no fault of the files, nor is a push that reaches nobody.
    assert checked.jobs == [
        f"fetches: incomplete: lacks: {lack}",
        f"pushes: incomplete: sh push.sh: {lack}",
        "usual: passed",
    ]
    assert checked.log("none") == ""
    assert project.git("for-each-ref", "refs/heads", "refs/remotes", "refs/tags") == before


@pytest.mark.slow
def test_a_verdict_holds_as_long_as_what_a_job_may_fetch(tmp_path: Path) -> None:
    workflow = """\
        on: push
        jobs:
          job:
            runs-on: ubuntu-latest
            steps: [{uses: actions/checkout@v4}, {name: asks, run: git fetch -q origin x}]
        """
    project = new_project(tmp_path / "project", workflow)
    assert check(project).jobs == [
        "job: incomplete: asks: exit status 128, for the lack of something here"
    ]
    # Without a remote, the branches here are taken for its own.
    project.git("branch", "x")
    assert check(project).jobs == ["job: passed"]
    assert check(project).data["jobs"][0]["cached"] is True
    project.git("branch", "-d", "x")
    assert check(project).data["jobs"][0]["verdict"] == "incomplete"
