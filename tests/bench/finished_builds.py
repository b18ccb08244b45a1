"""Cheap builds of one branch, by its language, of which the strictest that its ends pass is taken.

They need nothing installed but the language: Python names that are neither defined nor imported,
``go build`` and ``gofmt``, ``node --check``, and for other languages whether a grammar parses.
"""

import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from tests.bench.branches import Branch

_HERE = Path(__file__).parent
_LANGUAGES = {
    ".py": "Python", ".go": "Go", ".js": "JavaScript", ".mjs": "JavaScript",
    ".ts": "TypeScript", ".tsx": "TypeScript", ".rs": "Rust",
}  # fmt: skip


class Build(NamedTuple):
    """A command of the shell that builds a branch."""

    language: str
    name: str
    command: str


def find_build(top: Path, branch: Branch, ends: Sequence[str]) -> Build | None:
    """The strictest build of the branch's language that its ends pass; None without any."""
    paths = sorted({os.fsdecode(path) for path in branch.difference.texts})
    kinds = Counter(_LANGUAGES.get(Path(path).suffix, "") for path in paths)
    kinds.pop("", None)
    if not kinds:
        return None  # a build says nothing about it
    language = kinds.most_common(1)[0][0]
    own = [path for path in paths if _LANGUAGES.get(Path(path).suffix) == language]
    for build in _list_builds(top, branch, ends, language, own):
        if all(passes_at(top, end, build) for end in ends):
            return build
    return None


def _list_builds(
    top: Path, branch: Branch, ends: Sequence[str], language: str, paths: Sequence[str]
) -> Iterator[Build]:
    files = shlex.join(paths)
    if language == "Python":
        yield _check_names(top, ends)
    elif language == "Go":
        yield _build_copy(branch)
        yield Build(language, "gofmt", "gofmt -e -l . > /dev/null")
    elif language == "JavaScript":
        each = f'for f in {files}; do test ! -e "$f" || node --check "$f" || exit 1; done'
        yield Build(language, "node --check", each)
    if language not in ("Go", "JavaScript"):
        check = f"{sys.executable} {_HERE / 'parse_check.py'} {files}"
        yield Build(language, "parses", check)


def _check_names(top: Path, ends: Sequence[str]) -> Build:
    """All names are there but those that an end lacks."""
    command = f"{sys.executable} {_HERE / 'names_check.py'}"
    faults = (line for end in ends for line in _run_at(top, end, command).stdout.splitlines())
    known = {re.sub(r":\d+:", ":", os.fsdecode(line), count=1) for line in faults if line}
    return Build("Python", "names", f"{command} {shlex.join(sorted(known))}")


def _build_copy(branch: Branch) -> Build:
    """A copy, since a tree from before modules needs a ``go.mod``."""
    module = f"github.com/{branch.name.partition(':')[0]}"
    return Build(
        "Go",
        "build",
        f'copy=$(mktemp -d) && cp -R . "$copy" && cd "$copy" && '
        f"{{ test -e go.mod || go mod init {module}; }} && GOFLAGS=-mod=mod go build ./...; "
        'status=$?; cd /; rm -rf "$copy"; exit $status',
    )


def passes_at(top: Path, name: str, build: Build) -> bool:
    """Whether a commit of a repository passes, in a folder of its own."""
    return _run_at(top, name, build.command).returncode == 0


def _run_at(top: Path, name: str, command: str) -> subprocess.CompletedProcess[bytes]:
    with tempfile.TemporaryDirectory() as folder:
        packed = subprocess.run(
            ["git", "-C", top, "archive", name], capture_output=True, check=True
        )
        subprocess.run(["tar", "-x", "-C", folder], input=packed.stdout, check=True)
        return subprocess.run(command, shell=True, cwd=folder, capture_output=True)
