"""Actions that look at changed files, in checks of real repositories."""

from pathlib import Path

import pytest

from tests.heal.checks import Checked, check, new_project
from tests.repository import TestRepository

_WORKFLOW = """\
    on: [push, pull_request]
    jobs:
      look:
        runs-on: ubuntu-latest
        outputs: {src: '${{ steps.filter.outputs.src }}', docs: '${{ steps.filter.outputs.docs }}'}
        steps:
        - uses: actions/checkout@v4
        - uses: dorny/paths-filter@v3
          id: filter
          with:
            filters: |
              src: ['src/**']
              docs: ['docs/**', '*.md']
        - uses: tj-actions/changed-files@v47
          id: files
          with: {files: 'src/**'}
        - {run: 'echo "${{ steps.files.outputs.all_changed_files }}"', name: tell}
      test:
        needs: look
        if: needs.look.outputs.src == 'true'
        runs-on: ubuntu-latest
        steps: [{run: echo test}]
      docs:
        needs: look
        if: needs.look.outputs.docs == 'true'
        runs-on: ubuntu-latest
        steps: [{run: echo docs}]
    """


@pytest.fixture
def project(tmp_path: Path) -> TestRepository:
    repository = new_project(tmp_path / "project", _WORKFLOW, {"src/a": "1\n", "README.md": "1\n"})
    repository.git("config", "remote.origin.url", "https://github.com/o/n")
    repository.git("update-ref", "refs/remotes/origin/main", "HEAD")
    return repository


def _tell(checked: Checked) -> list[str]:
    return [*checked.jobs, checked.log("tell").strip()]


def test_a_pull_request_is_compared_with_its_base_and_what_is_not_committed_counts(
    project: TestRepository,
) -> None:
    project.git("switch", "-qc", "topic")
    project.commit("change", {"src/b": "2\n"})
    wanted = ["look: passed", "test: passed", "docs: not run: its condition is false"]
    assert _tell(check(project)) == [*wanted, "src/b"]
    (project.path / "README.md").write_text("2\n")
    (project.path / "src/a").write_text("2\n")
    wanted[2] = "docs: passed"
    assert _tell(check(project)) == [*wanted, "src/b src/a"]


def test_what_came_to_the_base_meanwhile_is_no_change(project: TestRepository) -> None:
    project.git("switch", "-qc", "topic")
    project.commit("change", {"src/b": "2\n"})
    mine = project.git("rev-parse", "HEAD").strip()
    project.git("switch", "-q", "main")
    project.commit("meanwhile", {"docs/x": "3\n"})
    project.git("update-ref", "refs/remotes/origin/main", "HEAD")
    project.git("switch", "-q", "topic")
    assert project.git("rev-parse", "HEAD").strip() == mine
    assert _tell(check(project))[2:] == ["docs: not run: its condition is false", "src/b"]


def test_a_push_is_compared_with_what_was_pushed_before(project: TestRepository) -> None:
    project.commit("change", {"README.md": "2\n"})
    checked = check(project)
    assert checked.jobs == [
        "look: passed", "test: not run: its condition is false", "docs: passed",
    ]  # fmt: skip
    assert "1 file changed since" in checked.steps[1]
    # The push has moved what the next one is compared with: the verdict is not the same.
    project.git("update-ref", "refs/remotes/origin/main", "HEAD")
    checked = check(project)
    assert checked.job("look")["verdict"] == "incomplete"
    assert "what it compares with is not known here" in checked.steps[1]


def test_without_a_remote_nothing_is_guessed(tmp_path: Path) -> None:
    project = new_project(tmp_path / "project", _WORKFLOW, {"src/a": "1\n"})
    checked = check(project)
    assert checked.job("look")["verdict"] == "incomplete"
    assert "not known here" in checked.steps[1]
    assert "not known here" in checked.steps[2]


def test_a_pattern_that_is_not_understood_skips_the_step(project: TestRepository) -> None:
    path = project.path / ".github/workflows/ci.yml"
    path.write_text(path.read_text().replace("src/**", "src/[ab]"))
    checked = check(project)
    assert "the pattern 'src/[ab]' is not understood" in checked.steps[1]
    assert checked.job("look")["verdict"] == "incomplete"


def test_a_list_of_files_needs_a_checkout_before(project: TestRepository) -> None:
    path = project.path / ".github/workflows/ci.yml"
    path.write_text(path.read_text().replace("    - uses: actions/checkout@v4\n", ""))
    checked = check(project)
    assert "no checkout comes before this step" in checked.steps[0]
    assert checked.job("look")["verdict"] == "failed"
