"""Which reader reads a file, and what a run read."""

import functools
import importlib
from collections.abc import Callable, Mapping
from typing import TypeAlias

from git_retcon.allium.extract.source_facts import FileFacts
from git_retcon.code.languages.known import language_of

_TYPESCRIPT = (b".ts", b".tsx", b".mts", b".cts", b".js", b".jsx", b".mjs", b".cjs")
# Files of these languages are read by their grammar: ending → module and function of the reader.
_BY_GRAMMAR: Mapping[bytes, tuple[str, str]] = {
    b".go": ("go.reader", "read_go"),
    b".rs": ("rust.reader", "read_rust"),
    b".java": ("java.reader", "read_java"),
    b".cs": ("csharp.reader", "read_csharp"),
}

Reader: TypeAlias = Callable[[bytes, bytes], FileFacts | None]


def read_facts(path: bytes, content: bytes) -> FileFacts | None:
    """The facts of a file; without any for a language that is not read, None if it is broken."""
    # Git's own test of a binary file: a NUL byte in the first 8000.
    reader = _find_reader(path) if b"\0" not in content[:8000] else None
    return FileFacts(path) if reader is None else reader(path, content)


def name_language(path: bytes) -> str:
    """The language of a file that is read, "" for any other."""
    if _find_reader(path) is None:
        return ""
    # One table serves both, but people count them apart.
    return "typescript" if path.endswith((b"ts", b"tsx")) else language_of(path).name


def _find_reader(path: bytes) -> Reader | None:
    if path.endswith((b".py", b".pyi")):
        # Late: a history in one language loads no other reader.
        from git_retcon.allium.extract.python.reader import read_python

        return read_python
    if path.endswith(_TYPESCRIPT) and not path.endswith(b".d.ts"):
        return _choose_typescript()
    ending = path[path.rfind(b".") :]
    return _choose_by_grammar(ending) if ending in _BY_GRAMMAR else None


@functools.cache
def _choose_typescript() -> Reader:
    from git_retcon.allium.extract.typescript.reader import is_available, read_typescript

    if is_available():
        return read_typescript
    from git_retcon.allium.extract.typescript.outline import read_outline

    return read_outline


@functools.cache
def _choose_by_grammar(ending: bytes) -> Reader:
    from git_retcon.allium.extract.grammar.nodes import is_available

    name, function = _BY_GRAMMAR[ending]
    module = importlib.import_module(f"git_retcon.allium.extract.{name}")
    reader: Reader = getattr(module, function)
    return reader
