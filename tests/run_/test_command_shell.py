"""The shell of a command: the user's own, or what a sandbox leaves of it."""

from pathlib import Path

import pytest

from git_retcon.run.command_shell import Shell, confined_shell, open_shell
from git_retcon.run.sandbox.confinement import confine_to
from git_retcon.run.sandbox.level import Policy, Sandbox, choose
from git_retcon.run.shell_command import Outcome, run_command


def run(shell: Shell, command: str, where: Path) -> Outcome:
    return run_command(command, cwd=where, env=shell.env, prefix=shell.prefix, timeout=30)


@pytest.fixture
def tree(tmp_path: Path, sealed: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory to run in, with a secret in HOME and an agent of the user's."""
    (sealed / ".netrc").write_text("a secret")
    monkeypatch.setenv("SSH_AUTH_SOCK", "/run/agent")
    tree = tmp_path / "tree"
    tree.mkdir()
    return tree


def test_the_open_shell_is_the_users(tree: Path) -> None:
    done = run(open_shell(), 'cat "$HOME/.netrc"; echo " $SSH_AUTH_SOCK"', tree)
    assert done.output == b"a secret /run/agent\n"


def test_a_confined_shell_has_neither_secrets_nor_agents(tree: Path, sandbox: Sandbox) -> None:
    shell = confined_shell(sandbox, lambda env: confine_to(tree, env))
    done = run(shell, 'cat "$HOME/.netrc" || echo "none $SSH_AUTH_SOCK" >made', tree)
    assert done.passed, done.output
    assert (tree / "made").read_text() == "none \n"


def test_without_a_sandbox_the_confined_shell_is_the_open_one(tree: Path) -> None:
    shell = confined_shell(choose(Policy.OFF), lambda env: confine_to(tree, env))
    assert shell == open_shell()
    assert shell.prefix == ()
