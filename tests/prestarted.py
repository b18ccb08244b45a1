"""Runs a command in a process of its own, without paying for the imports at every start.

A server that has imported the package forks for each run. Most tests that run a command would
otherwise spend two thirds of their time importing the same modules. What depends on the start of
Python itself (``PYTHON*`` variables, lazy imports, a terminal) is tested with a new interpreter.
"""

import atexit
import functools
import gc
import importlib
import io
import os
import pickle
import pkgutil
import select
import socket
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, NoReturn

CHECKOUT = Path(__file__).parents[1]
PROGRAMS_OF_THE_SANDBOX = ("boot", "launcher", "__main__")
LARGEST_REQUEST = 200_000
SECONDS = 240


class Request(NamedTuple):
    """One run: a module of ``git_retcon.commands`` and how it is started."""

    module: str
    where: str
    arguments: Sequence[str]
    env: Mapping[str, str]


class Finished(NamedTuple):
    """How a run ended: as ``subprocess.CompletedProcess`` says it."""

    returncode: int
    stdout: bytes
    stderr: bytes


def run_command(request: Request, stdin: bytes) -> Finished:
    """Run a command to its end; raises TimeoutError after four minutes."""
    pipes = [os.pipe() for _ in range(3)]
    with tempfile.TemporaryFile() as given:
        given.write(stdin)
        given.seek(0)
        try:
            _send(request, (given.fileno(), *(writing for _, writing in pipes)))
        finally:
            for _, writing in pipes:
                os.close(writing)
    out, err, status = _read_all([reading for reading, _ in pipes], request)
    return Finished(int(status), out, err)


def _read_all(files: Sequence[int], request: Request) -> Sequence[bytes]:
    # To the end of each, as ``subprocess.run`` does: a git process that a killed command leaves
    # behind holds its output open, and may hold a lock until it ends.
    contents = dict.fromkeys(files, b"")
    left, deadline = set(files), time.monotonic() + SECONDS
    try:
        while left:
            ready, _, _ = select.select(left, [], [], max(0, deadline - time.monotonic()))
            if not ready:
                raise TimeoutError(f"{request.module} {request.arguments}")
            for file in ready:
                read = os.read(file, 1 << 16)
                contents[file] += read
                left -= set() if read else {file}
    finally:
        for file in files:
            os.close(file)
    return list(contents.values())


def start_python(request: Request, stdin: bytes) -> Finished:
    """Run a command in a new interpreter."""
    done = subprocess.run(
        [sys.executable, "-P", "-m", f"git_retcon.commands.{request.module}", *request.arguments],
        cwd=request.where,
        env={**request.env, "PYTHONPATH": str(CHECKOUT)},
        capture_output=True,
        input=stdin,
        timeout=SECONDS,
        check=False,
    )
    return Finished(done.returncode, done.stdout, done.stderr)


def _send(request: Request, files: Sequence[int]) -> None:
    message = pickle.dumps(request)
    assert len(message) < LARGEST_REQUEST
    socket.send_fds(_server(), [message], files)


@functools.cache
def _server() -> socket.socket:
    """Start the server; it ends when this process does, however that is: it reads end of file."""
    ours, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    ours.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, LARGEST_REQUEST)
    server = subprocess.Popen(
        [sys.executable, "-P", "-m", "tests.prestarted", str(its.fileno())],
        cwd="/",
        env={**os.environ, "PYTHONPATH": str(CHECKOUT)},
        pass_fds=[its.fileno()],
        stdin=subprocess.DEVNULL,
    )
    its.close()
    atexit.register(_end_server, ours, server)
    return ours


def _end_server(control: socket.socket, server: "subprocess.Popen[bytes]") -> None:
    control.close()
    server.wait()


def serve_requests(control: socket.socket) -> None:
    """Import the package, then fork for each request until the other end is closed."""
    _import_package()
    while True:
        message, files, _, _ = socket.recv_fds(control, LARGEST_REQUEST, 4)
        if not message:
            return
        if os.fork() == 0:
            control.close()
            _wait_for_command(pickle.loads(message), files)
        for file in files:
            os.close(file)
        _reap()


def _import_package() -> None:
    import git_retcon

    for module in pkgutil.walk_packages(git_retcon.__path__, "git_retcon."):
        if not module.name.endswith(PROGRAMS_OF_THE_SANDBOX):
            importlib.import_module(module.name)
    # What the package imports late, and most commands need.
    for name in ("pygit2", "sqlite3", "yaml"):
        importlib.import_module(name)
    gc.freeze()  # so that no child copies the pages of all this when it looks for cycles


def _reap() -> None:
    while True:
        try:
            if os.waitpid(-1, os.WNOHANG)[0] == 0:
                return
        except ChildProcessError:
            return


def _wait_for_command(request: Request, files: Sequence[int]) -> NoReturn:
    *standard, answer = files
    child = os.fork()
    if child == 0:
        os.close(answer)
        _become(request, standard)
    for file in standard:
        os.close(file)
    _, status = os.waitpid(child, 0)
    os.write(answer, b"%d" % os.waitstatus_to_exitcode(status))
    os._exit(0)


def _become(request: Request, standard: Sequence[int]) -> NoReturn:
    status = 1
    try:
        for number, file in enumerate(standard):
            os.dup2(file, number)
            os.close(file)
        sys.stdin = io.TextIOWrapper(io.BufferedReader(io.FileIO(0, closefd=False)))
        os.chdir(request.where)
        os.environ.clear()
        os.environ.update(request.env)
        time.tzset()
        module = importlib.import_module(f"git_retcon.commands.{request.module}")
        sys.argv = [str(module.__file__), *request.arguments]
        module.main()
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        traceback.print_exc()
    finally:
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        os._exit(status)


if __name__ == "__main__":
    serve_requests(socket.socket(fileno=int(sys.argv[1])))
