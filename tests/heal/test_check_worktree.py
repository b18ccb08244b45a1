"""The worktree of a new state takes over what was downloaded, and nothing that was built."""

from pathlib import Path

import pytest

from tests.heal.checks import check, new_project
from tests.heal.project import FOLDER
from tests.repository import new_repository

WORKFLOW = """\
    on: push
    jobs:
      job:
        runs-on: ubuntu-latest
        steps:
        - uses: actions/checkout@v4
        - name: found
          run: |
            ls -A node_modules sub/node_modules ~/.npm/_cacache 2>/dev/null || true
            ls -d build ~/.config/tool .venv 2>/dev/null || true
        - run: |
            mkdir -p node_modules/a node_modules/.cache sub/node_modules/b ~/.npm/_cacache/c
            mkdir -p build ~/.config/tool .venv
    """
WHEN = """\
on: push
jobs:
  job:
    runs-on: ubuntu-latest
    steps:
    - uses: actions/checkout@v4
    - {name: when, run: "git log -1 --date=raw --format=%ad"}
"""
IGNORED = "node_modules/\nbuild/\n.venv/\n"


def test_downloads_move_to_the_next_state(tmp_path: Path) -> None:
    files = {".gitignore": IGNORED, "sub/a": "a\n"}
    repository = new_project(tmp_path / "project", WORKFLOW, files)
    assert check(repository).log("found") == ""
    repository.write({"sub/a": "changed\n"})
    found = check(repository).log("found").splitlines()
    assert [one.rpartition("/jobs/")[0] or one for one in found if not one.startswith("/")] == [
        "node_modules:", "a", "", "sub/node_modules:", "b",
    ] or set(found) >= {"a", "b", "c"}  # fmt: skip
    assert not {"build", ".venv", ".cache"} & set(found)


@pytest.mark.slow
def test_a_link_to_the_earlier_tree_is_not_carried(tmp_path: Path) -> None:
    workflow = """\
        on: push
        jobs:
          job:
            runs-on: ubuntu-latest
            steps:
            - uses: actions/checkout@v4
            - {name: found, run: ls node_modules || true}
            - {run: mkdir node_modules; ln -s "$PWD/sub" node_modules/linked}
        """
    files = {".gitignore": IGNORED, "sub/a": "a\n"}
    repository = new_project(tmp_path / "project", workflow, files)
    check(repository)
    repository.write({"sub/a": "changed\n"})
    assert "linked" not in check(repository).log("found")


def test_a_worktree_that_a_job_damaged_is_made_again(tmp_path: Path) -> None:
    workflow = """\
        on: push
        jobs:
          damages:
            runs-on: ubuntu-latest
            steps:
            - uses: actions/checkout@v4
            - run: rm -rf "$(git rev-parse --git-dir)"; chmod 000 sub
          behind:
            needs: damages
            runs-on: ubuntu-latest
            steps:
            - uses: actions/checkout@v4
            - {name: reads, run: cat sub/a new; git log --format=%s}
        """
    repository = new_project(tmp_path / "project", workflow, {"sub/a": "a\n"})
    repository.write({"new": "new\n"})
    checked = check(repository)
    assert checked.jobs == ["damages: passed", "behind: passed"]
    assert checked.log("reads") == "a\nnew\nUncommitted work\nbegin\n"


@pytest.mark.parametrize("seconds", [None, 86_400])
def test_uncommitted_work_is_checked_before_the_first_commit_and_on_a_very_old_one(
    tmp_path: Path, seconds: int | None
) -> None:
    repository = new_repository(tmp_path / "project", "-b", "main")
    if seconds is not None:
        date = f"@{seconds} +0100"
        repository.git("commit", "--allow-empty", "--date", date, "-qm", "old")
    repository.write({f"{FOLDER}ci.yml": WHEN})
    done = check(repository)
    assert done.jobs == ["job: passed"]
    assert done.log("when") == ("0 +0000\n" if seconds is None else "86400 +0100\n")


@pytest.mark.slow
def test_permissions_that_a_job_changes_are_its_own(tmp_path: Path) -> None:
    project = new_project(
        tmp_path / "project",
        """\
        on: push
        jobs:
          changes:
            runs-on: ubuntu-latest
            steps: [{uses: actions/checkout@v4}, {run: chmod 600 a.txt; chmod 700 src .}]
          looks:
            runs-on: ubuntu-latest
            steps:
            - uses: actions/checkout@v4
            - run: |
                touch new && mkdir made
                modes() { for one; do ls -ld "$one" | cut -c1-10; done; }
                test "$(modes a.txt src .)" = "$(modes new made made)"
        """,
        {"a.txt": "a\n", "src/b.txt": "b\n"},
    )
    for arguments in ([], ["--force"]):
        assert check(project, *arguments).jobs == ["changes: passed", "looks: passed"]
    project.write({"a.txt": "not committed\n"})
    assert check(project).jobs == ["changes: passed", "looks: passed"]


HARMS = (
    "rm -f $g/info/exclude $g/info/attributes; mkfifo $g/info/exclude $g/info/attributes",
    "rm -f $g/index ../index; mkfifo $g/index ../index",
    "rm ../repository ../config; mkfifo ../repository ../config $g/shallow",
    "rm ../repository",
    "rm ../state ../owner; mkfifo ../state ../owner",
    "rm ../state ../owner; mkdir ../state ../owner",
    "rm -r ../verdicts; echo > ../verdicts; mkdir ../tree.aside",
    "rm -r ../verdicts; mkfifo ../verdicts",
)


@pytest.mark.slow
@pytest.mark.parametrize("harm", HARMS)
def test_what_a_job_does_to_the_worktree_stops_no_later_one(tmp_path: Path, harm: str) -> None:
    project = new_project(
        tmp_path / "project",
        f"""\
        on: push
        jobs:
          harms:
            runs-on: ubuntu-latest
            steps:
            - uses: actions/checkout@v4
            - {{name: harm, run: 'g=$(git rev-parse --absolute-git-dir); {harm}'}}
          later:
            runs-on: ubuntu-latest
            steps: [{{uses: actions/checkout@v4}}, {{run: git diff --exit-code && cat a.txt}}]
        """,
        {"a.txt": "a\n"},
    )
    for arguments in ([], ["--force"], ["--job=later", "--force"], []):
        checked = check(project, *arguments)
        assert checked.jobs[-1] == "later: passed", checked.ran.err
