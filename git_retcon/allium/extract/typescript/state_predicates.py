"""Functions of a TypeScript file that only answer a question about what they are given.

``isFinished(status)`` with ``return status === Status.Done || FAILED.includes(status)``: a function
at the top of a file, in a namespace beside an enum, or a static one of a class.
"""

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from keyword import iskeyword

from git_retcon.allium.extract.grammar.method_bodies import Bodies, Scope
from git_retcon.allium.extract.grammar.statements import Statements
from git_retcon.allium.extract.grammar.syntax_nodes import (
    Node,
    list_children,
    list_inner,
    read_name,
    read_text,
)
from git_retcon.allium.extract.python.rewriting.predicates import join_returns
from git_retcon.allium.extract.python.syntax.constants import Constants
from git_retcon.allium.extract.python.syntax.names import get_last, spell_dotted
from git_retcon.allium.extract.python.syntax.node_copies import copy_tree
from git_retcon.allium.extract.python.syntax.replaced_names import replace_names
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes
from git_retcon.allium.extract.typescript.class_functions import find_function
from git_retcon.allium.extract.typescript.dialect import TypeScriptDialect
from git_retcon.allium.extract.typescript.imported_tables import ALLOWS
from git_retcon.allium.extract.typescript.nested_enums import list_nested

_ARROW = "arrow_function"
_CLASSES = ("class_declaration", "abstract_class_declaration")
_ASKS = re.compile(r"===|!==|[<>]=? ?[A-Z]|\.includes\(|\.has\(|\breturn (?:[A-Z]\w*\.\w+|next);")
_LONGEST = 400  # characters; what is longer is no question
# What an answer is made of; nothing in it is run.
_PLAIN = (
    ast.BoolOp, ast.boolop, ast.UnaryOp, ast.unaryop, ast.Compare, ast.cmpop, ast.IfExp, ast.Name,
    ast.Attribute, ast.Constant, ast.List, ast.Tuple, ast.Set, ast.expr_context,
)  # fmt: skip


def read_predicates(nodes: Iterable[Node], constants: Constants) -> Mapping[str, ast.Lambda]:
    """Those of a file, by what calls name, each as Python. ``constants`` are the file's own."""
    listed = [*nodes]
    found: dict[str, ast.Lambda] = {}
    for name, node in _list_functions(listed):
        answer = _read_answer(node, constants)
        if answer is not None:
            found[name] = answer
    for name, table in constants.items():
        answer = _read_allowed(table) if isinstance(table, ast.Dict) else None
        if answer is not None:
            found[f"{name}.{ALLOWS}"] = answer
    return found


def _read_allowed(table: ast.Dict) -> ast.Lambda | None:
    """Whether a table lists something for a state, as other files ask; None for other tables."""
    asked = _open_table(table, ast.Name("state_"), ast.Name("next_"))
    names = ("state_", "next_")
    is_plain = asked is not None and _is_plain(asked, names)
    return ast.Lambda(_make_arguments(names), asked) if asked is not None and is_plain else None


def _list_functions(nodes: Iterable[Node]) -> Iterator[tuple[str, Node]]:
    listed = [*nodes]
    for node in listed:
        yield from _list_declared(node.child_by_field_name("declaration") or node, "")
    for above, node in list_nested(listed):
        yield from _list_declared(node, above)


def _list_declared(node: Node, above: str) -> Iterator[tuple[str, Node]]:
    if node.type == "function_declaration":
        yield above + read_name(node), node
    elif node.type == "lexical_declaration":
        for each in list_children(node, "variable_declarator"):
            value = each.child_by_field_name("value")
            if value is not None and value.type == _ARROW:
                yield above + read_name(each), value
    elif node.type in _CLASSES:
        for each in list_children(node.child_by_field_name("body")):
            function = find_function(each)
            if function is not None and any(part.type == "static" for part in each.children):
                yield f"{above}{read_name(node)}.{read_name(each)}", function


def _read_answer(node: Node, constants: Constants) -> ast.Lambda | None:
    """What a function answers; None for one that does anything else."""
    body = node.child_by_field_name("body")
    text = read_text(body)
    if body is None or len(text) > _LONGEST or not _ASKS.search(text):
        return None
    if any(each.type in ("async", "*") for each in node.children):
        return None
    bodies = Bodies(TypeScriptDialect(), Scope())
    if body.type == "statement_block":
        returned = _join(bodies.translate_block([body]))
    else:
        returned = bodies.translate(body)
    names = [*_list_parameters(node)]
    if returned is None or not names or not all(map(str.isidentifier, names)):
        return None
    kinds = (ast.List, ast.Dict)
    listed = {n: c for n, c in constants.items() if isinstance(c, kinds) and n not in names}
    # Python has no such names for what a function is given: "from".
    other = {each: f"{each}_" if iskeyword(each) else each for each in names}
    own = {each: ast.Name(name) for each, name in other.items()}
    opened = replace_names(_Listed(listed).visit(copy_tree(returned)), own)
    names = [*other.values()]
    return ast.Lambda(_make_arguments(names), opened) if _is_plain(opened, names) else None


def _join(body: Statements) -> ast.expr | None:
    """What a body returns that may name something first: ``const allowed = NEXT[from];``."""
    given: dict[str, ast.expr] = {}
    for at, each in enumerate(body):
        match each:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if name not in given:
                given[name] = replace_names(value, given)
            case _:
                returned = join_returns(body[at:])
                return replace_names(returned, given) if returned is not None else None
    return None


def _list_parameters(node: Node) -> Iterator[str]:
    """The names of what a function is given, "" for what has none."""
    alone = node.child_by_field_name("parameter")
    if alone is not None:
        yield read_text(alone)
    for each in list_inner(node, "parameters"):
        is_given = each.child_by_field_name("value") is None and each.type != "optional_parameter"
        yield read_text(each.child_by_field_name("pattern") or each) if is_given else ""


def _make_arguments(names: Iterable[str]) -> ast.arguments:
    return ast.arguments(
        posonlyargs=[], args=[*map(ast.arg, names)], kwonlyargs=[], kw_defaults=[], defaults=[]
    )


def _is_plain(node: ast.expr, names: Iterable[str]) -> bool:
    """Whether an answer is about what is given, and members of enums alone."""
    parts = [*walk_nodes(node)]
    free = {each.id for each in parts if isinstance(each, ast.Name)} - {*names}
    return all(isinstance(each, _PLAIN) for each in parts) and all(
        name[:1].isupper() and not name.isupper() for name in free
    )


class _Listed(ast.NodeTransformer):
    """Lists and tables of a file in place of their names, which other files do not have."""

    def __init__(self, listed: Mapping[str, ast.expr]) -> None:
        self._listed = listed

    def visit_Name(self, node: ast.Name) -> ast.expr:
        found = self._listed.get(node.id)
        return copy_tree(found) if isinstance(found, ast.List) else node

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        match node:
            case ast.Compare(
                left=given, ops=[ast.In()], comparators=[ast.Subscript(value=owner, slice=asked)]
            ):
                named = self._listed.get(get_last(spell_dotted(owner)))
                table = owner if isinstance(owner, ast.Dict) else named
                found = _open_table(table, asked, given) if isinstance(table, ast.Dict) else None
                return found or node
        self.generic_visit(node)
        return node


def _open_table(table: ast.Dict, asked: ast.expr, given: ast.expr) -> ast.expr | None:
    """Whether a table lists what is given for what is asked; None where it lists what is not known
    here.
    """
    ways: list[ast.expr] = []
    for key, listed in zip(table.keys, table.values, strict=True):
        if key is None or not isinstance(listed, ast.List):
            return None
        if listed.elts:
            is_key = ast.Compare(left=copy_tree(asked), ops=[ast.Eq()], comparators=[key])
            is_in = ast.Compare(left=copy_tree(given), ops=[ast.In()], comparators=[listed])
            ways.append(ast.BoolOp(op=ast.And(), values=[is_key, is_in]))
    return ast.BoolOp(op=ast.Or(), values=ways) if len(ways) > 1 else next(iter(ways), None)
