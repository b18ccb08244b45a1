"""Names in a Python file: what a dotted one is, and what an import makes it mean."""

import ast
import builtins
import functools
import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from git_retcon.allium.extract.python.syntax.nested_statements import walk_statements
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes
from git_retcon.allium.extract.source_facts import Import

# The attribute of a table in the code of a function: by which name it is asked.
TABLE = "table_name"
_INNER = re.compile(rb"\n[ \t]+from .+ import ")  # a break first: texts are searched for fast
_MADE = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def spell_dotted(node: ast.expr) -> str:
    """``models.CharField`` as text; "" for what is no name."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        before = spell_dotted(node.value)
        return f"{before}.{node.attr}" if before else ""
    # A call or a subscript says what it says of its function: ``Field(...)``, ``Mapped[int]``.
    if isinstance(node, ast.Call):
        return spell_dotted(node.func)
    if isinstance(node, ast.Subscript):
        return spell_dotted(node.value)
    return ""


def find_root(node: ast.expr) -> str:
    """The first part of a dotted name, at less cost."""
    while not isinstance(node, ast.Name):
        match node:
            case ast.Attribute(value=before) | ast.Call(func=before) | ast.Subscript(value=before):
                node = before
            case _:
                return ""
    return node.id


def spell_class(node: ast.expr) -> str:
    """The dotted name of a class, or of one of a module: ``models.Order``; "" for no such name."""
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=ast.Name(id=module), attr=name) if module.islower():
            return f"{module}.{name}"
    return ""


def get_last(dotted: str) -> str:
    """The last part of a dotted name."""
    return dotted.rpartition(".")[2]


def expand(dotted: str, imports: Mapping[str, Import]) -> str:
    """A dotted name with its first part as it was imported: ``m.X`` → ``django.db.models.X``."""
    first, _, rest = dotted.partition(".")
    found = imports.get(first)
    if found is None:
        return dotted
    return f"{found.full_name}.{rest}" if rest else found.full_name


def list_statements(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of a body that can run, with those below ``if`` and ``try`` at its top.

    ``if False`` and ``if 0`` are dead; ``if TYPE_CHECKING`` gives types their names, and what is
    there when a file is run as a program is nobody's to import.
    """
    for node in body:
        if isinstance(node, ast.If):
            if not _is_dead(node.test):
                is_typing = get_last(spell_dotted(node.test)) == "TYPE_CHECKING"
                inner = list_statements(node.body)
                yield from (each for each in inner if not (is_typing and isinstance(each, _MADE)))
            yield from list_statements(node.orelse)
        elif isinstance(node, ast.Try):
            yield from list_statements(node.body)
            for handler in node.handlers:
                yield from list_statements(handler.body)
        else:
            yield node


def _is_dead(test: ast.expr) -> bool:
    match test:
        case ast.Constant(value=value):
            return not value
        case ast.Compare(left=ast.Name(id="__name__"), ops=[ast.Eq()]):
            return True
    return False


def read_imports(path: bytes, statements: Iterable[ast.stmt]) -> Mapping[str, Import]:
    """What the names mean that a file imports at its top."""
    found: dict[str, Import] = {}
    for node in statements:
        if isinstance(node, ast.Import):
            for alias in node.names:
                name = alias.asname or alias.name.partition(".")[0]
                module = alias.name if alias.asname else name
                found[name] = Import(_list_files(path, module, 0), "", module)
        elif isinstance(node, ast.ImportFrom):
            module = node.module or ""
            for alias in node.names:
                full = f"{module}.{alias.name}" if module else alias.name
                # ``from a import b``: b is a name in a, or a module below it.
                targets = _list_files(path, module, node.level)
                if alias.name == "*":
                    found[f"*{len(found)}"] = Import(targets, "*", full)
                    continue
                targets += _list_files(path, full, node.level)
                # An earlier import of a name is the one that types use: the other is a fallback.
                name = alias.asname or alias.name
                found.setdefault(name, Import(targets, alias.name, "." * node.level + full))
    return found


def read_starred(
    imports: Mapping[str, Import], statements: Sequence[ast.stmt]
) -> Mapping[str, Import]:
    """What the classes may mean whose members a file names, and which only an import of all names
    of a module can bring: ``Status.NEW`` behind ``from .choices import *``.
    """
    stars = [each for name, each in imports.items() if name.startswith("*")]
    if not stars:
        return {}
    targets = tuple(target for each in stars for target in each.targets)
    own = {*imports, *(getattr(each, "name", "") for each in statements)}
    asked = {
        part.value.id
        for each in statements
        for part in walk_nodes(each)
        if isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name)
    }
    own |= {
        part.id
        for each in statements
        for part in walk_nodes(each)
        if isinstance(part, ast.Name) and isinstance(getattr(part, "ctx", None), ast.Store)
    }
    listed = (each for each in sorted(asked - own) if each[0].isupper())
    return {each: Import(targets, each, each) for each in listed if not hasattr(builtins, each)}


def read_inner_imports(
    path: bytes, content: bytes, statements: Iterable[ast.stmt]
) -> Mapping[str, Import]:
    """What the names of classes mean that functions of a file import, for themselves alone."""
    if _INNER.search(content) is None:
        return {}
    waiting: list[ast.stmt] = [each for each in statements if isinstance(each, _MADE)]
    made = {each.name for each in waiting if isinstance(each, _MADE)}
    inner: list[ast.stmt] = []
    while waiting:
        body = getattr(waiting.pop(), "body", [])
        inner += (each for each in walk_statements(body) if isinstance(each, ast.ImportFrom))
        waiting += (each for each in body if isinstance(each, _MADE))
    found = read_imports(path, inner)
    return {n: each for n, each in found.items() if n[:1].isupper() and n not in made}


# The versions of a file import the same modules again and again.
@functools.lru_cache(maxsize=8192)
def _list_files(path: bytes, module: str, level: int) -> tuple[bytes, ...]:
    """The files that a module may be, the likeliest first."""
    name = module.replace(".", "/").encode("utf-8", "surrogateescape")
    folder = posixpath.dirname(path)
    if level:
        for _ in range(level - 1):
            folder = posixpath.dirname(folder)
        return _spell_files(posixpath.join(folder, name) if name else folder)
    # The top of the source lies in any folder above the file, or in one of the usual ones.
    parts = folder.split(b"/") if folder else []
    roots = [b"/".join(parts[:length]) for length in range(len(parts) + 1)]
    roots += [b"src", b"lib"]
    return tuple(file for root in roots for file in _spell_files(posixpath.join(root, name)))


def _spell_files(module: bytes) -> tuple[bytes, ...]:
    return module + b".py", posixpath.join(module, b"__init__.py")


def is_private(name: str) -> bool:
    """Whether a method is for its class alone: ``_shut``, not ``__enter__``."""
    return name.startswith("_") and not name.endswith("__")
