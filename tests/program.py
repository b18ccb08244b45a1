"""Running the program as its user does: a process of its own, in a directory."""

import contextlib
import io
import os
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

import pexpect

from tests.prestarted import CHECKOUT as CHECKOUT
from tests.prestarted import Request, run_command, start_python

_INTERRUPTED = 130


@dataclass(frozen=True)
class Ran:
    """How a run ended."""

    status: int
    out: str
    err: str

    def ok(self) -> "Ran":
        """This, after making sure that it succeeded."""
        assert self.status == 0, f"exit status {self.status}\n{self.out}\n{self.err}"
        return self


def retcon(where: Path, *arguments: str, env: Mapping[str, str] | None = None) -> Ran:
    """Run ``git retcon`` in a directory."""
    return _run("retcon", where, arguments, env, b"")


def code_commit(
    where: Path, *arguments: str, env: Mapping[str, str] | None = None, stdin: bytes = b""
) -> Ran:
    """Run ``git code-commit`` in a directory."""
    return _run("code_commit", where, arguments, env, stdin)


def code_commit_here(
    where: Path, *arguments: str, env: Mapping[str, str] | None = None, stdin: bytes = b""
) -> Ran:
    """The same in this process, which takes a second less where a model is asked."""
    from git_retcon.commands.code_commit import main

    return _run_here(main, where, arguments, env, stdin)


def retcon_here(where: Path, *arguments: str, env: Mapping[str, str] | None = None) -> Ran:
    """Run ``git retcon`` in this process."""
    from git_retcon.commands.retcon import main

    return _run_here(main, where, arguments, env, b"")


def heal(where: Path, *arguments: str, env: Mapping[str, str] | None = None) -> Ran:
    """Run ``git heal`` in a directory."""
    return _run("heal", where, arguments, env, b"")


def heal_here(
    where: Path, *arguments: str, env: Mapping[str, str] | None = None, stdin: bytes = b""
) -> Ran:
    """Run ``git heal`` in this process."""
    from git_retcon.commands.heal import main

    return _run_here(main, where, arguments, env, stdin)


def allium_here(where: Path, *arguments: str, env: Mapping[str, str] | None = None) -> Ran:
    """Run ``git allium`` in this process."""
    from git_retcon.commands.allium import main

    return _run_here(main, where, arguments, env, b"")


def _run_here(
    main: Callable[[Sequence[str]], NoReturn],
    where: Path,
    arguments: Sequence[str],
    env: Mapping[str, str] | None,
    stdin: bytes,
) -> Ran:
    out, err, given = io.StringIO(), io.StringIO(), io.TextIOWrapper(io.BytesIO(stdin))
    before, kept = dict(os.environ), sys.stdin
    handlers = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP)}
    status: int | str | None = None
    try:
        os.environ.update(env or {})
        sys.stdin = given
        with (
            contextlib.chdir(where),
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(err),
        ):
            main(arguments)
    except SystemExit as end:
        status = end.code
    finally:
        sys.stdin = kept
        os.environ.clear()
        os.environ.update(before)
        for number, handler in handlers.items():
            signal.signal(number, handler)
    assert isinstance(status, int)
    if status == _INTERRUPTED:
        # The command took a signal that was meant for the tests, such as their deadline: that is
        # no way in which it ended.
        raise KeyboardInterrupt
    return Ran(status, out.getvalue(), err.getvalue())


def on_terminal(
    module: str, where: Path, *arguments: str, env: Mapping[str, str] | None = None
) -> pexpect.spawn:
    """Start a command, by its module, whose standard streams are a terminal."""
    return pexpect.spawn(
        sys.executable,
        ["-P", "-m", f"git_retcon.commands.{module}", *arguments],
        cwd=str(where),
        env={**os.environ, "PYTHONPATH": str(CHECKOUT), **(env or {})},
        encoding="utf-8",
        timeout=120,
    )


def rest(child: pexpect.spawn) -> Ran:
    """Wait for the end of what runs on a terminal; the rest of what it showed."""
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus is not None
    return Ran(child.exitstatus, child.before, "")


def _run(
    module: str,
    where: Path,
    arguments: Sequence[str],
    env: Mapping[str, str] | None,
    stdin: bytes,
) -> Ran:
    request = Request(module, str(where), arguments, {**os.environ, **(env or {})})
    done = start_python(request, stdin) if _python_matters(env) else run_command(request, stdin)
    out, err = (text.decode("utf-8", "surrogateescape") for text in (done.stdout, done.stderr))
    return Ran(done.returncode, out, err)


def _python_matters(env: Mapping[str, str] | None) -> bool:
    return any(name.startswith(("PYTHON", "LC_", "LANG")) for name in env or {})
