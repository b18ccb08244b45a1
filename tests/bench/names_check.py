"""A build for benchmarks: every name that a Python file uses is defined or imported in it.

    python names_check.py [FAULT...]

Reads the ``*.py`` below the current folder. Needs nothing installed, takes a fraction of a
second, and fails as a compiler does where a use comes before its definition. A fault given, as it
is printed but for its line (``path: undefined name 'x'``), is let pass: an old project has some.
"""

import ast
import builtins
import re
import sys
from collections.abc import Iterator
from pathlib import Path

_GIVEN = {*dir(builtins), "__file__", "__name__", "__doc__", "__path__", "__all__", "__class__"}


def main() -> None:
    trees = {path: ast.parse(path.read_bytes(), str(path)) for path in sorted(Path().rglob("*.py"))}
    defined = {path: set(_list_bound(tree)) for path, tree in trees.items()}
    modules = {_name_module(path): names for path, names in defined.items()}
    faults = [
        fault
        for path, tree in trees.items()
        for fault in (*_find_undefined(path, tree, defined[path]), *_find_lost(path, tree, modules))
    ]
    known = set(sys.argv[1:])
    faults = [fault for fault in faults if re.sub(r":\d+:", ":", fault, count=1) not in known]
    print("\n".join(faults))
    sys.exit(bool(faults))


def _name_module(path: Path) -> str:
    parts = [part for part in path.with_suffix("").parts if part not in ("src", "__init__")]
    return ".".join(parts)


def _list_bound(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Name(ctx=ast.Store() | ast.Del()):
                yield node.id
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                yield node.name
            case ast.arg():
                yield node.arg
            case ast.alias():
                yield (node.asname or node.name).partition(".")[0]
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)):
                yield name
            case ast.MatchStar(name=str(name)) | ast.MatchMapping(rest=str(name)):
                yield name


def _find_undefined(path: Path, tree: ast.AST, bound: set[str]) -> Iterator[str]:
    if "*" in bound:
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id not in bound and node.id not in _GIVEN:
            yield f"{path}:{node.lineno}: undefined name '{node.id}'"


def _find_lost(path: Path, tree: ast.AST, modules: dict[str, set[str]]) -> Iterator[str]:
    package = _name_module(path).split(".")
    package = package if path.stem == "__init__" else package[:-1]
    for node in ast.walk(tree):
        if not isinstance(node, ast.ImportFrom):
            continue
        above = package[: len(package) - node.level + 1] if node.level else []
        module = ".".join([*above, *filter(None, [node.module])])
        for alias in node.names if module in modules else ():
            is_module = f"{module}.{alias.name}" in modules
            if not is_module and alias.name not in modules[module] | {"*"}:
                yield f"{path}:{node.lineno}: cannot import name '{alias.name}' from '{module}'"


if __name__ == "__main__":
    main()
