"""Which packages of Debian's or Ubuntu's are installed on this machine."""

import functools
import subprocess
from collections.abc import Sequence

_SECONDS = 30.0
# Not the caller's PATH: a folder of the repository may be on it.
_ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LC_ALL": "C"}
_INSTALLED = "ii"
_FORMAT = "${db:Status-Abbrev}\t${Package}\t${Architecture}\t${Version}\n"


def find_packages(names: Sequence[str]) -> dict[str, str]:
    """The versions of those that are installed, by what apt is asked for:
    ``NAME[:ARCHITECTURE]``.
    """
    versions = _list_versions(tuple(names)) if names else {}
    return {name: versions[name] for name in names if name in versions}


def refuse_packages(names: Sequence[str]) -> str:
    """Why a script that installs packages does not run here; empty where they are all here."""
    here = find_packages(names)
    missing = [name for name in dict.fromkeys(names) if name not in here]
    return f"needs root to install packages ({', '.join(missing)})" if missing else ""


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
