"""The folder of a package of Go, by the name under which ``go test`` speaks of it.

The tests of a package are named by file alone, and two packages may each have a file of that name.
"""

from collections.abc import Callable, Iterable, Sequence

from git_retcon.code.lazy_pattern import LazyPattern

_MODULE = LazyPattern(r"module\s+[\"`]?(?P<name>[^\s\"`]+)")
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


def _is_module(path: bytes) -> bool:
    return path == b"go.mod" or path.endswith(b"/go.mod")


def _read_name(lines: Sequence[str]) -> str:
    found = (_MODULE.match(line) for line in lines[:_MOST_LINES])
    return next((each["name"] for each in found if each), "")
