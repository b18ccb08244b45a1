"""A sandbox of Linux namespaces, by util-linux' ``unshare``, for machines without bubblewrap.

``unshare`` makes the namespaces; our launcher, their first process, lays out what is seen in
them and brings up ``lo``, gives up its rights and runs the command.
"""

import functools
import shutil
from dataclasses import replace
from typing import Any

from git_retcon.lazy_dataclass import dataclass
from git_retcon.run.sandbox.boot import launch
from git_retcon.run.sandbox.bubblewrap import OWN_CACHES, Missing, outermost_first
from git_retcon.run.sandbox.confinement import KERNEL_SETTINGS, Confinement
from git_retcon.run.sandbox.probe import find_fault, version_of

_NAMESPACES = (
    # The user keeps their id, as with bubblewrap: tests that expect not to be root go on.
    *("--user", "--map-current-user", "--keep-caps", "--mount", "--net", "--ipc", "--uts"),
    *("--pid", "--fork", "--kill-child", "--mount-proc", "--"),
)
# `unshare` itself would outlive us.
_WITH_US = ("--pdeathsig", "KILL")


@dataclass(frozen=True, slots=True)
class Namespaces:
    """An ``unshare`` that was seen to work. ``layers``: private layers over caches work too."""

    setpriv: str
    unshare: str
    version: str
    layers: bool

    def prefix(self, confinement: Confinement) -> list[str]:
        """The argv to run a command under, in the directory that it is started in."""
        outer = [self.setpriv, *_WITH_US, self.unshare, *_NAMESPACES]
        return [*outer, *launch("namespaces", self._make_rules(confinement))]

    def _make_rules(self, confinement: Confinement) -> dict[str, Any]:
        places = {
            "hidden": confinement.hidden,
            "hidden_files": confinement.hidden_files,
            "shown": outermost_first(confinement.shown),
            "caches": outermost_first(confinement.caches),
            "pinned": confinement.pinned,
            "protected": confinement.protected,
            "veiled": confinement.veiled,
            "scratch": confinement.scratch,
        }
        return {
            **{name: [str(place) for place in those] for name, those in places.items()},
            "replaced": [[str(path) for path in pair] for pair in confinement.replaced],
            "kernel_settings": KERNEL_SETTINGS,
            "writable": str(confinement.writable),
            "layers": self.layers,
            "env": {"TMPDIR": "/tmp", **({} if self.layers else OWN_CACHES)},
        }


@functools.cache
def find_namespaces(unshare: str = "unshare", setpriv: str = "setpriv") -> Namespaces | Missing:
    """The ``unshare`` on PATH, if a command really runs in its namespaces; asked once a process."""
    programs = [shutil.which(name) for name in (setpriv, unshare)]
    if programs[0] is None or programs[1] is None:
        return Missing("util-linux' 'unshare' and 'setpriv' are not installed")
    found = Namespaces(programs[0], programs[1], version_of(programs[1]), layers=True)
    if find_fault(found, with_cache=True) is None:
        return found
    found = replace(found, layers=False)
    fault = find_fault(found)
    if fault is not None:
        return Missing(f"'unshare' does not work here ({fault})")
    return found
