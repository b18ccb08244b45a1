"""A sandbox of Linux' Landlock, for machines without bubblewrap.

Landlock only ever adds rights to whole hierarchies, so what is hidden is left out of a list of
all that is shown. What it cannot do is said in ``gaps``.
"""

import functools
import json
import os
import sys
from dataclasses import dataclass

from git_retcon.run.sandbox import launcher
from git_retcon.run.sandbox.bubblewrap import Missing
from git_retcon.run.sandbox.confinement import Confinement

_DEVICES = ("null", "zero", "full", "random", "urandom", "tty", "ptmx", "pts")


@dataclass(frozen=True, slots=True)
class Landlock:
    """The Landlock of this kernel, by its version."""

    abi: int

    @property
    def gaps(self) -> tuple[str, ...]:
        """What a command can still do, that it could not in a sandbox of namespaces."""
        tcp = () if self.abi >= 4 else ("TCP",)
        signals = () if self.abi >= 6 else ("signals to other processes",)
        return (*tcp, "UDP", *signals, "sockets of other programs", "'.git' inside the tree")

    def prefix(self, confinement: Confinement) -> list[str]:
        """The argv to run a command under, in the directory that it is started in."""
        shown = (*confinement.protected, *confinement.shown, *confinement.caches)
        rules = {
            "hidden": [str(p) for p in (*confinement.hidden, *confinement.hidden_files)],
            "read": [str(place) for place in shown],
            "write": [str(confinement.writable), "/dev/shm"],
            "devices": [f"/dev/{name}" for name in _DEVICES],
            "links": _links(confinement),
        }
        return [sys.executable, "-I", os.path.abspath(launcher.__file__), json.dumps(rules)]  # noqa: PTH100


@functools.cache
def find_landlock() -> Landlock | Missing:
    """The Landlock of this kernel, if it is in force; asked once a process."""
    return landlock_of(launcher.landlock_abi())


def landlock_of(abi: int) -> Landlock | Missing:
    """Landlock by the version that the kernel answered, 0 for none."""
    return Landlock(abi) if abi > 0 else Missing("this kernel has no Landlock")


def _links(confinement: Confinement) -> list[tuple[str, str]]:
    """What a HOME of the command's own must link to, for tools to find their parts there."""
    places = sorted({*confinement.shown, *confinement.caches})
    below = [place for place in places if place.is_relative_to(confinement.home)]
    return [
        (str(place.relative_to(confinement.home)), str(place))
        for place in below
        if not any(other in place.parents for other in below)
    ]
