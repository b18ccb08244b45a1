"""Which module speaks of which source file: the folder that it is in, without the source's root."""

import functools
import os
import re
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from typing import NamedTuple

from git_retcon.allium.store.module_paths import SUFFIX, is_module_path

# Where sources lie in most layouts. Below one of them may be the package's own folder.
_USUAL_ROOTS = (b"src/", b"lib/")
_ROOT_LINE = b"-- Source root: "
_LONGEST_HEAD = 8  # lines
# Folders that hold packages side by side.
HOLDERS = frozenset({b"packages", b"apps", b"libs", b"services", b"crates", b"modules"})
_PACKAGE_MARK = b"/__init__.py"
_MAIN = re.compile(rb"((?:[^/]+/)*?)(src/main/(?:java|kotlin|scala)/)")


class SourceRoot(NamedTuple):
    """The folder, with a slash behind it, whose inside a specification mirrors; ``b""`` is none.

    Of ``packages/*/src/``, a folder in each of many packages, what ``*`` stands for stays in a
    module's path, so that no two packages share a module. ``src/`` and ``lib/`` are left out of it
    in any case: many a package moves there one day, and its modules stay where they are.
    """

    folder: bytes = b""

    def strip(self, path: bytes) -> bytes:
        """A source path below its root."""
        if b"*" in self.folder:
            return _strip_pattern(path, self.folder)
        below = _strip_usual(path)
        return below.removeprefix(_strip_usual(self.folder)) if self.folder else below

    def list_modules(self, path: bytes) -> Iterator[bytes]:
        """The modules that may speak of a file, the nearest first: its own, then its folders'."""
        return iter(_list_modules(self.strip(path)))

    def find_module(self, path: bytes, modules: Container[bytes]) -> bytes | None:
        """The nearest module that is there; None is the master."""
        return next((each for each in self.list_modules(path) if each in modules), None)

    def name_module(self, path: bytes) -> bytes | None:
        """The module to make for a file that has none: its folder's, or at the root its own.

        None is the master: no folder of the file has a name that a module may have.
        """
        possible = _list_modules(self.strip(path))
        below = possible[1:] or possible
        return below[0] if below else None


@functools.lru_cache(maxsize=1 << 14)
def _list_modules(path: bytes) -> tuple[bytes, ...]:
    *folders, name = path.split(b"/")
    own = b"/".join([*folders, name.partition(b".")[0] or name]) + SUFFIX
    above = (b"/".join(folders[:length]) + SUFFIX for length in range(len(folders), 0, -1))
    return tuple(each for each in (own, *above) if is_module_path(each))


def parse_root(configured: str | None) -> SourceRoot | None:
    """The source root that a value of ``allium.root`` names; None where it is not set."""
    return None if configured is None else SourceRoot(os.fsencode(configured.strip("/")) + b"/")


def read_root(master: bytes) -> SourceRoot:
    """The root that the head of a master names; none where it names none.

    It is found once, and kept there: a second package beside the first does not rename all modules.
    """
    # Only the head: a declaration below may quote such a line in a comment.
    for line in master.split(b"\n")[:_LONGEST_HEAD]:
        if line.startswith(_ROOT_LINE):
            return SourceRoot(line.removeprefix(_ROOT_LINE).strip().rstrip(b"/") + b"/")
    return SourceRoot()


def write_root(master: bytes, root: SourceRoot) -> bytes:
    """The master with a line in its head that names the root, if there is any."""
    if read_root(master) == root:
        return master
    head, end, rest = master.partition(b"\n")
    lines = rest.split(b"\n")
    kept = [each for each in lines[:_LONGEST_HEAD] if not each.startswith(_ROOT_LINE)]
    rest = b"\n".join([*kept, *lines[_LONGEST_HEAD:]])
    return head + end + (_ROOT_LINE + root.folder + b"\n" if root.folder else b"") + rest


def move_root(
    root: SourceRoot, renames: Mapping[bytes, bytes], has_folder: Callable[[bytes], bool]
) -> SourceRoot:
    """The root after files were renamed (new path → old path): where all that was in it went to one
    folder, that one, so that its modules stay where they are.

    ``has_folder`` says whether a folder is there still.
    """
    for folder in (root.folder,) if root.folder else _USUAL_ROOTS:
        moved = [pair for pair in renames.items() if pair[1].startswith(folder)]
        tails = [(new, old[len(folder) :]) for new, old in moved]
        targets = {new.removesuffix(tail) for new, tail in tails if new.endswith(b"/" + tail)}
        is_whole = moved and all(new.endswith(b"/" + tail) for new, tail in tails)
        if is_whole and len(targets) == 1 and not has_folder(folder.rstrip(b"/")):
            target = targets.pop()
            return SourceRoot() if target in _USUAL_ROOTS else SourceRoot(target)
    return root


def _strip_usual(path: bytes) -> bytes:
    root = next((root for root in _USUAL_ROOTS if path.startswith(root)), b"")
    return path[len(root) :]


def _strip_pattern(path: bytes, pattern: bytes) -> bytes:
    """A path without the folders that a pattern names, with those that its stars stand for."""
    parts, names = path.split(b"/"), pattern.rstrip(b"/").split(b"/")
    is_below = len(parts) > len(names) and all(
        name in (b"*", part) for part, name in zip(parts, names, strict=False)
    )
    if not is_below:
        return _strip_usual(path)
    kept = [part for part, name in zip(parts, names, strict=False) if name == b"*"]
    return b"/".join([*kept, *parts[len(names) :]])


def detect_root(paths: Iterable[bytes]) -> SourceRoot:
    """The root of a source tree: below ``src/`` or ``lib/``, and there the package's own folder.

    That is a folder which is a Python package, where no other is one beside it. Where several
    packages lie side by side, it is the folder that holds the source in most of them. Maven's and
    Gradle's layout is ``src/main/java/``, of the whole or of each of its modules.
    """
    paths = list(paths)
    found = _detect_package(paths) or _detect_packages(paths) or _detect_main(paths)
    return found or SourceRoot()


def _detect_main(paths: Iterable[bytes]) -> SourceRoot | None:
    """``src/main/java/`` and its like, at the depth at which most of the source has it."""
    found = Counter(
        (match[1].count(b"/"), match[2]) for path in paths if (match := _MAIN.match(path))
    )
    if not found:
        return None
    (depth, main), _ = found.most_common(1)[0]
    return SourceRoot(b"*/" * depth + main)


def _detect_packages(paths: Iterable[bytes]) -> SourceRoot | None:
    """``packages/*/src/`` where two packages have such a folder, ``*/*/src/`` where they lie in
    more than one.
    """
    found: dict[bytes, set[tuple[bytes, bytes]]] = {root: set() for root in _USUAL_ROOTS}
    for path in paths:
        parts = path.split(b"/", 3)
        if len(parts) == 4 and parts[0] in HOLDERS and parts[2] + b"/" in found:
            found[parts[2] + b"/"].add((parts[0], parts[1]))
    root, packages = max(found.items(), key=lambda each: len(each[1]))
    if len(packages) < 2:
        return None
    holders = {holder for holder, _ in packages}
    return SourceRoot(b"%b/*/%b" % (holders.pop() if len(holders) == 1 else b"*", root))


def _detect_package(paths: Iterable[bytes]) -> SourceRoot | None:
    packages: set[bytes] = set()
    for path in paths:
        if path.endswith(_PACKAGE_MARK):
            folder = path.rpartition(b"/")[0] + b"/"
            root = next((root for root in _USUAL_ROOTS if folder.startswith(root)), b"")
            # Right below the root: packages inside the package do not compete with it.
            if folder.count(b"/") == root.count(b"/") + 1:
                packages.add(folder)
    return SourceRoot(packages.pop()) if len(packages) == 1 else None
