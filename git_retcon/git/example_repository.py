"""Repositories of demonstrations: on every machine the same objects, with any configuration."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from git_retcon.git.process import run_unconfigured

NAME = "Robin Vale"
EMAIL = "robin@example.com"
_BEGIN = 1_767_600_000  # 2026-01-05, and a commit each hour


class ExampleCommit(NamedTuple):
    """One commit: its branch, and the files that it writes; None is removed. ``merges`` is the
    branch that it takes in. What begins with "#!" can be run.
    """

    branch: str
    subject: str
    files: Mapping[str, str | None]
    merges: str = ""


def build_history(directory: Path, history: Sequence[ExampleCommit]) -> None:
    """Make a repository with these commits in an empty folder, and check ``main`` out."""
    run_unconfigured(directory, "init", "--quiet", "--initial-branch=main", "--template=")
    stream = "".join(_write_commits(history)).encode()
    run_unconfigured(directory, "fast-import", "--quiet", stdin=stream)
    run_unconfigured(directory, "checkout", "--quiet", "main")


def configure_example(directory: Path) -> None:
    """Let people and commands commit there, on a machine where git has no identity too, and ask for
    the passphrase of no signing key.
    """
    for key, value in {
        "user.name": NAME,
        "user.email": EMAIL,
        "commit.gpgSign": "false",
        "core.autocrlf": "false",
    }.items():
        run_unconfigured(directory, "config", key, value)


def _write_commits(history: Sequence[ExampleCommit]) -> Iterator[str]:
    """The history as git-fast-import(1) reads it."""
    tips: dict[str, int] = {}
    for number, one in enumerate(history, 1):
        seconds = _BEGIN + 3600 * number
        message = one.subject + "\n"
        yield f"commit refs/heads/{one.branch}\nmark :{number}\n"
        yield f"author {NAME} <{EMAIL}> {seconds} +0000\n"
        yield f"committer {NAME} <{EMAIL}> {seconds} +0000\n"
        yield f"data {len(message.encode())}\n{message}"
        # A branch begins at what the trunk is then.
        parent = tips.get(one.branch, tips.get("main"))
        yield f"from :{parent}\n" if parent is not None else ""
        yield f"merge :{tips[one.merges]}\n" if one.merges else ""
        for path, content in one.files.items():
            if content is None:
                yield f"D {path}\n"
            else:
                mode = "100755" if content.startswith("#!") else "100644"
                yield f"M {mode} inline {path}\ndata {len(content.encode())}\n{content}\n"
        yield "\n"
        tips[one.branch] = number
