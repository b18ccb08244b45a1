"""Makes this checkout's own environment, ``.venv``: ``python3 bin/environment.py run|dev``.

It runs before anything is installed, so it is the standard library alone. The lock is a flock,
held by the installer too: it ends with the last of them, and what a killed run left behind has no
stamp, so the next run makes it again. A stamp is a copy of the requirements that were installed.
"""

import contextlib
import fcntl
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HOME = ROOT / ".venv"
PYTHON = HOME / "bin/python"
LOCK = HOME / "environment.lock"
LOG = HOME / "install.log"


class Failed(Exception):
    """The environment could not be made: what happened, and what to do next."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.hint = hint


def main(name: str) -> int:
    """Make sure that ``requirements/NAME.txt`` is installed; the exit status."""
    try:
        # First without the lock: another user's checkout is complete, and not ours to write to.
        if not _is_current(name):
            with _locked() as handle:
                if not _is_current(name):
                    _make(name, handle)
    except Failed as failure:
        _say(f"fatal: {failure}\nhint: {failure.hint}")
        return 128
    except PermissionError as error:
        _say(f"fatal: {_explain_refusal(name, error)}")
        _say("hint: have its owner run 'bin/git-retcon -h' with a Python that you may run too, or")
        _say("hint: use a clone of your own")
        return 128
    except OSError as error:
        _say(f"fatal: cannot make '{HOME}': {error.strerror}: '{error.filename}'")
        _say("hint: this checkout must be writable, and its disk not full")
        return 128
    except KeyboardInterrupt:
        return 130
    return 0


def _explain_refusal(name: str, error: PermissionError) -> str:
    if not HOME.exists():
        return f"cannot make '{HOME}': the checkout belongs to another user"
    if not os.access(PYTHON, os.X_OK):
        where = os.path.realpath(PYTHON)
        return f"'{HOME}' belongs to another user, and you may not run its Python, '{where}'"
    if not _is_current(name):
        return f"'{HOME}' belongs to another user, and is not what requirements/{name}.txt asks for"
    return f"cannot write '{error.filename}': {error.strerror}"


@contextlib.contextmanager
def _locked() -> Iterator[int]:
    HOME.mkdir(exist_ok=True)
    # Ours to empty is a folder that holds the lock file, which is the first thing put there (so
    # it is asked for last: another run may be just beginning).
    if any(HOME.iterdir()) and not LOCK.exists():
        raise Failed(f"'{HOME}' was not made by git-retcon", "move it away, then run this again")
    handle = os.open(LOCK, os.O_RDWR | os.O_CREAT, 0o666)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            _say(f"git-retcon: waiting for another run, which is making '{HOME}'")
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield handle
    finally:
        os.close(handle)


def _is_current(name: str) -> bool:
    try:
        same = _stamp(name).read_bytes() == _requirements(name).read_bytes()
    except FileNotFoundError:
        return False
    return same and os.access(PYTHON, os.X_OK)


def _make(name: str, handle: int) -> None:
    uv = _working_uv()
    is_stale = not _is_current("run")
    if not is_stale:
        why = "what the tests need"
    elif _stamp("run").exists():
        why = "the requirements have changed"
    else:
        why = "first run"
    tool = "uv" if uv else "pip"
    _say(f"git-retcon: {why}: installing into '{HOME}' with {tool}, which takes a moment")
    # Stamps go first: what is half removed or half installed has none.
    for each in ("run", "dev") if is_stale else (name,):
        _stamp(each).unlink(missing_ok=True)
    if is_stale:
        _create(handle)
    _install(name, uv, handle)
    for each in {"run", name}:
        pending = HOME / f"{each}.txt.new"
        shutil.copyfile(_requirements(each), pending)
        pending.rename(_stamp(each))


def _create(handle: int) -> None:
    for entry in HOME.iterdir():
        if entry == LOCK:
            continue
        if entry.is_dir() and not entry.is_symlink():
            shutil.rmtree(entry)
        else:
            entry.unlink()
    # The real path: when an upgrade takes this Python away, the link dangles and is seen to.
    base = os.path.realpath(sys.executable)
    _run([base, "-I", "-m", "venv", "--without-pip", str(HOME)], handle)
    (site_packages,) = HOME.resolve().glob("lib/python3*/site-packages")
    # Relative, so that a checkout may be moved.
    (site_packages / "checkout.pth").write_text(f"{os.path.relpath(ROOT, site_packages)}\n")


def _install(name: str, uv: str | None, handle: int) -> None:
    wanted = ["--quiet", "--require-hashes", "--requirement", str(_requirements(name))]
    if uv:
        # pip has another try where uv fails: mirrors and certificates may be known to one only.
        with contextlib.suppress(Failed):
            _run([uv, "pip", "install", "--python", str(PYTHON), *wanted], handle)
            return
    pip = [str(PYTHON), "-I", "-m", "pip"]
    _run([str(PYTHON), "-I", "-m", "ensurepip"], handle)
    _run([*pip, "install", "--retries", "2", "--no-warn-script-location", *wanted], handle)


def _run(command: list[str], handle: int) -> None:
    env = os.environ | {"PIP_USER": "0", "PIP_NO_INPUT": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    with LOG.open("ab") as log:
        log.write(f"$ {' '.join(command)}\n".encode())
        log.flush()
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            env=env,
            pass_fds=[handle],
            check=False,
        )
    if done.returncode == 0:
        return
    if "ensurepip" in command:
        raise Failed(
            "this Python comes without pip",
            "install uv, or pip for it (on Debian: apt install python3-venv)",
        )
    said = LOG.read_text("utf-8", "replace").strip().splitlines()[-1].removeprefix("ERROR: ")
    raise Failed(
        f"could not install what git-retcon needs: {said}",
        f"check the network (the whole log is '{LOG}'), then run the same command again",
    )


def _working_uv() -> str | None:
    # A uv on PATH may be a version manager's shim with nothing behind it.
    uv = shutil.which("uv")
    if uv is None:
        return None
    asked = subprocess.run([uv, "--version"], capture_output=True, check=False)
    return uv if asked.returncode == 0 else None


def _requirements(name: str) -> Path:
    return ROOT / "requirements" / f"{name}.txt"


def _stamp(name: str) -> Path:
    return HOME / f"{name}.txt"


def _say(text: str) -> None:
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
