"""Which reader reads a file, and what a run read."""

import functools
from collections.abc import Callable

from git_retcon.allium.extract.source_facts import FileFacts
from git_retcon.code.languages.known import language_of

_TYPESCRIPT = (b".ts", b".tsx", b".mts", b".cts", b".js", b".jsx", b".mjs", b".cjs")

_Reader = Callable[[bytes, bytes], FileFacts | None]


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


def _find_reader(path: bytes) -> _Reader | None:
    if path.endswith((b".py", b".pyi")):
        # Late: a history in one language loads no other reader.
        from git_retcon.allium.extract.python.reader import read_python

        return read_python
    if path.endswith(_TYPESCRIPT) and not path.endswith(b".d.ts"):
        return _choose_typescript()
    return None


@functools.cache
def _choose_typescript() -> _Reader:
    from git_retcon.allium.extract.typescript.reader import is_available, read_typescript

    if is_available():
        return read_typescript
    from git_retcon.allium.extract.typescript.outline import read_outline

    return read_outline
