"""A command that passes outside is tried inside before anybody believes its failures."""

from pathlib import Path

import pytest

from git_retcon.errors import Refused
from git_retcon.run.environment import command_environment, sandboxed_environment
from git_retcon.run.sandbox.bubblewrap import Missing, find_bubblewrap
from git_retcon.run.sandbox.confinement import Confinement, confined
from git_retcon.run.sandbox.fitness import did_not_start, find_misfit, require_start
from git_retcon.run.sandbox.level import Policy, choose
from git_retcon.run.shell_command import Outcome, run_command


def both(command: str, tree: Path) -> "tuple[Outcome, Outcome]":
    prefix = choose(Policy.REQUIRE).prefix(confined(tree, sandboxed_environment()))
    outside = run_command(command, cwd=tree, env=command_environment())
    inside = run_command(command, cwd=tree, env=sandboxed_environment(), prefix=prefix)
    return outside, inside


def test_what_passes_on_both_sides_fits(tmp_path: Path) -> None:
    outside, inside = both("echo fine >made", tmp_path)
    assert find_misfit(lambda: inside, lambda: outside.passed) is None


def test_what_needs_the_users_secrets_cannot_be_sandboxed(tmp_path: Path, sealed: Path) -> None:
    (sealed / ".netrc").write_text("a secret")
    tree = tmp_path / "tree"
    tree.mkdir()
    outside, inside = both('cat "$HOME/.netrc"', tree)
    found = find_misfit(lambda: inside, lambda: outside.passed)
    assert found is not None
    refusal = found.refusal()
    assert "cannot be sandboxed: it passes outside and ends with status 1 inside" in str(refusal)
    assert "--sandbox=off" in str(refusal.hint)


def test_what_passes_inside_is_not_tried_outside() -> None:
    def never() -> bool:
        raise AssertionError("ran")

    assert find_misfit(lambda: Outcome("true", 0, b"", 0.1, False), never) is None


def test_of_what_fails_on_both_sides_nothing_can_be_said() -> None:
    failed = Outcome("false", 1, b"", 0.1, False)
    assert find_misfit(lambda: failed, lambda: False) is None
    found = find_misfit(lambda: failed, lambda: True)
    assert found is not None and found.inside is failed


def test_a_sandbox_that_does_not_start_is_not_taken_for_a_failing_command(tmp_path: Path) -> None:
    bubblewrap = find_bubblewrap()
    if isinstance(bubblewrap, Missing):
        pytest.skip(bubblewrap.reason)
    absent = Confinement(tmp_path / "absent")
    env = sandboxed_environment()
    prefix = bubblewrap.prefix(absent)
    inside = run_command("exit 1", cwd=tmp_path, env=env, prefix=prefix)
    assert did_not_start(inside)
    found = find_misfit(lambda: inside, lambda: True)
    assert found is not None
    with pytest.raises(Refused, match="the sandbox did not start"):
        require_start(inside)
    assert "the sandbox did not start (bwrap: " in found.message
    there = bubblewrap.prefix(confined(tmp_path, env))
    assert not did_not_start(run_command("exit 1", cwd=tmp_path, env=env, prefix=there))
