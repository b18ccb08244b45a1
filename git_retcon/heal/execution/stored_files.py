"""Files that a step puts aside and another one takes back: the paths that it names, copied."""

import glob
import os
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from git_retcon.heal.results import StepVerdict
from git_retcon.lazy_named_tuple import NamedTuple
from git_retcon.run.removal import remove


class StorageResult(NamedTuple):
    """How such a step ended, and its outputs."""

    verdict: StepVerdict
    reason: str
    outputs: Mapping[str, str] = {}


def find_paths(patterns: str, workspace: Path, home: Path) -> list[Path]:
    """What the lines of a ``path`` input name, in order; ``!`` takes away, ``~`` is HOME."""
    found: dict[Path, None] = {}
    for line in map(str.strip, patterns.splitlines()):
        if not line or line.startswith("#"):
            continue
        if line.startswith("!"):
            for path in _match_pattern(line[1:], workspace, home):
                found = {one: None for one in found if one != path and path not in one.parents}
        else:
            found |= dict.fromkeys(_match_pattern(line, workspace, home))
    return list(found)


def find_starts(patterns: str, workspace: Path, home: Path) -> Iterator[Path]:
    """Where the search for what the lines name begins: the folders before any wildcard."""
    for line in map(str.strip, patterns.splitlines()):
        if line and not line.startswith(("#", "!")):
            whole = Path(_join_pattern(line, workspace, home))
            yield next(one for one in (whole, *whole.parents) if not glob.has_magic(str(one)))


def _join_pattern(pattern: str, workspace: Path, home: Path) -> str:
    if pattern == "~" or pattern.startswith("~/"):
        pattern = f"{home}{pattern[1:]}"
    # ``..`` behind a link is not the folder above that link, as in Node's ``path.resolve``.
    whole = os.path.normpath(os.path.join(workspace, pattern))  # noqa: PTH118
    return whole + "/" * (glob.has_magic(whole) and pattern.endswith("/"))


def _match_pattern(pattern: str, workspace: Path, home: Path) -> Iterator[Path]:
    whole = _join_pattern(pattern, workspace, home)
    # A plain name may hold what does not exist as a pattern, such as a broken link.
    if not glob.has_magic(whole):
        yield from [Path(os.path.normpath(whole))] if os.path.lexists(whole) else ()
        return
    for name in sorted(glob.iglob(whole, recursive=True, include_hidden=True)):  # noqa: PTH207
        yield Path(os.path.normpath(name))


def list_below(path: Path) -> Iterator[Path]:
    """The files at a path: itself, or all in the folder."""
    if path.is_dir() and not path.is_symlink():
        for folder, _, names in os.walk(path):
            yield from (Path(folder, name) for name in sorted(names))
    else:
        yield path


def copy_all(paths: Iterable[Path], base: Path, target: Path) -> int:
    """Copy files and folders to a folder, at their places below ``base``; how many there were."""
    number = 0
    for path in paths:
        number += 1
        copy_one(path, target / path.relative_to(base))
    return number


def copy_one(source: Path, target: Path) -> None:
    """Copy a file, a link or a folder over what is there; links stay links."""
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir() and not source.is_symlink():
        _copy_folder(source, target)
    else:
        _copy_file(source, target)


def _copy_folder(source: Path, target: Path) -> None:
    # Not by ``copytree``: it stops at a link that is there, and writes through one.
    if target.is_symlink() or not target.is_dir():
        remove(target)
        target.mkdir()
    with os.scandir(source) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                _copy_folder(Path(entry.path), target / entry.name)
            elif entry.is_file(follow_symlinks=False) or entry.is_symlink():
                _copy_file(Path(entry.path), target / entry.name)
    shutil.copystat(source, target)


def _copy_file(source: Path, target: Path) -> None:
    # Removed first: copying onto a link would write where it leads.
    remove(target)
    shutil.copy2(source, target, follow_symlinks=False)


def find_common_folder(paths: Sequence[Path]) -> Path:
    """The deepest folder that all of these are in."""
    if len(paths) == 1:
        return paths[0] if paths[0].is_dir() else paths[0].parent
    return Path(os.path.commonpath([path.parent for path in paths]))
