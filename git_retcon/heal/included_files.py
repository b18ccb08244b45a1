"""Ignored files that jobs need all the same (``heal.include``), such as a local configuration.

Patterns are git's own: a name alone is looked for in every folder, one with a slash from the top.
"""

import os
import shutil
from collections.abc import Sequence
from pathlib import Path

from git_retcon.git.process import Git
from git_retcon.heal.stored_verdicts import make_digest


class IncludedFiles:
    """The ignored files of a checkout that some patterns match."""

    def __init__(self, git: Git, top: Path, patterns: Sequence[str]) -> None:
        self._top = os.fsencode(top)
        self._paths = _list_matching(git, patterns) if patterns else ()

    def digest(self) -> str:
        """Changes with their names, their contents and whether they are executable."""
        parts: list[bytes] = []
        for path in self._paths:
            place = os.path.join(self._top, path)  # noqa: PTH118
            mode = b"x" if os.access(place, os.X_OK) else b"-"
            parts += [path, mode, Path(os.fsdecode(place)).read_bytes()]
        return make_digest(parts) if parts else ""

    def copy_to(self, tree: Path) -> None:
        """Copy them to their places in another tree, over what is there."""
        for path in self._paths:
            target = os.path.join(os.fsencode(tree), path)  # noqa: PTH118
            os.makedirs(os.path.dirname(target), exist_ok=True)  # noqa: PTH103, PTH120
            shutil.copy2(os.path.join(self._top, path), target)  # noqa: PTH118


def _list_matching(git: Git, patterns: Sequence[str]) -> Sequence[bytes]:
    words = [
        f":(glob){pattern.strip('/')}" if "/" in pattern.strip("/") else f":(glob)**/{pattern}"
        for pattern in patterns
    ]
    kinds = ("--others", "--ignored", "--exclude-standard")
    found = git.records("ls-files", "-z", *kinds, "--", *words)
    top = os.fsencode(git.work_tree or "")
    return sorted(path for path in found if _is_plain(os.path.join(top, path)))  # noqa: PTH118


def _is_plain(place: bytes) -> bool:
    # A link may lead out of the checkout, to what nobody chose to include.
    return os.path.isfile(place) and not os.path.islink(place)  # noqa: PTH113, PTH114
