"""The value of an expression, where contexts and the functions of its place are given.

Not all contexts are known before a run. What is not makes an expression unknown, unless the rest
of it decides: ``false && steps.x.outputs.y`` is false.
"""

import contextlib
import math
from collections.abc import Callable, Iterator, Mapping, Sequence

from git_retcon.heal.workflows.expressions.functions import FUNCTIONS, Memory
from git_retcon.heal.workflows.expressions.syntax import (
    Call,
    Comparison,
    Context,
    Every,
    Expression,
    Index,
    Literal,
    Logic,
    Not,
    walk_expression,
)
from git_retcon.heal.workflows.expressions.tokens import ExpressionError
from git_retcon.heal.workflows.expressions.values import (
    UNKNOWN,
    Array,
    FilteredArray,
    Login,
    NotKnown,
    Object,
    Unknown,
    Value,
    are_equal,
    is_less,
    is_primitive,
    is_true,
    to_number,
    to_text,
)
from git_retcon.lazy_named_tuple import NamedTuple

# What of these GitHub keeps is not ours to know.
_OF_GITHUB = ("secrets", "vars")


class Surroundings(NamedTuple):
    """What an expression sees: contexts by name, and functions beside the built-in ones.

    A context or function that is not here is not known. ``is_early``: later more may be known, as
    what steps set in ``env``, so that an expression which fails now may not fail then.
    """

    contexts: Mapping[str, Value]
    functions: Mapping[str, Callable[[Sequence[Value]], Value]] = {}
    is_early: bool = False


def evaluate(expression: Expression, around: Surroundings) -> Value:
    """The value. Raises ExpressionError, or NotKnown."""
    with _excuse_failure(expression, around):
        return _Evaluation(around).value_of(expression)


def is_fulfilled(expression: Expression, around: Surroundings) -> bool:
    """Whether the value counts as true, which may be known where the value is not.

    Raises ExpressionError, or NotKnown.
    """
    with _excuse_failure(expression, around):
        return _Evaluation(around).is_true(expression)


@contextlib.contextmanager
def _excuse_failure(expression: Expression, around: Surroundings) -> Iterator[None]:
    """Call a failure not known where it may come from what is empty here, and not on GitHub."""
    try:
        yield
    except ExpressionError:
        if around.is_early:
            raise NotKnown(name_expression(expression)) from None
        for part in _list_parts(expression):
            if _is_empty_here(part, around):
                raise NotKnown(name_expression(part)) from None
        raise


def _list_parts(expression: Expression) -> list[Expression]:
    """An expression and all that is in it; of ``env.NAME`` not ``env`` too."""
    parts = list(walk_expression(expression))
    named = {
        id(one.target) for one in parts if isinstance(one, Index) and isinstance(one.key, Literal)
    }
    return [one for one in parts if id(one) not in named]


def _is_empty_here(part: Expression, around: Surroundings) -> bool:
    """Whether it is a secret or a variable that has no value."""
    match part:
        case Context(name):
            return name in _OF_GITHUB
        case Index(Context(name), Literal()) if name in (*_OF_GITHUB, "env"):
            return _Evaluation(around).value_of(part) in (None, "")
    return False


class _Evaluation:
    def __init__(self, around: Surroundings) -> None:
        self._around = around
        self._memory = Memory()

    def value_of(self, expression: Expression) -> Value:
        return _require_known(self._value_of(expression), expression)

    def _value_of(self, expression: Expression) -> Value:
        match expression:
            case Literal(value):
                return value
            case Context(name):
                return self._around.contexts.get(name, UNKNOWN)
            case Index(target, key):
                return _take_index(self.value_of(target), self.value_of(key))
            case Every(target):
                return _take_all(self.value_of(target))
            case Not(operand):
                return not self.is_true(operand)
            case Comparison():
                return self._compare_operands(expression)
            case Logic(operator, operands):
                return self._decide_operands(operator == "||", operands)
            case Call():
                return self._call_function(expression)

    def _compare_operands(self, comparison: Comparison) -> bool:
        left, right = self._value_of(comparison.left), self._value_of(comparison.right)
        if comparison.operator in ("==", "!="):
            for one, other in ((left, right), (right, left)):
                if isinstance(one, Login) and one.differs_from(other):
                    return comparison.operator == "!="
        return _compare_values(
            comparison.operator,
            _require_known(left, comparison.left),
            _require_known(right, comparison.right),
        )

    def _decide_operands(self, decisive: bool, operands: tuple[Expression, ...]) -> Value:
        """The first operand that decides, or the last one."""
        value: Value = None
        for operand in operands:
            value = self.value_of(operand)
            if is_true(value) is decisive:
                break
        return value

    def is_true(self, expression: Expression) -> bool:
        """The same as ``is_true(value_of(expression))``, where an operand that is not known does
        not hide another one that decides.
        """
        if isinstance(expression, Not):
            return not self.is_true(expression.operand)
        if not isinstance(expression, Logic):
            return is_true(self.value_of(expression))
        decisive = expression.operator == "||"
        unknown: NotKnown | None = None
        for operand in expression.operands:
            try:
                if self.is_true(operand) is decisive:
                    return decisive
            except NotKnown as error:
                # The first unknown one is named; a later operand may still decide.
                unknown = unknown or error
        if unknown is not None:
            raise unknown
        return not decisive

    def _call_function(self, call: Call) -> Value:
        if call.function == "case":
            return self._evaluate_case(call.arguments)
        arguments = [self.value_of(argument) for argument in call.arguments]
        given = self._around.functions.get(call.function)
        if given is not None:
            return given(arguments)
        # One of the run's own (``success``), which nobody has given here.
        if call.function not in FUNCTIONS:
            return UNKNOWN
        return FUNCTIONS[call.function](arguments, self._memory)

    def _evaluate_case(self, arguments: tuple[Expression, ...]) -> Value:
        for condition, chosen in zip(arguments[:-1:2], arguments[1::2], strict=True):
            holds = self.value_of(condition)
            if not isinstance(holds, bool):
                raise ExpressionError("case predicate must evaluate to a boolean value")
            if holds:
                return self.value_of(chosen)
        return self.value_of(arguments[-1])


def _require_known(value: Value, expression: Expression) -> Value:
    if isinstance(value, Unknown):
        raise NotKnown(name_expression(expression))
    return value


def name_expression(expression: Expression) -> str:
    """How a person would name what is asked for."""
    match expression:
        case Context(name):
            return name
        case Index(target, Literal(str() as name)):
            return f"{name_expression(target)}.{name}"
        case Index(target, _) | Every(target):
            return f"{name_expression(target)}[…]"
        case Call(function, _):
            return f"{function}()"
        case _:
            return "(…)"


def _take_index(target: Value, index: Value) -> Value:
    if isinstance(target, FilteredArray):
        taken = (_find_item(item, index) for item in target.items)
        return FilteredArray(found[0] for found in taken if found)
    found = _find_item(target, index)
    return found[0] if found else None


def _find_item(target: Value, index: Value) -> tuple[Value] | tuple[()]:
    """The one value at an index, or none: null is a value too."""
    if isinstance(target, Object) and is_primitive(index):
        name = to_text(index)
        return (target.get(name),) if name in target else ()
    if isinstance(target, Array):
        number = to_number(index)
        if math.isfinite(number) and 0 <= number < len(target.items):
            return (target.items[int(number)],)
    return ()


def _take_all(target: Value) -> Value:
    if not isinstance(target, FilteredArray):
        return FilteredArray(_list_items(target))
    return FilteredArray(value for item in target.items for value in _list_items(item))


def _list_items(value: Value) -> Sequence[Value]:
    if isinstance(value, Array):
        return value.items
    if isinstance(value, Object) and value.rest is not None:
        raise NotKnown("an object that is not known")
    return [item for _, item in value] if isinstance(value, Object) else ()


def _compare_values(operator: str, left: Value, right: Value) -> bool:
    match operator:
        case "==":
            return are_equal(left, right)
        case "!=":
            return not are_equal(left, right)
        case "<":
            return is_less(left, right)
        case "<=":
            return is_less(left, right) or are_equal(left, right)
        case ">":
            return is_less(right, left)
        case _:
            return is_less(right, left) or are_equal(left, right)
