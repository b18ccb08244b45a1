"""What other refs hold, and what others publish, is part of what a verdict depends on."""

import os
from pathlib import Path

import pytest

from git_retcon.git.repository import open_repository
from git_retcon.heal.seen_refs import SeenRefs
from tests.heal.checks import check, new_project
from tests.repository import TestRepository, new_repository


def see(repository: TestRepository) -> SeenRefs:
    opened = open_repository(repository.path)
    return SeenRefs(opened.git, opened.config)


def test_a_ref_is_described_by_the_commit_of_the_remote_or_of_its_tag(tmp_path: Path) -> None:
    repository = new_repository(tmp_path / "project", "-b", "main")
    repository.commit("first", {"a": ""})
    repository.git("tag", "v1")
    repository.git("branch", "data")
    before = see(repository)
    refs = ["data", "v1", "refs/tags/v1", "main~0", ""]
    assert see(repository).describe(refs) == before.describe(refs)
    repository.commit("second", {"a": "second"})
    after = see(repository)
    assert after.tags == before.tags
    assert after.digest != before.digest
    assert after.describe(refs[:3]) == before.describe(refs[:3])
    # What may be a commit before another one is described by all of them.
    same = zip(after.describe(refs[3:]), before.describe(refs[3:]), strict=True)
    assert not any(one == other for one, other in same)
    repository.git("branch", "-f", "data")
    assert see(repository).describe(["data"]) != before.describe(["data"])
    repository.git("tag", "v2")
    assert see(repository).tags != before.tags


def test_branches_here_are_not_those_of_a_remote(tmp_path: Path) -> None:
    repository = new_repository(tmp_path / "project", "-b", "main")
    repository.commit("first", {"a": ""})
    repository.git("remote", "add", "origin", "https://example.com/a/b")
    repository.git("update-ref", "refs/remotes/origin/data", "HEAD")
    before = see(repository)
    repository.commit("second", {"a": "second"})
    repository.git("branch", "data")
    assert see(repository).describe(["data"]) == before.describe(["data"])
    repository.git("update-ref", "refs/remotes/origin/data", "HEAD")
    assert see(repository).describe(["data"]) != before.describe(["data"])


@pytest.mark.slow
def test_a_job_runs_again_where_a_ref_that_it_takes_has_moved(tmp_path: Path) -> None:
    workflow = """\
        on: push
        jobs:
          other:
            runs-on: ubuntu-latest
            steps:
            - uses: actions/checkout@v4
            - {uses: actions/checkout@v4, with: {ref: data, path: base}}
            - run: grep good base/a
          plain:
            runs-on: ubuntu-latest
            steps: [uses: actions/checkout@v4, run: grep good a]
        """
    project = new_project(tmp_path / "project", workflow, {"a": "good\n"})
    project.git("branch", "data")
    assert check(project).jobs == ["other: passed", "plain: passed"]
    project.git("switch", "-q", "data")
    project.commit("bad", {"a": "bad\n"})
    project.git("switch", "-q", "main")
    checked = check(project)
    assert checked.jobs == ["other: failed: grep good base/a: exit status 1", "plain: passed"]
    assert [job["cached"] for job in checked.data["jobs"]] == [False, True]
    assert [job["cached"] for job in check(project).data["jobs"]] == [True, True]


@pytest.mark.slow
def test_a_new_tag_may_change_what_git_describes(tmp_path: Path) -> None:
    workflow = """\
        on: push
        jobs:
          tag:
            runs-on: ubuntu-latest
            steps: [uses: actions/checkout@v4, run: test $(git describe --tags) = v1]
        """
    project = new_project(tmp_path / "project", workflow)
    project.git("tag", "v1")
    assert check(project).jobs == ["tag: passed"]
    project.git("tag", "-d", "v1")
    project.git("tag", "v2")
    assert check(project).jobs[0].startswith("tag: failed: ")


@pytest.mark.slow
def test_what_asks_a_database_runs_again_the_next_day(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tool, counter = tmp_path / "bin/cargo-deny", tmp_path / "counter"
    tool.parent.mkdir()
    tool.write_text(f'#!/bin/sh\n[ "$1" = --version ] && echo 0.14.1 || echo x >> {counter}\n')
    tool.chmod(0o755)
    workflow = """\
        on: push
        jobs:
          deny:
            runs-on: ubuntu-latest
            steps: [uses: actions/checkout@v4, uses: EmbarkStudios/cargo-deny-action@v2]
        """
    project = new_project(tmp_path / "project", workflow)
    path = f"{tool.parent}{os.pathsep}{os.environ['PATH']}"
    for day, runs in (("1", 1), ("1", 1), ("2", 2)):
        monkeypatch.setattr("git_retcon.heal.check_jobs._name_day", lambda day=day: day)
        assert check(project, PATH=path).jobs == ["deny: passed"]
        assert counter.read_text() == "x\n" * runs
