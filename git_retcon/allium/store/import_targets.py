"""What a source file imports directly, and the modules that speak of it.

Python is parsed; of other languages that are known, the import statements are found by the lexer,
so that text in strings and comments is none. Everything else is searched for the two forms of
JavaScript. Only modules that are there count, so what leads out of the project leads nowhere.
"""

import functools
import posixpath
import re
import warnings
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from git_retcon.allium.store.module_paths import SUFFIX
from git_retcon.allium.store.source_map import SourceRoot
from git_retcon.code.imports import find_import_lines
from git_retcon.code.languages.known import language_of
from git_retcon.code.lexer import scan_lines
from git_retcon.git.lines import split_lines

if TYPE_CHECKING:
    from git_retcon.allium.store.import_statements import Import

_LARGEST = 1 << 20  # bytes; a larger source is generated


class Target(NamedTuple):
    """What an import names, as a path. ``is_relative``: from the top of the tree, already joined
    with the folder of the file.
    """

    path: bytes
    is_relative: bool


def find_imported(
    path: bytes, content: bytes, root: SourceRoot, modules: Collection[bytes]
) -> set[bytes]:
    """The modules of what a file imports."""
    if len(content) > _LARGEST or not modules:
        return set()
    found = {_find_target(target, root, modules) for target in list_targets(path, content)}
    return {each for each in found if each is not None}


def list_targets(path: bytes, content: bytes) -> frozenset[Target]:
    """What a file imports, in any language."""
    language = language_of(path)
    if language.name == "python":
        try:
            return frozenset(_list_python(path, content))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            pass  # an old Python or a broken file: its import lines still say something
    lines = split_lines(content)
    statements = content
    if language.imports is not None:
        numbers = find_import_lines(lines, scan_lines(lines, language), language)
        statements = b"".join(lines[number] for number in sorted(numbers))
    read = _READERS.get(language.name, _list_quoted)
    return frozenset(read(path, statements))


def _list_python(path: bytes, content: bytes) -> Iterator[Target]:
    import ast

    for node in _find_python_imports(content):
        if isinstance(node, ast.Import):
            for name in node.names:
                yield Target(name.name.replace(".", "/").encode(), False)
            continue
        module = (node.module or "").replace(".", "/").encode()
        for name in node.names:
            # ``from a import b``: b may be a module; if it is not, the nearest one above it counts.
            full = posixpath.join(module, name.name.encode())
            if node.level:
                above = b"../" * (node.level - 1)
                yield Target(_join_path(path, above + full), True)
            else:
                yield Target(full, False)


def _find_python_imports(content: bytes) -> "Iterator[Import]":
    import ast

    # Late: most commands look at no imports.
    from git_retcon.allium.store.import_statements import UnclearSource, list_imports

    try:
        yield from list(list_imports(content))
    except UnclearSource:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of invalid escapes, which are not ours to report
            tree = ast.parse(content)
        yield from (
            node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)
        )


def _list_python_lines(path: bytes, statements: bytes) -> Iterator[Target]:
    for found in _pattern(rb"^\s*(?:from|import)\s+(\.*)([\w.]*)").finditer(statements):
        name = found[2].replace(b".", b"/")
        if found[1]:
            yield Target(_join_path(path, b"../" * (len(found[1]) - 1) + name), True)
        else:
            yield Target(name, False)


def _list_quoted(path: bytes, statements: bytes) -> Iterator[Target]:
    """``import ... from '...'``, ``import '...'`` and ``require('...')``."""
    pattern = rb"""(?:\bfrom\s*|\bimport\s*\(?\s*|\brequire\(\s*)['"]([^'"\n]+)['"]"""
    for found in _pattern(pattern).finditer(statements):
        name = found[1]
        if name.startswith(b"."):
            yield Target(_join_path(path, name), True)
        else:
            # "@/x" and "~/x" are usual aliases of bundlers for the root of the source.
            yield Target(name.lstrip(b"@~/"), False)


def _list_included(path: bytes, statements: bytes) -> Iterator[Target]:
    for found in _pattern(rb'^\s*#\s*include\s*(["<])([^">\n]+)[">]').finditer(statements):
        # Either form may name a file from the top of the tree; only quotes also look beside the
        # file.
        yield Target(found[2], False)
        if found[1] == b'"':
            yield Target(_join_path(path, found[2]), True)


def _list_go(path: bytes, statements: bytes) -> Iterator[Target]:
    for found in _pattern(rb'"([^"\n]+)"').finditer(statements):
        yield Target(found[1], False)


def _list_java(path: bytes, statements: bytes) -> Iterator[Target]:
    for found in _pattern(rb"^\s*import\s+(?:static\s+)?([\w.]+)").finditer(statements):
        yield Target(found[1].rstrip(b".").replace(b".", b"/"), False)


def _list_rust(path: bytes, statements: bytes) -> Iterator[Target]:
    for found in _pattern(rb"\b(?:use|mod)\s+([\w:]+)").finditer(statements):
        head, _, rest = found[1].replace(b"::", b"/").partition(b"/")
        if head in (b"super", b"self"):
            yield Target(_join_path(path, (b"../" if head == b"super" else b"./") + rest), True)
        else:
            yield Target(rest if head == b"crate" else found[1].replace(b"::", b"/"), False)


_READERS: Mapping[str, Callable[[bytes, bytes], Iterator[Target]]] = {
    "python": _list_python_lines,
    "c": _list_included,
    "go": _list_go,
    "java": _list_java,
    "rust": _list_rust,
}


@functools.cache
def _pattern(source: bytes) -> re.Pattern[bytes]:
    return re.compile(source, re.MULTILINE)


def _join_path(path: bytes, target: bytes) -> bytes:
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), target))


def _find_target(target: Target, root: SourceRoot, modules: Collection[bytes]) -> bytes | None:
    """The nearest module of what is imported.

    A name that is no path from the top may begin with what the tree does not show (a host, the
    package's own name, a root of the build): then its longest end that has a module counts.
    """
    if target.path.startswith(b".."):
        return None
    if target.is_relative:
        return root.find_module(target.path + b".x", modules)
    parts = target.path.split(b"/")
    for first in range(len(parts)):
        for last in range(len(parts), first, -1):
            name = root.strip(b"/".join(parts[first:last])) + SUFFIX
            # One word out of the middle of a name says nothing.
            if name in modules and (last - first > 1 or first == 0 or last == len(parts)):
                return name
    return None
