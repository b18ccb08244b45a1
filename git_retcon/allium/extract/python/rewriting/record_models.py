"""Models of Odoo, whose methods work on many records, written as classes of one of them.

What a model computes of a record, and nobody keeps, is a property. A model that refuses to be
written by the state, or writes something else than it is given, stays as it is.
"""

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set

from git_retcon.allium.extract.python.classes.odoo import is_odoo_model
from git_retcon.allium.extract.python.flow.guards import is_docstring
from git_retcon.allium.extract.python.rewriting.recordsets import RecordOpener
from git_retcon.allium.extract.python.syntax.function_texts import Function, forget_text
from git_retcon.allium.extract.python.syntax.names import get_last, spell_dotted
from git_retcon.allium.extract.python.syntax.nested_statements import walk_statements
from git_retcon.allium.extract.python.syntax.node_copies import copy_node, copy_tree
from git_retcon.allium.extract.source_facts import Import

# Marks of methods that have no record yet.
_OF_MODEL = frozenset({"model", "model_create_multi", "model_create_single"})
_BLOCKS = ("body", "orelse", "finalbody")


def open_records(classes: Iterable[ast.ClassDef], imports: Mapping[str, Import]) -> None:
    """Write the methods of Odoo's models as those of one of its records, and what they compute of
    it, and nobody keeps, as properties. Their classes are changed.
    """
    for node in classes:
        if is_odoo_model(node, imports) and not _overrides_writes(node):
            methods = {each.name: each for each in node.body if isinstance(each, Function)}
            states = frozenset(_list_states(node))
            for item in node.body:
                if isinstance(item, Function):
                    _open_method(item, methods, states)
            computed = _list_computed(node)
            node.body = [computed.get(id(each), each) for each in node.body]


def _overrides_writes(node: ast.ClassDef) -> bool:
    """Whether a model refuses to be written by more than what is written, or writes something else
    than it is given: then nobody can say what its writes do.
    """
    for item in node.body:
        if isinstance(item, Function) and item.name == "write" and len(item.args.args) == 2:
            given = item.args.args[1].arg
            for each in walk_statements(item.body):
                if isinstance(each, ast.Assign) and any(
                    isinstance(target, ast.Subscript) and spell_dotted(target.value) == given
                    for target in each.targets
                ):
                    return True
            return _refuses_all(item.body, given)
    return False


def _refuses_all(statements: Sequence[ast.stmt], given: str) -> bool:
    """Whether a block raises where nothing of what it is given is asked."""
    for each in statements:
        if isinstance(each, ast.Raise):
            return True
        test = getattr(each, "test", None)
        names = {part.id for part in ast.walk(test) if isinstance(part, ast.Name)} if test else ()
        if given in names or (test is not None and _asks_around(test)):
            continue
        if any(_refuses_all(getattr(each, name, None) or [], given) for name in _BLOCKS):
            return True
    return False


def _asks_around(test: ast.expr) -> bool:
    """Whether a condition is about who writes, and from where, alone."""
    parts = [each for each in ast.walk(test) if isinstance(each, ast.Attribute)]
    own = {each.attr for each in parts if isinstance(each.value, ast.Name)}
    return own == {"env"}


def _list_states(node: ast.ClassDef) -> Iterator[str]:
    """The fields of a model that are one of several texts."""
    for item in node.body:
        match item:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=made)):
                if get_last(spell_dotted(made)) == "Selection":
                    yield name


def _open_method(method: Function, methods: Mapping[str, Function], states: Set[str]) -> None:
    if [each.arg for each in method.args.args[:1]] != ["self"]:
        return
    forget_text(method)
    marks = {get_last(spell_dotted(each)) for each in method.decorator_list}
    if marks.isdisjoint(_OF_MODEL):
        opener = RecordOpener(method, methods, states)
        method.body = opener.open_block(method.body) or [ast.Pass()]
    else:
        method.decorator_list = [ast.Name("classmethod", ast.Load())]
    ast.fix_missing_locations(method)


def _list_computed(node: ast.ClassDef) -> Mapping[int, ast.stmt]:
    """The properties that come in place of fields, by what declares these."""
    methods = {each.name: each for each in node.body if isinstance(each, Function)}
    found: dict[int, ast.stmt] = {}
    for item in node.body:
        match item:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(keywords=keywords)):
                words = {each.arg: each.value for each in keywords}
            case _:
                continue
        match words.get("compute"):
            case ast.Constant(value=str(computing)) if computing in methods:
                method = methods[computing]
            case _:
                continue
        answer = _find_answer(method, name) if "store" not in words else None
        if answer is not None:
            read = copy_node(method)
            forget_text(read)
            read.name, read.body = name, [ast.Return(copy_tree(answer))]
            read.decorator_list = [ast.Name("property", ast.Load())]
            found[id(item)] = ast.fix_missing_locations(read)
    return found


def _find_answer(method: Function, field: str) -> ast.expr | None:
    """What a method computes a field by, where that is all that it does; else None."""
    found = None
    for each in method.body:
        match each:
            case ast.Assign(
                targets=[ast.Attribute(value=ast.Name(id="self"), attr=name)], value=value
            ):
                found = value if name == field else found
            case _ if not is_docstring(each):
                return None
    return found
