"""Fields of dictionaries whose keys a class names, read as fields of objects.

``record["status"] = State.DONE`` means ``record.status = State.DONE`` where ``record`` is said to
be of a class.
"""

import ast
import re
from collections.abc import Collection, Iterable, Iterator, Sequence

from git_retcon.allium.extract.python.syntax.function_texts import answer_once, forget_text
from git_retcon.allium.extract.python.syntax.names import spell_dotted
from git_retcon.allium.extract.python.syntax.nested_statements import walk_statements
from git_retcon.allium.extract.python.syntax.type_hints import read_type

_Function = ast.FunctionDef | ast.AsyncFunctionDef
# A key that is set; most files have none that begins small. The bracket comes first: what begins
# with a text is searched for fast.
_MAY_SET = re.compile(rb"""\[(?<=\w\[)(["'])[a-z_]+\1\]\s*=[^=]""")


def open_keys(
    content: bytes,
    functions: Iterable[_Function],
    classes: Iterable[ast.ClassDef],
    types: Collection[str],
) -> None:
    """Write the functions and methods of a file so; ``types`` are the classes that it knows. The
    functions themselves are changed.
    """
    if _MAY_SET.search(content) is None:
        return
    methods = (item for each in classes for item in each.body if isinstance(item, _Function))
    for each in (*functions, *methods):
        names = {*_list_typed(each, types)}
        if names:
            forget_text(each)
            _Opened(names).visit(each)


def _list_typed(node: _Function, types: Collection[str]) -> Iterator[str]:
    """The variables of a function that are said to be of one of these types."""
    return (name for name, kind in _list_annotated(node) if kind.partition(".")[0] in types)


@answer_once
def _list_annotated(node: _Function) -> Sequence[tuple[str, str]]:
    """The variables of a function that are said to be of a plain type, with it."""
    arguments = node.args
    listed = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    said = [(each.arg, each.annotation) for each in listed if each.annotation is not None]
    for each in walk_statements(node.body):
        match each:
            case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation):
                said.append((name, annotation))
    kinds = [(name, read_type(annotation)) for name, annotation in said]
    return [(name, kind.source) for name, kind in kinds if not kind.arguments]


class _Opened(ast.NodeTransformer):
    def __init__(self, names: Collection[str]) -> None:
        self._names = names

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        self.generic_visit(node)
        match node:
            case ast.Subscript(value=ast.Name() as owner, slice=ast.Constant(value=str(key))):
                if key.isidentifier() and spell_dotted(owner) in self._names:
                    found = ast.Attribute(value=owner, attr=key, ctx=node.ctx)
                    return ast.copy_location(found, node)
        return node
