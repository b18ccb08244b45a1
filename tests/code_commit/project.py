"""A small project with a query, a rollup and a build script, ready for a first answer."""

import os
import stat
from collections.abc import Mapping
from pathlib import Path

from git_retcon.code_commit.answer_grammar import write_block
from git_retcon.code_commit.working_tree import Checkout, open_checkout
from git_retcon.git.repository import open_repository
from tests.program import Ran
from tests.program import code_commit_here as code_commit
from tests.repository import TestRepository, new_repository

BUILD = "#!/bin/sh\necho building\ngrep -q two src/a.txt\n"


def new_project(where: Path, files: Mapping[str, str | bytes] | None = None) -> TestRepository:
    """A committed project whose build wants "two" in ``src/a.txt``."""
    repo = new_repository(where)
    repo.git("config", "user.name", "Ada Lovelace")
    repo.git("config", "user.email", "ada@example.com")
    repo.write({"build.sh": BUILD, ".gitignore": "/agent-config\n/ignored\n*.secret\n"})
    (where / "build.sh").chmod(0o755)
    repo.commit("begin", {"src/a.txt": "one\n", "old.txt": "old\n", "README": "hello\n"}
                | dict(files or {}))  # fmt: skip
    repo.write({"agent-config/query.txt": "Make it two.\n"})
    repo.write({"agent-config/codeRollup.txt": "--- src/a.txt ---\none\n"})
    return repo


def checkout_of(repo: TestRepository) -> Checkout:
    return open_checkout(open_repository(repo.path))


def answer_of(files: Mapping[str, str | bytes | None]) -> bytes:
    """An answer of one block for each file; None removes it."""
    return b"\n".join(
        write_block(os.fsencode(name), text.encode() if isinstance(text, str) else text)
        for name, text in files.items()
    )


def snapshot(top: Path) -> dict[str, tuple[int, bytes]]:
    """Every file, folder and link beneath a folder but ``.git`` and ``agent-config/logs``."""
    found: dict[str, tuple[int, bytes]] = {}
    for path in sorted(top.rglob("*")):
        name = str(path.relative_to(top))
        if name.split("/")[0] == ".git" or name.startswith("agent-config/logs"):
            continue
        mode = path.lstat().st_mode
        content = b""
        if stat.S_ISLNK(mode):
            content = os.fsencode(path.readlink())
        elif stat.S_ISREG(mode):
            content = path.read_bytes()
        found[name] = (mode, content)
    return found


def respond(
    project: TestRepository, files: Mapping[str, str | bytes | None] | bytes, *options: str
) -> Ran:
    """Bring an answer on standard input."""
    text = files if isinstance(files, bytes) else answer_of(files)
    return code_commit(project.path, "--response", "-", *options, stdin=text)
