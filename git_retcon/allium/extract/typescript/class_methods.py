"""The methods of a TypeScript class as ones of Python, and what may begin in any state."""

import ast
import re
from collections.abc import Collection, Iterator, Mapping, Sequence

from git_retcon.allium.extract.grammar.calls import name_call
from git_retcon.allium.extract.grammar.method_bodies import Bodies
from git_retcon.allium.extract.grammar.syntax_nodes import Node, list_children, read_name, read_text
from git_retcon.allium.extract.grammar.translated_methods import (
    Method,
    Parameter,
    make_method,
    make_property,
)
from git_retcon.allium.extract.python.rewriting.decided_variables import decide_variables
from git_retcon.allium.extract.python.rewriting.held_answers import ask_steps
from git_retcon.allium.extract.python.rewriting.predicates import inline_own
from git_retcon.allium.extract.python.rewriting.raising_calls import raise_errors
from git_retcon.allium.extract.python.rewriting.returned_states import name_answered
from git_retcon.allium.extract.python.rewriting.said_refusals import ask_reasons
from git_retcon.allium.extract.python.rewriting.split_conditions import split_asked
from git_retcon.allium.extract.spelling import spell_words
from git_retcon.allium.extract.typescript.accessors import make_scope, open_accessors
from git_retcon.allium.extract.typescript.asserting_calls import refuse_asserted
from git_retcon.allium.extract.typescript.class_functions import find_function, list_operations
from git_retcon.allium.extract.typescript.dialect import TypeScriptDialect
from git_retcon.allium.extract.typescript.failed_results import raise_results
from git_retcon.allium.extract.typescript.held_values import find_held, list_holders
from git_retcon.allium.extract.typescript.member_bodies import MemberBodies
from git_retcon.allium.extract.typescript.object_unions import ObjectUnion
from git_retcon.allium.extract.typescript.private_members import is_marked_private
from git_retcon.allium.extract.typescript.told_properties import open_compared

# What an error says that only heirs save a caller from.
_LEFT = re.compile(
    r"\b(?:not|never|must|should|needs?|has|have)\b.{0,40}(?:implement|overrid|overwrit)"
    r"|NotImplemented|\babstract\b|unimplemented|(?:implement|overrid)\w*\b.{0,40}\b(?:sub|child)",
    re.IGNORECASE | re.DOTALL,
)
# What TypeORM, MikroORM and Sequelize run before an object is stored for the first time.
_BEGINNING = re.compile(r"@(?:BeforeInsert|BeforeCreate|OnInit)\b")
_FAILING = ("throw", "return Promise.reject(")


def read_methods(body: Node | None, unions: Mapping[str, ObjectUnion]) -> Sequence[Method]:
    """The methods of a class, with what they ask each other and its setters in one place."""
    methods = list_methods(body, unions)
    open_accessors(body, (each.node for each in methods))
    called = {each.member: each.node for each in methods}
    owner = body.parent if body is not None else None
    raise_results(called, read_name(owner) if owner is not None else "", body)
    refuse_asserted(called, body)
    raise_errors(called.values())
    inline_own(called)
    decide_variables(called.values())
    ask_reasons(called)
    name_answered(called)
    ask_steps(each.node for each in methods)
    split_asked(called)
    return methods


def list_methods(body: Node | None, unions: Mapping[str, ObjectUnion]) -> Sequence[Method]:
    """The methods and properties of a class, without those of the class itself."""
    found = [*_translate_methods(body, unions)]
    open_compared(found)
    return found


def _translate_methods(body: Node | None, unions: Mapping[str, ObjectUnion]) -> Iterator[Method]:
    bodies, plain = MemberBodies(body, unions), Bodies(TypeScriptDialect(), make_scope(body))
    for name, item, function in list_operations(body):
        is_fixed = any(each.type in ("static", "set") for each in item.children)
        if is_fixed or _is_left_to_heirs(item, function) or _begins_row(item):
            continue
        statements = bodies.translate(function)
        if any(each.type == "get" for each in item.children):
            yield make_property(name, statements)
        else:
            parameters = function.child_by_field_name("parameters")
            method = make_method(name, _list_parameters(parameters, plain), statements)
            if name.startswith("["):
                method.node.name = _name_symbol(name, body)
            # Many JavaScript sources write what is private with an underscore behind it.
            if is_marked_private(item) or name.removesuffix("()").endswith("_"):
                method.node.name = f"_{method.node.name.lstrip('_')}"  # as Python says it
            yield method


def _begins_row(item: Node) -> bool:
    """Whether a store runs a method of an object that it is about to keep for the first time."""
    before = item.prev_named_sibling
    while before is not None and before.type in ("decorator", "comment"):
        if _BEGINNING.match(read_text(before)):
            return True
        before = before.prev_named_sibling
    return False


def _name_symbol(name: str, body: Node | None) -> str:
    """What a method is called that a symbol names, ``[Symbol.dispose]``: there may be one with its
    plain name beside it.
    """
    plain = re.sub(r"\W", "", name.rpartition(".")[2])
    names = {read_name(each) for each in list_children(body)}
    return spell_words(f"symbol_{plain}" if plain in names else plain)


def _is_left_to_heirs(item: Node, function: Node) -> bool:
    """Whether a method has no body, or one that only says that it is for heirs to have one."""
    body = function.child_by_field_name("body")
    inner = [each for each in list_children(body) if each.type != "comment"]
    text = read_text(inner[0]) if len(inner) == 1 else ""
    is_told = text.startswith(_FAILING) and _LEFT.search(text) is not None
    return body is None or (is_told and not is_marked_private(item))


def list_beginning(body: Node | None) -> Iterator[ast.stmt]:
    """What the fields of an object get before its constructor runs."""
    bodies, holders = Bodies(TypeScriptDialect(), make_scope(body)), list_holders(body)
    for item in list_children(body, "public_field_definition"):
        value = item.child_by_field_name("value")
        is_static = any(each.type == "static" for each in item.children)
        if value is not None and not is_static and find_function(item) is None:
            name = holders.get(read_name(item).lstrip("#"), read_name(item).lstrip("#"))
            held = find_held(value)
            first = bodies.translate(value if held is None else held[1])
            yield ast.Assign(targets=[ast.Attribute(ast.Name("self"), name)], value=first)


def list_open_steps(body: Node | None, *, is_abstract: bool) -> Collection[str]:
    """The methods that may begin in any state, by what bodies call them: those that heirs run, too,
    and those that are only made where they are called.
    """
    found = set()
    for item in list_children(body):
        function = find_function(item)
        if function is None:
            continue
        words = {each.type for each in (*item.children, *function.children)}
        marks = {read_text(each) for each in list_children(item, "accessibility_modifier")}
        is_lent = (is_abstract and not is_marked_private(item)) or "protected" in marks
        if is_lent or "*" in words:
            found.add(name_call(read_name(item).lstrip("#")))
    return found


def _list_parameters(node: Node | None, bodies: Bodies) -> Iterator[Parameter]:
    listed = (each for each in list_children(node) if each.type != "comment")
    for number, each in enumerate(listed):
        value = each.child_by_field_name("value") or each.child_by_field_name("right")
        pattern = read_text(each.child_by_field_name("pattern") or each.child_by_field_name("left"))
        name = pattern.removeprefix("...")
        kind = read_text(each.child_by_field_name("type")).strip(": ")
        default = bodies.translate(value) if value is not None else None
        if each.type == "optional_parameter" and default is None:
            default = ast.Constant(None)
        # What takes an object apart has a place among the others, and no name.
        spelled = name if name.isidentifier() else f"_{number}"
        is_boolean = kind == "boolean" and spelled == name
        yield Parameter(spelled, is_boolean, takes_rest=name != pattern, default=default)
