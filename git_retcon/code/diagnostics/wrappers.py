"""What runners of several packages put before each line: whose package printed it.

Turborepo writes ``package:task: ``, pnpm ``folder script: ``. Both announce each such prefix on a
line of its own; only those are taken off. The packages print at the same time, so that their
lines are mixed: each one's are read alone.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from git_retcon.code.diagnostics.diagnostic import as_bytes
from git_retcon.code.lazy_pattern import LazyPattern

_PNPM = LazyPattern(r"^(?P<folder>[^\s:$]{1,200}) (?P<script>[^\s$]{1,80})\$ \S")
_PNPM_SCOPE = "Scope: "
_TURBO = LazyPattern(r"^(?P<task>[^\s:]{1,200}:[^\s]{1,80}): cache (?:miss|hit|bypass), ")
_TURBO_FAILED = LazyPattern(
    r"^(?P<package>[^\s#]{1,200})#(?P<task>\S{1,80}):  ERROR  command \((?P<folder>/[^()]+)\) "
)


class Stream(NamedTuple):
    """The lines of one program, and which of all lines each is; its paths begin at ``base``."""

    lines: Sequence[str]
    numbers: Sequence[int]
    base: bytes


def split_streams(lines: Sequence[str]) -> Iterator[Stream]:
    """The lines of no package, then those of each package without what is before them."""
    bases = _find_prefixes(lines)
    if not bases:
        yield Stream(lines, range(len(lines)), b"")
        return
    streams: dict[str, Stream] = {"": Stream([], [], b"")}
    streams |= {prefix: Stream([], [], base) for prefix, base in bases.items()}
    for number, line in enumerate(lines):
        before, colon, _ = line.partition(": ")
        prefix = before + colon if before + colon in bases else ""
        stream = streams[prefix]
        stream.lines.append(line[len(prefix) :])  # type: ignore[attr-defined]
        stream.numbers.append(number)  # type: ignore[attr-defined]
    yield from (each for each in streams.values() if each.lines)


def _find_prefixes(lines: Sequence[str]) -> dict[str, bytes]:
    """Each prefix that is announced, and the folder of its package, where it is named."""
    found: dict[str, bytes] = {}
    is_pnpm = False
    for line in lines:
        if line.startswith(_PNPM_SCOPE):
            is_pnpm = True
        elif is_pnpm and (begun := _PNPM.match(line)):
            found[f"{begun['folder']} {begun['script']}: "] = as_bytes(begun["folder"])
        elif begun := _TURBO.match(line):
            found[f"{begun['task']}: "] = b""
        elif failed := _TURBO_FAILED.match(line):
            found[f"{failed['package']}:{failed['task']}: "] = as_bytes(failed["folder"])
    return found
