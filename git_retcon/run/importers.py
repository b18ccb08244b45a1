"""The line of JavaScript that asks for a module which is not there, where a tool does not name it.

Node and the bundlers often name the importing file and no line, or its first one; what runs from
a bundle names the bundle, which is made of the files of the tree.
"""

import os
import re
from collections.abc import Callable, Collection, Iterable, Sequence

from git_retcon.code.diagnostics.diagnostic import Diagnostic, Kind
from git_retcon.code.lazy_pattern import LazyPattern

_LONGEST_LINE = 500  # characters
_MOST_FILES = 5000
_SCRIPTS = tuple(
    f".{kind}{ending}".encode() for kind in ("", "c", "m") for ending in ("js", "ts", "jsx", "tsx")
)
_ASKS = LazyPattern(r"\b(?:import|require|from)\b")
_PROTOCOL = LazyPattern(r"\bProtocol '(?P<protocol>[a-z]+:)' not supported")


class WantedModule:
    """A module that something asks for, as a pattern of the lines that do."""

    def __init__(self, text: str, pattern: str) -> None:
        self.text = text
        self._pattern = re.compile(pattern)

    def is_asked_in(self, line: str) -> bool:
        """Whether a line of source imports or requires it."""
        line = line[:_LONGEST_LINE]
        return bool(self.text in line and self._pattern.search(line) and _ASKS.search(line))

    def find_line(self, lines: Sequence[str]) -> int | None:
        """The number of the line that asks for it, where only one does."""
        asked = [number for number, line in enumerate(lines, 1) if self.is_asked_in(line)]
        return asked[0] if len(asked) == 1 else None


def find_wanted(diagnostic: Diagnostic) -> WantedModule | None:
    """The one module that a complaint is about."""
    # A loader that does not know ``node:`` names no module, and the first line of the file.
    if found := _PROTOCOL.search(diagnostic.message):
        protocol = found["protocol"]
        return WantedModule(protocol, rf"['\"]{protocol}[^'\"]+['\"]")
    if diagnostic.kind is not Kind.FILE or len(diagnostic.wants_file) != 1:
        return None
    wanted = os.fsdecode(diagnostic.wants_file[0])
    # An absolute one is what the tool made of the words in the file.
    ending = wanted.rpartition("/")[2] if wanted.startswith(("/", "file:")) else wanted
    if not ending:
        return None
    return WantedModule(ending, rf"(?:['\"]|['\"][^'\"]*/){re.escape(ending)}['\"]")


def find_importer(
    diagnostic: Diagnostic, paths: Iterable[bytes], read_lines: Callable[[bytes], Sequence[str]]
) -> tuple[bytes, int] | None:
    """The one place of a tree that asks for what a file outside of it, such as a bundle made of
    the tree, did not find.

    Only what is named relative to the importing file is looked for: a package may be asked for
    by those that are installed. Where the tree has it, the bundle alone is at fault.
    """
    named = diagnostic.path or b""
    wants = diagnostic.wants_file
    if not (named.endswith(_SCRIPTS) and len(wants) == 1 and wants[0].startswith((b"./", b"../"))):
        return None
    wanted = find_wanted(diagnostic)
    scripts = frozenset(path for path in paths if path.endswith(_SCRIPTS))
    if wanted is None or b"/node_modules/" in named or len(scripts) > _MOST_FILES:
        return None
    asked = [
        (path, number)
        for path in sorted(scripts)
        for number, line in enumerate(read_lines(path), 1)
        if wanted.is_asked_in(line)
    ]
    if len(asked) != 1 or _has_module(scripts, asked[0][0], wants[0]):
        return None
    return asked[0]


def _has_module(scripts: Collection[bytes], importer: bytes, wanted: bytes) -> bool:
    """Whether a script is what another one asks for, with or without its ending."""
    place = os.path.normpath(os.path.join(os.path.dirname(importer), wanted))  # noqa: PTH118, PTH120
    stem = re.sub(rb"\.[cm]?[jt]sx?$", b"", place)
    return any(
        begin + ending in scripts for begin in (stem, stem + b"/index") for ending in _SCRIPTS
    )
