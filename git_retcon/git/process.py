"""Running the ``git`` executable: argv lists, bytes in and out, one error type.

git does what touches the user's state or honours the user's settings; objects are read and
written through pygit2 (see ``repository``).
"""

import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import IO

from git_retcon.errors import Fatal
from git_retcon.lazy_dataclass import dataclass

# `git rev-parse --local-env-vars`, less the two that carry `git -c` settings (the user meant
# those for us) and the two that name object stores (a hook's quarantine holds real objects).
_LOCAL = frozenset(
    {
        "GIT_CONFIG",
        "GIT_DIR",
        "GIT_WORK_TREE",
        "GIT_IMPLICIT_WORK_TREE",
        "GIT_GRAFT_FILE",
        "GIT_INDEX_FILE",
        "GIT_NO_REPLACE_OBJECTS",
        "GIT_REPLACE_REF_BASE",
        "GIT_PREFIX",
        "GIT_SHALLOW_FILE",
        "GIT_COMMON_DIR",
        "GIT_INTERNAL_SUPER_PREFIX",
        "GIT_NAMESPACE",
    }
)
# These change what a pathspec means, and ours are written for git's defaults.
_MAGIC = frozenset(
    {
        "GIT_LITERAL_PATHSPECS",
        "GIT_GLOB_PATHSPECS",
        "GIT_NOGLOB_PATHSPECS",
        "GIT_ICASE_PATHSPECS",
    }
)


# No such file can be, and git does not warn of one that is not there.
_NO_FILE = os.path.join(os.devnull, "grafts")  # noqa: PTH118


# What a disk refuses, in the words of the C library: git runs with LC_ALL=C.
_OF_THE_DISK = ("No space left on device", "Permission denied", "Read-only file system")
_ROOM = "free some space or correct its permissions, then run the same command again"


class GitError(Fatal):
    """git itself refused; the message carries what it said."""


def unconfigured_environment() -> dict[str, str]:
    """The environment for a git outside of every configuration: the user's could run commands, or
    change what git writes.

    Outside of every repository too, where no directory above ``/`` is looked at: run it there.
    """
    return repository_environment(
        {
            "PATH": os.environ.get("PATH", os.defpath),
            "HOME": os.devnull,
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CEILING_DIRECTORIES": "/",
            "GIT_EDITOR": "false",
        }
    )


def repository_environment(env: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment for a git whose repository is named by ``--git-dir``.

    Replace refs and grafts are switched off, so that git and libgit2 see the same objects.
    """
    source = os.environ if env is None else env
    kept = {name: value for name, value in source.items() if name not in _LOCAL | _MAGIC}
    return kept | {
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_GRAFT_FILE": _NO_FILE,
        # Reading must not take the index lock from an editor or a prompt that runs git meanwhile.
        "GIT_OPTIONAL_LOCKS": "0",
        "LC_ALL": "C",
    }


def run_git(
    arguments: list[str | bytes],
    *,
    env: Mapping[str, str],
    stdin: bytes = b"",
    cwd: Path | None = None,
) -> "subprocess.CompletedProcess[bytes]":
    """Run git once and return its answer, with any status.

    Raises Fatal where git is not installed or ``cwd`` cannot be entered.
    """
    try:
        return subprocess.run(
            ["git", *arguments],
            env=dict(env),
            input=stdin,
            capture_output=True,
            cwd=cwd,
            check=False,
        )
    except OSError as error:
        raise _explain_failed_start(error, cwd) from error


def run_unconfigured(
    directory: Path,
    *arguments: str,
    stdin: bytes = b"",
    env: Mapping[str, str] | None = None,
) -> bytes:
    """What git prints in a directory, by its own defaults. Raises GitError where it fails."""
    given = unconfigured_environment() | dict(env or {})
    done = run_git([*arguments], env=given, stdin=stdin, cwd=directory)
    if done.returncode != 0:
        said = done.stderr.decode("utf-8", "replace").strip()
        raise GitError(f"git {arguments[0]} failed: {said}")
    return done.stdout


def _explain_failed_start(error: OSError, cwd: Path | None) -> Fatal:
    if cwd is not None and not cwd.is_dir():
        return Fatal(f"cannot enter '{cwd}': {error.strerror}")
    if isinstance(error, FileNotFoundError):
        return Fatal("git is not installed", hint="install git 2.34 or newer")
    return Fatal(f"cannot run git: {error.strerror}")


@dataclass(frozen=True)
class Git:
    """git bound to one repository by its absolute git directory."""

    git_dir: Path
    work_tree: Path | None = None
    env: Mapping[str, str] = field(default_factory=repository_environment)

    def try_run(
        self,
        *arguments: str | bytes,
        stdin: bytes = b"",
        env: Mapping[str, str] | None = None,
    ) -> "subprocess.CompletedProcess[bytes]":
        """Run git and return its answer; a status other than 0 is the caller's to read."""
        return run_git(
            [*self._scope, *arguments],
            env={**self.env, **(env or {})},
            stdin=stdin,
            # The user's own working directory may be deleted while a run lasts hours; these two
            # stay.
            cwd=self.work_tree or self.git_dir,
        )

    def start(
        self, *arguments: str | bytes, stderr: IO[bytes] | int, inherited: Sequence[int] = ()
    ) -> "subprocess.Popen[bytes]":
        """Start a git that goes on while its standard input is open, and is asked through pipes.

        It has a process group of its own: a Ctrl-C at the terminal does not end it half-way.
        ``inherited`` are further files that it has open.
        """
        cwd = self.work_tree or self.git_dir
        try:
            return subprocess.Popen(
                ["git", *self._scope, *arguments],
                env=dict(self.env),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=stderr,
                cwd=cwd,
                process_group=0,
                pass_fds=inherited,
            )
        except OSError as error:
            raise _explain_failed_start(error, cwd) from error

    @property
    def _scope(self) -> Sequence[str]:
        """The options that name the repository."""
        scope = [f"--git-dir={self.git_dir}"]
        if self.work_tree is not None:
            scope.append(f"--work-tree={self.work_tree}")
        return scope

    def run(
        self,
        *arguments: str | bytes,
        stdin: bytes = b"",
        env: Mapping[str, str] | None = None,
    ) -> bytes:
        """Run git and return its standard output. Raises GitError on any other status than 0."""
        done = self.try_run(*arguments, stdin=stdin, env=env)
        if done.returncode != 0:
            said = done.stderr.decode("utf-8", "replace").strip()
            verb = _find_verb(arguments)
            message = f"git {verb} failed: {said or describe_ending(done.returncode)}"
            if any(line.endswith(_OF_THE_DISK) for line in said.splitlines()):
                raise GitError(message, hint=_ROOM, again=())
            raise GitError(message)
        return done.stdout

    def records(self, *arguments: str | bytes) -> Sequence[bytes]:
        """What git answers to a command with ``-z``, less the NUL that ends each record."""
        return split_records(self.run(*arguments))

    def line(self, *arguments: str | bytes) -> str:
        """The one line git answers, without its newline."""
        return self.run(*arguments).decode("utf-8", "surrogateescape").rstrip("\n")


def split_records(listing: bytes) -> Sequence[bytes]:
    """The records of a ``-z`` listing: paths, mostly, which no other format gives as they are."""
    return [record for record in listing.split(b"\0") if record]


def describe_ending(status: int) -> str:
    """How a process ended, by its status as ``subprocess`` gives it."""
    if status >= 0:
        return f"exit status {status}"
    return f"ended by signal {-status} ({signal.strsignal(-status)})"


def _find_verb(arguments: Sequence[str | bytes]) -> str:
    """The subcommand, which follows git's own options."""
    words = [os.fsdecode(argument) for argument in arguments]
    places = range(len(words))
    named = (words[at] for at in places if words[at][:1] != "-" and words[max(at - 1, 0)] != "-c")
    return next(named, words[0])
