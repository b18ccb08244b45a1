"""What bodies have in TypeScript and JavaScript alone."""

import ast
import re
from collections.abc import Collection

from git_retcon.allium.extract.grammar.calls import make_call, mark_made
from git_retcon.allium.extract.grammar.implied_members import translate_sections
from git_retcon.allium.extract.grammar.method_bodies import Bodies
from git_retcon.allium.extract.grammar.statements import Case, Statements, make_unknown
from git_retcon.allium.extract.grammar.syntax_nodes import (
    Node,
    find_first,
    list_children,
    list_inner,
    read_name,
    read_text,
)
from git_retcon.allium.extract.spelling import spell_words
from git_retcon.allium.extract.typescript.asked_lists import ask_each
from git_retcon.allium.extract.typescript.asserted_conditions import translate_assertion
from git_retcon.allium.extract.typescript.called_loops import translate_each
from git_retcon.allium.extract.typescript.computed_members import (
    assign_computed,
    compare_computed,
    translate_computed,
    translate_entry,
)
from git_retcon.allium.extract.typescript.constant_values import is_small_member, spell_taken
from git_retcon.allium.extract.typescript.local_functions import (
    FUNCTIONS,
    binds_method,
    call_applied,
    define_function,
    find_bound,
    go_on,
    list_waiting,
)
from git_retcon.allium.extract.typescript.promises import (
    open_awaited,
    run_promise,
    translate_awaited,
)
from git_retcon.allium.extract.typescript.types import list_taken, translate_text

# What says something of types alone, around a value.
_WRAPPERS = frozenset({"non_null_expression", "as_expression", "satisfies_expression"})
# What runs a function that it is given while it holds something.
_HOLDING = re.compile(r"(?i)transaction|lock|mutex|atomic|exclusive")
# What an object tells people by, if it is called so.
_LOG = re.compile(
    r"(?i)(?:this\s*\??\.\s*#?_?)?(?:debug|log|logger|logging)"
    r"(?:\s*\??\.\s*(?:debug|trace|info|warn|warning|error|log|verbose|silly))?"
    r"|this\.#?_?(?:trace|warn|verbose)"
)
# What makes a list of one of what may be a list.
_LISTING = re.compile(
    r"if\s*\(!Array\.isArray\((\w+)\)\)\s*\{?\s*\1\s*=\s*\[\1\]\s*;?\s*\}?"
    r"|Array\.isArray\((\w+)\)\s*\?\s*\2\s*:\s*\[\2\]"
)
# How indexOf() is asked whether it found anything.
_FOUND = ("!== -1", "!= -1", "> -1", ">= 0")
_NOT_FOUND = ("=== -1", "== -1", "< 0")


class TypeScriptDialect:
    """TypeScript's own statements and expressions. ``later`` are the methods of the class that run
    later where nothing waits for them, ``own`` other names of the object itself.
    """

    def __init__(self, later: Collection[str] = (), own: Collection[str] = ()) -> None:
        self._later = later
        self._own = own

    def translate_statement(self, node: Node, bodies: Bodies) -> Statements | None:
        match node.type:
            case "switch_statement":
                return _translate_switch(node, bodies)
            case "new_expression":
                return translate_awaited(node, bodies) or [ast.Expr(value=bodies.translate(node))]
            case "return_statement":
                return (
                    _translate_settled(node, bodies)
                    or _translate_promise(node, bodies, self._later)
                    or _translate_held(node, bodies)
                    or _translate_handing(node, bodies)
                )
            case "call_expression":  # what a function returns that has no block
                return translate_awaited(node, bodies)
            case "expression_statement" if binds_method(node):
                return []
            case "expression_statement":
                return (
                    _translate_log(node)
                    or translate_assertion(node, bodies)
                    or assign_computed(node, bodies)
                    or translate_each(node.named_children[0], bodies)
                    or _translate_promise(node, bodies, self._later)
                    or _translate_held(node, bodies)
                    or _translate_handing(node, bodies)
                )
            case "lexical_declaration" | "variable_declaration":
                return _bind_names(node, bodies, self._later, self._own)
            case "if_statement" if _LISTING.fullmatch(read_text(node)):
                return []
            case "function_declaration":
                return define_function(node, read_name(node), bodies)
        return None

    def _translate_own(self, name: str) -> ast.expr | None:
        """What a name is that means the object, or seems to: ``self`` may be anything here."""
        if name in self._own:
            return ast.Name("self")
        return ast.Name("_self") if name == "self" else None

    def translate_expression(self, node: Node, bodies: Bodies) -> ast.expr | None:
        if node.type in _WRAPPERS:
            return bodies.translate(find_first(node))
        match node.type:
            case "type_assertion":
                return bodies.translate(node.named_children[-1])
            case "undefined":
                return ast.Constant(None)
            case "identifier":
                return self._translate_own(read_text(node))
            case "super":
                return ast.Name("super")
            case "string" | "template_string":
                return translate_text(node)
            case "array":
                return ast.List(elts=bodies.translate_values(node))
            case "object":
                return _translate_object(node, bodies)
            case "member_expression":
                return _translate_member(node, bodies)
            case "call_expression":
                return (
                    _translate_inclusion(node, bodies, "includes")
                    or (_translate_inclusion(node, bodies, "has") if _asks_constant(node) else None)
                    or translate_entry(node, bodies)
                    or ask_each(node, bodies)
                    or call_applied(node, bodies)
                )
            case "ternary_expression" if listed := _LISTING.fullmatch(read_text(node)):
                return bodies.translate_name(listed[2])
            case "unary_expression" if read_text(node).startswith("~"):
                # "~text.indexOf(part)" is 0, so false, where the part is not in the text.
                return _translate_inclusion(node.named_children[0], bodies, "indexOf")
            case "subscript_expression":
                return translate_computed(node, bodies)
            case "binary_expression":
                return _translate_search(node, bodies) or compare_computed(node, bodies)
            case "new_expression":
                return _translate_new(node, bodies)
        return None


def _translate_member(node: Node, bodies: Bodies) -> ast.expr:
    owner = bodies.translate(node.child_by_field_name("object"))
    name = read_text(node.child_by_field_name("property")).lstrip("#")
    if _is_namespace(node):
        return ast.Attribute(value=owner, attr=name)
    if is_small_member(node, name):
        name = spell_words(name).upper()
    return bodies.translate_member(owner, name)


def _is_namespace(node: Node) -> bool:
    """``Order.State`` of ``Order.State.New``, which is an enum and no member of one."""
    outer = node.parent
    if outer is None or outer.type != "member_expression":
        return False
    return outer.named_children[0] == node and read_text(outer.named_children[-1])[:1].isupper()


def _translate_log(node: Node) -> Statements | None:
    """``this._log.debug(…)``, ``this.trace(…)`` only tell people of something; None for others."""
    call = node.named_children[0] if node.named_children else None
    called = call.child_by_field_name("function") if call is not None else None
    if called is None or _LOG.fullmatch(read_text(called)) is None:
        return None
    return [ast.Expr(value=make_call(ast.Attribute(ast.Name("console"), "log"), []))]


def _translate_settled(node: Node, bodies: Bodies) -> Statements | None:
    """``return Promise.reject(new Error())`` is an error of the operation, and what it returns by
    ``return Promise.resolve()`` is nothing; None for any other.
    """
    call = node.named_children[0] if node.named_children else None
    name = read_text(call.child_by_field_name("function")) if call is not None else ""
    if call is None or name not in ("Promise.reject", "Promise.resolve"):
        return None
    given = list_inner(call, "arguments")
    if name == "Promise.reject":
        return [ast.Raise(exc=bodies.translate(given[0] if given else None))]
    return None if given else [ast.Return(value=None)]


def _translate_promise(node: Node, bodies: Bodies, later: Collection[str]) -> Statements | None:
    """A statement that makes a promise, or goes on behind one; None for any other."""
    value = node.named_children[0] if node.named_children else None
    if value is None:
        return None
    kept: Statements = []
    is_returned = node.type == "return_statement"
    if value.type == "assignment_expression":
        left = bodies.translate_target(value.child_by_field_name("left"))
        kept = [ast.Assign(targets=[left], value=make_unknown())]
        value = value.child_by_field_name("right") or value
    if is_returned:
        found = translate_awaited(open_awaited(value), bodies)
        kept.append(ast.Return(value=make_unknown()))
    else:
        found = run_promise(value, bodies, later)
    return None if found is None else [*found, *kept]


def _translate_held(node: Node, bodies: Bodies) -> Statements | None:
    """``await database.transaction(async (t) => { … })`` runs the function at once, and before what
    follows; None for any other call.
    """
    inner = node.named_children[0] if node.named_children else None
    called = inner.named_children[0] if inner and inner.type == "await_expression" else inner
    if called is inner and node.type != "return_statement":
        return None
    body = _read_held(called, bodies)
    if body is None:
        return None
    if node.type == "return_statement":
        return [*body, ast.Return(value=make_unknown())]
    # What it returns goes on behind the call: only where nothing follows is that the same.
    return body if node.next_named_sibling is None else go_on(body)


def _translate_handing(node: Node, bodies: Bodies) -> Statements | None:
    """A statement that gives others functions to run; None for any other."""
    waiting = list_waiting(node, bodies)
    if not waiting:
        return None
    if node.type == "return_statement":
        return [*waiting, ast.Return(value=bodies.translate(node.named_children[0]))]
    return [*bodies.translate_block(node.named_children), *waiting]


def _read_held(called: Node | None, bodies: Bodies) -> Statements | None:
    """What the function does that a call is given to run it; None for any other call."""
    if called is None or called.type != "call_expression":
        return None
    name = read_text(called.child_by_field_name("function")).rpartition(".")[2]
    arguments = list_inner(called, "arguments")
    functions = [each for each in arguments if each.type in FUNCTIONS]
    if len(functions) != 1 or _HOLDING.search(name) is None:
        return None
    return bodies.translate_block([functions[0].child_by_field_name("body")])


def _bind_names(
    node: Node, bodies: Bodies, later: Collection[str], own: Collection[str]
) -> Statements:
    """``const state = this.state``, ``const { state } = this``."""
    found: Statements = []
    for each in list_children(node, "variable_declarator"):
        name, value = (each.child_by_field_name(part) for part in ("name", "value"))
        function = find_bound(value) if value is not None else None
        if name is not None and function is not None and function.type in FUNCTIONS:
            found += define_function(function, read_text(name), bodies)
            continue
        if name is None or value is None or read_text(name) in own:
            continue
        ran = _run_bound(value, bodies, later)
        if ran is not None:
            found += ran
            value = None
        else:
            found += list_waiting(each, bodies)
        if name.type == "identifier":
            target = ast.Name(read_text(name))
            found.append(ast.Assign(targets=[target], value=bodies.translate(value)))
        elif name.type == "object_pattern" and value is not None:
            owner = bodies.translate(value)
            match owner:
                case ast.Call(func=ast.Attribute(value=ast.Name(id="self"))):  # it runs once
                    found.append(ast.Expr(value=owner))
                    owner = make_unknown()
            for alias, member in list_taken(name):
                taken = bodies.translate_member(owner, spell_taken(read_text(value), member))
                found.append(ast.Assign(targets=[ast.Name(alias)], value=taken))
    return found


def _run_bound(value: Node, bodies: Bodies, later: Collection[str]) -> Statements | None:
    """What runs before a variable has its result: a promise, a function that a transaction runs, or
    that runs for each of some objects.
    """
    found = run_promise(value, bodies, later)
    if found is not None or open_awaited(value) is value:
        return found
    held = _read_held(value.named_children[0], bodies)
    return go_on(held) if held is not None else translate_each(value, bodies)


def _translate_object(node: Node, bodies: Bodies) -> ast.expr:
    """``{ status: NEW, id, ...others }``."""
    keys: list[ast.expr | None] = []
    values: list[ast.expr] = []
    for each in node.named_children:
        if each.type == "pair":
            key, value = (each.child_by_field_name(part) for part in ("key", "value"))
            keys.append(_translate_key(key, bodies))
            values.append(bodies.translate(value))
        elif each.type == "shorthand_property_identifier":
            keys.append(ast.Constant(read_text(each)))
            values.append(ast.Name(read_text(each)))
        elif each.type == "spread_element":
            keys.append(None)
            values.append(bodies.translate(each.named_children[0]))
    return ast.Dict(keys=keys, values=values)


def _translate_key(node: Node | None, bodies: Bodies) -> ast.expr:
    if node is not None and node.type == "computed_property_name":
        return bodies.translate(node.named_children[0])
    return ast.Constant(read_text(node).strip("'\""))


def _translate_search(node: Node, bodies: Bodies) -> ast.expr | None:
    """``text.indexOf(part) !== -1`` and the like; None for any other comparison."""
    left, right = (node.child_by_field_name(each) for each in ("left", "right"))
    compared = f"{read_text(node.child_by_field_name('operator'))} {read_text(right)}"
    if left is None or compared not in (*_FOUND, *_NOT_FOUND):
        return None
    found = _translate_inclusion(left, bodies, "indexOf")
    if found is None or compared in _FOUND:
        return found
    return ast.UnaryOp(op=ast.Not(), operand=found)


def _translate_inclusion(node: Node, bodies: Bodies, method: str) -> ast.expr | None:
    """``[A, B].includes(x)``; None for any other call."""
    if node.type != "call_expression":
        return None
    called = node.child_by_field_name("function")
    found = bodies.translate_values(node.child_by_field_name("arguments"))
    if called is None or called.type != "member_expression" or len(found) != 1:
        return None
    if read_text(called.child_by_field_name("property")) != method:
        return None
    among = bodies.translate(called.child_by_field_name("object"))
    return ast.Compare(left=found[0], ops=[ast.In()], comparators=[among])


def _asks_constant(node: Node) -> bool:
    """``FINAL.has(x)``, ``Order.FINAL.has(x)``: what has another name may be anything."""
    called = node.child_by_field_name("function")
    owner = called.child_by_field_name("object") if called is not None else None
    return owner is not None and read_text(owner).rpartition(".")[2].isupper()


def _translate_new(node: Node, bodies: Bodies) -> ast.expr:
    made = node.child_by_field_name("constructor")
    arguments = bodies.translate_values(node.child_by_field_name("arguments"))
    is_clock = read_text(made) == "Date" and not arguments
    called = ast.Name("now") if is_clock else bodies.translate(made)
    return mark_made(ast.Call(func=called, args=arguments, keywords=[]))


def _translate_switch(node: Node, bodies: Bodies) -> Statements:
    cases: list[Case] = []
    for case in list_inner(node, "body"):
        if case.type == "comment":
            continue
        label = case.child_by_field_name("value")
        labels = None if label is None else [bodies.translate(label)]
        inner = (each for each in case.children_by_field_name("body"))
        cases.append((labels, bodies.translate_block(inner)))
    return translate_sections(node.child_by_field_name("value"), cases, bodies)
