"""Properties that a call makes, read as those that decorators make.

::

    def __get_status(self):
        return self.__status

    def __set_status(self, status):
        self.__status = status

    status = property(__get_status, __set_status)
"""

import ast
from collections.abc import Collection, Iterable, Mapping, Sequence

from git_retcon.allium.extract.python.syntax.function_texts import (
    Function,
    answer_once,
    forget_text,
)
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes


def write_properties(content: bytes, classes: Iterable[ast.ClassDef]) -> None:
    """Let the methods of such properties have their names and decorators. The classes are changed;
    a method that others run by its own name stays as it is.
    """
    for node in classes if b"= property(" in content else ():
        made = {item: read for item in node.body if (read := _read_property(item)) is not None}
        if not made:
            continue
        methods = {each.name: each for each in node.body if isinstance(each, ast.FunctionDef)}
        run = {name for part in ast.iter_child_nodes(node) for name in _list_attributes(part)}
        for item, (name, parts) in made.items():
            found = [methods.get(each) for each in parts]
            is_plain = all(one is not None and not one.decorator_list for one in found)
            if is_plain and run.isdisjoint(parts) and len({*parts}) == len(parts):
                node.body.remove(item)
                for method, mark in zip(found, _make_marks(name), strict=False):
                    if method is not None:
                        method.name, method.decorator_list = name, [mark]
                        forget_text(method)


def _list_attributes(node: ast.AST) -> Collection[str]:
    return _list_named(node) if isinstance(node, Function) else _walk_attributes(node)


@answer_once
def _list_named(node: Function) -> Collection[str]:
    return _walk_attributes(node)


def _walk_attributes(node: ast.AST) -> Collection[str]:
    return {each.attr for each in walk_nodes(node) if isinstance(each, ast.Attribute)}


def _read_property(node: ast.stmt) -> tuple[str, Sequence[str]] | None:
    """The name of a property, and of the methods that get and set it; None for anything else."""
    match node:
        case ast.Assign(
            targets=[ast.Name(id=name)],
            value=ast.Call(func=ast.Name(id="property"), args=args, keywords=keywords),
        ):
            given: Mapping[str | None, ast.expr] = {
                **dict(zip(("fget", "fset"), args, strict=False)),
                **{each.arg: each.value for each in keywords},
            }
            parts = [given[each] for each in ("fget", "fset") if each in given]
            names = [each.id for each in parts if isinstance(each, ast.Name)]
            return (name, names) if len(names) == len(parts) and "fget" in given else None
    return None


def _make_marks(name: str) -> tuple[ast.expr, ast.expr]:
    """The decorators of what gets a property and of what sets it."""
    return ast.Name("property", ast.Load()), ast.Attribute(
        ast.Name(name, ast.Load()), "setter", ast.Load()
    )
