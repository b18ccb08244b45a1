"""A job finds the files of the repository behind its checkout, and an empty folder before."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.heal.checks import check, check_steps, new_project
from tests.program import CHECKOUT

NONE = "no checkout comes before this step"
EMPTY = 'test -z "$(ls -A)"'
FILES = {
    "a.txt": "a\n",
    "tool/action.yml": "runs: {using: composite, steps: [{run: 'true', shell: sh}]}\n",
}


def test_a_job_finds_the_files_behind_its_checkout(tmp_path: Path) -> None:
    checked = check_steps(
        tmp_path / "project",
        f"""\
        - run: {EMPTY} && echo mine > a.txt && mkdir -p b/c
        - run: cat a.txt && test "$PWD" = "$GITHUB_WORKSPACE"
        - run: git status || git log || echo no repository
        - uses: actions/checkout@v4
        - run: test ! -e b && git diff --exit-code && git status --short && cat a.txt
        """,
        FILES,
    )
    assert checked.jobs == ["job: passed"]
    assert checked.log('cat a.txt && test "$PWD" = "$GITHUB_WORKSPACE"') == "mine\n"
    assert checked.log("git status || git log || echo no repository").endswith("no repository\n")
    assert checked.log(
        "test ! -e b && git diff --exit-code && git status --short && cat a.txt"
    ) == "a\n"  # fmt: skip


def test_a_job_without_a_checkout_finds_none(tmp_path: Path) -> None:
    project = new_project(
        tmp_path / "project",
        f"""\
        on: push
        jobs:
          reads: {{runs-on: ubuntu-latest, steps: [{{run: cat a.txt}}]}}
          says: {{runs-on: ubuntu-latest, steps: [{{run: '{EMPTY} && echo hello'}}]}}
          false:
            runs-on: ubuntu-latest
            steps: [{{uses: actions/checkout@v4, if: false}}, {{run: '{EMPTY}'}}]
          elsewhere:
            runs-on: ubuntu-latest
            steps: [{{run: 'true', working-directory: tool}}]
          after:
            runs-on: ubuntu-latest
            steps: [{{uses: actions/checkout@v4}}, {{run: cat a.txt}}]
        """,
        FILES,
    )
    assert check(project).jobs == [
        "reads: failed: cat a.txt: exit status 1",
        "says: passed",
        "false: passed",
        "elsewhere: failed: true: there is no folder 'tool' to work in",
        "after: passed",
    ]


def test_before_a_checkout_there_is_no_repository_and_nothing_lacks_here(tmp_path: Path) -> None:
    project = new_project(
        tmp_path / "project",
        """\
        on: push
        jobs:
          asks: {runs-on: ubuntu-latest, steps: [{run: git status}]}
          lacks: {runs-on: ubuntu-latest, steps: [{run: no-such-program}]}
        """,
    )
    assert check(project).jobs == [
        "asks: failed: git status: exit status 128",
        "lacks: incomplete: no-such-program: exit status 127, for the lack of something here",
    ]


def test_hashes_and_local_actions_before_a_checkout_find_nothing(tmp_path: Path) -> None:
    checked = check_steps(
        tmp_path / "project",
        """\
        - run: test -z "${{ hashFiles('**') }}"
        - {uses: ./tool, continue-on-error: true}
        - {uses: actions/setup-python@v5, with: {python-version-file: v}, continue-on-error: true}
        - {uses: actions/checkout@v4, if: "hashFiles('**') == ''"}
        - run: test -n "${{ hashFiles('**') }}"
        - uses: ./tool
        """,
        FILES,
    )
    lacks = [f"there is no {what}: {NONE}" for what in ("action in tool", "file 'v'")]
    assert [line.partition("forgiven: ")[2] for line in checked.steps[1:3]] == lacks
    assert checked.jobs == ["job: passed"]


def test_an_action_of_the_commit_needs_no_checkout_and_has_its_files(tmp_path: Path) -> None:
    action = f"""\
        runs:
          using: composite
          steps:
          - {{shell: sh, run: '{EMPTY} && sh "$GITHUB_ACTION_PATH/say" here'}}
          - uses: $/tool
          - uses: actions/checkout@v4
          - {{shell: sh, run: 'sh "${{{{ github.action_path }}}}/say" there && cat a.txt'}}
        """
    checked = check_steps(
        tmp_path / "project",
        "- uses: $/sets/up\n- run: cat a.txt\n",
        {**FILES, "sets/up/action.yml": action, "sets/up/say": 'test -e "$(dirname $0)/say"\n'},
    )
    assert checked.jobs == ["job: passed"]


def test_a_condition_alone_finds_an_empty_workspace(tmp_path: Path) -> None:
    steps = "- {run: exit 1, if: hashFiles('**') != ''}\n- uses: actions/checkout@v4\n"
    assert check_steps(tmp_path / "project", steps, FILES).jobs == ["job: passed"]


def test_above_an_empty_workspace_no_repository_is_found(tmp_path: Path) -> None:
    new_project(tmp_path / "above", "on: push\njobs: {}\n")
    steps = "[{run: if git rev-parse --git-dir; then exit 1; fi}]"
    workflow = f"on: push\njobs:\n  job: {{runs-on: ubuntu-latest, steps: {steps}}}\n"
    project = new_project(tmp_path / "project", workflow)
    data = str(tmp_path / "above/data")
    assert check(project, XDG_DATA_HOME=data).jobs == ["job: passed"]


def test_a_checkout_by_the_path_of_the_workspace_shows_the_files(tmp_path: Path) -> None:
    steps = f"""\
        - run: {EMPTY}
        - {{uses: actions/checkout@v4, with: {{path: "${{{{ github.workspace }}}}"}}}}
        - run: cat a.txt
        - uses: actions/checkout@v4
        """
    assert check_steps(tmp_path / "project", steps, FILES).jobs == ["job: passed"]


def test_behind_other_checkouts_the_state_is_the_state(tmp_path: Path) -> None:
    checked = check_steps(
        tmp_path / "project",
        """\
        - {uses: actions/checkout@v4, with: {path: sub}}
        - uses: actions/checkout@v4
        - run: test ! -e sub && mkdir sub && echo made > sub/a.txt
        - run: "echo 'a.txt:1: error: bad'; echo 'sub/a.txt:1: error: not ours'; exit 1"
        """,
        FILES,
    )
    found = [(error["file"], error["message"]) for error in checked.data["errors"]]
    assert found == [("a.txt", "bad")]


@pytest.mark.slow
def test_the_files_of_an_action_are_those_of_the_commit_in_each_run(tmp_path: Path) -> None:
    run = 'test ! -e "$GITHUB_ACTION_PATH/made" && touch "$GITHUB_ACTION_PATH/made"'
    action = f"runs: {{using: composite, steps: [{{run: {json.dumps(run)}, shell: sh}}]}}\n"
    workflow = "on: push\njobs:\n  job: {runs-on: ubuntu-latest, steps: [{uses: $/tool}]}\n"
    project = new_project(tmp_path / "project", workflow, {"tool/action.yml": action})
    for options in ([], ["--force"]):
        assert check(project, *options).jobs == ["job: passed"]


def test_an_action_of_the_commit_waits_for_no_pipe_of_the_workspace(tmp_path: Path) -> None:
    steps = "- run: mkfifo .gitattributes .gitignore\n- uses: $/tool\n- uses: $/tool\n"
    assert check_steps(tmp_path / "project", steps, FILES).jobs == ["job: passed"]


HARM = """\
git config own.setting kept
git switch -qc mine && echo new > new && git add new
git -c user.name=A -c user.email=a@b commit -qm new
echo changed >> a.txt && rm -r tool && touch junk ignored && git init -q nested && touch nested/x
echo staged > staged && git add staged && mkfifo .gitattributes
g=$(git rev-parse --git-dir) && touch $g/index.lock && mkfifo $g/info/attributes
"""
BACK = """\
git diff --exit-code HEAD && test $(git rev-parse HEAD) = $GITHUB_SHA && cat a.txt tool/action.yml
test ! -e new && test ! -e staged && git config own.setting && test -z "$(git branch --list mine)"
"""


def check_twice(path: Path, options: str, then: str) -> list[str]:
    steps = f"""\
        - uses: actions/checkout@v4
        - run: sh ./harm
        - {{uses: actions/checkout@v4, with: {{{options}}}}}
        - run: {json.dumps(BACK + then)}
        """
    return check_steps(path, steps, {**FILES, ".gitignore": "ignored\n", "harm": HARM}).jobs


def test_a_second_checkout_puts_everything_back(tmp_path: Path) -> None:
    gone = "test ! -e junk && test ! -e ignored && test ! -e nested"
    assert check_twice(tmp_path / "project", "", gone) == ["job: passed"]


@pytest.mark.slow
def test_a_second_checkout_that_does_not_clean_leaves_what_is_not_tracked(tmp_path: Path) -> None:
    kept = "test -e junk && test -e ignored && test -e nested/x"
    assert check_twice(tmp_path / "project", "clean: false", kept) == ["job: passed"]


@pytest.mark.slow
@pytest.mark.parametrize("harm", ["git checkout -q --orphan x", "chmod -R a-w ."])
def test_a_second_checkout_of_a_damaged_repository_makes_it_anew(tmp_path: Path, harm: str) -> None:
    steps = """\
        - uses: actions/checkout@v4
        - run: touch junk; sh ./harm
        - uses: actions/checkout@v4
        - run: test ! -e junk && git diff --exit-code HEAD && cat a.txt
        """
    files = {**FILES, "harm": harm}
    assert check_steps(tmp_path / "project", steps, files).jobs == ["job: passed"]


@pytest.mark.slow
def test_what_is_to_be_included_is_there_behind_each_checkout(tmp_path: Path) -> None:
    checkout = "{uses: actions/checkout@v4}"
    steps = f"[{checkout}, {{run: rm .env}}, {checkout}, {{run: cat .env}}]"
    workflow = f"on: push\njobs:\n  job: {{runs-on: ubuntu-latest, steps: {steps}}}\n"
    project = new_project(tmp_path / "project", workflow, {".gitignore": ".env\n"})
    project.write({".env": "A=1\n"})
    project.git("config", "heal.include", ".env")
    assert check(project).jobs == ["job: passed"]


@pytest.mark.slow
def test_an_artifact_before_a_checkout_is_removed_by_it(tmp_path: Path) -> None:
    project = new_project(
        tmp_path / "project",
        """\
        on: push
        jobs:
          makes:
            runs-on: ubuntu-latest
            steps:
            - run: mkdir dist && echo new > dist/b.txt
            - {uses: actions/upload-artifact@v4, with: {name: dist, path: dist}}
          takes:
            needs: makes
            runs-on: ubuntu-latest
            steps:
            - {uses: actions/download-artifact@v4, with: {name: dist}}
            - run: test "$(ls)" = b.txt
            - uses: actions/checkout@v4
            - run: test ! -e b.txt && test -e a.txt
            - {uses: actions/download-artifact@v4, with: {name: dist}}
            - run: test -e b.txt && test -e a.txt
        """,
        FILES,
    )
    assert check(project).jobs == ["makes: passed", "takes: passed"]


def test_behind_what_is_skipped_nobody_knows_what_is_there(tmp_path: Path) -> None:
    project = new_project(
        tmp_path / "project",
        """\
        on: push
        jobs:
          brings:
            runs-on: ubuntu-latest
            steps: [{uses: some/thing-that-checks-out@v1}, {run: cat a.txt}]
          keeps:
            runs-on: ubuntu-latest
            steps: [{run: echo > b.txt}, {uses: some/thing@v1}, {run: 'test "$(ls)" = b.txt'}]
        """,
        FILES,
    )
    skipped = [line.partition(" skipped")[0] for line in check(project).jobs]
    assert skipped == ["brings: incomplete: 1 step", "keeps: incomplete: 1 step"]


@pytest.mark.slow
def test_ignored_files_stay_with_a_job_that_looks_before_its_checkout(tmp_path: Path) -> None:
    keep = "mkdir -p node_modules; ls node_modules; touch node_modules/kept"
    project = new_project(
        tmp_path / "project",
        f"""\
        on: push
        jobs:
          job:
            runs-on: ubuntu-latest
            steps:
            - run: {EMPTY}
            - uses: actions/checkout@v4
            - {{name: keeps, run: {keep}}}
        """,
        {".gitignore": "node_modules\n"},
    )
    assert check(project).log("keeps") == ""
    again = check(project, "--force")
    assert (again.jobs, again.log("keeps")) == (["job: passed"], "kept\n")


def test_an_error_before_the_checkout_is_of_no_file_of_the_state(tmp_path: Path) -> None:
    said = "echo mine > a.txt; echo 'a.txt:1: error: bad'; exit 1"
    checked = check_steps(tmp_path / "project", f"- run: {said!r}\n", FILES)
    assert checked.jobs[0].startswith("job: failed")
    assert [error["file"] for error in checked.data["errors"]] == [None]
    assert not [*tmp_path.rglob("tree.aside")]


@pytest.mark.slow
def test_killed_before_its_checkout_the_next_check_has_all_files(tmp_path: Path) -> None:
    witness = tmp_path / "witness"
    project = new_project(
        tmp_path / "project",
        f"""\
        on: push
        jobs:
          job:
            runs-on: ubuntu-latest
            steps:
            - run: {EMPTY} && test -e {witness} || {{ echo > b.txt; touch {witness}; sleep 600; }}
            - uses: actions/checkout@v4
            - run: test -e a.txt && test -e node_modules/kept && test ! -e b.txt
        """,
        {**FILES, ".gitignore": "node_modules\n"},
    )
    own = {"XDG_DATA_HOME": str(tmp_path / "data")}
    command = [sys.executable, "-P", "-m", "git_retcon.commands.heal", "check", "--trust"]
    env = {**os.environ, "PYTHONPATH": str(CHECKOUT), **own}
    first = subprocess.Popen(command, cwd=project.path, env=env, stderr=subprocess.DEVNULL)
    while not witness.exists():
        time.sleep(0.01)
    first.kill()
    first.communicate(timeout=60)
    (aside,) = (tmp_path / "data").glob("**/tree.aside")
    assert (aside / "a.txt").read_text() == "a\n"
    (aside / "node_modules").mkdir()
    (aside / "node_modules" / "kept").touch()
    checked = check(project, **own)
    assert checked.jobs == ["job: passed"]
    assert not aside.exists()
