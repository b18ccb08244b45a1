"""Bodies of methods as the syntax tree of Python, which one analysis of behaviour reads.

Only what that analysis looks at is translated: conditions, assignments, errors, blocks. Anything
else becomes an expression that says nothing.
"""

import ast
from collections.abc import Iterable, Sequence

from git_retcon.allium.extract.spelling import spell_words
from git_retcon.allium.extract.typescript.types import Node, read_string, read_text

_SIGNS: dict[str, type[ast.cmpop]] = {
    "==": ast.Eq, "===": ast.Eq, "!=": ast.NotEq, "!==": ast.NotEq,
    "<": ast.Lt, "<=": ast.LtE, ">": ast.Gt, ">=": ast.GtE,
}  # fmt: skip
_SUMS: dict[str, type[ast.operator]] = {"+": ast.Add, "-": ast.Sub, "*": ast.Mult, "/": ast.Div}
_LOOPS = frozenset({"for_statement", "for_in_statement", "while_statement", "do_statement"})


def translate_method(name: str, parameters: Sequence[str], body: Node) -> ast.FunctionDef:
    """A method as one of Python, with ``self`` for ``this``."""
    arguments = ast.arguments(
        posonlyargs=[], args=[ast.arg(each) for each in ("self", *parameters)], kwonlyargs=[],
        kw_defaults=[], defaults=[],
    )  # fmt: skip
    statements = _translate_block([body]) or [ast.Pass()]
    return ast.FunctionDef(name=name, args=arguments, body=statements, decorator_list=[])


def _translate_block(nodes: Iterable[Node | None]) -> list[ast.stmt]:
    found: list[ast.stmt] = []
    for node in nodes:
        if node is not None:
            found += _translate_statement(node)
    return found


def _translate_statement(node: Node) -> list[ast.stmt]:
    match node.type:
        case "statement_block" | "else_clause":
            return _translate_block(node.named_children)
        case "if_statement":
            body = _translate_block([node.child_by_field_name("consequence")])
            otherwise = _translate_block([node.child_by_field_name("alternative")])
            test = translate(node.child_by_field_name("condition"))
            return [ast.If(test=test, body=body or [ast.Pass()], orelse=otherwise)]
        case "throw_statement":
            thrown = node.named_children[0] if node.named_children else None
            return [ast.Raise(exc=translate(thrown))]
        case "return_statement":
            value = translate(node.named_children[0]) if node.named_children else None
            return [ast.Return(value=value)]
        case "break_statement" | "continue_statement":
            return [ast.Break()]
        case "try_statement":
            return [_translate_try(node)]
        case "switch_statement":
            return _translate_switch(node)
        case "expression_statement":
            return [_translate_expression(node.named_children[0])] if node.named_children else []
    if node.type in _LOOPS:
        body = _translate_block([node.child_by_field_name("body")]) or [ast.Pass()]
        return [ast.While(test=ast.Constant(value=True), body=body, orelse=[])]
    return []


def _translate_try(node: Node) -> ast.stmt:
    handler = node.child_by_field_name("handler")
    final = node.child_by_field_name("finalizer")
    caught = _translate_block([handler.child_by_field_name("body")]) if handler is not None else []
    return ast.Try(
        body=_translate_block([node.child_by_field_name("body")]) or [ast.Pass()],
        handlers=[ast.ExceptHandler(body=caught or [ast.Pass()])] if handler is not None else [],
        orelse=[],
        finalbody=_translate_block(final.named_children) if final is not None else [],
    )


def _translate_switch(node: Node) -> list[ast.stmt]:
    """Cases that end by themselves, as a chain of conditions; others say nothing."""
    value = translate(node.child_by_field_name("value"))
    body = node.child_by_field_name("body")
    tests: list[ast.expr] = []
    chain: list[tuple[list[ast.expr] | None, list[ast.stmt]]] = []
    for case in body.named_children if body is not None else ():
        label = case.child_by_field_name("value") if case.type == "switch_case" else None
        inner = _translate_block(
            each for each in case.named_children if read_text(each) != read_text(label)
        )
        if label is not None:
            tests.append(translate(label))
        if not inner and case.type == "switch_case":
            continue
        if not inner or not isinstance(inner[-1], ast.Break | ast.Return | ast.Raise):
            return []
        statements = inner[:-1] if isinstance(inner[-1], ast.Break) else inner
        chain.append((tests if case.type == "switch_case" else None, statements))
        tests = []
    found: list[ast.stmt] = []
    for labels, statements in reversed(chain):
        if labels is None:
            found = statements
        else:
            among: ast.expr = ast.List(elts=labels, ctx=ast.Load())
            test = ast.Compare(left=value, ops=[ast.In()], comparators=[among])
            found = [ast.If(test=test, body=statements or [ast.Pass()], orelse=found)]
    return found


def _translate_expression(node: Node) -> ast.stmt:
    if node.type == "assignment_expression":
        target = translate(node.child_by_field_name("left"))
        return ast.Assign(targets=[target], value=translate(node.child_by_field_name("right")))
    if node.type == "augmented_assignment_expression":
        sign = read_text(node.child_by_field_name("operator")).removesuffix("=")
        target = translate(node.child_by_field_name("left"))
        value = translate(node.child_by_field_name("right"))
        if sign in _SUMS and isinstance(target, ast.Attribute | ast.Name):
            return ast.AugAssign(target=target, op=_SUMS[sign](), value=value)
    return ast.Expr(value=translate(node))


def translate(node: Node | None) -> ast.expr:
    """An expression; a call of nothing for what has no counterpart."""
    if node is None:
        return _make_unknown()
    match node.type:
        case "this":
            return ast.Name(id="self", ctx=ast.Load())
        case "identifier" | "undefined":
            name = read_text(node)
            is_nothing = name == "undefined"
            return ast.Constant(value=None) if is_nothing else ast.Name(id=name, ctx=ast.Load())
        case (
            "parenthesized_expression"
            | "await_expression"
            | "non_null_expression"
            | "as_expression"
        ):
            return translate(node.named_children[0] if node.named_children else None)
        case "null":
            return ast.Constant(value=None)
        case "true" | "false":
            return ast.Constant(value=node.type == "true")
        case "string":
            return ast.Constant(value=read_string(node))
        case "number":
            return _translate_number(read_text(node))
        case "array":
            return ast.List(elts=[translate(each) for each in node.named_children], ctx=ast.Load())
        case "member_expression":
            return _translate_member(node)
        case "unary_expression":
            return _translate_unary(node)
        case "binary_expression":
            return _translate_binary(node)
        case "ternary_expression":
            parts = ("condition", "consequence", "alternative")
            test, body, orelse = (translate(node.child_by_field_name(each)) for each in parts)
            return ast.IfExp(test=test, body=body, orelse=orelse)
        case "call_expression" | "new_expression":
            return _translate_call(node)
    return _make_unknown()


def _make_unknown() -> ast.expr:
    return ast.Call(
        func=ast.Name(id="_", ctx=ast.Load()), args=[ast.Constant(value=0)], keywords=[]
    )


def _translate_unary(node: Node) -> ast.expr:
    operand = translate(node.child_by_field_name("argument"))
    match read_text(node.child_by_field_name("operator")):
        case "!":
            return ast.UnaryOp(op=ast.Not(), operand=operand)
        case "-":
            return ast.UnaryOp(op=ast.USub(), operand=operand)
    return _make_unknown()


def _translate_number(text: str) -> ast.expr:
    plain = text.replace("_", "")
    if plain.isdigit():
        return ast.Constant(value=int(plain))
    is_decimal = plain.replace(".", "", 1).isdigit()
    return ast.Constant(value=float(plain)) if is_decimal else _make_unknown()


def _translate_member(node: Node) -> ast.expr:
    value = translate(node.child_by_field_name("object"))
    name = read_text(node.child_by_field_name("property"))
    # A member of an enum, by the name that its value has in the specification.
    if isinstance(value, ast.Name) and value.id[:1].isupper() and name[:1].isupper():
        name = spell_words(name).upper()
    return ast.Attribute(value=value, attr=name.lstrip("#"), ctx=ast.Load())


def _translate_binary(node: Node) -> ast.expr:
    left, right = (translate(node.child_by_field_name(each)) for each in ("left", "right"))
    sign = read_text(node.child_by_field_name("operator"))
    if sign in ("&&", "||"):
        op: ast.boolop = ast.And() if sign == "&&" else ast.Or()
        return ast.BoolOp(op=op, values=[left, right])
    if sign in _SIGNS:
        return ast.Compare(left=left, ops=[_SIGNS[sign]()], comparators=[right])
    if sign in _SUMS:
        return ast.BinOp(left=left, op=_SUMS[sign](), right=right)
    return _make_unknown()


def _translate_call(node: Node) -> ast.expr:
    function = node.child_by_field_name("function") or node.child_by_field_name("constructor")
    arguments = node.child_by_field_name("arguments")
    found = [translate(each) for each in (arguments.named_children if arguments else ())]
    called = translate(function)
    # [A, B].includes(x)
    if isinstance(called, ast.Attribute) and called.attr == "includes" and len(found) == 1:
        return ast.Compare(left=found[0], ops=[ast.In()], comparators=[called.value])
    if node.type == "new_expression" and read_text(function) == "Date" and not found:
        called = ast.Name(id="now", ctx=ast.Load())
    return ast.Call(func=called, args=found, keywords=[])
