"""Real repositories built by a few plain lines."""

import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from git_retcon.git.repository import Repository, open_repository


@dataclass(frozen=True)
class TestRepository:
    """A repository on disk, driven by git alone."""

    __test__ = False

    path: Path

    def git(self, *arguments: str | bytes, stdin: bytes = b"") -> str:
        """Run git here and return what it printed, without the last newline."""
        done = subprocess.run(
            ["git", "-C", str(self.path), *arguments],
            input=stdin,
            capture_output=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr.decode("utf-8", "replace")
        return done.stdout.decode("utf-8", "surrogateescape").removesuffix("\n")

    def write(self, files: Mapping[Any, str | bytes | None]) -> None:
        """Write files beneath the working tree; None removes one."""
        for name, content in files.items():
            path = os.path.join(os.fsencode(self.path), os.fsencode(name))  # noqa: PTH118
            if content is None:
                os.unlink(path)  # noqa: PTH108
                continue
            os.makedirs(os.path.dirname(path), exist_ok=True)  # noqa: PTH103, PTH120
            data = content.encode() if isinstance(content, str) else content
            with open(path, "wb") as file:  # noqa: PTH123
                file.write(data)

    def commit(
        self,
        message: str,
        files: Mapping[str, str | bytes | None] | None = None,
        *,
        author: str | None = None,
    ) -> str:
        """Write files, commit everything, and return the commit's id."""
        self.write(dict(files or {}))
        self.git("add", "-A")
        who = [f"--author={author}"] if author else []
        self.git("commit", "-q", "--allow-empty", "-m", message, *who)
        return self.rev("HEAD")

    def rev(self, name: str) -> str:
        """The object id of a revision."""
        return self.git("rev-parse", "--verify", name)

    def tree(self, name: str) -> str:
        """The tree id of a revision."""
        return self.rev(f"{name}^{{tree}}")

    def subjects(self, revisions: str) -> list[str]:
        """The subjects of ``git log --reverse revisions``."""
        return self.git("log", "--reverse", "--format=%s", revisions).splitlines()

    def show(self, name: str) -> bytes:
        """The bytes of a blob."""
        done = subprocess.run(
            ["git", "-C", str(self.path), "cat-file", "blob", name], capture_output=True, check=True
        )
        return done.stdout

    def open(self) -> Repository:
        """As the program opens it."""
        return open_repository(self.path)


def new_repository(path: Path, *options: str) -> TestRepository:
    """Create a repository."""
    path.mkdir(parents=True)
    repository = TestRepository(path)
    repository.git("init", "-q", *options)
    return repository
