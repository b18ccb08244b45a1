"""A whole check: what it leaves alone, what it remembers, and who waits for whom."""

import hashlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.heal.checks import check, new_project
from tests.program import CHECKOUT, heal_here
from tests.repository import TestRepository
from tests.run_.test_shell_command import alive, eventually

COUNTS = """\
    on: push
    jobs:
      job:
        runs-on: ubuntu-latest
        steps: [{name: counts, run: 'echo x >> "$COUNTER"', env: {COUNTER: /nowhere}}]
    """


OTHER = "on: push\njobs: {a: {runs-on: x, steps: [{run: exit 3}]}}"


def take_stock(folder: Path) -> dict[str, str]:
    """Every file below a folder, with the digest of its content, but for what checks record."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and folder / ".git/heal" not in path.parents
    }


def counting(path: Path, script: str = "") -> tuple[TestRepository, Path]:
    """A project whose job adds a line to a file outside of it, each time that it runs."""
    counter = path / "counter"
    counter.write_text("")
    workflow = f"""\
        on: push
        jobs:
          job:
            runs-on: ubuntu-latest
            steps: [{{name: counts, run: 'echo x >> {counter}; {script}'}}]
        """
    return new_project(path / "project", workflow, {"a": "a\n"}), counter


def test_nothing_of_the_checkout_is_written(tmp_path: Path) -> None:
    workflow = """\
        on: push
        jobs:
          job:
            runs-on: ubuntu-latest
            steps:
            - uses: actions/checkout@v4
            - name: tries
              run: |
                git config user.name x; git config user.email x@y; rm -rf a; echo > new
                git add -A; G=git; $G commit -qm x; $G branch other; $G tag t; $G stash list
                git gc -q; git update-ref refs/heads/main HEAD
        """
    repository = new_project(tmp_path / "project", workflow, {"a": "a\n"})
    repository.write({"a": "stashed\n"})
    repository.git("stash")
    repository.write({"a": "changed\n", "new": "untracked\n", ".git/info/exclude": "ignored\n"})
    repository.write({"ignored": "x"})
    repository.git("add", "a")
    before = take_stock(repository.path)
    checked = check(repository)
    assert checked.jobs == ["job: not run: nothing is left to run: moves refs (git update-ref)"]
    repository.write(
        {
            ".github/workflows/ci.yml": "on: push\njobs:\n  job:\n    runs-on: x\n"
            "    steps:\n    - uses: actions/checkout@v4\n"
            "    - run: rm -rf * .git/refs; echo > .git; false\n"
        }
    )
    before = take_stock(repository.path)
    assert check(repository).jobs == [
        "job: failed: rm -rf * .git/refs; echo > .git; false: exit status 1"
    ]
    assert take_stock(repository.path) == before


def test_a_job_commits_stashes_and_branches_in_a_clone_of_its_own(tmp_path: Path) -> None:
    workflow = """\
        on: push
        jobs:
          first:
            runs-on: ubuntu-latest
            steps:
            - uses: actions/checkout@v4
            - name: branches
              run: |
                git branch -D x 2>/dev/null || true
                git branch x HEAD
                git checkout x
            - name: commits
              run: |
                git config --global user.name x; git config --global user.email x@y
                echo new > a; git stash; git stash pop; git commit -am new; git tag -f t
                test "$(git rev-parse --abbrev-ref HEAD)" = x
          second:
            needs: first
            runs-on: ubuntu-latest
            steps:
            - uses: actions/checkout@v4
            - name: begins anew
              run: |
                test "$(git log --format=%s -1)" = begin
                test -z "$(git for-each-ref)$(git status --porcelain)"
        """
    repository = new_project(tmp_path / "project", workflow, {"a": "a\n"})
    before = take_stock(repository.path)
    checked = check(repository)
    assert checked.jobs == ["first: passed", "second: passed"]
    after = take_stock(repository.path)
    assert {name: after[name] for name in before} == before
    refs = {name for name in after if name.startswith(".git/refs/")}
    assert refs == {".git/refs/heads/main", ".git/refs/notes/heal"}  # the verdict is a note


@pytest.mark.slow
def test_the_same_state_is_checked_once_and_another_one_again(tmp_path: Path) -> None:
    repository, counter = counting(tmp_path)
    assert check(repository).data["jobs"][0]["cached"] is False
    again = check(repository)
    assert again.data["jobs"][0]["cached"] is True
    assert again.log("counts") == ""
    assert counter.read_text() == "x\n"
    check(repository, "--force")
    assert counter.read_text() == "x\n" * 2
    repository.write({"a": "changed\n"})
    check(repository)
    assert counter.read_text() == "x\n" * 3
    repository.write({"a": "a\n"})
    check(repository)
    assert counter.read_text() == "x\n" * 3


@pytest.mark.slow
def test_what_a_verdict_depends_on_beside_the_state_makes_it_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository, counter = counting(tmp_path)
    repository.commit("ignore", {".gitignore": ".env\n"})
    repository.git("config", "heal.include", ".env")
    check(repository)
    repository.write({".env": "A=1\n"})
    check(repository)
    assert counter.read_text() == "x\n" * 2
    check(repository, "--secret=NAME", NAME="value-of-it")
    assert counter.read_text() == "x\n" * 3
    check(repository)
    assert counter.read_text() == "x\n" * 3
    monkeypatch.setattr("git_retcon.heal.check_situation.__version__", "9.0.0")
    for _ in range(2):
        check(repository)
        assert counter.read_text() == "x\n" * 4


def test_included_files_are_there(tmp_path: Path) -> None:
    workflow = """\
        on: push
        jobs:
          job:
            runs-on: ubuntu-latest
            steps:
            - uses: actions/checkout@v4
            - {name: shows, run: "cat .env sub/.env; ls"}
        """
    files = {".gitignore": ".env\nother\n", "sub/a": "a"}
    repository = new_project(tmp_path / "project", workflow, files)
    repository.git("config", "heal.include", ".env")
    repository.write({".env": "top\n", "sub/.env": "below\n", "other": "no"})
    assert check(repository).log("shows") == "top\nbelow\nsub\n"


def test_uncommitted_work_is_a_commit_in_the_worktree(tmp_path: Path) -> None:
    workflow = """\
        on: push
        jobs:
          job:
            runs-on: ubuntu-latest
            steps:
            - uses: actions/checkout@v4
            - {name: shows, run: 'git status --short; git log --format=%s; git rev-parse HEAD'}
            - {name: sha, run: 'echo $GITHUB_SHA'}
        """
    repository = new_project(tmp_path / "project", workflow)
    repository.git("tag", "v1")
    repository.write({"new": "new\n"})
    checked = check(repository)
    *subjects, commit = checked.log("shows").splitlines()
    assert subjects == ["Uncommitted work", "begin"]
    assert checked.log("sha").strip() == commit


@pytest.mark.slow
def test_two_clones_in_the_same_state_share_nothing(tmp_path: Path) -> None:
    repository, counter = counting(tmp_path)
    repository.git("clone", "-q", ".", str(tmp_path / "clone"))
    check(repository)
    other = check(TestRepository(tmp_path / "clone"))
    assert counter.read_text() == "x\n" * 2
    assert other.data["jobs"][0]["cached"] is False


def start(repository: TestRepository) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-P", "-m", "git_retcon.commands.heal", "check", "--trust"],
        cwd=repository.path, env={**os.environ, "PYTHONPATH": str(CHECKOUT)},
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip


def wait_for(counter: Path) -> None:
    until = time.monotonic() + 60
    while not counter.read_text() and time.monotonic() < until:
        time.sleep(0.05)
    assert counter.read_text()


@pytest.mark.slow
def test_a_second_check_of_one_state_waits_for_the_verdict_of_the_first(tmp_path: Path) -> None:
    go = tmp_path / "go"
    repository, counter = counting(tmp_path, f"until test -e {go}; do sleep 0.05; done")
    first = start(repository)
    wait_for(counter)
    second = start(repository)
    assert second.stdout is not None
    assert "waiting for its verdict" in second.stdout.readline()
    # another state is not held up
    repository.git("worktree", "add", "-q", str(tmp_path / "other"))
    other = TestRepository(tmp_path / "other")
    other.write({".github/workflows/ci.yml": OTHER})
    assert check(other).jobs == ["a: failed: exit 3: exit status 3"]
    go.write_text("")
    assert "(cached)" in second.communicate(timeout=60)[0]
    first.communicate(timeout=60)
    assert (first.returncode, second.returncode, counter.read_text()) == (0, 0, "x\n")


@pytest.mark.slow
def test_an_interrupted_check_ends_its_steps_and_is_run_again(tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    repository, counter = counting(tmp_path, f"echo $$ > {pid}; test -e {tmp_path}/go || sleep 60")
    first = start(repository)
    wait_for(counter)
    while not pid.exists() or not pid.read_text():
        time.sleep(0.02)
    first.send_signal(signal.SIGINT)
    first.communicate(timeout=60)
    assert first.returncode == 130
    assert not Path(f"/proc/{pid.read_text().strip()}").exists()
    (tmp_path / "go").write_text("")
    assert check(repository).jobs == ["job: passed"]
    assert counter.read_text() == "x\n" * 2


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="it ends with its step elsewhere")
def test_a_server_ends_with_a_check_that_is_killed(tmp_path: Path) -> None:
    repository, counter = counting(tmp_path, "sleep 300 & sleep 300")
    workflow = (repository.path / ".github/workflows/ci.yml").read_text()
    begin, _, steps = workflow.partition("steps: ")
    pid = tmp_path / "pid"
    server = f"{{name: serves, run: 'sleep 300 & echo $! > {pid}'}}, "
    repository.write({".github/workflows/ci.yml": f"{begin}steps: [{server}{steps[1:]}"})
    first = start(repository)
    wait_for(counter)
    process = int(pid.read_text())
    assert alive(process)
    first.kill()
    first.communicate(timeout=60)
    assert eventually(lambda: not alive(process))


@pytest.mark.slow
def test_trust_is_kept_also_where_the_verdicts_are_known(tmp_path: Path) -> None:
    repository, counter = counting(tmp_path)
    # The verdicts are of the machine; who trusts is said by the configuration of a person.
    first, second = ({"GIT_CONFIG_GLOBAL": str(tmp_path / name)} for name in ("one", "two"))
    heal_here(repository.path, "check", "--trust", env=first).ok()
    cached = heal_here(repository.path, "check", "--trust", env=second).ok()
    assert "cached" in cached.out
    heal_here(repository.path, "check", "--force", env=second).ok()
    assert counter.read_text() == "x\nx\n"


def test_nothing_runs_before_its_commands_are_trusted(tmp_path: Path) -> None:
    repository, counter = counting(tmp_path)
    done = heal_here(repository.path, "check")
    assert (done.status, counter.read_text()) == (1, "")
    assert f"ci.yml:5: echo x >> {counter}" in done.err
    assert "run the same command with --trust" in done.err
    check(repository)
    repository.write({"a": "another state\n"})
    assert heal_here(repository.path, "check").status == 0
    changed = (repository.path / ".github/workflows/ci.yml").read_text() + "# harmless\n"
    repository.write({".github/workflows/ci.yml": changed})
    assert heal_here(repository.path, "check").status == 0
    repository.write({".github/workflows/ci.yml": changed.replace("echo x", "echo y")})
    assert heal_here(repository.path, "check").status == 1


@pytest.mark.parametrize("prefix", ["./", "$/"])
def test_an_action_of_the_repository_runs_only_when_trusted(tmp_path: Path, prefix: str) -> None:
    steps = f"[{{uses: actions/checkout@v4}}, {{uses: {prefix}act}}]"
    workflow = f"on: push\njobs: {{job: {{runs-on: ubuntu-latest, steps: {steps}}}}}"
    action = "name: a\nruns: {using: composite, steps: [{run: echo one, shell: sh}]}\n"
    repository = new_project(tmp_path / "project", workflow, {"act/action.yml": action})
    refused = heal_here(repository.path, "check")
    assert "nothing was run" in refused.err
    assert "act/action.yml:2: (sh) echo one" in refused.err
    assert check(repository).jobs == ["job: passed"]
    repository.write({"act/action.yml": action.replace("one", "two")})
    assert "nothing was run" in heal_here(repository.path, "check").err


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("shell: sh", "shell: bash"),
        ("cmd: [echo]", "cmd: [date]"),
        ("A: one", "A: two"),
        ("working-directory: .", "working-directory: .github"),
    ],
)
def test_what_decides_what_a_command_does_is_trusted_with_it(
    tmp_path: Path, old: str, new: str
) -> None:
    workflow = """\
        on: push
        jobs:
          job:
            runs-on: ubuntu-latest
            strategy: {matrix: {cmd: [echo]}}
            env: {A: one}
            defaults: {run: {shell: sh, working-directory: .}}
            steps: [{run: "${{ matrix.cmd }}"}]
        """
    repository = new_project(tmp_path / "project", workflow)
    check(repository)
    file = ".github/workflows/ci.yml"
    repository.write({file: (repository.path / file).read_text().replace(old, new)})
    assert "nothing was run" in heal_here(repository.path, "check").err


def test_errors_elsewhere_are_only_counted_where_asked(tmp_path: Path) -> None:
    workflow = """\
        on: push
        jobs:
          job:
            runs-on: ubuntu-latest
            steps:
            - uses: actions/checkout@v4
            - run: |
                echo "::error file=mine.txt,line=2,col=2::mine"
                echo "::error file=other.txt,line=1::other"
                echo "::error file=missing.txt,line=1::not there"
                exit 1
        """
    files = {"mine.txt": "1\n2\n", "other.txt": "1\n"}
    repository = new_project(tmp_path / "project", workflow, files)
    repository.git("switch", "-qc", "topic")
    repository.write({"mine.txt": "1\n2\n3\n"})
    places = [(one["file"], one["line"], one["column"]) for one in check(repository).data["errors"]]
    assert places == [("mine.txt", 2, 2), ("other.txt", 1, None)]
    changed = check(repository, "--changed").data
    assert [one["message"] for one in changed["errors"]] == ["mine"]
    assert changed["elsewhere"] == 1


@pytest.mark.slow
def test_what_was_lacking_may_be_here_the_next_time(tmp_path: Path) -> None:
    repository, counter = counting(tmp_path, "no-such-tool")
    for number in (1, 2):
        checked = check(repository)
        assert checked.jobs[0].startswith("job: incomplete: ")
        assert counter.read_text() == "x\n" * number


def test_untracked_files_with_secrets_are_named_and_stay_out(tmp_path: Path) -> None:
    steps = "[{uses: actions/checkout@v4}, {run: ls -A}]"
    workflow = f"on: push\njobs: {{a: {{runs-on: x, steps: {steps}}}}}"
    repository = new_project(tmp_path / "project", workflow)
    repository.write({".env": "KEY=1\n", "id_rsa": "key\n"})
    ran = heal_here(repository.path, "check", "--trust").ok()
    assert "warning: left out, as untracked files with secrets: .env and id_rsa\n" in ran.err
    assert "hint: 'git add' takes such a file into the check\n" in ran.err
    (log,) = (tmp_path / "home").rglob("logs/*.log")
    assert log.read_text().split() == [".git", ".github"]
