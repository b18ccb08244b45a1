"""Which packages of Debian's or Ubuntu's are installed on this machine, and what its kernel is set
to: ``NAME=VALUE`` among their names is a setting.
"""

import functools
import subprocess
from collections.abc import Sequence
from pathlib import Path

SWAP = "swap"  # off where there is none
_SECONDS = 30.0
# Not the caller's PATH: a folder of the repository may be on it.
_ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LC_ALL": "C"}
_INSTALLED = "ii"
_FORMAT = "${db:Status-Abbrev}\t${Package}\t${Architecture}\t${Version}\n"


def find_packages(names: Sequence[str]) -> dict[str, str]:
    """The versions of those that are installed, by what apt is asked for:
    ``NAME[:ARCHITECTURE]``; of settings, the values of those that are as they should be.
    """
    packages = tuple(name for name in names if "=" not in name)
    here = _list_versions(packages) if packages else {}
    here |= {name: name.partition("=")[2] for name in names if "=" in name and _is_set(name)}
    return {name: here[name] for name in names if name in here}


def refuse_packages(names: Sequence[str]) -> str:
    """Why a script that installs packages does not run here; empty where they are all here."""
    here = find_packages(names)
    missing = [name for name in dict.fromkeys(names) if name not in here]
    packages = [name for name in missing if "=" not in name]
    if packages:
        return f"needs root to install packages ({', '.join(packages)})"
    return f"needs root to set {', '.join(missing)}" if missing else ""


def _is_set(setting: str) -> bool:
    name, _, value = setting.partition("=")
    try:
        if name == SWAP:
            return len(Path("/proc/swaps").read_text("ascii").splitlines()) == 1
        said = Path("/proc/sys", *name.split(".")).read_text("ascii")
    except (OSError, ValueError):
        return False
    return said.split() == value.split()


@functools.cache
def _list_versions(names: tuple[str, ...]) -> dict[str, str]:
    """The versions by the names, with and without the architecture."""
    command = ["dpkg-query", "--show", f"--showformat={_FORMAT}", "--", *names]
    try:
        # Its status says only that one of them is not known.
        listed = subprocess.run(
            command, env=_ENVIRONMENT, cwd="/", capture_output=True, timeout=_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return {}
    versions: dict[str, str] = {}
    for line in listed.stdout.decode("utf-8", "replace").splitlines():
        state, package, architecture, version = line.split("\t")
        if state.strip() == _INSTALLED:
            versions |= {package: version, f"{package}:{architecture}": version}
    return versions
