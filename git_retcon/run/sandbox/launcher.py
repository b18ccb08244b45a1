"""Confines itself, then becomes the command. Run by ``python -I``, as ``boot.py`` says.

It starts in a directory that others wrote, where a ``git_retcon`` of theirs might be, so it gets
the place of this one. It imports the standard library and its neighbours here, nothing else.

Protocol: how to confine, in how many arguments the rules for that follow, these (one JSON object,
cut anywhere), then the command's argv.
"""

import json
import os
import resource
import signal
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NoReturn

from git_retcon.run.sandbox.boot import FAULT
from git_retcon.run.sandbox.kernel import (
    PR_SET_PDEATHSIG,
    control_process,
    forgo_privileges,
    raise_loopback,
)
from git_retcon.run.sandbox.seccomp import Strength, compile_filter, install_filter, is_known

CANNOT_LAUNCH = 125
Rules = Mapping[str, Any]

# For one file; what a runaway writes is less than what a disk holds.
_MOST_BYTES = 16 << 30
# The kernel counts a user's threads, other programs' too before Linux 5.14.
_MOST_PROCESSES = 8192


def main(arguments: list[str]) -> int:
    """Run the command confined; its exit status, or 128 + the signal that ended it."""
    kind, end = arguments[0], 2 + int(arguments[1])
    rules, argv = json.loads("".join(arguments[2:end])), arguments[end:]
    try:
        for number in (signal.SIGPIPE, signal.SIGXFSZ):  # which Python ignores
            signal.signal(number, signal.SIG_DFL)
        _set_limits()
        return _KINDS[kind](rules, argv)
    except Exception as error:
        _give_up(error)


def _set_limits() -> None:
    """What one command may use. Its memory is watched from outside: an address space that is
    limited breaks runtimes that reserve more than they use.
    """
    for kind, most in (
        (resource.RLIMIT_FSIZE, _MOST_BYTES),
        (resource.RLIMIT_NPROC, _MOST_PROCESSES),
    ):
        hard = resource.getrlimit(kind)[1]
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(kind, (most, most))


def _become_bubblewrap(rules: Rules, argv: list[str]) -> NoReturn:
    """Become bubblewrap, with a filter for the command that it runs."""
    if os.geteuid() == 0:
        from git_retcon.run.sandbox.mounts import protect_devices

        protect_devices()
    options: list[str] = []
    if is_known():
        program = os.memfd_create("filter", 0)
        os.write(program, compile_filter(Strength.WITH_NAMESPACES))
        os.lseek(program, 0, os.SEEK_SET)
        options = ["--seccomp", str(program)]
    bubblewrap = rules["program"]
    os.execv(bubblewrap, [bubblewrap, *options, *argv])


def _enter_view(rules: Rules, argv: list[str]) -> int:
    """As the first process of fresh namespaces: furnish them, then run the command."""
    from git_retcon.run.sandbox.mounts import enter_view

    raise_loopback()
    enter_view(rules)
    os.environ.update(rules["env"])
    _forgo(Strength.WITH_NAMESPACES)
    return _run(argv)


def _restrict_to_hierarchies(rules: Rules, argv: list[str]) -> int:
    from git_retcon.run.sandbox.landlock_rules import landlock_abi, others, restrict
    from git_retcon.run.temporary_folder import open_temporary

    def confine() -> None:
        read = [*others("/", frozenset(rules["hidden"])), *rules["read"]]
        restrict(read, [*rules["write"], scratch], rules["devices"], landlock_abi())
        _furnish(os.path.join(scratch, "home"), rules["links"])  # noqa: PTH118
        os.environ["TMPDIR"] = scratch
        # Root's rights would pass by Landlock (modules, raw sockets).
        _forgo(Strength.WITH_LANDLOCK)

    with open_temporary("git-retcon.scratch-") as folder:
        scratch = str(folder)
        return _run(argv, confine)


_KINDS: Mapping[str, Callable[[Rules, list[str]], int]] = {
    "bubblewrap": _become_bubblewrap,
    "namespaces": _enter_view,
    "landlock": _restrict_to_hierarchies,
}


def _forgo(strength: Strength) -> None:
    forgo_privileges()
    if is_known():
        install_filter(strength)


def _run(argv: list[str], confine: Callable[[], None] = lambda: None) -> int:
    """Run a command in a child, which ``confine`` confines; its exit status."""
    launcher = os.getpid()
    child = os.fork()
    if child == 0:
        _become(argv, confine, launcher)
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        # The whole group gets the signal; this process stays to report and to tidy up.
        signal.signal(number, signal.SIG_IGN)
    # The first process of a namespace inherits every orphan.
    pid, status = os.wait()
    while pid != child:
        pid, status = os.wait()
    code = os.waitstatus_to_exitcode(status)
    return code if code >= 0 else 128 - code


def _become(argv: list[str], confine: Callable[[], None], parent: int) -> NoReturn:
    """In the child: die with the launcher, give rights up, and become the command."""
    try:
        control_process(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(CANNOT_LAUNCH)
        confine()
        os.execvp(argv[0], argv)
    except BaseException as error:
        _give_up(error)


def _furnish(home: str, links: Iterable[tuple[str, str]]) -> None:
    """Make a HOME in which tools find what they had in the user's."""
    os.mkdir(home)  # noqa: PTH102
    for name, target in links:
        link = os.path.join(home, name)  # noqa: PTH118
        os.makedirs(os.path.dirname(link), exist_ok=True)  # noqa: PTH103, PTH120
        os.symlink(target, link)  # noqa: PTH211
    os.environ["HOME"] = home


def _give_up(error: BaseException) -> NoReturn:
    os.write(2, f"{FAULT}: {error}\n".encode())
    os._exit(CANNOT_LAUNCH)
