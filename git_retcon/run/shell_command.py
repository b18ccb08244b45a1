"""Running one shell command of somebody else's, to its end or to its deadline.

The command leads a process group of its own. However it ends, nothing of that group outlives the
call, unless the caller has a place for it (``Background``), and a background process that keeps the
output open cannot hold the caller up.
"""

import contextlib
import enum
import os
import selectors
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO

from git_retcon.errors import UserError
from git_retcon.interrupts import Interrupts, raise_if_halted
from git_retcon.lazy_dataclass import dataclass
from git_retcon.run.background import Background
from git_retcon.run.orphans import (
    adopting_orphans,
    end_orphans,
    may_have_left,
    register_leader,
    start_leader,
)
from git_retcon.run.output import BoundedOutput
from git_retcon.run.process_group import end_group, has_ended
from git_retcon.run.process_table import Process
from git_retcon.run.resource_limits import Ceiling
from git_retcon.run.stray_processes import MARK

_CHUNK = 64 * 1024
_TICK = 0.05  # seconds between looks at a process whose output is silent
_SHORTEST_TICK = 0.0005
_LAST_WORDS = 1.0  # seconds to collect what is still written behind a command that has ended


class PipeRead(enum.Enum):
    """What one look at a pipe found."""

    BYTES = enum.auto()
    NOTHING = enum.auto()
    END = enum.auto()


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a command ended.

    ``status`` is the shell's (128 + n for signal n). ``output`` is its standard output and error
    as one stream: all of it, or head and tail with a line that says what was left out.
    """

    command: str
    status: int
    output: bytes
    seconds: float
    timed_out: bool

    @property
    def passed(self) -> bool:
        return self.status == 0 and not self.timed_out


@dataclass(frozen=True, slots=True)
class Sinks:
    """Where every byte of a command's output goes as it comes: appended to a log, to a function."""

    log: Path | None = None
    on_output: Callable[[bytes], None] | None = None


def run_command(
    command: str,
    *,
    cwd: Path,
    env: Mapping[str, str],
    timeout: float | None = None,
    sinks: Sinks = Sinks(),
    prefix: Sequence[str] = (),
    background: Background | None = None,
) -> Outcome:
    """Run ``sh -c command`` in ``cwd`` with nothing on its standard input.

    ``timeout`` is in seconds. ``prefix`` is an argv to run the shell under, such as a sandbox's.
    However the call ends (the command's end, the deadline, Ctrl-C, an exception of a sink), the
    whole group is ended first, and what left it. With ``background``, what a command that comes to
    its own end leaves running lives on there, unless it has a ``prefix``.

    Raises UserError when the shell, the prefix, the directory or the log cannot be used.
    """
    start = time.monotonic()
    deadline = None if timeout is None else start + timeout
    collected = BoundedOutput()
    argv = [*prefix, _find_shell(env), "-c", command]
    # What runs as the user would run it has the user's limits.
    ceiling = Ceiling() if prefix else None
    mark = os.fsencode(f"{MARK}={env[MARK]}") if MARK in env else b""
    with (
        _open_sinks(collected, sinks) as sink,
        Interrupts() as interrupts,
        adopting_orphans(),
    ):
        process = _start_process(argv, cwd, env, mark)
        kept = None if prefix else background
        timed_out = _run_to_end(process, deadline, sink, ceiling, interrupts, mark, kept)
    status = process.returncode
    return Outcome(
        command=command,
        status=status if status >= 0 else 128 - status,
        output=collected.value(),
        seconds=time.monotonic() - start,
        timed_out=timed_out,
    )


def _find_shell(env: Mapping[str, str]) -> str:
    """``sh``, also where the PATH of the command lacks it: then the command fails, not we."""
    if shutil.which("sh", path=env.get("PATH")):
        return "sh"
    return shutil.which("sh") or "sh"


def _start_process(
    argv: Sequence[str], cwd: Path, env: Mapping[str, str], mark: bytes
) -> "subprocess.Popen[bytes]":
    """A process that leads a group of its own; its output can be read without waiting."""

    def start() -> "subprocess.Popen[bytes]":
        return subprocess.Popen(
            argv,
            cwd=cwd,
            env=dict(env),
            # A command that asks something would wait for ever, or read the user's terminal.
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            # One stream keeps the order in which messages came, which diagnostics rely on.
            stderr=subprocess.STDOUT,
            # Without a terminal of its own nothing can ask for a password there, and Ctrl-C reaches
            # us alone.
            start_new_session=True,
        )

    try:
        process = start_leader(start, mark)
    except (OSError, ValueError) as error:
        raise _cannot_start(argv[0], cwd, error) from error
    assert process.stdout is not None
    os.set_blocking(process.stdout.fileno(), False)
    return process


def _run_to_end(
    process: "subprocess.Popen[bytes]",
    deadline: float | None,
    sink: Callable[[bytes], None],
    ceiling: Ceiling | None,
    interrupts: Interrupts,
    mark: bytes,
    background: Background | None,
) -> bool:
    """Follow a process and end all that it has started, or keep it; True when the deadline came
    first.

    ``interrupts`` are let through only where the group can be ended behind them.
    """
    assert process.stdout is not None
    tend = background.tend if background is not None else _tend_nothing
    is_kept = False
    with process.stdout, register_leader(process.pid, mark) as leader:
        try:
            with interrupts.let_through():
                timed_out = _follow_process(
                    process, deadline, sink, _watch_use(ceiling, leader), tend
                )
                if background is not None and not timed_out:
                    _await_output(process, sink)
                    is_kept = background.keep(leader, process.stdout.fileno())
        # The group first: orphans come to us only once their parents are dead.
        finally:
            if is_kept or (has_ended(process) and not may_have_left(leader)):
                process.wait()
            else:
                end_group(process, hurried=lambda: interrupts.came is not None)
                end_orphans(leader)
        with interrupts.let_through():
            _drain_output(process, sink)
    return timed_out


def _tend_nothing() -> None:
    pass


def _watch_use(ceiling: Ceiling | None, leader: Process | None) -> Callable[[], str | None]:
    """What says whether a command is above its ceiling; without a process table nothing does."""
    if ceiling is None or leader is None:
        return lambda: None
    return lambda: ceiling.find_excess(leader)


class CannotStart(UserError):
    """The system takes no such program, or none with such arguments or variables."""


def _cannot_start(program: str, cwd: Path, error: Exception) -> UserError:
    if not os.access(cwd, os.R_OK | os.X_OK) or not cwd.is_dir():
        return UserError(
            f"cannot run a command in '{cwd}': it is missing or not readable",
            hint="make the directory readable, or name another",
        )
    reason = getattr(error, "strerror", None) or str(error)
    return CannotStart(f"cannot run '{program}': {reason}", hint=f"is '{program}' on your PATH?")


def _follow_process(
    process: "subprocess.Popen[bytes]",
    deadline: float | None,
    sink: Callable[[bytes], None],
    find_excess: Callable[[], str | None],
    tend: Callable[[], None],
) -> bool:
    """Pass the output on until the command ends; True when the deadline came first.

    A command that uses too much is killed, and its output says so.
    """
    assert process.stdout is not None
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        pause = 0.0
        while not has_ended(process):
            raise_if_halted()
            left = _TICK if deadline is None else deadline - time.monotonic()
            if left <= 0:
                return True
            excess = find_excess()
            if excess is not None:
                os.killpg(process.pid, signal.SIGKILL)
                sink(f"\ngit-retcon ended this command: {excess}\n".encode())
                return False
            tend()
            if pause:
                time.sleep(min(pause, left))
                pause = min(2 * pause, _TICK)
            elif (
                selector.select(min(_TICK, left)) and _pass_on(process.stdout, sink) is PipeRead.END
            ):
                # Its output is closed: mostly it is about to end, but it may also go on silently.
                pause = _SHORTEST_TICK
    return False


def _await_output(process: "subprocess.Popen[bytes]", sink: Callable[[bytes], None]) -> None:
    """Give what still writes behind an ended command, such as ``> >(tee log)``, a moment to end."""
    assert process.stdout is not None
    until = time.monotonic() + _LAST_WORDS
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        while (left := until - time.monotonic()) > 0:
            if selector.select(left) and _pass_on(process.stdout, sink) is PipeRead.END:
                return


def _drain_output(process: "subprocess.Popen[bytes]", sink: Callable[[bytes], None]) -> None:
    """Pass on what an ended group had written; a process that left the group is not waited for."""
    assert process.stdout is not None
    until = time.monotonic() + _LAST_WORDS
    while _pass_on(process.stdout, sink) is PipeRead.BYTES and time.monotonic() < until:
        pass


def _pass_on(pipe: IO[bytes], sink: Callable[[bytes], None]) -> PipeRead:
    try:
        chunk = os.read(pipe.fileno(), _CHUNK)
    except BlockingIOError:
        return PipeRead.NOTHING
    if not chunk:
        return PipeRead.END
    sink(chunk)
    return PipeRead.BYTES


@contextlib.contextmanager
def _open_sinks(collected: BoundedOutput, sinks: Sinks) -> Iterator[Callable[[bytes], None]]:
    """One function that hands a chunk to everybody who wants it."""
    with contextlib.ExitStack() as stack:
        file = None
        if sinks.log is not None:
            try:
                file = stack.enter_context(sinks.log.open("ab", buffering=0))
            except OSError as error:
                raise _cannot_log(sinks.log, error) from error

        def take(chunk: bytes) -> None:
            collected.add(chunk)
            if file is not None:
                _write_all(file, chunk)
            if sinks.on_output is not None:
                sinks.on_output(chunk)

        yield take


def _write_all(file: IO[bytes], chunk: bytes) -> None:
    view = memoryview(chunk)
    while view:
        try:
            view = view[file.write(view) :]
        except OSError as error:
            raise _cannot_log(Path(file.name), error) from error


def _cannot_log(log: Path, error: OSError) -> UserError:
    return UserError(
        f"cannot write the log '{log}': {error.strerror}",
        hint="free some space or change its permissions, then run the same command again",
        again=(),
    )
