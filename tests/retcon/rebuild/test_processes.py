"""How many git processes a run starts: a law across ``rebuild``, ``branch``, ``git`` and ``run``.

Processes are counted, not seconds: the count is the same on every machine.
"""

import json
from collections import Counter
from pathlib import Path

import pytest

from tests.program import retcon
from tests.repository import TestRepository


def write_spec(repo: TestRepository, commits: int) -> Path:
    """A branch of so many commits, and a spec that asks for the same ones."""
    repo.commit("base", {"base.txt": "0\n"})
    repo.git("checkout", "-q", "-b", "topic")
    spec = ['source = "topic"', 'remote = "main"', 'cleaned = "clean"']
    for number in range(commits):
        repo.commit(f"Add file {number}", {f"file{number}.txt": f"content {number}\n"})
        spec += ["[[commit]]", f'message = "Add file {number}"', 'hints = ""', "history = []"]
    path = repo.path.parent / "history.toml"
    path.write_text("\n".join(spec) + "\n")
    return path


def count_processes(repo: TestRepository, spec: Path, *options: str, trace: Path) -> Counter[str]:
    """How often a run starts each git command."""
    trace.unlink(missing_ok=True)
    env = {"GIT_TRACE2_EVENT": str(trace)}
    retcon(repo.path, "--offline", str(spec), *options, env=env).ok()
    events = map(json.loads, trace.read_text().splitlines())
    return Counter(event["name"] for event in events if event["event"] == "cmd_name")


@pytest.mark.parametrize("commits", [1, 20])
def test_the_number_of_commits_costs_no_process(
    repo: TestRepository, tmp_path: Path, commits: int
) -> None:
    spec = write_spec(repo, commits)
    started = count_processes(repo, spec, trace=tmp_path / "trace")
    assert repo.git("rev-list", "--count", "main..clean") == str(commits)
    assert started.total() <= 6, started


# What a build leaves: nothing; files that are ignored; and others, which the next checkout removes.
BUILDS = ["true", "echo > made.o", "mkdir -p new/deep && echo > new/deep/file && rm base.txt"]


@pytest.mark.slow
@pytest.mark.parametrize("build", BUILDS)
def test_a_command_costs_one_process(repo: TestRepository, tmp_path: Path, build: str) -> None:
    spec = write_spec(repo, 10)
    (repo.path / ".git/info/exclude").write_text("*.o\n")
    options, trace = (f"--build={build}", "--restart"), tmp_path / "trace"
    for _ in range(2):  # the worktree is made, and found again
        started = count_processes(repo, spec, *options, "--no-cache", trace=trace)
        assert started["read-tree"] == 10
        assert started.total() <= 12 + 10, started


def test_a_failing_command_costs_no_more(repo: TestRepository, tmp_path: Path) -> None:
    """Each commit needs the file of the next one, so each fails once."""
    spec = write_spec(repo, 4)
    build = "for f in file*; do n=${f#file}; n=${n%.txt}; done; test $n = 3"
    started = count_processes(repo, spec, f"--build={build}", trace=tmp_path / "trace")
    assert started["read-tree"] > 4
    assert started.total() <= 12 + started["read-tree"], started


def test_a_finished_branch_is_known_with_as_few(repo: TestRepository, tmp_path: Path) -> None:
    spec = write_spec(repo, 20)
    retcon(repo.path, "--offline", str(spec)).ok()
    started = count_processes(repo, spec, trace=tmp_path / "trace")
    assert started.total() <= 4, started
