"""A sandbox of Linux namespaces, by bubblewrap (``bwrap``)."""

import functools
import shutil
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from git_retcon.lazy_dataclass import dataclass
from git_retcon.run.process_table import machine_memory
from git_retcon.run.sandbox.boot import launch
from git_retcon.run.sandbox.confinement import KERNEL_SETTINGS, PARTS_OF_MEMORY, Confinement

# No --new-session: commands have no terminal to begin with, and what leaves the process group while
# the sandbox is still being made, when --die-with-parent is not in force yet, outlives us.
_NAMESPACES = ("--unshare-all", "--die-with-parent", "--cap-drop", "ALL")
_SYSTEM = (
    *("--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"),
    *(part for place in KERNEL_SETTINGS for part in ("--ro-bind-try", place, place)),
)
# Caches that their tools cannot do without writing to; where bubblewrap cannot lay a private
# layer over the user's, they start empty.
OWN_CACHES = {"GOCACHE": "/tmp/cache/go-build", "CCACHE_DIR": "/tmp/cache/ccache"}
# It takes 9,000 arguments at most, and reads the table of mounts again for each mount: with 1,000
# files to cover it takes longer than most builds. Our own mounts do without, and hold as much.
MOST_COVERED = 300


@dataclass(frozen=True, slots=True)
class Bubblewrap:
    """A bubblewrap that was seen to work. ``layers``: it can lay a private layer over a cache.

    For a view that it is too slow for, it gives way to ``unshare``, where that works.
    """

    program: str
    version: str
    layers: bool

    def prefix(self, confinement: Confinement) -> list[str]:
        """The argv to run a command under, in the directory that it is started in."""
        if len(confinement.veiled) + len(confinement.protected) > MOST_COVERED:
            from git_retcon.run.sandbox.namespaces import find_namespaces

            found = find_namespaces()
            if not isinstance(found, Missing):
                return found.prefix(confinement)
        argv = [*_NAMESPACES, *_SYSTEM]
        size = str(machine_memory() // PARTS_OF_MEMORY)
        argv += ["--perms", "1777", "--size", size, "--tmpfs", "/dev/shm"]
        for place in confinement.hidden:
            argv += ["--size", size, "--tmpfs", str(place)]
        for place in confinement.hidden_files:
            argv += ["--ro-bind", "/dev/null", str(place)]
        for place in outermost_first(confinement.shown):
            argv += ["--ro-bind-try", str(place), str(place)]
        for place in outermost_first(confinement.caches):
            argv += self._cache(str(place))
        for kind, place in (
            ("--bind", confinement.writable),
            *(("--bind", place) for place in confinement.scratch),
            *(("--bind", place) for place in confinement.pinned),
            *(("--ro-bind", place) for place in confinement.protected),
        ):
            argv += [kind, str(place), str(place)]
        for place, other in confinement.replaced:
            argv += ["--ro-bind", str(other), str(place)]
        for place in confinement.veiled:
            argv += _cover(place)
        argv += [*self._settings(), "--"]
        return [*launch("bubblewrap", {"program": self.program}), *argv]

    def _cache(self, place: str) -> Iterator[str]:
        if self.layers:
            yield from ("--overlay-src", place, "--tmp-overlay", place)
        else:
            yield from ("--ro-bind-try", place, place)

    def _settings(self) -> Iterator[str]:
        settings = {"TMPDIR": "/tmp", **({} if self.layers else OWN_CACHES)}
        for name, value in settings.items():
            yield from ("--setenv", name, value)


@dataclass(frozen=True, slots=True)
class Missing:
    """Why a kind of sandbox cannot be used, for people."""

    reason: str


@functools.cache
def find_bubblewrap(program: str = "bwrap") -> Bubblewrap | Missing:
    """The bubblewrap on PATH, if a command really runs in it; asked once a process."""
    path = shutil.which(program)
    if path is None:
        return Missing("bubblewrap is not installed")
    from git_retcon.run.sandbox.probe import find_fault, version_of

    found = Bubblewrap(path, version_of(path), layers=True)
    if find_fault(found, with_cache=True) is None:
        return found
    found = replace(found, layers=False)
    fault = find_fault(found)
    if fault is not None:
        return Missing(f"bubblewrap does not work here ({fault})")
    return found


def _cover(place: Path) -> list[str]:
    if place.is_dir():
        return ["--tmpfs", str(place), "--remount-ro", str(place)]
    # As a device, which reads as empty; without the rights of one, opening it fails.
    return ["--dev-bind", "/dev/null", str(place)]


def outermost_first(places: Iterable[Path]) -> list[Path]:
    """Sorted so that no mount covers one that was made before."""
    return sorted(places, key=lambda place: len(place.parts))
