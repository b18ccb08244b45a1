"""Imports of JavaScript and TypeScript files: those that nothing uses, and those that are missing.

``import`` and ``require`` at the left margin, each in a line of its own. What is written otherwise
is left alone: the step's next run says whether something is still wrong.
"""

import os
import posixpath
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence

from git_retcon.code.lazy_pattern import LazyPattern
from git_retcon.heal.fixers.text_rows import read_rows, read_text, write_rows
from git_retcon.lazy_named_tuple import NamedTuple

_IMPORT = LazyPattern(
    r"(?m)^import(?P<type>[ \t]+type)?[ \t]+(?:(?P<all>(?:\*[ \t]*as[ \t]+)?[\w$]+)[ \t]*,?[ \t]*)?"
    r"(?:\{(?P<names>[^{}\n]*)\}[ \t]*)?from[ \t]*(?P<quote>['\"])(?P<module>[^'\"\n]+)['\"]"
    r"(?P<end>;?)[ \t]*$",
)
_REQUIRE = LazyPattern(
    r"(?m)^(?P<word>const|let|var)[ \t]+(?:(?P<all>[\w$]+)|\{(?P<names>[^{}\n]*)\})[ \t]*=[ \t]*"
    r"require\((?P<quote>['\"])(?P<module>[^'\"\n]+)['\"]\)(?P<member>\.[\w$]+)?(?P<end>;?)[ \t]*$",
)
_OF_COMMONJS = LazyPattern(r"\brequire\s*\(|\bmodule\.exports\b|\bexports\.")
_OF_MODULE = LazyPattern(r"(?m)^[ \t]*(?:import|export)\b")
# Those that begin a line: behind code, the same signs may be in a string.
_COMMENT = LazyPattern(r"(?ms)^[ \t]*(?://[^\n]*|/\*.*?\*/)")
_DIRECTIVE = LazyPattern(r"^(?:#!.*|['\"]use \w+['\"];?|//.*|/\*.*|\s\*.*|\s*)$")


class ScriptImport(NamedTuple):
    """A line that imports: ``all`` is the name of the whole module, or its default, ``names`` are
    those in braces, as written. ``word`` is "import", "import type", or how a variable is declared
    that takes what ``require`` gives, and then perhaps a ``member`` of that.
    """

    word: str
    all: str
    names: tuple[str, ...]
    module: str
    quote: str
    end: str
    member: str = ""
    gap: str = " "  # inside of braces

    @property
    def is_require(self) -> bool:
        return not self.word.startswith("import")

    @property
    def is_relative(self) -> bool:
        """Whether the module is named by its place, from that of the file."""
        return self.module.startswith(".")

    def write(self) -> str:
        names = ", ".join(self.names)
        braces = f"{{{self.gap}{names}{self.gap}}}" if names else ""
        bound = ", ".join(filter(None, (self.all, braces)))
        module = f"{self.quote}{self.module}{self.quote}"
        if self.is_require:
            return f"{self.word} {bound} = require({module}){self.member}{self.end}"
        return f"{self.word} {bound} from {module}{self.end}"

    def write_load(self) -> list[str]:
        """The line that runs the module for what it does; none for types, which are not there when
        the program runs.
        """
        if self.word == "import type":
            return []
        module = f"{self.quote}{self.module}{self.quote}"
        return [f"require({module}){self.end}" if self.is_require else f"import {module}{self.end}"]

    def take(self, name: str) -> "ScriptImport | None":
        """This for one of its names alone; None where it does not bind that."""
        if _bound_name(self.all) == name:
            return self._replace(names=())
        named = tuple(one for one in self.names if _bound_name(one) == name)
        return self._replace(all="", names=named) if named else None

    def without(self, name: str) -> "ScriptImport":
        """This without one of its names."""
        whole = "" if _bound_name(self.all) == name else self.all
        return self._replace(
            all=whole, names=tuple(one for one in self.names if _bound_name(one) != name)
        )


def remove_name(
    content: bytes, name: str, line: int, is_own: Callable[[str], bool]
) -> bytes | None:
    """The file in which a line (from 1) does not import a name; None where it does not now.

    ``is_own`` says whether a module is a file of the repository: that is run for what it does all
    the same. A package is imported for its names.
    """
    rows = read_rows(content)
    found = _read_row(rows[line - 1]) if 0 < line <= len(rows) else None
    if found is None or found.take(name) is None:
        return None
    left = found.without(name)
    if left.all or left.names:
        rows[line - 1 : line] = [left.write()]
    else:
        rows[line - 1 : line] = found.write_load() if is_own(found.module) else []
    return write_rows(rows, content)


def choose_script_import(
    name: str, path: bytes, files: Iterable[tuple[bytes, bytes]]
) -> ScriptImport | None:
    """How other files, by path and content, import a name most often, as ``path`` would; None
    where none does.
    """
    found: Counter[ScriptImport] = Counter()
    for other, content in files:
        if name.encode() not in content:
            continue
        for one in _list_imports(read_text(content)):
            taken = one.take(name)
            module = _move_module(one.module, os.fsdecode(other), os.fsdecode(path))
            if taken is not None and module:
                found[taken._replace(module=module)] += 1
    if not found:
        return None
    return min(found, key=lambda one: (-found[one], len(one.module), one))


def add_script_import(content: bytes, wanted: ScriptImport, path: bytes) -> bytes | None:
    """The file with one more import: among the names of its module, or behind the others. None
    where the file is of the other kind, CommonJS or a module, which cannot be mixed.
    """
    rows = read_rows(content)
    own = [(at, one) for at, row in enumerate(rows) if (one := _read_row(row)) is not None]
    if any(one.is_require != wanted.is_require for _, one in own):
        return None
    if _is_other_kind(read_text(content), wanted, path):
        return None
    for at, one in own:
        if (one.module, one.word, one.member) == (wanted.module, wanted.word, "") and (
            one.names and wanted.names
        ):
            rows[at] = one._replace(names=(*one.names, *wanted.names)).write()
            return write_rows(rows, content)
    if own:
        sample = own[-1][1]
        line = wanted._replace(quote=sample.quote, end=sample.end).write()
        rows.insert(_find_place(own, wanted), line)
        return write_rows(rows, content)
    at = next((at for at, row in enumerate(rows) if not _DIRECTIVE.compiled.match(row)), 0)
    return write_rows([*rows[:at], wanted.write(), "", *rows[at:]], content)


def _is_other_kind(text: str, wanted: ScriptImport, path: bytes) -> bool:
    if path.endswith((b".mjs", b".mts") if wanted.is_require else b".cjs"):
        return True
    pattern = _OF_MODULE if wanted.is_require else _OF_COMMONJS
    return pattern.search(_COMMENT.sub("", text)) is not None


def _find_place(own: Sequence[tuple[int, ScriptImport]], wanted: ScriptImport) -> int:
    """Behind the last that is of the same sort: of a package, or of a file of the repository."""
    same = [at for at, one in own if one.is_relative == wanted.is_relative]
    if same:
        return same[-1] + 1
    return own[-1][0] + 1 if wanted.is_relative else own[0][0]


def _read_row(row: str) -> ScriptImport | None:
    return next(_list_imports(row), None)


def _list_imports(text: str) -> Iterator[ScriptImport]:
    for one in _IMPORT.compiled.finditer(text):
        word = "import type" if one["type"] else "import"
        yield _make(one, word, "")
    for one in _REQUIRE.compiled.finditer(text):
        yield _make(one, one["word"], one["member"] or "")


def _make(one: re.Match[str], word: str, member: str) -> ScriptImport:
    braces = one["names"] or " "
    names = tuple(name.strip() for name in braces.split(",") if name.strip())
    return ScriptImport(
        word, (one["all"] or "").strip(), names, one["module"], one["quote"], one["end"], member,
        " " if braces.startswith(" ") else "",
    )  # fmt: skip


def _bound_name(written: str) -> str:
    """The name that a file has for ``a``, ``a as b``, ``a: b``, ``* as b`` or ``type a``."""
    return re.split(r"[\s:]+", written.strip())[-1]


def _move_module(module: str, other: str, path: str) -> str:
    """A module as another file would name it; empty for that file itself."""
    if not module.startswith("."):
        return module
    place = posixpath.normpath(posixpath.join(posixpath.dirname(other), module))
    here = posixpath.splitext(path)[0]
    if posixpath.splitext(place)[0] == here or place.startswith(".."):
        return ""
    moved = posixpath.relpath(place, posixpath.dirname(path) or ".")
    return moved if moved.startswith(".") else f"./{moved}"
