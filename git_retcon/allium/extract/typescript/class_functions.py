"""The functions of a TypeScript file, and the methods of its classes."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from git_retcon.allium.extract.grammar.services import Function
from git_retcon.allium.extract.grammar.statements import Statements
from git_retcon.allium.extract.grammar.syntax_nodes import (
    Node,
    list_children,
    list_inner,
    read_name,
    read_text,
)
from git_retcon.allium.extract.spelling import spell_words
from git_retcon.allium.extract.typescript.accessors import find_class_body
from git_retcon.allium.extract.typescript.constructors import find_constructor, name_member
from git_retcon.allium.extract.typescript.imported_files import find_exported
from git_retcon.allium.extract.typescript.local_functions import find_bound
from git_retcon.allium.extract.typescript.member_bodies import MemberBodies
from git_retcon.allium.extract.typescript.outer_statements import (
    find_kept,
    find_registered,
    list_statements,
)
from git_retcon.allium.extract.typescript.types import read_type

# What a store runs a method for by itself.
_MADE = re.compile(r"@(?:Before(?:Insert|Create|Upsert)|AfterLoad|OnInit|OnLoad)\b")
_FUNCTIONS = ("arrow_function", "function_expression", "function")


def list_functions(root: Node) -> Iterator[Function]:
    """Those at the top of a file and in its classes, exported or not."""
    for node in list_statements(root.named_children):
        declared = node.child_by_field_name("declaration") or find_exported(node) or node
        declared = find_registered(declared) or find_kept(declared) or declared
        match declared.type:
            case "function_declaration":
                yield Function(read_name(declared), declared, translate_body)
            case "lexical_declaration":
                for each in list_children(declared, "variable_declarator"):
                    value = each.child_by_field_name("value")
                    if value is not None:
                        yield from _list_held(read_name(each), value)
            case "class_declaration" | "abstract_class_declaration" | "class":
                body = declared.child_by_field_name("body")
                for each in list_children(body):
                    function, name = find_function(each), read_name(each).lstrip("#")
                    if function is not None:
                        symbol, called = f"{read_name(declared)}.{name}", _name_setter(each, name)
                        yield Function(symbol, function, translate_body, called)


def _name_setter(item: Node, name: str) -> str:
    """What an operation that is a setter is called, "" for any other."""
    is_setter = any(each.type == "set" for each in item.children)
    return f"set_{spell_words(name)}" if is_setter else ""


def _list_held(name: str, value: Node) -> Iterator[Function]:
    """The function that a constant holds, or those that an object has by their names."""
    if value.type in ("as_expression", "satisfies_expression"):
        value = value.named_children[0]
    if value.type == "call_expression":
        # router({ pay: route.mutation(async () => { … }) })
        given = list_inner(value, "arguments")
        value = given[0] if len(given) == 1 and given[0].type == "object" else value
    if value.type != "object":
        function = value if value.type in _FUNCTIONS else _find_wrapped(value)
        if function is not None:
            yield Function(name, function, translate_body)
        return
    for each in value.named_children:
        held = each.child_by_field_name("value") if each.type == "pair" else each
        key = read_text(each.child_by_field_name("key")) if each.type == "pair" else read_name(each)
        if held is None or not key.isidentifier():
            continue
        own = held if held.type in (*_FUNCTIONS, "method_definition") else _find_wrapped(held)
        if own is not None:
            yield Function(f"{name}.{key}", own, translate_body)


def _find_wrapped(value: Node) -> Node | None:
    """The only function that a call is given, ``guarded(async () => { … })``: what it makes of it
    runs that.
    """
    if value.type != "call_expression":
        return None
    given = list_inner(value, "arguments")
    functions = [each for each in given if each.type in _FUNCTIONS]
    body = functions[0].child_by_field_name("body") if len(functions) == 1 else None
    return functions[0] if body is not None and body.type == "statement_block" else None


def find_function(item: Node) -> Node | None:
    """What a member of a class runs when it is called: a method, or a function that a field
    holds, ``(() => { … }).bind(this)`` too; None for any other.
    """
    if item.type == "method_definition":
        return item if not _is_made_by_store(item) else None
    value = item.child_by_field_name("value") if item.type == "public_field_definition" else None
    if value is not None and read_text(next(iter(list_inner(value, "arguments")), None)) == "this":
        value = find_bound(value)
    return value if value is not None and value.type in _FUNCTIONS else None


def _is_made_by_store(item: Node) -> bool:
    """Whether a store runs a method for each new object, or for each that it has just found."""
    above = item.prev_named_sibling
    while above is not None and above.type == "decorator":
        if _MADE.match(read_text(above)):
            return True
        above = above.prev_named_sibling
    return False


class Operation(NamedTuple):
    """What a class or its constructor defines under a name: the whole node, and what runs."""

    name: str
    item: Node
    function: Node


def list_operations(body: Node | None) -> Iterator[Operation]:
    """The methods of a class, the functions that its fields hold, and those that its constructor
    gives them: ``this.resolve = (value) => { … }``, also where a promise begins.
    """
    given: dict[str, Operation] = {}
    found: list[Operation] = []
    constructor = find_constructor(body)
    for item in body.named_children if body is not None else ():
        function, name = find_function(item), name_member(item, constructor)
        if item == constructor:
            given = {each.name: each for each in _list_given(item)}
        if function is not None:
            found.append(Operation(name, item, function))
    declared = {each.name for each in found if each.item.type == "method_definition"}
    own = {name: each for name, each in given.items() if name not in declared}
    yield from (each for each in found if each.name not in own)
    yield from own.values()


def _list_given(constructor: Node) -> Iterator[Operation]:
    waiting = [constructor.child_by_field_name("body")]
    while waiting:
        node = waiting.pop()
        if node is None or node.type in ("function_expression", "function_declaration"):
            continue  # another "this"
        left, right = (node.child_by_field_name(side) for side in ("left", "right"))
        if node.type == "assignment_expression" and left is not None and right is not None:
            owner = left.child_by_field_name("object")
            if right.type == "arrow_function" and owner is not None and owner.type == "this":
                name = read_text(left.child_by_field_name("property")).lstrip("#")
                yield Operation(name, node, right)
        waiting += reversed(node.named_children)


def name_type(node: Node) -> str:
    """The dotted name of a written type, "" for one that is no name."""
    kind = read_type(node)
    return "" if kind.arguments or kind.name else kind.source


def translate_body(node: Node) -> Statements:
    """What a function does, in Python."""
    return MemberBodies(find_class_body(node)).translate(node)
