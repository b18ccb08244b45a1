"""Groups of members that an enum, or a class of constants, names.

::

    class Status(Enum):
        @classmethod
        def finished(cls):
            return [cls.DONE, cls.FAILED]

``status in Status.finished()`` asks for one of these.
"""

import ast
from collections.abc import Iterable, Iterator, Mapping

from git_retcon.allium.extract.python.flow.moves import Function
from git_retcon.allium.extract.python.syntax.constants import read_constants
from git_retcon.allium.extract.python.syntax.enum_members import is_named_for_states
from git_retcon.allium.extract.python.syntax.function_texts import forget_text
from git_retcon.allium.extract.python.syntax.names import get_last, spell_dotted
from git_retcon.allium.extract.python.syntax.node_copies import copy_tree
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes

_LISTS = ast.List | ast.Tuple | ast.Set
_COPIES = frozenset({"frozenset", "set", "tuple", "list"})
_MARKS = frozenset({"classmethod", "staticmethod", "classproperty"})
_ENUMS = ("Enum", "Choices")

Groups = Mapping[str, ast.expr]


def list_groups(classes: Iterable[ast.ClassDef]) -> Groups:
    """The groups of classes, by ``Status.finished``, each as a list of ``Status.DONE``."""
    listed = filter(_may_have_groups, classes)
    return {name: group for each in listed for name, group in _list_of_class(each)}


def spell_groups(groups: Groups) -> Mapping[str, str]:
    """Groups as Python: operations elsewhere may name them."""
    return {name: ast.unparse(each) for name, each in groups.items()}


def replace_groups(groups: Groups, functions: Iterable[Function]) -> None:
    """Let functions of the file list the members that a group has. They are changed."""
    names = {name.rpartition(".")[2] for name in groups}
    for each in functions if groups else ():
        if any(isinstance(part, ast.Attribute) and part.attr in names for part in walk_nodes(each)):
            forget_text(each)
            _Listed(groups).visit(each)


class _Listed(ast.NodeTransformer):
    def __init__(self, groups: Groups) -> None:
        self._groups = groups

    def visit_Call(self, node: ast.Call) -> ast.AST:
        found = None if node.args or node.keywords else self._find(node.func)
        return found or self.generic_visit(node)

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        return self._find(node) or self.generic_visit(node)

    def _find(self, node: ast.expr) -> ast.expr | None:
        # The class may be in another one: Order.Status.finished.
        found = self._groups.get(".".join(spell_dotted(node).split(".")[-2:]))
        return copy_tree(found) if found is not None else None


def _may_have_groups(node: ast.ClassDef) -> bool:
    bases = (get_last(spell_dotted(base)) for base in node.bases)
    return is_named_for_states(node.name) or any(each.endswith(_ENUMS) for each in bases)


def _list_of_class(node: ast.ClassDef) -> Iterator[tuple[str, ast.expr]]:
    members = read_constants(node.body)
    for name, value in members.items():
        group = _read_group(value, node.name, "", members)
        if group is not None:
            yield f"{node.name}.{name}", group
    for item in node.body:
        if isinstance(item, ast.FunctionDef) and len(item.args.args) <= 1:
            returned = _read_returned(item)
            first = item.args.args[0].arg if item.args.args else ""
            group = _read_group(returned, node.name, first, members) if returned else None
            if group is not None:
                yield f"{node.name}.{item.name}", group


def _read_returned(node: ast.FunctionDef) -> ast.expr | None:
    marks = {get_last(spell_dotted(each)) for each in node.decorator_list}
    match node.body:
        case [ast.Return(value=value)] | [ast.Expr(value=ast.Constant()), ast.Return(value=value)]:
            return value if marks and marks <= _MARKS else None
    return None


def _read_group(
    value: ast.expr, owner: str, first: str, members: Mapping[str, ast.expr]
) -> ast.expr | None:
    """The members that a value lists, as they are named outside of their class; None for others."""
    if isinstance(value, ast.Call) and get_last(spell_dotted(value)) in _COPIES and value.args:
        value = value.args[0]
    if not isinstance(value, _LISTS) or not value.elts:
        return None
    # In a method a bare name is none of the class's.
    ways = (f"{owner}.", f"{first}.") if first else (f"{owner}.", "")
    names = [_read_member(spell_dotted(each), ways) for each in value.elts]
    if not all(name in members for name in names):
        return None
    listed = (ast.Attribute(ast.Name(owner, ast.Load()), each, ast.Load()) for each in names)
    return ast.List(elts=[*listed], ctx=ast.Load())


def _read_member(dotted: str, ways: Iterable[str]) -> str:
    rests = (dotted.removeprefix(each) for each in ways if dotted.startswith(each))
    return next((each for each in rests if "." not in each), "")
