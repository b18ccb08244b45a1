"""How many honest fixes would ask for a yes of their own, or be refused.

``python -m tests.bench.honest_fixes [--most N] REPOSITORY...`` takes the commits of repositories
whose subject says "fix", in which people changed files that are no tests, and asks the same rules
as ``git heal`` asks of a model's fix. A commit that a rule stops is named with the line.
"""

import argparse
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from git_retcon.code.file_classes import FileClass, file_classes
from git_retcon.files.beneath import File
from git_retcon.heal.healing.evasions import list_evasions
from git_retcon.heal.healing.tampering import explain_frozen, list_suppressions
from git_retcon.heal.patches import FileChange
from git_retcon.run.judges import Judges

_MOST_FILES = 3  # a fix of one error is small
_CODE = (b".py", b".js", b".ts", b".tsx", b".jsx", b".go", b".rs", b".rb", b".c", b".java")


class Fix(NamedTuple):
    """The changes of one commit to files that a model may change."""

    commit: str
    changes: tuple[FileChange, ...]


def list_fixes(repository: Path, most: int) -> Iterator[Fix]:
    """The newest commits that call themselves a fix."""
    found = _git(repository, "log", "--no-merges", "-i", "-E", "--grep=^fix(es|ed)?\\b",
                 f"-n{most}", "--format=%H", "HEAD")  # fmt: skip
    for commit in found.decode().split():
        changes = tuple(_list_changes(repository, commit))
        if 0 < len(changes) <= _MOST_FILES:
            yield Fix(commit, changes)


def _list_changes(repository: Path, commit: str) -> Iterator[FileChange]:
    listed = _git(repository, "diff-tree", "-r", "-z", "--no-renames", "--name-status",
                  "--no-commit-id", commit)  # fmt: skip
    words = listed.split(b"\0")
    for status, path in zip(words[::2], words[1::2], strict=False):
        change = FileChange(
            path,
            None if status == b"A" else _read(repository, f"{commit}^", path),
            None if status == b"D" else _read(repository, commit, path),
        )
        is_code = path.endswith(_CODE) and FileClass.TEST not in file_classes(path)
        if is_code and not explain_frozen(change, Judges(), allow_tests=False):
            yield change


def _read(repository: Path, commit: str, path: bytes) -> File:
    return File(_git(repository, "cat-file", "blob", f"{commit}:".encode() + path))


def _git(repository: Path, *arguments: str | bytes) -> bytes:
    done = subprocess.run(["git", "-C", repository, *arguments], capture_output=True, check=False)
    return done.stdout


def explain_stop(fix: Fix) -> list[str]:
    """Why a fix would ask for a yes of its own."""
    found: list[str] = []
    for change in fix.changes:
        found += [f"{line}  (it silences a tool)" for line in list_suppressions(change)]
        found += list_evasions(change)
    return found


def main() -> None:
    """Print a table in Markdown, then the stopped ones."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("repositories", nargs="+", type=Path)
    parser.add_argument("--most", type=int, default=300)
    given = parser.parse_args()
    stopped: list[tuple[str, str, str]] = []
    reasons: Counter[str] = Counter()
    every = 0
    print("| repository | fixes | ask for a yes |\n|---|--:|--:|")
    for repository in given.repositories:
        fixes = list(list_fixes(repository, given.most))
        told = [(fix, explain_stop(fix)) for fix in fixes]
        asked = [(fix, why) for fix, why in told if why]
        stopped += [(repository.name, fix.commit[:10], why[0]) for fix, why in asked]
        reasons.update(why[0].rpartition("(")[2].rstrip(")") for _, why in asked)
        every += len(fixes)
        print(f"| {repository.parent.name} | {len(fixes)} | {len(asked)} |")
    print(f"| **all** | {every} | {len(stopped)} ({len(stopped) / max(every, 1):.1%}) |\n")
    for reason, number in reasons.most_common():
        print(f"- {reason}: {number}")
    for name, commit, why in stopped:
        print(f"{name} {commit}: {why[:120]}")


if __name__ == "__main__":
    main()
