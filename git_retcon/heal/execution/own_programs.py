"""Programs that a job finds before the user's, since those would change what is the user's."""

import os
import shlex
import shutil
from collections.abc import Mapping
from pathlib import Path

_UV = """\
#!/bin/sh
# uv as GitHub's machines have it. There no environment is active, so that one in '.venv' is found,
# and '--system' means the Python that comes first: here that of the job.
own={environment}
set -f
case " $* " in
*" pip "*)
    case "${{UV_SYSTEM_PYTHON:-0}} $* " in
    0\\ *\\ --system\\ * | [1-9tTyY]*) UV_PYTHON=$own/bin/python && export UV_PYTHON ;;
    esac
    ;;
esac
if [ "${{VIRTUAL_ENV:-}}" = "$own" ]; then
    folder=$PWD
    while [ -n "$folder" ]; do
        [ ! -d "$folder/.venv" ] || {{ unset VIRTUAL_ENV && break; }}
        folder=${{folder%/*}}
    done
fi
IFS=:
for folder in $PATH; do
    if [ "$folder" != "${{0%/*}}" ] && [ -f "$folder/uv" ] && [ -x "$folder/uv" ]; then
        unset IFS
        exec "$folder/uv" "$@"
    fi
done
echo "uv: command not found" >&2
exit 127
"""
# As rustup writes it.
_CARGO = """\
#!/bin/sh
case ":${PATH}:" in
*:"$HOME/.cargo/bin":*) ;;
*) export PATH="$HOME/.cargo/bin:$PATH" ;;
esac
"""


def link_corepack(folder: Path, path: str) -> None:
    """Let ``corepack enable`` write where this link is, and not beside the user's Node.js."""
    found = shutil.which("corepack", path=path)
    if found is not None and not os.path.lexists(folder / "corepack"):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "corepack").symlink_to(found)


def write_cargo(home: Path, path: str) -> None:
    """What scripts name of Rust below the home of GitHub's machines: ``.cargo/env``, cargo, rustup.

    They only start the user's, and no link leads to these: a job may write in their place.
    """
    folder = home / ".cargo/bin"
    for name in ("cargo", "rustup"):
        found = shutil.which(name, path=path)
        if found is not None and not os.path.lexists(folder / name):
            folder.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(f'#!/bin/sh\nexec {shlex.quote(found)} "$@"\n', "utf-8")
            (folder / name).chmod(0o755)
    if folder.is_dir() and not os.path.lexists(home / ".cargo/env"):
        (home / ".cargo/env").write_text(_CARGO, "utf-8")


def write_uv(folder: Path, environment: Path) -> None:
    """A program that runs the next uv on PATH so that it installs into this environment."""
    folder.mkdir(parents=True, exist_ok=True)
    program = folder / "uv"
    program.write_text(_UV.format(environment=shlex.quote(str(environment))), "utf-8")
    program.chmod(0o755)


def link_python(folder: Path, environment: Path) -> None:
    """Name the Python of an environment, for programs that pass environments over to find one."""
    python = _read_base(environment)
    if python is None:
        return
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("python", "python3", python.name):
        link = folder / name
        link.unlink(missing_ok=True)
        link.symlink_to(python)


def _read_base(environment: Path) -> Path | None:
    """The program that an environment was made with, behind what only starts it."""
    try:
        lines = (environment / "pyvenv.cfg").read_text("utf-8").splitlines()
    except (OSError, ValueError):
        return None
    said: Mapping[str, str] = {
        key.strip(): value.strip() for key, _, value in (line.partition("=") for line in lines)
    }
    named = said.get("base-executable") or said.get("executable") or ""
    return Path(named) if named and os.access(named, os.X_OK) else None
