"""Bodies of methods as the syntax tree of Python, which one analysis of behaviour reads.

Only what that analysis looks at is translated: conditions, assignments, errors, blocks. Anything
else becomes an expression that says nothing. The grammars of most languages give the same things
the same names; what a language has alone, its dialect translates.
"""

import ast
import functools
import re
from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple, Protocol

from git_retcon.allium.extract.grammar.calls import make_call, mark_origin
from git_retcon.allium.extract.grammar.choosing_statements import translate_choosing
from git_retcon.allium.extract.grammar.statements import (
    Statements,
    make_break,
    make_unknown,
    negate,
)
from git_retcon.allium.extract.grammar.switch_sections import names_switch
from git_retcon.allium.extract.grammar.syntax_nodes import Node, find_first, read_text
from git_retcon.allium.extract.python.syntax.nested_statements import walk_statements
from git_retcon.allium.extract.spelling import spell_words

_SIGNS: Mapping[str, type[ast.cmpop]] = {
    "==": ast.Eq, "===": ast.Eq, "!=": ast.NotEq, "!==": ast.NotEq,
    "<": ast.Lt, "<=": ast.LtE, ">": ast.Gt, ">=": ast.GtE,
}  # fmt: skip
_SUMS: Mapping[str, type[ast.operator]] = {
    "+": ast.Add, "-": ast.Sub, "*": ast.Mult, "/": ast.Div,
}  # fmt: skip
_BLOCKS = frozenset(
    {"block", "statement_list", "else_clause", "expression_list", "unsafe_block",
     "labeled_statement", "statement_block"}
)  # fmt: skip
_HELD = frozenset({"synchronized_statement", "lock_statement", "using_statement"})
_IFS = frozenset({"if_statement", "if_expression"})
_RETURNS = frozenset({"return_statement", "return_expression"})
_THROWS = frozenset({"throw_statement", "throw_expression"})
_BREAKS = frozenset({"break_statement", "break_expression"})
_CONTINUES = frozenset({"continue_statement", "continue_expression"})
_LOOPS = frozenset(
    {"for_statement", "foreach_statement", "enhanced_for_statement", "for_in_statement",
     "while_statement", "do_statement", "for_expression", "while_expression", "loop_expression"}
)  # fmt: skip
_UNWRITTEN = frozenset({"comment", "line_comment", "block_comment", "empty_statement"})
_ASKING = frozenset({"while_statement", "while_expression"})  # before each round
_ASSIGNMENTS = frozenset(
    {
        "assignment_statement",
        "assignment_expression",
        "compound_assignment_expr",
        "augmented_assignment_expression",
    }
)
_STEPS = frozenset(
    {"inc_statement", "dec_statement", "update_expression", "postfix_unary_expression"}
)
# Node → its parts: what it is a member of, and the member's name.
_MEMBERS: Mapping[str, tuple[str, str]] = {
    "selector_expression": ("operand", "field"), "field_expression": ("value", "field"),
    "field_access": ("object", "field"), "member_access_expression": ("expression", "name"),
    "scoped_identifier": ("path", "name"), "scoped_type_identifier": ("path", "name"),
}  # fmt: skip
_NAMES = frozenset({"identifier", "field_identifier", "type_identifier"})
_WRAPPERS = frozenset(
    {"parenthesized_expression", "await_expression", "match_pattern", "constant_pattern",
     "reference_expression", "expression_list", "checked_expression"}
)  # fmt: skip
_NUMBERS = (
    "integer_literal", "int_literal", "float_literal", "real_literal", "floating_point_literal",
    "number",
)  # fmt: skip
_NOTHING = frozenset({"nil", "null", "null_literal", "none"})
_UNARY = frozenset({"unary_expression", "prefix_unary_expression"})
_CALLS = frozenset(
    {"call_expression", "invocation_expression", "object_creation_expression", "macro_invocation"}
)


class Dialect(Protocol):
    """What a language alone has. None where it is as in most of them."""

    def translate_statement(self, node: Node, bodies: "Bodies") -> Statements | None: ...

    def translate_expression(self, node: Node, bodies: "Bodies") -> ast.expr | None: ...


class Scope(NamedTuple):
    """What names mean in a body.

    ``subject`` is the object that the method belongs to. ``members`` are its fields and methods
    that need no subject before them. ``constants`` are values of enums by a name of their own,
    ``aliases`` other names of its fields.
    """

    subject: str = "this"
    members: Collection[str] = ()
    constants: Mapping[str, ast.expr] = {}
    aliases: Mapping[str, str] = {}


class Bodies:
    """Translates the bodies of one record's methods."""

    def __init__(self, dialect: Dialect, scope: Scope) -> None:
        self._dialect = dialect
        self._scope = scope

    def translate_block(self, nodes: Iterable[Node | None]) -> Statements:
        """Statements, one after the other."""
        return [each for node in nodes if node is not None for each in self._read_body(node)]

    def translate_values(self, node: Node | None) -> list[ast.expr]:
        """Each of an expression's children, of arguments for example."""
        listed = node.named_children if node is not None else ()
        return [self.translate(each) for each in listed if "comment" not in each.type]

    def _read_body(self, node: Node) -> Statements:
        found = self._dialect.translate_statement(node, self)
        if found is not None:
            return found
        kind = node.type
        if kind in _BLOCKS:
            return self.translate_block(node.named_children)
        if kind in _IFS:
            return [self._translate_if(node)]
        if kind in _RETURNS:
            value = self._translate_first(node) if find_first(node) is not None else None
            return [ast.Return(value=value)]
        if kind in _THROWS:
            return [ast.Raise(exc=self._translate_first(node))]
        if kind in _BREAKS:
            return [make_break(names_loop=bool(node.named_children) and not names_switch(node))]
        if kind in _CONTINUES:
            return [ast.Continue()]
        if kind in _LOOPS:
            return [self._translate_loop(node)]
        if kind == "try_statement":
            return [self._translate_try(node)]
        if kind in _HELD:
            return self.translate_block(
                each for each in node.named_children if each.type in _BLOCKS
            )
        return self._read_expression(node)

    def _read_expression(self, node: Node) -> Statements:
        kind = node.type
        if kind == "expression_statement":
            return self.translate_block(node.named_children)
        if kind in _ASSIGNMENTS:
            return self._translate_assignment(node)
        if kind in _STEPS:
            return self._translate_step(node)
        if kind in _CALLS or kind in ("method_invocation", "await_expression"):
            return [ast.Expr(value=self.translate(node))]
        return translate_choosing(node, self) or []

    def _translate_loop(self, node: Node) -> ast.stmt:
        """A loop over all of something, with a name for one of it, or any other."""
        body = self.translate_block([node.child_by_field_name("body")]) or [ast.Pass()]
        one = node.child_by_field_name("left") or node.child_by_field_name("name")
        listed = node.child_by_field_name("right") or node.child_by_field_name("value")
        if one is not None and one.type == "identifier" and listed is not None:
            each = self.translate(listed)
            if any(part.type == "await" for part in node.children):
                each = ast.Await(value=each)  # what comes may be an error
            return ast.For(target=ast.Name(read_text(one)), iter=each, body=body, orelse=[])
        goes_on = any(isinstance(each, ast.Continue) for each in walk_statements(body))
        if node.type == "do_statement" and not goes_on:
            # It runs once at least, and is left where the condition does not hold behind that.
            left = negate(self.translate(node.child_by_field_name("condition")))
            leave = ast.If(test=left, body=[make_break(names_loop=False)], orelse=[])
            return ast.While(test=ast.Constant(value=True), body=[*body, leave], orelse=[])
        asked = node.child_by_field_name("condition") if node.type in _ASKING else None
        if asked is None and not _is_endless(node):
            return ast.For(target=ast.Name("_"), iter=make_unknown(), body=body, orelse=[])
        test = self.translate(asked) if asked is not None else ast.Constant(value=True)
        return ast.While(test=test, body=body, orelse=[])

    def _translate_if(self, node: Node) -> ast.stmt:
        test = self.translate(node.child_by_field_name("condition"))
        body = self.translate_block([node.child_by_field_name("consequence")])
        otherwise = self.translate_block([node.child_by_field_name("alternative")])
        return ast.If(test=test, body=body or [ast.Pass()], orelse=otherwise)

    def _translate_try(self, node: Node) -> ast.stmt:
        body = self.translate_block([node.child_by_field_name("body")])
        caught = [
            self.translate_block([each.child_by_field_name("body")])
            for each in node.named_children
            if each.type == "catch_clause"
        ]
        final = [each for each in node.named_children if each.type == "finally_clause"]
        handlers = [ast.ExceptHandler(body=each or [ast.Pass()]) for each in caught]
        finalbody = self.translate_block(part for each in final for part in each.named_children)
        return ast.Try(body=body or [ast.Pass()], handlers=handlers, orelse=[], finalbody=finalbody)

    def _translate_step(self, node: Node) -> Statements:
        """``n++`` and ``n--``."""
        target, sign = self._translate_first(node), read_text(node)[-2:]
        if sign not in ("++", "--") or not isinstance(target, ast.Attribute | ast.Name):
            return []
        op = ast.Add() if sign == "++" else ast.Sub()
        return [ast.AugAssign(target=target, op=op, value=ast.Constant(1))]

    def _translate_assignment(self, node: Node) -> Statements:
        target = self.translate_target(node.child_by_field_name("left"))
        right = node.child_by_field_name("right")
        sign = read_text(node.child_by_field_name("operator")).removesuffix("=")
        if sign in _SUMS and isinstance(target, ast.Attribute | ast.Name):
            return [ast.AugAssign(target=target, op=_SUMS[sign](), value=self.translate(right))]
        if right is not None and right.type == node.type and not sign:
            return _assign_same(target, self._translate_assignment(right))
        value = make_unknown() if sign else self.translate(right)
        return [ast.Assign(targets=[target], value=value)]

    def translate(self, node: Node | None) -> ast.expr:
        """An expression; a call of nothing for what has no counterpart."""
        if node is None:
            return make_unknown()
        found = self._dialect.translate_expression(node, self)
        found = self._translate_common(node) if found is None else found
        return mark_origin(found, node.start_byte) if _names_own(found) else found

    def translate_target(self, node: Node | None) -> ast.expr:
        """What is set; an element of something for what has no counterpart: nothing sets a call."""
        found = self.translate(node)
        if isinstance(found, ast.Call):
            return ast.Subscript(ast.Name("_"), ast.Constant(0))
        return found

    def _translate_common(self, node: Node) -> ast.expr:
        kind = node.type
        if kind in _NAMES:
            return self.translate_name(read_text(node))
        if kind in ("this", "self"):
            return ast.Name("self")
        if kind in _WRAPPERS:
            return self._translate_first(node)
        if kind in _NOTHING:
            return ast.Constant(None)
        if kind in ("true", "false", "boolean_literal"):
            return ast.Constant(read_text(node) == "true")
        if kind.endswith("string_literal"):
            return ast.Constant(read_text(node).strip("\"'`"))
        if kind.endswith(_NUMBERS):
            return _read_number(read_text(node))
        if kind in _MEMBERS:
            owner, name = (node.child_by_field_name(part) for part in _MEMBERS[kind])
            return self.translate_member(self.translate(owner), read_text(name))
        if kind in _UNARY:
            return self._translate_unary(node)
        if kind == "binary_expression":
            return self._translate_binary(node)
        if kind in ("ternary_expression", "conditional_expression"):
            parts = ("condition", "consequence", "alternative")
            test, body, orelse = (self.translate(node.child_by_field_name(each)) for each in parts)
            return ast.IfExp(test=test, body=body, orelse=orelse)
        return self._translate_call(node)

    def translate_name(self, name: str) -> ast.expr:
        """What a name alone means."""
        if name == self._scope.subject:
            return ast.Name("self")
        if name in self._scope.members:
            return ast.Attribute(value=ast.Name("self"), attr=name)
        return self._scope.constants.get(name) or ast.Name(name)

    def _translate_first(self, node: Node) -> ast.expr:
        return self.translate(find_first(node))

    def translate_member(self, owner: ast.expr, name: str) -> ast.expr:
        """What a member of something means."""
        if isinstance(owner, ast.Name) and owner.id != "self" and name in self._scope.constants:
            return self._scope.constants[name]
        if isinstance(owner, ast.Name) and owner.id == "self":
            name = self._scope.aliases.get(name, name)
        last = owner.attr if isinstance(owner, ast.Attribute) else getattr(owner, "id", "")
        # A member of an enum, by the name that its value has in the specification.
        if last[:1].isupper() and name[:1].isupper() and not _is_own(owner):
            name = spell_words(name).upper()
        return ast.Attribute(value=owner, attr=name)

    def _translate_unary(self, node: Node) -> ast.expr:
        sign = read_text(node)[:1]
        operands = [each for each in node.named_children if each.type != "comment"]
        operand = self.translate(operands[-1] if operands else None)
        if sign == "!":
            return ast.UnaryOp(op=ast.Not(), operand=operand)
        if sign == "-":
            return ast.UnaryOp(op=ast.USub(), operand=operand)
        return operand if sign in ("*", "&") else make_unknown()

    def _translate_binary(self, node: Node) -> ast.expr:
        left, right = (self.translate(node.child_by_field_name(each)) for each in ("left", "right"))
        return self.combine(node, left, right)

    def combine(self, node: Node, left: ast.expr, right: ast.expr) -> ast.expr:
        """What the operator of a node makes of two expressions."""
        sign = read_text(node.child_by_field_name("operator"))
        if sign in ("&&", "||"):
            op: ast.boolop = ast.And() if sign == "&&" else ast.Or()
            return ast.BoolOp(op=op, values=[left, right])
        if sign in _SIGNS:
            return ast.Compare(left=left, ops=[_SIGNS[sign]()], comparators=[right])
        if sign in _SUMS:
            return ast.BinOp(left=left, op=_SUMS[sign](), right=right)
        return make_unknown()

    def _translate_call(self, node: Node) -> ast.expr:
        arguments = self.translate_values(node.child_by_field_name("arguments"))
        if node.type == "method_invocation":
            name = read_text(node.child_by_field_name("name"))
            owner = node.child_by_field_name("object")
            called = (
                self.translate_name(name)
                if owner is None
                else ast.Attribute(value=self.translate(owner), attr=name)
            )
        elif node.type in _CALLS:
            part = node.child_by_field_name("function") or node.child_by_field_name("type")
            called = self.translate(part)
        else:
            return make_unknown()
        return make_call(called, arguments)


def _assign_same(target: ast.expr, inner: Statements) -> Statements:
    """``a = b = value``, of which ``b = value`` is known."""
    match inner:
        case [ast.Assign(targets=targets, value=value)]:
            return [ast.Assign(targets=[*targets, target], value=value)]
    return [*inner, ast.Assign(targets=[target], value=make_unknown())]


def _names_own(node: ast.expr) -> bool:
    """Whether an expression is a member of the object itself, or a call of one."""
    match node.func if isinstance(node, ast.Call) else node:
        case ast.Attribute(value=ast.Name(id="self")):
            return True
    return False


def _is_own(node: ast.expr) -> bool:
    """Whether a dotted expression begins at the object itself: its members are no values."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name) and node.id == "self"


def _read_number(text: str) -> ast.expr:
    found = _number_pattern().fullmatch(text.replace("_", ""))
    if found is None:
        return make_unknown()
    return ast.Constant(float(found[1]) if "." in found[1] else int(found[1]))


@functools.cache
def _number_pattern() -> "re.Pattern[str]":
    # Without a suffix that names the type: 1u64, 10L, 2.5m. Other bases, octal numbers of C with
    # them, and exponents say nothing here.
    return re.compile(r"(?!0[xXbBoO\d])(\d+(?:\.\d+)?)(?:[a-df-zA-DF-Z]\w*)?")


def _is_endless(loop: Node) -> bool:
    """Whether nothing is written before the body of a loop: ``for (;;) {``, ``loop {``."""
    body = loop.child_by_field_name("body")
    written = (each for each in loop.named_children if each.type not in _UNWRITTEN)
    return all(each == body for each in written)
