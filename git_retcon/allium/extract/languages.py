"""Which reader reads a file, and what a run read."""

import functools
import importlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeAlias

from git_retcon.allium.extract.source_facts import (
    Contract,
    Declaration,
    Enumeration,
    FileFacts,
    Shape,
)
from git_retcon.code.languages.known import language_of

_TYPESCRIPT = (b".ts", b".tsx", b".mts", b".cts", b".js", b".jsx", b".mjs", b".cjs")
PRISMA = b".prisma"
# Languages with a grammar of their own: ending → folder of the reader.
_BY_GRAMMAR: Mapping[bytes, str] = {
    b".go": "go", b".rs": "rust", b".java": "java", b".cs": "csharp",
}  # fmt: skip

Reader: TypeAlias = Callable[[bytes, bytes], FileFacts | None]


def read_facts(path: bytes, content: bytes) -> FileFacts | None:
    """The facts of a file; without any for a language that is not read, None if it is broken."""
    # Git's own test of a binary file: a NUL byte in the first 8000.
    reader = _find_reader(path) if b"\0" not in content[:8000] else None
    if reader is None:
        return FileFacts(path)
    facts = reader(path, content)
    return facts and facts._replace(declarations=_drop_namesakes(facts.declarations))


def _drop_namesakes(declarations: Sequence[Declaration]) -> Sequence[Declaration]:
    """The declarations without the second type of a symbol, such as a class beside an enum.

    A specification cites types by their symbols: with two of one, each run would find the other.
    """
    seen: set[str] = set()
    kept = []
    for declaration in declarations:
        if isinstance(declaration, Shape | Enumeration | Contract):
            symbol = declaration.evidence[0].symbol
            if symbol in seen:
                continue
            seen.add(symbol)
        kept.append(declaration)
    return kept


@functools.lru_cache(maxsize=1 << 13)  # a file is asked about at each search of its tree
def name_language(path: bytes) -> str:
    """The language of a file that is read, "" for any other."""
    if _find_reader(path) is None:
        return ""
    # One table serves both, but people count them apart.
    if path.endswith((b"ts", b"tsx")):
        return "typescript"
    if path.endswith(PRISMA):
        return "prisma"
    return "c#" if path.endswith(b".cs") else language_of(path).name


def find_missing_extra(path: bytes) -> str:
    """The extra that would read a file whole; "" where it is, or is not read at all."""
    if path.endswith(_TYPESCRIPT) and not path.endswith(b".d.ts"):
        from git_retcon.allium.extract.typescript.reader import is_available

        return "" if is_available() else "typescript"
    folder = _BY_GRAMMAR.get(path[path.rfind(b".") :], "")
    return folder if folder and not _has_grammar(folder) else ""


def spell_installation(extras: Iterable[str]) -> str:
    """The command that installs extras. A checkout has none: its environment gets the grammars."""
    import importlib.metadata
    import shlex
    import sys

    wanted = sorted(extras)
    try:
        importlib.metadata.version("git-retcon")
    except importlib.metadata.PackageNotFoundError:
        grammars = (f"tree-sitter-{'c-sharp' if each == 'csharp' else each}" for each in wanted)
        return f"{shlex.quote(sys.executable)} -m pip install tree-sitter {' '.join(grammars)}"
    return f"pip install 'git-retcon[{','.join(wanted)}]'"


@functools.cache
def _has_grammar(folder: str) -> bool:
    from git_retcon.allium.extract.grammar.syntax_nodes import is_available

    types = importlib.import_module(f"git_retcon.allium.extract.{folder}.types")
    return is_available(types.GRAMMAR)


def _find_reader(path: bytes) -> Reader | None:
    if path.endswith((b".py", b".pyi")):
        # Late: a history in one language loads no other reader.
        from git_retcon.allium.extract.python.file_versions import read_python

        return read_python
    if path.endswith(_TYPESCRIPT) and not path.endswith(b".d.ts"):
        return _choose_typescript()
    if path.endswith(PRISMA):
        from git_retcon.allium.extract.prisma.schema_reader import read_schema

        return read_schema
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
    from git_retcon.allium.extract.grammar.syntax_nodes import is_available

    package = f"git_retcon.allium.extract.{_BY_GRAMMAR[ending]}"
    outlined = importlib.import_module(f"{package}.types")
    if is_available(outlined.GRAMMAR):
        read_file: Reader = importlib.import_module(f"{package}.reader").read_file
        return read_file
    from git_retcon.allium.extract.grammar.outline import read_outline

    return functools.partial(read_outline, outline=outlined.OUTLINE)
