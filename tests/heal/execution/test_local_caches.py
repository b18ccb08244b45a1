"""Caches on folders of this machine, through real jobs."""

from pathlib import Path

import pytest

from tests.heal.checks import check, check_steps, new_project

WORKFLOW = """\
    on: push
    jobs:
      job:
        runs-on: ubuntu-latest
        steps:
        - uses: actions/checkout@v4
        - id: cache
          name: cache
          uses: actions/cache@v4
          with:
            path: |
              deps
              ~/kept
            key: deps-${{ hashFiles('lock') }}
            restore-keys: deps-
        - name: hit
          run: echo "[${{ steps.cache.outputs.cache-hit }}]"; cat deps/a ~/kept/b || true
        - {if: steps.cache.outputs.cache-hit != 'true', run: "mkdir deps ~/kept; echo a>deps/a; echo b>~/kept/b"}
    """  # noqa: E501


def test_what_a_job_saved_is_restored_by_its_key(tmp_path: Path) -> None:
    repository = new_project(
        tmp_path / "project", WORKFLOW, {"lock": "1\n", ".gitignore": "deps\n"}
    )
    first = check(repository)
    assert first.log("hit").splitlines()[0] == "[]"
    again = check(repository, "--force")
    assert again.log("hit") == "[true]\na\nb\n"
    assert again.steps[1].startswith("cache: satisfied: restored 'deps-")


@pytest.mark.slow
def test_caches_of_one_state_are_not_those_of_another(tmp_path: Path) -> None:
    """What they hold may name the files of the other worktree."""
    repository = new_project(tmp_path / "project", WORKFLOW, {"lock": "1\n"})
    check(repository)
    repository.write({"lock": "2\n"})
    assert check(repository).log("hit").splitlines()[0] == "[]"


def test_a_job_that_failed_saves_nothing(tmp_path: Path) -> None:
    workflow = WORKFLOW.rstrip(" ") + "        - {run: exit 1}\n"
    repository = new_project(tmp_path / "project", workflow, {"lock": "1\n"})
    check(repository)
    assert check(repository, "--force").log("hit").splitlines()[0] == "[]"


@pytest.mark.parametrize(("inputs", "missing"), [("path: a", "key"), ("key: a, path: ''", "path")])
def test_a_cache_without_key_or_path_fails(tmp_path: Path, inputs: str, missing: str) -> None:
    checked = check_steps(
        tmp_path / "project", f"- {{name: keeps, uses: actions/cache@v4, with: {{{inputs}}}}}\n"
    )
    assert checked.jobs == [f"job: failed: keeps: its '{missing}' is missing"]
