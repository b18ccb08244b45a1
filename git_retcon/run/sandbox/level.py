"""Which sandbox this machine offers, and which one a run insists on."""

import enum
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from git_retcon import settings
from git_retcon.errors import Reason, Refused
from git_retcon.options import Shared
from git_retcon.run.sandbox.bubblewrap import Bubblewrap, Missing, find_bubblewrap
from git_retcon.run.sandbox.confinement import Confinement
from git_retcon.settings import Settings

if TYPE_CHECKING:
    from git_retcon.run.sandbox.landlock import Landlock


class Policy(enum.StrEnum):
    """What the user wants: the best there is, a sandbox or nothing, or none."""

    AUTO = "auto"
    REQUIRE = "require"
    OFF = "off"

    @classmethod
    def of(cls, shared: Shared, chosen: Settings) -> "Policy":
        """That of the command line, else of the settings. Raises Fatal for an unknown word."""
        return cls(shared.sandbox or chosen.one_of(settings.SANDBOX, tuple(cls)))


class Level(enum.StrEnum):
    """How strong a sandbox is, strongest first."""

    BUBBLEWRAP = "bubblewrap"
    LANDLOCK = "landlock"
    NONE = "none"


class Mechanism(Protocol):
    """A way to confine a command."""

    def prefix(self, confinement: Confinement) -> list[str]:
        """The argv to run a command under."""


@dataclass(frozen=True, slots=True)
class Sandbox:
    """The sandbox in force. ``description`` is one line for people, ``record`` for notes."""

    level: Level
    description: str
    record: str
    _mechanism: Mechanism | None = None

    def prefix(self, confinement: Confinement) -> list[str]:
        """The argv to run a command under; empty where there is no sandbox."""
        return [] if self._mechanism is None else self._mechanism.prefix(confinement)

    def wrap(self, argv: Sequence[str], confinement: Confinement) -> list[str]:
        """The command as it runs in this sandbox."""
        return [*self.prefix(confinement), *argv]


# For a command that somebody agreed to run without one.
UNCONFINED = Sandbox(Level.NONE, "no sandbox: allowed", "none (allowed)")


def choose(policy: Policy) -> Sandbox:
    """The sandbox for a run. Raises Refused where one is required and this machine has none."""
    if policy is Policy.OFF:
        return Sandbox(Level.NONE, "no sandbox: switched off", "none (off)")
    # Talks to the kernel through ctypes; a run that builds nothing needs none of it.
    from git_retcon.run.sandbox.landlock import find_landlock

    return best_of(policy, find_bubblewrap(), find_landlock())


def best_of(
    policy: Policy, bubblewrap: Bubblewrap | Missing, landlock: "Landlock | Missing"
) -> Sandbox:
    """The strongest of what was found. Raises Refused where one is required and none was."""
    if isinstance(bubblewrap, Bubblewrap):
        caches = "caches copied on write" if bubblewrap.layers else "caches read-only"
        return Sandbox(
            Level.BUBBLEWRAP,
            f"sandboxed by bubblewrap: no network, writes only in the worktree, {caches}",
            f"bubblewrap {bubblewrap.version}",
            bubblewrap,
        )
    if not isinstance(landlock, Missing):
        limits = "writes only in the worktree" + (", no TCP" if landlock.abi >= 4 else "")
        return Sandbox(
            Level.LANDLOCK,
            f"sandboxed by Landlock: {limits}; it cannot stop {', '.join(landlock.gaps)}",
            f"landlock {landlock.abi}",
            landlock,
        )
    why = f"{bubblewrap.reason}, and {landlock.reason}"
    if policy is Policy.REQUIRE:
        raise Refused(
            f"a sandbox is required and there is none: {why}",
            hint="install bubblewrap, or allow running without one by '--sandbox=auto'",
            reason=Reason.NO_SANDBOX,
        )
    return Sandbox(Level.NONE, f"no sandbox: {why}", "none")
