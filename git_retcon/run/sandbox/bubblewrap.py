"""A sandbox of Linux namespaces, by bubblewrap (``bwrap``)."""

import functools
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from git_retcon.run.sandbox.confinement import Confinement

_PROBE_SECONDS = 10.0
# No --new-session: commands have no terminal to begin with, and what leaves the process group while
# the sandbox is still being made, when --die-with-parent is not in force yet, outlives us.
_NAMESPACES = ("--unshare-all", "--die-with-parent", "--cap-drop", "ALL")
# Kernel settings belong to root by user id, which needs no capability: as root they stay writable
# in a fresh /proc, and one of them names a program that the kernel runs outside.
_KERNEL_SETTINGS = ("sys", "sysrq-trigger", "irq", "bus", "fs", "acpi", "mtrr")
_SYSTEM = (
    *("--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"),
    *(part for name in _KERNEL_SETTINGS for part in ("--ro-bind-try", *(f"/proc/{name}",) * 2)),
)
# Caches that their tools cannot do without writing to; where bubblewrap cannot lay a private
# layer over the user's, they start empty.
_OWN_CACHES = {"GOCACHE": "/tmp/cache/go-build", "CCACHE_DIR": "/tmp/cache/ccache"}


@dataclass(frozen=True, slots=True)
class Bubblewrap:
    """A bubblewrap that was seen to work. ``layers``: it can lay a private layer over a cache."""

    program: str
    version: str
    layers: bool

    def prefix(self, confinement: Confinement) -> list[str]:
        """The argv to run a command under, in the directory that it is started in."""
        argv = [self.program, *_NAMESPACES, *_SYSTEM]
        for place in confinement.hidden:
            argv += ["--tmpfs", str(place)]
        for place in confinement.hidden_files:
            argv += ["--ro-bind", "/dev/null", str(place)]
        for place in _outermost_first(confinement.shown):
            argv += ["--ro-bind-try", str(place), str(place)]
        for place in _outermost_first(confinement.caches):
            argv += self._cache(str(place))
        for kind, place in (
            ("--bind", confinement.writable),
            *(("--ro-bind", place) for place in confinement.protected),
        ):
            argv += [kind, str(place), str(place)]
        for place in confinement.veiled:
            argv += ["--tmpfs", str(place)]
        return [*argv, *self._settings(), "--"]

    def _cache(self, place: str) -> Iterator[str]:
        if self.layers:
            yield from ("--overlay-src", place, "--tmp-overlay", place)
        else:
            yield from ("--ro-bind-try", place, place)

    def _settings(self) -> Iterator[str]:
        settings = {"TMPDIR": "/tmp", **({} if self.layers else _OWN_CACHES)}
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
    base = (*_SYSTEM, "--tmpfs", "/tmp")
    fault = _fault(path, *_NAMESPACES, *base, "--", "sh", "-c", "exit 0")
    if fault is not None:
        return Missing(f"bubblewrap does not work here ({fault})")
    layer = ("--overlay-src", "/etc", "--tmp-overlay", "/tmp/layer")
    return Bubblewrap(
        program=path,
        version=_version(path),
        layers=_fault(path, *_NAMESPACES, *base, *layer, "--", "sh", "-c", "exit 0") is None,
    )


def _version(path: str) -> str:
    done = subprocess.run([path, "--version"], capture_output=True, check=False)
    return done.stdout.decode("utf-8", "replace").strip().removeprefix("bubblewrap ")


def _fault(*argv: str) -> str | None:
    try:
        done = subprocess.run(
            argv,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_PROBE_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    if done.returncode == 0:
        return None
    said = done.stderr.decode("utf-8", "replace").strip().splitlines()
    return said[-1].removeprefix("bwrap: ") if said else f"exit status {done.returncode}"


def _outermost_first(places: tuple[Path, ...]) -> list[Path]:
    return sorted(places, key=lambda place: len(place.parts))
