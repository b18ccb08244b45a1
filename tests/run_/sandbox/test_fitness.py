"""A sandbox that fails is told from a command that does, and a failure is explained."""

from pathlib import Path

import pytest

from git_retcon.errors import Refused
from git_retcon.run.environment import sandboxed_environment
from git_retcon.run.sandbox.confinement import Confinement, confine_to
from git_retcon.run.sandbox.fitness import (
    describe_failure,
    did_not_start,
    refuse_to_leave,
    require_start,
)
from git_retcon.run.sandbox.level import Sandbox
from git_retcon.run.shell_command import Outcome, run_command


def test_a_failure_says_how_the_command_ended() -> None:
    failed = Outcome("make", 2, b"no rule", 0.1, False)
    assert describe_failure(failed) == (
        "'make' ends with status 2 in the sandbox, before a model wrote anything"
    )
    late = Outcome("make", 143, b"", 9.0, True)
    assert describe_failure(late) == (
        "'make' times out in the sandbox, before a model wrote anything"
    )
    refusal = refuse_to_leave(failed)
    assert str(refusal).endswith("and nobody agreed to run it outside")
    assert "--sandbox=off" in str(refusal.hint)


@pytest.mark.parametrize("program", ["bwrap", "unshare", "setpriv"])
def test_the_faults_of_each_program_are_known(program: str) -> None:
    said = f"{program}: Operation not permitted\n".encode()
    assert did_not_start(Outcome("make", 1, said, 0.1, False))
    assert not did_not_start(Outcome("make", 2, said, 0.1, False))
    assert not did_not_start(Outcome("make", 1, b"x" + said, 0.1, False))


def test_a_sandbox_that_does_not_start_is_not_taken_for_a_failing_command(
    tmp_path: Path, strong_sandbox: Sandbox
) -> None:
    env = sandboxed_environment()
    prefix = strong_sandbox.prefix(Confinement(tmp_path / "absent"))
    inside = run_command("exit 1", cwd=tmp_path, env=env, prefix=prefix)
    assert did_not_start(inside), inside
    with pytest.raises(Refused, match="the sandbox did not start for 'exit 1'"):
        require_start(inside)
    there = strong_sandbox.prefix(confine_to(tmp_path, env))
    assert not did_not_start(run_command("exit 1", cwd=tmp_path, env=env, prefix=there))
