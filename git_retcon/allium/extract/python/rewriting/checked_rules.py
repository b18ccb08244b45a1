"""Rules that are objects of their own, read as the refusals that they are.

::

    class OrderMustBeDraft(BusinessRule):
        def __init__(self, status):
            self.status = status

        def is_broken(self):
            return self.status != Status.DRAFT

An order that does ``self.check_rule(OrderMustBeDraft(self.status))`` refuses all other states. A
rule of another file is asked by its name: ``if OrderMustBeDraft(self.status): raise``; what it
answers there, its file says.
"""

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from git_retcon.allium.extract.python.flow.guards import is_docstring
from git_retcon.allium.extract.python.rewriting.held_answers import list_blocks
from git_retcon.allium.extract.python.rewriting.predicates import join_returns
from git_retcon.allium.extract.python.syntax.function_texts import (
    Function,
    answer_once,
    forget_text,
    may_have,
)
from git_retcon.allium.extract.python.syntax.names import get_last, spell_dotted
from git_retcon.allium.extract.python.syntax.node_copies import copy_tree
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes
from git_retcon.allium.extract.python.syntax.type_hints import is_class_variable

_BROKEN = ("is_broken", "is_violated")
_KEPT = ("is_satisfied", "is_met", "is_fulfilled")
_CHECKS = re.compile(
    r"_*(?:check|ensure|enforce|assert|verify|validate)_(?:\w+_)?(?:rules?|invariants?|polic(?:y|ies))"
)
_MAY_CHECK = re.compile(rb"(?:rules?|invariants?|polic(?:y|ies))\(")
# What an answer is made of, that other files can read.
_PLAIN = (
    ast.BoolOp, ast.boolop, ast.UnaryOp, ast.unaryop, ast.Compare, ast.cmpop, ast.IfExp, ast.Name,
    ast.Attribute, ast.Constant, ast.List, ast.Tuple, ast.Set, ast.expr_context,
)  # fmt: skip


class _Rule(NamedTuple):
    """What a rule is given, in order, and when it is broken, by these names."""

    names: Sequence[str]
    broken: ast.expr


def open_rules(functions: Iterable[Function], classes: Sequence[ast.ClassDef]) -> None:
    """Write what rules refuse in place of having them checked. The functions are changed."""
    listed = [*functions]
    if not any(map(_has_checks, listed)):
        return
    rules = {each.name: rule for each in classes if (rule := _read_rule(each)) is not None}
    known = {each.name: _is_checker(each) for each in listed if _CHECKS.fullmatch(each.name)}
    for each in filter(_has_checks, listed):
        forget_text(each)
        for block in [*list_blocks(each)]:
            block[:] = [one for item in block for one in _open(item, rules, known)]


def spell_rules(classes: Iterable[ast.ClassDef]) -> Mapping[str, str]:
    """When the rules of a file are broken, as functions of what they are given, in Python."""
    found: dict[str, str] = {}
    for node in classes:
        rule = _read_rule(node)
        if rule is None or not _is_plain(rule):
            continue
        given = ast.arguments(
            posonlyargs=[], args=[*map(ast.arg, rule.names)], kwonlyargs=[], kw_defaults=[],
            defaults=[],
        )  # fmt: skip
        found[node.name] = ast.unparse(ast.Lambda(given, rule.broken))
    return found


def _is_plain(rule: _Rule) -> bool:
    parts = [*walk_nodes(rule.broken)]
    free = {each.id for each in parts if isinstance(each, ast.Name)} - {*rule.names}
    return all(isinstance(each, _PLAIN) for each in parts) and all(
        name[:1].isupper() and not name.isupper() for name in free
    )


@answer_once
def _has_checks(node: Function) -> bool:
    if not may_have(node, _MAY_CHECK):
        return False
    return any([*_list_checked(each)] for block in list_blocks(node) for each in block)


def _list_checked(node: ast.stmt) -> Iterator[ast.Call]:
    """The rules that a statement makes only to have them checked."""
    value = node.value if isinstance(node, ast.Expr) else None
    match value.value if isinstance(value, ast.Await) else value:
        case ast.Call(func=func, args=given, keywords=[]) if given:
            if _CHECKS.fullmatch(get_last(spell_dotted(func))):
                made = [*_list_made(given)]
                yield from made if len(made) == len([*_list_parts(given)]) else ()


def _list_made(given: Iterable[ast.expr]) -> Iterator[ast.Call]:
    for each in _list_parts(given):
        match each:
            case ast.Call(func=ast.Name(id=name)) if name[:1].isupper():
                yield each


def _list_parts(given: Iterable[ast.expr]) -> Iterator[ast.expr]:
    for each in given:
        if isinstance(each, ast.List | ast.Tuple):
            yield from each.elts
        else:
            yield each


def _open(
    node: ast.stmt, rules: Mapping[str, _Rule], known: Mapping[str, bool]
) -> Iterator[ast.stmt]:
    """The refusals that a statement is; what a checker of the file does otherwise, it does."""
    made = [*_list_checked(node)]
    value = node.value if isinstance(node, ast.Expr) else node
    call = value.value if isinstance(value, ast.Await) else value
    name = get_last(spell_dotted(call.func)) if isinstance(call, ast.Call) else ""
    if not made or not known.get(name, True):
        yield node
        return
    for each in made:
        rule = rules.get(spell_dotted(each.func))
        given = _bind(rule, each) if rule is not None else None
        asked = _Given(given).visit(copy_tree(rule.broken)) if rule and given is not None else each
        refused = ast.If(asked, [ast.Raise(exc=copy_tree(each), cause=None)], [])
        yield ast.fix_missing_locations(ast.copy_location(refused, node))


def _bind(rule: _Rule, call: ast.Call) -> Mapping[str, ast.expr] | None:
    if any(isinstance(each, ast.Starred) for each in call.args):
        return None
    found = dict(zip(rule.names, call.args, strict=False))
    found |= {each.arg: each.value for each in call.keywords if each.arg}
    return found if found.keys() == {*rule.names} else None


class _Given(ast.NodeTransformer):
    """What a rule is given, in place of the names that it has for it."""

    def __init__(self, given: Mapping[str, ast.expr]) -> None:
        self._given = given

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return copy_tree(self._given.get(node.id, node))


def _is_checker(node: Function) -> bool:
    """``if rule.is_broken(): raise ...``, and nothing else."""
    match [each for each in node.body if not is_docstring(each)]:
        case [
            ast.If(test=ast.UnaryOp(op=ast.Not(), operand=asked), body=[*_, ast.Raise()], orelse=[])
        ]:
            return _asks_rule(asked, _KEPT)
        case [ast.If(test=asked, body=[*_, ast.Raise()], orelse=[])]:
            return _asks_rule(asked, _BROKEN)
        case [ast.For(body=[ast.If(test=asked, body=[*_, ast.Raise()], orelse=[])], orelse=[])]:
            return _asks_rule(asked, _BROKEN)
    return False


def _asks_rule(asked: ast.expr, names: Sequence[str]) -> bool:
    match asked:
        case ast.Call(func=ast.Attribute(value=ast.Name(), attr=name), args=[], keywords=[]):
            return name in names
    return False


def _read_rule(node: ast.ClassDef) -> _Rule | None:
    """The rule that a class is; None for any other class."""
    methods = {each.name: each for each in node.body if isinstance(each, ast.FunctionDef)}
    named = [each for each in (*_BROKEN, *_KEPT) if each in methods]
    given = _list_given(node, methods.get("__init__"))
    if len(named) != 1 or given is None:
        return None
    method = methods[named[0]]
    owner = [each.arg for each in method.args.args]
    body = [each for each in method.body if not is_docstring(each)]
    answer = join_returns(body)
    if len(owner) != 1 or method.decorator_list or answer is None:
        return None
    opened: ast.expr = _Own(owner[0], given).visit(copy_tree(answer))
    if any(isinstance(each, ast.Name) and each.id == owner[0] for each in walk_nodes(opened)):
        return None
    if named[0] in _KEPT:
        opened = ast.UnaryOp(ast.Not(), opened)
    return _Rule([*dict.fromkeys(given.values())], opened)


def _list_given(node: ast.ClassDef, maker: ast.FunctionDef | None) -> Mapping[str, str] | None:
    """What a rule keeps of what it is given, in the order of the latter, by its attributes."""
    if maker is None:
        fields = [each for each in node.body if isinstance(each, ast.AnnAssign)]
        names = [
            each.target.id
            for each in fields
            if isinstance(each.target, ast.Name) and not is_class_variable(each.annotation)
            and each.value is None
        ]  # fmt: skip
        return {name: name for name in names}
    arguments = [each.arg for each in (*maker.args.args[1:], *maker.args.kwonlyargs)]
    kept: dict[str, str] = {}
    for each in maker.body:
        match each:
            case (
                ast.Assign(targets=[ast.Attribute(attr=name)], value=ast.Name(id=given))
                | ast.AnnAssign(target=ast.Attribute(attr=name), value=ast.Name(id=given))
            ):
                kept[name] = given
    ordered = sorted(kept.items(), key=lambda each: [*arguments, each[1]].index(each[1]))
    is_whole = {*kept.values()} == {*arguments} and not (maker.args.vararg or maker.args.kwarg)
    return dict(ordered) if is_whole else None


class _Own(ast.NodeTransformer):
    """What a rule keeps, by the name of what it was given."""

    def __init__(self, owner: str, given: Mapping[str, str]) -> None:
        self._owner, self._kept = owner, given

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        match node:
            case ast.Attribute(value=ast.Name(id=owner), attr=name) if owner == self._owner:
                found = self._kept.get(name)
                return ast.Name(found, ast.Load()) if found is not None else node
        self.generic_visit(node)
        return node
