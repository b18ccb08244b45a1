"""One attack at one level, and what became visible outside."""

import contextlib
import enum
import tempfile
from collections.abc import Iterator
from pathlib import Path

from git_retcon.run.sandbox.bubblewrap import Missing, find_bubblewrap
from git_retcon.run.sandbox.landlock import find_landlock
from git_retcon.run.sandbox.level import Level, Policy, Sandbox, best_of
from git_retcon.run.sandbox.namespaces import find_namespaces
from tests.attacks.arena import Command, open_arena
from tests.attacks.attacks import Attack, Honest


class Result(enum.StrEnum):
    """``NAMED``: it worked, and the user was asked beforehand, with just that in the question."""

    HELD = "held"
    NOT_APPLICABLE = "–"
    NAMED = "named"
    ESCAPED = "ESCAPED"
    WORKS = "works"
    FAILS = "fails"


def find_sandboxes() -> Iterator[Sandbox]:
    """Each level that works here, strongest first; no sandbox at all comes last."""
    absent = Missing("left out here")
    for level in Level:
        found = best_of(
            Policy.AUTO,
            find_bubblewrap() if level is Level.BUBBLEWRAP else absent,
            find_namespaces() if level is Level.NAMESPACES else absent,
            find_landlock() if level is Level.LANDLOCK else absent,
        )
        if found.level is level:
            yield found


def attack_in(sandbox: Sandbox, attack: Attack, command: Command = Command.CODE_COMMIT) -> Result:
    """Run an attack in a world of its own and judge it from outside.

    Where nothing would hold back what could harm this machine, it is not run. What a step of a
    workflow reaches without a path has escaped: no question named it.
    """
    if sandbox.level is Level.NONE and not attack.is_safe_unconfined:
        return Result.NAMED
    with _fresh_place() as place, open_arena(place, sandbox, command) as arena:
        verdict = arena.build(attack.program.format(**arena.names()))
        if not attack.worked(arena, verdict):
            return Result.HELD
    if not command.is_sandboxed:
        return Result.ESCAPED
    if sandbox.level is Level.NONE:  # "anything" was in the question
        return Result.NAMED
    is_named = attack.gap and attack.gap in sandbox.gaps
    return Result.NAMED if is_named else Result.ESCAPED


def list_commands(attack: Attack) -> tuple[Command, ...]:
    """The commands that an attack says something about."""
    return tuple(each for each in Command if each.is_sandboxed or attack.needs_no_path)


def try_honest(sandbox: Sandbox, honest: Honest, command: Command = Command.CODE_COMMIT) -> Result:
    """Whether what honest tests do works in a sandbox."""
    with _fresh_place() as place, open_arena(place, sandbox, command) as arena:
        verdict = arena.build(honest.program)
    said = verdict.outcome.output.splitlines()
    return Result.WORKS if any(line.startswith(b"WORKS") for line in said) else Result.FAILS


@contextlib.contextmanager
def _fresh_place() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="attack-", ignore_cleanup_errors=True) as name:
        yield Path(name).resolve()
