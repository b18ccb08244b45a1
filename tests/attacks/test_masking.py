"""A secret that a command prints is seen on no screen, and in no output, log, note or database.

A law over all that the three commands write that run other people's commands.
"""

import base64
import random
import shlex
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from tests.code_commit.project import answer_of, new_project
from tests.heal.checks import new_project as new_checked_project
from tests.program import Ran, code_commit_here, heal_here, on_terminal, rest, retcon_here
from tests.repository import TestRepository, new_repository
from tests.retcon.scene import messy_branch

KNOWN = "quiet-" + "Little-7-secret-9xQ"
SHAPED = "ghp_" + "a1B2c3" * 6
_BODY = base64.b64encode(random.Random(1).randbytes(96)).decode()
_KEY = [
    "-----BEGIN " + "PRIVATE KEY-----",
    _BODY[:64],
    _BODY[64:],
    "-----END " + "PRIVATE KEY-----",
]
# A part of each that would be seen if any line or half of it were.
TRACES = (KNOWN, KNOWN[-12:], SHAPED, SHAPED[-12:], _BODY[:24], _BODY[64:88])

# Each half by itself, as slow programs print.
_PRINT = """\
import sys, time
for line in open({place!r}):
    for part in (line[:20], line[20:]):
        sys.stdout.write(part)
        sys.stdout.flush()
        time.sleep(0.01)
sys.exit(3)
"""


@pytest.fixture
def printing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A command that prints secrets, and fails."""
    monkeypatch.setenv("DEPLOY_TOKEN", KNOWN)
    place, program = tmp_path / "secrets.txt", tmp_path / "print.py"
    place.write_text("\n".join([f"error: {KNOWN}", f"a.py:1: {SHAPED}", *_KEY, ""]))
    program.write_text(_PRINT.format(place=str(place)))
    return f"{shlex.quote(sys.executable)} -S {program}"


def assert_unseen(tmp_path: Path, repo: TestRepository, *ran: Ran) -> None:
    """Nothing of the secrets is in what was printed, or in a file that a command of ours wrote."""
    texts = {f"run {number}": f"{each.out}{each.err}" for number, each in enumerate(ran)}
    texts["objects"] = repo.git("cat-file", "--batch-all-objects", "--batch", "--unordered")
    for top in (repo.path, tmp_path / "home"):
        for path in top.rglob("*"):
            if path.is_file() and not path.is_symlink():
                texts[str(path)] = path.read_bytes().decode("latin-1")
    assert any(path.endswith(".db") or "logs/" in path for path in texts)
    found = [(name, trace) for name, text in texts.items() for trace in TRACES if trace in text]
    assert found == []
    assert any("[masked secret ..xQ]" in text for text in texts.values())


Run = Callable[[Path, Sequence[str]], Ran]
FORMATS = [(), ("--events",), ("--json",), ("-v",)]


@pytest.mark.slow
def test_what_a_build_of_git_retcon_prints(tmp_path: Path, printing: str) -> None:
    scene = messy_branch(new_repository(tmp_path / "repo"))
    runs = [
        retcon_here(scene.repo.path, "history.toml", "--offline", "--build", printing, *options)
        for options in FORMATS
    ]
    child = on_terminal(
        "retcon", scene.repo.path, "history.toml", "--offline", "--build", printing, "--no-cache"
    )
    runs.append(rest(child))
    assert [run.status for run in runs] == [1] * 5
    assert_unseen(tmp_path, scene.repo, *runs)


def test_what_a_build_of_git_code_commit_prints(tmp_path: Path, printing: str) -> None:
    project = new_project(tmp_path / "repo")
    base = ("--build", printing, "--sandbox=off")
    runs = [
        code_commit_here(
            project.path, "--query", f"Make it {len(options)}{options}.", "--response", "-", *base,
            *options, stdin=answer_of({"src/a.txt": f"{options}\n"}),
        )
        for options in FORMATS
    ]  # fmt: skip
    assert 0 not in [run.status for run in runs]
    assert_unseen(tmp_path, project, *runs)


@pytest.mark.slow
def test_what_a_step_of_git_heal_check_prints(tmp_path: Path, printing: str) -> None:
    workflow = "on: push\njobs:\n  job:\n    runs-on: ubuntu-latest\n    steps:\n"
    repo = new_checked_project(tmp_path / "repo", f"{workflow}    - run: {printing}\n")
    runs = [heal_here(repo.path, "check", "--trust", "--force", *options) for options in FORMATS]
    runs.append(rest(on_terminal("heal", repo.path, "check", "--trust", "--force")))
    assert [run.status for run in runs] == [1] * 5
    assert_unseen(tmp_path, repo, *runs)
