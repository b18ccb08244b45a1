"""The grammar of expressions: text to a tree, or an error with its position."""

from collections.abc import Iterator, Mapping

from git_retcon.heal.workflows.expressions.tokens import (
    ExpressionError,
    Token,
    refuse_token,
    split_expression,
)
from git_retcon.heal.workflows.expressions.values import Value
from git_retcon.lazy_named_tuple import NamedTuple

MAX_DEPTH = 50
MANY = 255
_TOO_DEEP = f"Exceeded max expression depth {MAX_DEPTH}"
# From the loosest to the tightest; `!` and access to properties bind tighter than all.
_PRECEDENCE = {"||": 1, "&&": 2, "==": 3, "!=": 3, "<": 4, "<=": 4, ">": 4, ">=": 4}
_LOGICAL = ("&&", "||")

BUILT_IN = {
    "case": (3, MANY),
    "contains": (2, 2),
    "endswith": (2, 2),
    "format": (1, MANY),
    "fromjson": (1, 1),
    "join": (1, 2),
    "startswith": (2, 2),
    "tojson": (1, 1),
}


class AllowedNames(NamedTuple):
    """What an expression may name at its place; all in lower case.

    ``functions``, beside the built-in ones, with the least and the largest number of arguments.
    """

    contexts: frozenset[str]
    functions: Mapping[str, tuple[int, int]]


class Literal(NamedTuple):
    value: Value


class Context(NamedTuple):
    name: str


class Index(NamedTuple):
    target: "Expression"
    key: "Expression"


class Every(NamedTuple):
    """``target.*``"""

    target: "Expression"


class Call(NamedTuple):
    function: str
    arguments: "tuple[Expression, ...]"


class Not(NamedTuple):
    operand: "Expression"


class Comparison(NamedTuple):
    operator: str
    left: "Expression"
    right: "Expression"


class Logic(NamedTuple):
    """``&&`` or ``||`` of two or more operands."""

    operator: str
    operands: "tuple[Expression, ...]"


Expression = Literal | Context | Index | Every | Call | Not | Comparison | Logic


def parse_expression(text: str, allowed: AllowedNames) -> Expression:
    """The tree of an expression; an empty one is null. Raises ExpressionError."""
    tokens = split_expression(text)
    if not tokens:
        return Literal(None)
    parser = _Parser(text, tokens, allowed)
    expression = parser.read_operation(0)
    if parser.here is not None:
        raise refuse_token("Unexpected symbol", parser.here, text)
    _refuse_depth(expression)
    return expression


def walk_expression(expression: Expression) -> Iterator[Expression]:
    """The expression and all within it."""
    for _, part in _walk_parts(expression):
        yield part


def calls_any(expression: Expression, functions: frozenset[str]) -> bool:
    """Whether one of these functions (in lower case) is called anywhere in it."""
    return any(
        isinstance(part, Call) and part.function in functions
        for part in walk_expression(expression)
    )


def _walk_parts(expression: Expression) -> Iterator[tuple[int, Expression]]:
    """Each part with its depth, without recursion: how deep it is has not been checked yet."""
    left = [(1, expression)]
    while left:
        depth, part = left.pop()
        yield depth, part
        left.extend((depth + 1, child) for child in _list_operands(part))


def _list_operands(expression: Expression) -> "tuple[Expression, ...]":
    match expression:
        case Index(target, key):
            return target, key
        case Every(operand) | Not(operand):
            return (operand,)
        case Call(_, operands) | Logic(_, operands):
            return operands
        case Comparison(_, left, right):
            return left, right
        case _:
            return ()


def _refuse_depth(expression: Expression) -> None:
    if any(depth > MAX_DEPTH for depth, _ in _walk_parts(expression)):
        raise ExpressionError(_TOO_DEEP)


class _Parser:
    """Reads by precedence, so that nesting costs two calls a level and not one an operator."""

    def __init__(self, text: str, tokens: list[Token], allowed: AllowedNames) -> None:
        self._text = text
        self._tokens = tokens
        self._allowed = allowed
        self._next = 0
        self._depth = 0

    @property
    def here(self) -> Token | None:
        return self._tokens[self._next] if self._next < len(self._tokens) else None

    def read_operation(self, tightness: int) -> Expression:
        """Operands and operators that bind tighter than this."""
        left = self._read_operand()
        while self.here is not None and _PRECEDENCE.get(self.here.kind, 0) > tightness:
            operator = self.here.kind
            operands = [left]
            # `a && b && c` is one operation of three: a long one is not a deep one.
            while self._is_here(operator) and (operator in _LOGICAL or len(operands) < 2):
                self._take_token()
                operands.append(self.read_operation(_PRECEDENCE[operator]))
            left = _apply_operator(operator, operands)
        return left

    def _read_operand(self) -> Expression:
        self._depth += 1
        if self._depth > 2 * MAX_DEPTH:
            raise ExpressionError(_TOO_DEEP)
        operand = self._read_access()
        self._depth -= 1
        return operand

    def _read_access(self) -> Expression:
        token = self._take_token()
        match token.kind:
            case "!":
                return Not(self._read_operand())
            case "literal":
                return Literal(token.value)
            case "name":
                return self._read_properties(self._read_name(token))
            case "(":
                return self._read_properties(self._read_group())
        raise refuse_token("Unexpected symbol", token, self._text)

    def _read_group(self) -> Expression:
        expression = self.read_operation(0)
        if self.here is None:
            raise refuse_token("Unexpected end of expression", self._tokens[-1], self._text)
        self._expect_token(")")
        return expression

    def _read_name(self, token: Token) -> Expression:
        if self.here is not None and self.here.kind == "(":
            return self._read_call(token)
        if token.text.lower() not in self._allowed.contexts:
            raise refuse_token("Unrecognized named-value", token, self._text)
        return Context(token.text.lower())

    def _read_call(self, token: Token) -> Expression:
        self._expect_token("(")
        arguments: list[Expression] = []
        while arguments or not self._is_here(")"):
            arguments.append(self.read_operation(0))
            if not self._is_here(","):
                break
            self._expect_token(",")
        self._expect_token(")")
        self._check_call(token, len(arguments))
        return Call(token.text.lower(), tuple(arguments))

    def _check_call(self, token: Token, count: int) -> None:
        name = token.text.lower()
        bounds = BUILT_IN.get(name) or self._allowed.functions.get(name)
        if bounds is None:
            raise refuse_token("Unrecognized function", token, self._text)
        if count < bounds[0]:
            raise refuse_token("Too few parameters supplied", token, self._text)
        if count > bounds[1]:
            raise refuse_token("Too many parameters supplied", token, self._text)
        if name == "case" and count % 2 == 0:
            what = "Even number of parameters supplied, requires an odd number of parameters"
            raise refuse_token(what, token, self._text)

    def _read_properties(self, target: Expression) -> Expression:
        while self._is_here(".") or self._is_here("["):
            opening = self._take_token()
            if self._is_here("*"):
                self._take_token()
                target = Every(target)
            elif opening.kind == "[":
                target = Index(target, self.read_operation(0))
            elif self._is_here("name"):
                target = Index(target, Literal(self._take_token().text))
            else:
                raise refuse_token("Unexpected symbol", self._take_token(), self._text)
            if opening.kind == "[":
                self._expect_token("]")
        return target

    def _is_here(self, kind: str) -> bool:
        return self.here is not None and self.here.kind == kind

    def _expect_token(self, kind: str) -> None:
        token = self._take_token()
        if token.kind != kind:
            raise refuse_token("Unexpected symbol", token, self._text)

    def _take_token(self) -> Token:
        token = self.here
        if token is None:
            raise refuse_token("Unexpected end of expression", self._tokens[-1], self._text)
        self._next += 1
        return token


def _apply_operator(operator: str, operands: list[Expression]) -> Expression:
    if operator in _LOGICAL:
        return Logic(operator, tuple(operands))
    return Comparison(operator, *operands)
