"""What the go command names by a package or a module, as a folder or a line of the tree.

The tests of a package are named by file alone, and two packages may each have a file of that name.
A module that is looked for because a file imports it is named without that file.
"""

import re
from collections.abc import Callable, Iterable, Sequence

from git_retcon.code.diagnostics.diagnostic import Diagnostic
from git_retcon.code.lazy_pattern import LazyPattern

_MODULE = LazyPattern(r"module\s+[\"`]?(?P<name>[^\s\"`]+)")
_LOOKED_UP = LazyPattern(r"go: module (?P<name>[^\s@:]+): ")
_MOST_FILES = 5000
_MOST_LINES = 200  # of a go.mod, before the line that names it


def find_package_folder(
    package: bytes, paths: Iterable[bytes], read_lines: Callable[[bytes], Sequence[str]]
) -> bytes | None:
    """The folder from the top, "" for the top itself; None where no module of the tree has it.

    The innermost module counts, as for Go.
    """
    modules = sorted((path for path in paths if _is_module(path)), key=len, reverse=True)
    for path in modules:
        name = _read_name(read_lines(path))
        if name and f"{package.decode('utf-8', 'replace')}/".startswith(f"{name}/"):
            inside = package[len(name.encode()) :].strip(b"/")
            top = path.rpartition(b"/")[0]
            return b"/".join(part for part in (top, inside) if part)
    return None


def find_import(
    diagnostic: Diagnostic, paths: Iterable[bytes], read_lines: Callable[[bytes], Sequence[str]]
) -> tuple[bytes, int] | None:
    """The one line of the tree that imports a module which could not be looked up.

    What go.mod asks for is named with its version, and is no file's.
    """
    found = _LOOKED_UP.match(diagnostic.message)
    files = [path for path in paths if path.endswith(b".go")] if found else []
    if found is None or len(files) > _MOST_FILES:
        return None
    imported = re.compile(
        rf"\s*(?:import\s+)?(?:[\w.]+\s+)?\"{re.escape(found['name'])}(?:/[^\"]*)?\""
    )
    asked = [
        (path, number)
        for path in sorted(files)
        for number, line in enumerate(read_lines(path), 1)
        if imported.match(line)
    ]
    return asked[0] if len(asked) == 1 else None


def _is_module(path: bytes) -> bool:
    return path == b"go.mod" or path.endswith(b"/go.mod")


def _read_name(lines: Sequence[str]) -> str:
    found = (_MODULE.match(line) for line in lines[:_MOST_LINES])
    return next((each["name"] for each in found if each), "")
