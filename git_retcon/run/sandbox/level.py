"""Which sandbox this machine offers, and which one a run insists on."""

import enum
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from git_retcon import settings
from git_retcon.errors import Reason, Refused
from git_retcon.lazy_dataclass import dataclass
from git_retcon.options import SharedOptions
from git_retcon.settings import Settings

if TYPE_CHECKING:
    from git_retcon.run.sandbox.bubblewrap import Bubblewrap, Missing
    from git_retcon.run.sandbox.confinement import Confinement
    from git_retcon.run.sandbox.landlock import Landlock
    from git_retcon.run.sandbox.namespaces import Namespaces
    from git_retcon.run.sandbox.probe import Mechanism

# What makes a sandbox work that protects everything, for people.
INSTALL = "install the package 'bubblewrap'"

_MOST_ARGUMENTS = 9_000  # that bubblewrap takes
_BYTES_OF_AN_ARGUMENT = 9  # its end, and the pointer to it


class Policy(enum.StrEnum):
    """What the user wants: the best there is, a sandbox or nothing, or none."""

    AUTO = "auto"
    REQUIRE = "require"
    OFF = "off"

    @classmethod
    def of(cls, shared: SharedOptions, chosen: Settings) -> "Policy":
        """That of the command line, else of the settings. Raises Fatal for an unknown word."""
        return cls(shared.sandbox or chosen.one_of(settings.SANDBOX, tuple(cls)))


class Level(enum.StrEnum):
    """How strong a sandbox is, strongest first."""

    BUBBLEWRAP = "bubblewrap"
    NAMESPACES = "namespaces"
    LANDLOCK = "landlock"
    NONE = "none"

    @property
    def is_strong(self) -> bool:
        """Whether it holds all that a sandbox promises; a weaker one is asked about first."""
        return self in (Level.BUBBLEWRAP, Level.NAMESPACES)


@dataclass(frozen=True, slots=True)
class Sandbox:
    """The sandbox in force. ``description`` is one line for people, ``record`` for notes.

    ``gaps`` says what it cannot stop, for people; empty where it holds all that it promises.
    """

    level: Level
    description: str
    record: str
    _mechanism: "Mechanism | None" = None
    gaps: str = ""

    def prefix(self, confinement: "Confinement") -> list[str]:
        """The argv to run a command under; empty where there is no sandbox.

        Raises Refused where more has to be covered than can be said to it.
        """
        if self._mechanism is None:
            return []
        argv = self._mechanism.prefix(confinement)
        length = sum(len(os.fsencode(word)) + _BYTES_OF_AN_ARGUMENT for word in argv)
        # The other half is for the environment, and for the command.
        if len(argv) > _MOST_ARGUMENTS or length > os.sysconf("SC_ARG_MAX") // 2:
            raise _too_much_to_cover(len(confinement.veiled) + len(confinement.protected))
        return argv

    def wrap(self, argv: Sequence[str], confinement: "Confinement") -> list[str]:
        """The command as it runs in this sandbox."""
        return [*self.prefix(confinement), *argv]


# For a command that somebody agreed to run without one.
UNCONFINED = Sandbox(Level.NONE, "no sandbox: allowed", "none (allowed)")


def choose(policy: Policy) -> Sandbox:
    """The sandbox for a run. Raises Refused where one is required and this machine has none."""
    if policy is Policy.OFF:
        return Sandbox(Level.NONE, "no sandbox: switched off", "none (off)")
    # Each is really run, and a run that builds nothing needs none of it.
    from git_retcon.run.sandbox.bubblewrap import Bubblewrap, Missing, find_bubblewrap
    from git_retcon.run.sandbox.landlock import find_landlock
    from git_retcon.run.sandbox.namespaces import find_namespaces

    unsought = Missing("a stronger one was found")
    bubblewrap = find_bubblewrap()
    strong = isinstance(bubblewrap, Bubblewrap)
    namespaces = unsought if strong else find_namespaces()
    strong = strong or not isinstance(namespaces, Missing)
    return best_of(policy, bubblewrap, namespaces, unsought if strong else find_landlock())


def best_of(
    policy: Policy,
    bubblewrap: "Bubblewrap | Missing",
    namespaces: "Namespaces | Missing",
    landlock: "Landlock | Missing",
) -> Sandbox:
    """The strongest of what was found. Raises Refused where a strong one is required and none was.

    A weak one, or none, is returned for ``auto``: ``consent.py`` asks before anything runs there.
    """
    from git_retcon.run.sandbox.bubblewrap import Bubblewrap, Missing

    if isinstance(bubblewrap, Bubblewrap):
        return _of_namespaces(Level.BUBBLEWRAP, bubblewrap, "bubblewrap")
    if not isinstance(namespaces, Missing):
        return _of_namespaces(Level.NAMESPACES, namespaces, "unshare")
    why = f"{bubblewrap.reason}, and {namespaces.reason}"
    if policy is Policy.REQUIRE:
        raise Refused(
            f"a sandbox is required and there is none that protects everything: {why}",
            hint=f"{INSTALL}, or allow running with less by '--sandbox=auto'",
            reason=Reason.NO_SANDBOX,
        )
    if not isinstance(landlock, Missing):
        gaps = ", ".join(landlock.gaps)
        return Sandbox(
            Level.LANDLOCK,
            "sandboxed by Landlock and seccomp: no network, writes only in the worktree; "
            f"it cannot stop {gaps}",
            f"landlock {landlock.abi}",
            landlock,
            gaps,
        )
    # Nothing holds what runs there, so everything is what it cannot stop.
    return Sandbox(Level.NONE, f"no sandbox: {why}, and {landlock.reason}", "none", gaps="anything")


def _too_much_to_cover(files: int) -> Refused:
    return Refused(
        f"{files:,} files and folders of this tree are not to be read or changed in the sandbox, "
        "more than it can cover",
        hint="name the folders that hold them in 'retcon.neverSend' (one each is enough), move "
        "secrets that no build needs out of the tree, or go without by '--sandbox=off'",
        reason=Reason.NO_SANDBOX,
        again=["--sandbox=off"],
    )


def _of_namespaces(level: Level, found: "Bubblewrap | Namespaces", name: str) -> Sandbox:
    caches = "caches copied on write" if found.layers else "caches read-only"
    return Sandbox(
        level,
        f"sandboxed by {name}: no network, writes only in the worktree, {caches}",
        f"{name} {found.version}",
        found,
    )
