"""Where relative paths begin: the directory that make is in, the package that Go tests."""

from collections.abc import Iterator, Mapping, Sequence

from git_retcon.code.diagnostics.diagnostic import Diagnostic, as_bytes
from git_retcon.code.diagnostics.line_index import LineIndex, index_lines
from git_retcon.code.lazy_pattern import LazyPattern

_ENTERS = LazyPattern(
    r"^g?(?:make|ninja)(?:\[\d+\])?: Entering directory [`'\"](?P<path>[^'\"]+)['\"]$"
)
_LEAVES = LazyPattern(r"^g?make(?:\[\d+\])?: Leaving directory ")
_MOVES = "ing directory "
_ENDS = ("FAIL\t", "ok  \t")
NEEDLES = (_MOVES, *_ENDS)
_PACKAGE = LazyPattern(r"^(?:FAIL|ok  )\t(?P<path>\S+)\t")


class Folders:
    """The directories that are open at a line; kept from one part of an output to the next."""

    def __init__(self) -> None:
        self._open: list[bytes] = []

    def give(
        self,
        found: Sequence[Diagnostic],
        lines: Sequence[str],
        known: Mapping[int, bytes] | None = None,
    ) -> Iterator[Diagnostic]:
        """The same records, in order, each with where its path begins: ``known`` by line, or as
        tools say it.
        """
        index = index_lines(lines)
        entered = self._follow_make(index)
        packages = [
            (at, as_bytes(named["path"]))
            for at in index.find_any(_ENDS)
            if (named := _PACKAGE.match(lines[at]))
        ]
        for each in found:
            base = each.base
            if not base and each.tool in ("go test", "go"):
                # Go names the package below the tests.
                base = next((path for at, path in packages if at >= each.first), b"")
            elif not base:
                base = (known or {}).get(each.first) or _find_folder(entered, each.first)
            yield each._replace(base=base) if base and _is_relative(each) else each

    def _follow_make(self, lines: LineIndex) -> Sequence[tuple[int, bytes]]:
        """From which line on which directory is the innermost."""
        changes = [(0, self._open[-1] if self._open else b"")]
        for at in lines.find_any((_MOVES,)):
            line = lines[at]
            if found := _ENTERS.match(line):
                self._open.append(as_bytes(found["path"]))
            elif _LEAVES.match(line):
                del self._open[-1:]
            changes.append((at, self._open[-1] if self._open else b""))
        return changes


def _find_folder(changes: Sequence[tuple[int, bytes]], at: int) -> bytes:
    return next((path for since, path in reversed(changes) if since <= at), b"")


def _is_relative(each: Diagnostic) -> bool:
    return each.path is not None and not each.path.startswith(b"/")
