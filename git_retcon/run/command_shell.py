"""The shell that a command runs in: its environment, and the sandbox around it."""

from collections.abc import Callable, Mapping, Sequence

from git_retcon.lazy_dataclass import dataclass
from git_retcon.run.environment import command_environment, sandboxed_environment
from git_retcon.run.sandbox.confinement import Confinement
from git_retcon.run.sandbox.level import Level, Sandbox

Confine = Callable[[Mapping[str, str]], Confinement]


@dataclass(frozen=True)
class Shell:
    """An environment, and the argv that a command is run under (a sandbox's; empty: none)."""

    env: Mapping[str, str]
    prefix: Sequence[str] = ()


def open_shell() -> Shell:
    """The shell for a command that runs as the user would run it."""
    return Shell(command_environment())


def confined_shell(sandbox: Sandbox, confine: Confine) -> Shell:
    """The shell for a command that the user did not write, or that runs what a model wrote.

    ``confine`` says what a command with an environment may see and change. Where there is no
    sandbox, this is the user's own shell.
    """
    if sandbox.level is Level.NONE:
        return open_shell()
    env = sandboxed_environment()
    return Shell(env, sandbox.prefix(confine(env)))
