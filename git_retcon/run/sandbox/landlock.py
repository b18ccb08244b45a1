"""A sandbox of Linux' Landlock and seccomp, for machines that forbid user namespaces.

Landlock only ever adds rights to whole hierarchies, so what is hidden is left out of a list of
all that is shown. What it cannot do is said in ``gaps``.
"""

import functools

from git_retcon.lazy_dataclass import dataclass
from git_retcon.run.sandbox.boot import launch
from git_retcon.run.sandbox.bubblewrap import Missing
from git_retcon.run.sandbox.confinement import Confinement
from git_retcon.run.sandbox.landlock_rules import landlock_abi
from git_retcon.run.sandbox.probe import find_fault
from git_retcon.run.sandbox.seccomp import is_known

_DEVICES = ("null", "zero", "full", "random", "urandom", "tty", "ptmx", "pts")


@dataclass(frozen=True, slots=True)
class Landlock:
    """The Landlock of this kernel, by its version."""

    abi: int

    @property
    def gaps(self) -> tuple[str, ...]:
        """What a command can still do, that it could not in a sandbox of namespaces."""
        signals = () if self.abi >= 6 else ("signals to other processes",)
        return (
            "changes to '.git' and to protected files",
            "reading secrets in the tree and what 'retcon.neverSend' names",
            "changes to files outside that have a hard link in the tree",
            "changed modes, times and attributes of files outside",
            *("sockets of other programs", "memory that other programs share", *signals),
        )

    def prefix(self, confinement: Confinement) -> list[str]:
        """The argv to run a command under, in the directory that it is started in."""
        shown = (*confinement.protected, *confinement.shown, *confinement.caches)
        rules = {
            "hidden": [str(p) for p in (*confinement.hidden, *confinement.hidden_files)],
            "read": [str(place) for place in shown],
            "write": [str(confinement.writable), *map(str, confinement.scratch), "/dev/shm"],
            "devices": [f"/dev/{name}" for name in _DEVICES],
            "links": _links(confinement),
        }
        return launch("landlock", rules)


@functools.cache
def find_landlock() -> Landlock | Missing:
    """The Landlock of this kernel, if it is in force; asked once a process."""
    return landlock_of(landlock_abi())


def landlock_of(abi: int) -> Landlock | Missing:
    """Landlock by the version that the kernel answered, 0 for none."""
    if abi <= 0:
        return Missing("this kernel has no Landlock")
    if not is_known():  # it holds neither sockets nor ptrace by itself
        return Missing("there is no filter of system calls for this machine")
    found = Landlock(abi)
    fault = find_fault(found)
    return found if fault is None else Missing(f"Landlock does not work here ({fault})")


def _links(confinement: Confinement) -> list[tuple[str, str]]:
    """What a HOME of the command's own must link to, for tools to find their parts there."""
    places = sorted({*confinement.shown, *confinement.caches})
    below = [place for place in places if place.is_relative_to(confinement.home)]
    return [
        (str(place.relative_to(confinement.home)), str(place))
        for place in below
        if not any(other in place.parents for other in below)
    ]
