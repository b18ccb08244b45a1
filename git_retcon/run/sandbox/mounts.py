"""What a command sees of the file system, laid out by mounts in a namespace of its own.

Everything is read-only first; then what is hidden is covered by empty directories, and what is
shown beneath is bound again from where it was. As in bubblewrap, the order decides: a later mount
covers an earlier one.
"""

import contextlib
import os
from collections.abc import Iterable, Mapping
from typing import Any

from git_retcon.run.sandbox.kernel import make_read_only, make_writable, mount, unshare_mounts

_NOSUID, _NODEV, _BIND, _REC = 0x2, 0x4, 0x1000, 0x4000
_READ_ONLY, _REMOUNT = 0x1, 0x20
_DEVICES = ("null", "zero", "full", "random", "urandom", "tty")
_DEVICE_LINKS = {
    "fd": "/proc/self/fd",
    "stdin": "/proc/self/fd/0",
    "stdout": "/proc/self/fd/1",
    "stderr": "/proc/self/fd/2",
    "core": "/proc/kcore",
    "ptmx": "pts/ptmx",
}


class _Sources:
    """Places as they are before anything covers them, each held by a descriptor.

    None may be open when the command starts: it could reach through it what is covered.
    """

    def __init__(self) -> None:
        self._held: dict[str, int] = {}

    def hold(self, places: Iterable[str]) -> None:
        """Keep what exists of these; the rest is left out wherever it is bound."""
        for place in places:
            if place not in self._held:
                with contextlib.suppress(OSError):
                    self._held[place] = os.open(place, os.O_PATH | os.O_CLOEXEC)

    def path(self, place: str) -> str | None:
        """A name for a place that holds also after something was mounted over it."""
        held = self._held.get(place)
        return None if held is None else f"/proc/self/fd/{held}"

    def close(self) -> None:
        for held in self._held.values():
            os.close(held)
        self._held.clear()


def enter_view(rules: Mapping[str, Any]) -> None:
    """Lay out what ``rules`` say (``namespaces.py`` writes them). Raises OSError.

    To be called with the rights of root in a mount namespace of its own, with its own /proc.
    """
    start = os.getcwd()  # noqa: PTH109
    sources = _Sources()
    for name in ("shown", "caches", "scratch"):
        sources.hold(rules[name])
    # What lies in the tree is never covered, and can be more than a process may have open.
    sources.hold(place for place in rules["protected"] if not _is_within(place, rules))
    sources.hold(other for _, other in rules["replaced"])
    sources.hold([rules["writable"], "/dev/null", *(f"/dev/{name}" for name in _DEVICES)])
    # A place that was read-only before must not become writable by being shown.
    was_writable = not os.statvfs(rules["writable"]).f_flag & os.ST_RDONLY
    # First of all, so that nothing that is forgotten below is writable.
    make_read_only("/")
    _open_proc(rules["kernel_settings"])
    layers = _Layers(sources, rules["caches"]) if rules["layers"] else None
    for place in rules["hidden"]:
        _cover(place)
    for place in rules["hidden_files"]:
        _bind("/dev/null", place)
    for place in rules["shown"]:
        _show(sources, place)
    for place in rules["caches"]:
        if layers is None:
            _show(sources, place)
        else:
            layers.show(place)
    _show(sources, rules["writable"])
    if was_writable:
        make_writable(rules["writable"])
    for place in rules["scratch"]:
        _show(sources, place)
        make_writable(place)
    # After the tree was made writable, as a later mount covers an earlier one.
    _protect(sources, rules)
    _make_devices(sources)
    sources.close()
    # This directory is still the one beneath all of it, which nothing holds back.
    os.chdir(start)


def _open_proc(kernel_settings: Iterable[str]) -> None:
    make_writable("/proc")
    for place in kernel_settings:
        if os.path.exists(place):  # noqa: PTH110
            _bind(place, place)
            make_read_only(place)


def _protect(sources: _Sources, rules: Mapping[str, Any]) -> None:
    """Make parts of the writable tree read-only, and others look empty or otherwise."""
    for place in rules["pinned"]:
        _bind(place, place)
    for place in rules["protected"]:
        if _is_within(place, rules):
            _bind(place, place)
        else:
            _show(sources, place)
        make_read_only(place)
    for place, other in rules["replaced"]:
        source = sources.path(other)
        if source is not None:
            _bind(source, place)
            make_read_only(place)
    for place in rules["veiled"]:
        if os.path.isdir(place):  # noqa: PTH112
            _cover(place)
            make_read_only(place)
        elif os.path.exists(place):  # noqa: PTH110
            _bind("/dev/null", place)


def _is_within(place: str, rules: Mapping[str, Any]) -> bool:
    """Whether a place lies in the writable tree."""
    return place.startswith(f"{rules['writable'].rstrip('/')}/")


class _Layers:
    """Private layers over the user's caches: read from there, written here."""

    def __init__(self, sources: _Sources, caches: Iterable[str]) -> None:
        # It lies beneath the private /tmp, where nothing but the layers' descriptors lead.
        self._sources = sources
        _cover("/tmp")
        self._numbers = {place: number for number, place in enumerate(caches)}
        for number in range(len(self._numbers)):
            for part in ("upper", "work"):
                os.makedirs(f"/tmp/{number}/{part}")  # noqa: PTH103
                self._sources.hold([f"/tmp/{number}/{part}"])

    def show(self, place: str) -> None:
        below = self._sources.path(place)
        if below is None:
            return
        number = self._numbers[place]
        parts = [self._sources.path(f"/tmp/{number}/{part}") for part in ("upper", "work")]
        os.makedirs(place, exist_ok=True)  # noqa: PTH103
        options = f"lowerdir={below},upperdir={parts[0]},workdir={parts[1]},userxattr"
        mount("overlay", place, "overlay", _NOSUID | _NODEV, options)


def _show(sources: _Sources, place: str) -> None:
    """Bind a place to its own name, which may be covered by now."""
    source = sources.path(place)
    if source is None:
        return
    if not os.path.lexists(place):
        if os.path.isdir(source):  # noqa: PTH112
            os.makedirs(place)  # noqa: PTH103
        else:
            os.makedirs(os.path.dirname(place), exist_ok=True)  # noqa: PTH103, PTH120
            os.close(os.open(place, os.O_CREAT, 0o600))
    _bind(source, place)


def _bind(source: str, place: str) -> None:
    mount(source, place, "", _BIND | _REC)


def _cover(place: str) -> None:
    """An empty directory of the command's own."""
    os.makedirs(place, exist_ok=True)  # noqa: PTH103
    mode = "1777" if place.endswith(("/tmp", "/shm")) else "0755"
    # As ``PARTS_OF_MEMORY`` in ``confinement``, which this process must not import.
    mount("tmpfs", place, "tmpfs", _NOSUID | _NODEV, f"mode={mode},size=25%")


def protect_devices() -> None:
    """Let nobody change the mode or the times of the machine's devices, from here on.

    One can write to a device on a read-only mount. bubblewrap binds it as it is mounted, and
    root, whom the devices belong to, could take them away from the whole machine. Raises OSError.
    """
    unshare_mounts()
    for name in _DEVICES:
        place = f"/dev/{name}"
        if os.path.exists(place):  # noqa: PTH110
            mount(place, place, "", _BIND)
            # Not ``make_read_only``: bubblewrap works on kernels that have no mount_setattr.
            mount("", place, "", _REMOUNT | _BIND | _READ_ONLY | _NOSUID)


def _make_devices(sources: _Sources) -> None:
    """A /dev with nothing of the machine's but what every program takes for granted."""
    _cover("/dev")
    for name in _DEVICES:
        os.close(os.open(f"/dev/{name}", os.O_CREAT, 0o600))
        source = sources.path(f"/dev/{name}")
        if source is not None:
            _bind(source, f"/dev/{name}")
    for name, target in _DEVICE_LINKS.items():
        os.symlink(target, f"/dev/{name}")  # noqa: PTH211
    for name in ("shm", "pts"):
        os.mkdir(f"/dev/{name}")  # noqa: PTH102
    _cover("/dev/shm")
    mount("devpts", "/dev/pts", "devpts", _NOSUID, "newinstance,ptmxmode=0666,mode=620")
