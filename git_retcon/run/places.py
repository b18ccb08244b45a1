"""Where in a tree the complaints of tools are: real files, real lines, and the lines around.

A tool names a place in its own words: absolute, from the directory it ran in, from its package,
as a class. Only a place that exists in the tree is kept. What a place is known by again, when
lines have moved, is its fingerprint.
"""

import hashlib
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from git_retcon.code.diagnostics.diagnostic import Diagnostic, Edit, Severity
from git_retcon.code.diagnostics.generic import TOOL as GENERIC
from git_retcon.run.go_packages import find_import, find_package_folder
from git_retcon.run.importers import find_importer, find_wanted
from git_retcon.run.module_kinds import find_module_line
from git_retcon.show.annotations import Level, Remark

_LEVELS = {
    Severity.ERROR: Level.ERROR,
    Severity.WARNING: Level.WARNING,
    Severity.NOTE: Level.INFO,
}
_AROUND = 3  # lines of a snippet, before and after
_LONGEST_LINE = 500  # characters of a snippet's line
# What an absolute path of a tool's own, or of a package, holds: no file of the tree is meant.
_FOREIGN = (
    *(b"/site-packages/", b"/dist-packages/", b"/node_modules/", b"/pkg/mod/", b"/lib/python"),
    *(b"/rustc/", b"/registry/src/", b"/usr/lib/", b"/usr/include/", b"/usr/local/go/"),
)
_INSTALLED = re.compile(rb"/(?:site|dist)-packages/(?!.*/(?:site|dist)-packages/)(.+)$")
_COPIED_FRAME = re.compile(
    r"(?P<path>[^\s\"():]*/(?:site|dist)-packages/[^\s\"():]+)(?:\", line |:)(?P<line>\d{1,9})\b"
)
# Where a project keeps its packages: any other folder may hold copies of somebody else's.
_SOURCE_ROOTS = (b"", b"src/", b"lib/", b"python/")
_USUAL_FOLDERS = (*_SOURCE_ROOTS[1:], b"test/", b"tests/", b"docs/", b"examples/", b"scripts/")
_LARGEST = 4 * 1024 * 1024  # bytes of a file whose lines are shown


class Source(NamedTuple):
    """One line of a snippet."""

    number: int
    text: str


class Finding(NamedTuple):
    """A complaint at a place of a tree.

    ``path`` is relative to the top of the tree; None where the tool names no place, or one that
    does not exist (then ``refused`` says why). ``line`` and ``column`` count from 1 and are within
    the file. ``edits`` are the tool's, with paths like ``path``. ``fingerprint`` is the same for
    the same complaint of the same code, wherever the code has moved within its file.
    """

    diagnostic: Diagnostic
    path: bytes | None
    line: int | None
    column: int | None
    snippet: tuple[Source, ...]
    edits: tuple[Edit, ...]
    refused: str
    fingerprint: str


class Tree(NamedTuple):
    """The files of a tree, and where tools saw it.

    ``paths`` are those of its files; ``read`` gives the bytes of one. ``roots`` are the absolute
    directories that hold the tree while tools run; ``folder`` is the one, relative to the top,
    that they ran in. Where they see files of other trees too, it is absolute, and nothing may be
    guessed from the end of a path.
    """

    paths: frozenset[bytes]
    read: Callable[[bytes], bytes]
    roots: tuple[bytes, ...] = ()
    folder: bytes = b""
    guesses: bool = True


def place_diagnostics(diagnostics: Iterable[Diagnostic], tree: Tree) -> tuple[Finding, ...]:
    """The complaints at their places, in order; guesses at files that do not exist are dropped."""
    finder = _Finder(tree)
    found = [finder.place(each) for each in diagnostics]
    kept = [each for each in found if each.path or each.diagnostic.tool != GENERIC]
    return tuple(_with_ordinals(kept))


def make_remark(finding: Finding) -> Remark:
    """What code hosts show of a finding."""
    said = finding.diagnostic
    rule = "/".join(filter(None, (said.tool, said.rule))) or said.category.value
    line = finding.line or 0
    column = (finding.column or 1) if line else 0
    return Remark(finding.path or b"", line, column, _LEVELS[said.severity], said.message, rule)


class _Finder:
    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._by_name: dict[bytes, list[bytes]] = {}
        self._lines = lru_cache(maxsize=64)(self._read_lines)
        self._find_package = lru_cache(maxsize=64)(self._find_package_folder)

    def place(self, diagnostic: Diagnostic) -> Finding:
        diagnostic = self._enter_copies(diagnostic)
        path = self._resolve_path(diagnostic.path, diagnostic.base) if diagnostic.path else None
        importer = self._find_importer(diagnostic) if path is None else None
        if importer is not None:
            path = importer[0]
            diagnostic = diagnostic._replace(path=path, line=importer[1], column=None)
        if path is None:
            shown = (diagnostic.path or b"").decode("utf-8", "replace")
            refused = f"{shown} is not a file of this tree" if diagnostic.path else ""
            return _make_finding(diagnostic, None, None, (), refused)
        lines = self._lines(path)
        line = diagnostic.line
        if line is not None and not 1 <= line <= max(len(lines), 1):
            # A parser that reaches the end of a file may name the line after the last.
            if line != len(lines) + 1:
                refused = f"{path.decode('utf-8', 'replace')} has no line {line}"
                return _make_finding(diagnostic, None, None, (), refused)
            line = max(len(lines), 1)
        line = _find_import(diagnostic, lines, line) or line
        if (modern := find_module_line(diagnostic, lines)) is not None:
            line, diagnostic = modern, diagnostic._replace(column=None)
        snippet = tuple(_cut_snippet(lines, line)) if line is not None else ()
        found = _make_finding(diagnostic, path, line, snippet, "")
        edits = tuple(self._resolve_edits(diagnostic.edits))
        return found._replace(edits=edits, column=_find_column(diagnostic, lines, line))

    def _find_importer(self, diagnostic: Diagnostic) -> tuple[bytes, int] | None:
        """Where the tree asks for what Go, or a file that a job has made of it, did not find."""
        if not self._tree.guesses:
            return None
        if diagnostic.path is None:
            return find_import(diagnostic, self._tree.paths, self._lines)
        named = diagnostic.path
        is_made = any(named.startswith(root.rstrip(b"/") + b"/") for root in self._tree.roots)
        if not is_made and named.startswith(b"/"):
            return None
        return find_importer(diagnostic, self._tree.paths, self._lines)

    def _resolve_edits(self, edits: Sequence[Edit]) -> Iterator[Edit]:
        """The edits whose files are in the tree; all or none, since they belong together."""
        paths = [self._resolve_path(edit.path, b"") for edit in edits]
        for edit, path in zip(edits, paths, strict=True):
            if path is not None and None not in paths:
                yield edit._replace(path=path)

    def _resolve_path(self, named: bytes, base: bytes) -> bytes | None:
        """The file that a tool's words name; None where the tree has no such file, or several."""
        for candidate in self._list_candidates(_normalize_path(named), _normalize_path(base)):
            if candidate in self._tree.paths:
                return candidate
        if not self._tree.guesses:
            return None
        named = _normalize_path(named)
        if any(part in named for part in _FOREIGN):
            return self._find_source(named)
        if named.startswith(b"/"):
            return self._by_ending(named, least=2)
        found = self._by_ending(_join_path(_normalize_path(base), named), least=2) if base else None
        return found or self._by_ending(named, least=len(named.split(b"/")))

    def _enter_copies(self, diagnostic: Diagnostic) -> Diagnostic:
        """The same at the innermost frame of its stack, where that is in an installed copy.

        Readers pass installed packages over: which of them is the project's own, the tree tells.
        """
        known = f"{os.fsdecode(diagnostic.path or b'')}:{diagnostic.line}"
        for text in reversed(diagnostic.stack):
            found = _COPIED_FRAME.search(text)
            source = self._find_source(os.fsencode(found["path"])) if found else None
            if found and source is not None:
                return diagnostic._replace(path=source, line=int(found["line"]), column=None)
            if known in text.replace('", line ', ":"):
                break
        return diagnostic

    def _find_source(self, named: bytes) -> bytes | None:
        """The file of the tree that an installed copy was made from.

        Where a job installs what it tests (``pip install .``, tox), tools name the copy.
        """
        tail = _INSTALLED.search(named)
        # A package that is called like a usual folder may be anybody's.
        if tail is None or b"/" not in tail[1] or tail[1].startswith(_USUAL_FOLDERS):
            return None
        sources = (root + tail[1] for root in _SOURCE_ROOTS)
        return next((path for path in sources if path in self._tree.paths), None)

    def _find_package_folder(self, package: bytes) -> bytes | None:
        return find_package_folder(package, self._tree.paths, self._lines)

    def _list_candidates(self, named: bytes, base: bytes) -> Iterator[bytes]:
        for root in self._tree.roots:
            if named.startswith(root.rstrip(b"/") + b"/"):
                yield _collapse_path(named[len(root.rstrip(b"/")) + 1 :])
        if named.startswith(b"/"):
            return
        if self._tree.folder.startswith(b"/"):
            whole = _join_path(_join_path(self._tree.folder, base), named)
            yield from self._list_candidates(whole, b"")
            return
        if base:
            if base.startswith(b"/"):
                yield from self._list_candidates(_join_path(base, named), b"")
            else:
                folder = self._find_package(base)
                if folder is not None:
                    yield _join_path(folder, named)
                yield _join_path(base, named)
                yield _join_path(_join_path(self._tree.folder, base), named)
        yield _join_path(self._tree.folder, named)
        yield _collapse_path(named)

    def _by_ending(self, named: bytes, least: int) -> bytes | None:
        """The one file whose path ends like this one: a package's, a class's, another machine's.

        The longest part from the end that a file has counts, of ``least`` names or more.
        """
        parts = [part for part in named.split(b"/") if part not in (b"", b".", b"..")]
        if not parts:
            return None
        known = self._list_named(parts[-1])
        for count in range(len(parts), min(least, len(parts)) - 1, -1):
            ending = b"/".join(parts[-count:])
            matching = [path for path in known if path == ending or path.endswith(b"/" + ending)]
            if len(matching) == 1:
                return matching[0]
            if len(matching) > 1:
                return ending if ending in matching else None
        return None

    def _list_named(self, name: bytes) -> Sequence[bytes]:
        if not self._by_name:
            for path in self._tree.paths:
                self._by_name.setdefault(path.rpartition(b"/")[2], []).append(path)
        return self._by_name.get(name, ())

    def _read_lines(self, path: bytes) -> Sequence[str]:
        try:
            content = self._tree.read(path)
        except OSError:
            return ()
        return content[:_LARGEST].decode("utf-8", "replace").splitlines()


def _normalize_path(path: bytes) -> bytes:
    """With slashes, and without the drive of a path of Windows."""
    path = path.removeprefix(b"file://")
    if b"\\" in path and b"/" not in path:
        path = path.replace(b"\\", b"/")
    if len(path) > 2 and path[1:2] == b":" and path[:1].isalpha():
        path = path[2:]
    return path


def _join_path(base: bytes, path: bytes) -> bytes:
    return _collapse_path(b"/".join(filter(None, (base.rstrip(b"/"), path))))


def _collapse_path(path: bytes) -> bytes:
    """Without "." and ".."; a path that leads out of the tree stays one that is nowhere."""
    parts: list[bytes] = []
    for part in path.split(b"/"):
        if part == b".." and parts and parts[-1] not in (b"..", b""):
            parts.pop()
        elif part not in (b".",) and (part or not parts):
            parts.append(part)
    return b"/".join(parts)


def _find_import(diagnostic: Diagnostic, lines: Sequence[str], line: int | None) -> int | None:
    """The line that asks for what is not there, where only one does and the named one does not."""
    wanted = find_wanted(diagnostic)
    if wanted is None or (
        line is not None and line <= len(lines) and wanted.text in lines[line - 1]
    ):
        return None
    return wanted.find_line(lines)


def _find_column(diagnostic: Diagnostic, lines: Sequence[str], line: int | None) -> int | None:
    """The column where the line has it: tools count bytes, characters or tabs, from 0 or 1."""
    if line is None or diagnostic.column is None or line > len(lines):
        return None
    return min(max(diagnostic.column, 1), len(lines[line - 1]) + 1)


def _cut_snippet(lines: Sequence[str], line: int) -> Iterator[Source]:
    begin = max(1, line - _AROUND)
    for number in range(begin, min(len(lines), line + _AROUND) + 1):
        yield Source(number, lines[number - 1][:_LONGEST_LINE])


def _make_finding(
    diagnostic: Diagnostic,
    path: bytes | None,
    line: int | None,
    snippet: tuple[Source, ...],
    refused: str,
) -> Finding:
    text = next((each.text for each in snippet if each.number == line), "")
    parts = (diagnostic.tool, diagnostic.rule, _strip_places(diagnostic.message), text.strip())
    digest = hashlib.sha256((path or b"") + b"\0" + "\0".join(parts).encode("utf-8", "replace"))
    return Finding(diagnostic, path, line, None, snippet, (), refused, digest.hexdigest()[:32])


_VARIABLE = re.compile(
    r"0x[0-9a-fA-F]+|\b(?:line|col(?:umn)?|pid|process) \d+|(?<=:)\d+(?::\d+)?\b|\(\d+,\s?\d+\)"
    r"|(?:/[\w.+-]+){2,}/(?=[\w.+-])"
)


def _strip_places(message: str) -> str:
    """A message without what moves with the lines: places, addresses, directories."""
    return _VARIABLE.sub("#", message)


def _with_ordinals(found: Sequence[Finding]) -> Iterator[Finding]:
    """The same complaint of two equal lines of a file: the second is told apart by its turn."""
    seen: dict[str, int] = {}
    for each in found:
        turn = seen.get(each.fingerprint, 0)
        seen[each.fingerprint] = turn + 1
        if turn:
            digest = hashlib.sha256(f"{each.fingerprint}\0{turn}".encode()).hexdigest()[:32]
            yield each._replace(fingerprint=digest)
        else:
            yield each
