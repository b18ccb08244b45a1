"""Two trees written file by file, their difference, and what git says of it."""

import subprocess
import sys
from pathlib import Path

from git_retcon.git.atoms import Kind
from git_retcon.git.difference import Difference, compare_trees
from git_retcon.git.trees import Trees
from tests.git.hostile import Files, write_tree
from tests.repository import TestRepository


def find(repo: TestRepository, base: Files, target: Files) -> Difference:
    repository = repo.open()
    return compare_trees(repository, write_tree(repository, base), write_tree(repository, target))


def kinds(found: Difference) -> list[tuple[Kind, bytes]]:
    return [(atom.kind, atom.path) for atom in found.atoms]


def raw(repo: TestRepository, found: Difference) -> list[str]:
    """Status and paths as ``git diff-tree`` tells them."""
    listing = repo.git("diff-tree", "-r", "-M", "--name-status", found.base, found.target)
    return listing.splitlines()


def files(repo: TestRepository, tree: str) -> dict[bytes, str]:
    """Path → mode and content, as git lists and shows them."""
    repository = repo.open()
    return {
        name: f"{entry.mode.decode()} {repository.objects.odb.read(entry.oid)[1].decode()}"
        for name, entry in Trees(repository.objects).files(tree)
        if not entry.is_submodule
    }


def plain(data: bytes) -> tuple[bytes, bytes]:
    return (b"100644", data)


def in_python(script: str, repo: TestRepository, base: str, target: str, **env: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", script, str(repo.path), base, target],
        capture_output=True,
        text=True,
        check=False,
        env={"PATH": "/usr/bin:/bin:/usr/local/bin:/opt/homebrew/bin", **env},
        cwd=Path(__file__).parents[2],
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
