"""What bodies have in Rust alone: results, patterns, macros, and blocks with a value."""

import ast
from collections.abc import Sequence

from git_retcon.allium.extract.grammar.method_bodies import Bodies
from git_retcon.allium.extract.grammar.statements import (
    Case,
    Statements,
    chain_cases,
    forget_assigned,
    make_unknown,
    negate,
)
from git_retcon.allium.extract.grammar.syntax_nodes import (
    Node,
    list_children,
    list_inner,
    parse_source,
    read_text,
)
from git_retcon.allium.extract.grammar.written_types import split_arguments
from git_retcon.allium.extract.rust.types import GRAMMAR

_REFUSALS = frozenset({"bail", "anyhow::bail", "eyre::bail"})
_DEMANDS = frozenset({"ensure", "anyhow::ensure", "eyre::ensure", "require"})
_ASSERTIONS = frozenset({"assert", "debug_assert"})
_PANICS = frozenset({"panic", "unreachable", "todo", "unimplemented"})
_CLOCKS = frozenset({"Utc::now()", "Local::now()", "SystemTime::now()", "Instant::now()",
                     "OffsetDateTime::now_utc()", "chrono::Utc::now()"})  # fmt: skip


class RustDialect:
    """Rust's own statements and expressions."""

    def translate_statement(self, node: Node, bodies: Bodies) -> Statements | None:
        match node.type:
            case "return_expression" if _is_failure(next(list_children(node), None)):
                return [ast.Raise(exc=ast.Name("error"))]
            case "call_expression" if _is_failure(node):
                return [ast.Raise(exc=ast.Name("error"))]
            case "match_expression":
                return _translate_match(node, bodies, None)
            case "assignment_expression":
                right = node.child_by_field_name("right")
                if right is not None and right.type == "match_expression":
                    target = bodies.translate(node.child_by_field_name("left"))
                    return _translate_match(right, bodies, target)
            case "let_declaration":
                name = bodies.translate(node.child_by_field_name("pattern"))
                value = bodies.translate(node.child_by_field_name("value"))
                return [ast.Assign(targets=[name], value=value)]
            case "macro_invocation":
                return _translate_macro(node, bodies)
        return None

    def translate_expression(self, node: Node, bodies: Bodies) -> ast.expr | None:
        match node.type:
            case "macro_invocation":
                return _translate_matches(node, bodies)
            case "call_expression" if read_text(node) in _CLOCKS:
                return ast.Call(func=ast.Name("now"), args=[], keywords=[])
            case "call_expression":
                return _translate_option(node, bodies) or _translate_made(node, bodies)
            case "struct_expression":
                return bodies.translate(node.child_by_field_name("name"))
            case "if_expression":
                return _translate_choice(node, bodies)
            case "block":
                values = [*list_children(node)]
                return bodies.translate(values[0]) if len(values) == 1 else make_unknown()
            case "let_condition" | "let_chain":
                return make_unknown()
            case "try_expression":
                return make_unknown()
        return None


def translate_body(body: Node | None, bodies: Bodies) -> Statements:
    """A body whose last expression may be what it returns."""
    nodes = [*list_children(body)]
    last = nodes[-1] if nodes else None
    statements = bodies.translate_block(nodes[:-1])
    if last is None:
        return statements
    is_value = not last.type.endswith(("_statement", "_declaration", "_item", "comment"))
    is_branch = last.type in ("match_expression", "if_expression")
    found = bodies.translate_block([last])
    ends = found and isinstance(found[-1], ast.Raise | ast.Assign | ast.AugAssign)
    if is_value and not is_branch and not ends:
        found = [ast.Return(value=bodies.translate(last))]
    return [*statements, *found]


def _is_failure(node: Node | None) -> bool:
    return node is not None and read_text(node.child_by_field_name("function")) == "Err"


def _translate_choice(node: Node, bodies: Bodies) -> ast.expr:
    """``if a { x } else { y }`` as a value."""
    parts = ("condition", "consequence")
    test, body = (bodies.translate(node.child_by_field_name(each)) for each in parts)
    orelse = next(list_children(node.child_by_field_name("alternative")), None)
    return ast.IfExp(test=test, body=body, orelse=bodies.translate(orelse))


def _translate_option(node: Node, bodies: Bodies) -> ast.expr | None:
    """``self.paid_at.is_some()`` says whether it is there."""
    called = node.child_by_field_name("function")
    if called is None or called.type != "field_expression":
        return None
    name = read_text(called.child_by_field_name("field"))
    if name not in ("is_some", "is_none", "clone"):
        return None
    value = bodies.translate(called.child_by_field_name("value"))
    if name == "clone":
        return value
    sign = ast.IsNot() if name == "is_some" else ast.Is()
    return ast.Compare(left=value, ops=[sign], comparators=[ast.Constant(None)])


def _translate_made(node: Node, bodies: Bodies) -> ast.expr | None:
    """``Some(x)`` is x; ``Status::Done(x)`` is a variant with something in it."""
    called = node.child_by_field_name("function")
    if read_text(called) == "Some":
        return bodies.translate(next(iter(list_inner(node, "arguments")), None))
    if called is None or called.type != "scoped_identifier":
        return None
    parts = read_text(called).split("::")
    return bodies.translate(called) if all(each[:1].isupper() for each in parts[-2:]) else None


def _translate_match(node: Node, bodies: Bodies, target: ast.expr | None) -> Statements:
    """The arms as a chain of conditions; where the value is assigned, each assigns its own."""
    cases: list[Case] = []
    has_guard = False
    for arm in list_inner(node, "body"):
        pattern = next(list_children(arm.child_by_field_name("pattern")), None)
        body = arm.child_by_field_name("value")
        part = arm.child_by_field_name("pattern")
        has_guard |= part is not None and part.child_by_field_name("condition") is not None
        statements = _translate_arm(body, bodies, target)
        labels = None if pattern is None else read_pattern(pattern, bodies)
        cases.append((labels, statements))
    if has_guard:
        return forget_assigned(each for _, inner in cases for each in inner)
    return chain_cases(bodies.translate(node.child_by_field_name("value")), cases)


def _translate_arm(body: Node | None, bodies: Bodies, target: ast.expr | None) -> Statements:
    if body is None:
        return []
    if target is None:
        return bodies.translate_block([body])
    *before, last = body.named_children if body.type == "block" else [body]
    found = bodies.translate_block([*before, last])
    if found and isinstance(found[-1], ast.Raise | ast.Return | ast.Break):
        return found
    return [
        *bodies.translate_block(before),
        ast.Assign(targets=[target], value=bodies.translate(last)),
    ]


def read_pattern(node: Node, bodies: Bodies) -> Sequence[ast.expr] | None:
    """The values that a pattern is; None for one that anything matches."""
    match node.type:
        case "or_pattern":
            found: list[ast.expr] = []
            for each in list_children(node):
                found += read_pattern(each, bodies) or [make_unknown()]
            return found
        case "tuple_struct_pattern" | "struct_pattern":
            return [bodies.translate(node.child_by_field_name("type"))]
        case "scoped_identifier" | "captured_pattern":
            return [bodies.translate(node)]
        case "identifier" if read_text(node)[:1].islower():
            return None  # a name for any type
        case "_":
            return None
    return [bodies.translate(node)]


def _read_arguments(node: Node) -> list[str]:
    tree = next(list_children(node, "token_tree"), None)
    return [*split_arguments(read_text(tree)[1:-1])] if tree is not None else []


def _translate_macro(node: Node, bodies: Bodies) -> Statements:
    name = read_text(node.child_by_field_name("macro"))
    arguments = _read_arguments(node)
    if name in _REFUSALS:
        return [ast.Raise(exc=ast.Name("error"))]
    if name in _PANICS:
        return [ast.Raise(exc=ast.Name("AssertionError"))]
    if name in _DEMANDS | _ASSERTIONS and arguments:
        test = _translate_text(arguments[0], bodies)
        if name in _ASSERTIONS:
            return [ast.Assert(test=test)]
        return [ast.If(test=negate(test), body=[ast.Raise(exc=ast.Name("error"))], orelse=[])]
    return [ast.Expr(value=make_unknown())]


def _translate_matches(node: Node, bodies: Bodies) -> ast.expr:
    """``matches!(self.status, Status::New | Status::Done)``."""
    arguments = _read_arguments(node)
    if read_text(node.child_by_field_name("macro")) != "matches" or len(arguments) != 2:
        return make_unknown()
    # As a condition it would be an or of bits; as an arm it is the pattern that it is.
    root = parse_source(GRAMMAR, f"fn f() {{ match x {{ {arguments[1]} => 1 }} }}".encode())
    arm = _find_first(root, "match_arm")
    pattern = arm.child_by_field_name("pattern") if arm is not None else None
    inner = next(list_children(pattern), None)
    has_guard = pattern is not None and pattern.child_by_field_name("condition") is not None
    if inner is None or has_guard:
        return make_unknown()
    labels = read_pattern(inner, bodies)
    value = _translate_text(arguments[0], bodies)
    if labels is None:
        return make_unknown()
    return ast.Compare(left=value, ops=[ast.In()], comparators=[ast.List(elts=[*labels])])


def _translate_text(text: str, bodies: Bodies) -> ast.expr:
    """An expression that a macro has as mere tokens."""
    root = parse_source(GRAMMAR, f"fn f() {{ let x = {text}; }}".encode())
    found = _find_first(root, "let_declaration")
    return bodies.translate(found.child_by_field_name("value") if found is not None else None)


def _find_first(node: Node | None, kind: str) -> Node | None:
    if node is None or node.type == kind:
        return node
    return next((found for each in node.named_children if (found := _find_first(each, kind))), None)
