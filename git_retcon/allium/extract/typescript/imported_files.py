"""What a TypeScript or JavaScript file imports, and the files that may be meant."""

import posixpath
from collections.abc import Iterator, Sequence

from git_retcon.allium.extract.grammar.syntax_nodes import (
    Node,
    list_children,
    list_inner,
    read_text,
)
from git_retcon.allium.extract.source_facts import DEFAULT, Import
from git_retcon.allium.extract.typescript.schema_folders import list_schemas
from git_retcon.allium.extract.typescript.types import list_taken, read_string

PLAIN = (b".ts", b".mts", b".cts")
_SUFFIXES = (*PLAIN, b".tsx", b".js", b".jsx", b".mjs", b".cjs")
_UNNAMED = (b".ts", b".tsx", b".js", b".jsx", b"/index.ts", b"/index.tsx", b"/index.js")
# The folders in which a repository of many packages has them; they may be side by side as well.
_WORKSPACES = (b"packages", b"libs", b"apps", b"")


def list_imports(path: bytes, node: Node) -> Iterator[tuple[str, Import]]:
    """``import { A as B } from './x'``, and what a file passes on: ``export * from './x'``."""
    source = read_string(node.child_by_field_name("source"))
    if source is None:
        return
    files = _list_files(path, source.encode("utf-8", "surrogateescape"))
    targets = (*files, *list_schemas(path, source))
    if any(each.type == "*" for each in node.children):
        yield f"*{source}", Import(targets, "*", source)
    stack = list(node.named_children)
    while stack:
        each = stack.pop()
        if each.type in ("import_specifier", "export_specifier"):
            name = read_text(each.child_by_field_name("name"))
            alias = read_text(each.child_by_field_name("alias")) or name
            symbol = DEFAULT if name == "default" else name
            yield alias, Import(targets, symbol, f"{source}.{name}")
        elif each.type == "identifier":
            yield read_text(each), Import(targets, DEFAULT, f"{source}.default")
        elif each.type == "namespace_import":
            yield read_text(each.named_children[0]), Import(targets, "", source)
        elif each.type in ("import_clause", "named_imports", "export_clause"):
            stack += each.named_children


def list_required(path: bytes, node: Node) -> Iterator[tuple[str, Import]]:
    """``const { A, B: C } = require('./x')``, and ``const x = require('./x')``, which is what that
    file has for its one export, or the file itself.
    """
    for each in list_children(node, "variable_declarator"):
        name, value = (each.child_by_field_name(part) for part in ("name", "value"))
        taken = ""
        if value is not None and value.type == "member_expression":
            taken = read_text(value.child_by_field_name("property"))
            value = value.child_by_field_name("object")
        given = list_inner(value, "arguments")
        source = read_string(given[0]) if len(given) == 1 else None
        is_required = value is not None and read_text(value).startswith("require(")
        if name is None or source is None or not is_required:
            continue
        files = tuple(_list_files(path, source.encode("utf-8", "surrogateescape")))
        if name.type == "identifier":
            symbol = taken or DEFAULT
            yield read_text(name), Import(files, symbol, f"{source}.{taken or 'default'}")
        elif not taken:
            for alias, symbol in list_taken(name):
                yield alias, Import(files, symbol, f"{source}.{symbol}")


def find_exported(node: Node) -> Node | None:
    """What ``module.exports = Order`` and ``module.exports = class Order { … }`` export."""
    inner = node.named_children[0] if node.named_children else None
    if inner is None or inner.type != "assignment_expression":
        return None
    left, right = (inner.child_by_field_name(part) for part in ("left", "right"))
    is_named = right is not None and right.type in ("identifier", "class")
    return right if is_named and read_text(left) == "module.exports" else None


def _list_files(path: bytes, source: bytes) -> Iterator[bytes]:
    folder = posixpath.dirname(path)
    if source.startswith(b"."):
        bases = [posixpath.normpath(posixpath.join(folder, source))]
    else:
        # "@/x" and "~/x" are usual aliases of bundlers for the root of the source.
        inner = source.lstrip(b"@~").lstrip(b"/")
        parts = folder.split(b"/") if folder else []
        roots = [b"/".join(parts[:length]) for length in range(len(parts) + 1)]
        bases = [posixpath.join(root, part, inner) for root in roots for part in (b"", b"src")]
        bases += _list_workspaces(source, roots)
    for base in bases:
        # What ends in a file's suffix may mean the source that a compiler makes that file of.
        stem, ending = posixpath.splitext(base)
        is_named = ending in _SUFFIXES
        for suffix in _SUFFIXES if is_named else _UNNAMED:
            yield ((stem if is_named else base) + suffix).removeprefix(b"./")


def _list_workspaces(source: bytes, roots: Sequence[bytes]) -> Iterator[bytes]:
    """Where ``@scope/name/part`` is in a repository that has the package ``name`` itself."""
    scope, _, rest = source.partition(b"/")
    name, _, part = rest.partition(b"/")
    if not scope[1:] or not scope.startswith(b"@") or not name:
        return
    for root in roots:
        for folder in _WORKSPACES:
            package = posixpath.join(root, folder, name)
            yield posixpath.join(package, b"src", part or b"index")
            yield posixpath.join(package, part or b"index")
