"""Shapes that a YAML file can have, and the check of a file against one.

What is refused, and in which words, is as GitHub does it. A shape says where expressions may be
and what they may name there.
"""

from collections.abc import Mapping as Table

from git_retcon.heal.workflows.expressions.syntax import AllowedNames
from git_retcon.heal.workflows.expressions.templates import (
    has_expression,
    parse_condition,
    parse_template,
)
from git_retcon.heal.workflows.expressions.tokens import ExpressionError
from git_retcon.heal.workflows.faults import Problems
from git_retcon.heal.workflows.nodes import Mapping, Node, Scalar, Sequence
from git_retcon.lazy_named_tuple import NamedTuple

_INSERT = "${{ insert }}"
_NO_EXPRESSION = "A template expression is not allowed in this context"


class Anything(NamedTuple):
    """Any value. Expressions in it are checked only within a place that says what they may name."""


class Single(NamedTuple):
    """One value of these kinds. A boolean or number may be given for a text, not the reverse."""

    kinds: tuple[type, ...] = (str,)
    values: frozenset[str] = frozenset()
    may_be_empty: bool = True


class Conditional(NamedTuple):
    """An ``if:``, an expression even without ``${{ }}``."""


class Items(NamedTuple):
    item: "Shape"


class Fields(NamedTuple):
    """Keys that are known; ``other`` is the shape of the values of all other keys, if any may be.

    No key is there twice, in any case.
    """

    known: Table[str, "Shape"]
    required: tuple[str, ...] = ()
    other: "Shape | None" = None


class Either(NamedTuple):
    """Several shapes, of which the first that fits the kind of value decides."""

    shapes: "tuple[Shape, ...]"


class Within(NamedTuple):
    """A shape in which expressions may name these; inside it a further one replaces it."""

    allowed: AllowedNames
    shape: "Shape"


Shape = Anything | Single | Conditional | Items | Fields | Either | Within


def check_shape(node: Node, shape: Shape, problems: Problems) -> None:
    """Note every place where a file is not as it should be."""
    _Check(problems).check(node, shape, None)


class _Check:
    def __init__(self, problems: Problems) -> None:
        self._problems = problems

    def check(self, node: Node, shape: Shape, allowed: AllowedNames | None) -> None:
        # Nothing can be wrong in there, and such trees may be large.
        if isinstance(shape, Anything) and allowed is None:
            return
        options = list(_list_options(shape, allowed))
        if isinstance(node, Scalar):
            self._check_scalar(node, options)
        elif isinstance(node, Sequence):
            self._check_sequence(node, options)
        else:
            self._check_mapping(node, options)

    def _check_scalar(self, node: Scalar, options: "list[_Option]") -> None:
        allowed = options[0].allowed
        if any(isinstance(option.shape, Conditional) for option in options):
            self._check_condition(node, allowed or AllowedNames(frozenset(), {}))
        elif isinstance(node.value, str) and has_expression(node.value):
            self._check_template(node, allowed)
        elif not any(_fits_shape(node, option.shape) for option in options):
            self._problems.refuse(node, f"Unexpected value '{node.text}'")

    def _check_template(self, node: Scalar, allowed: AllowedNames | None) -> None:
        if allowed is None:
            self._problems.refuse(node, _NO_EXPRESSION)
            return
        try:
            parse_template(node.text, allowed)
        except ExpressionError as error:
            self._refuse_expression(node, error)

    def _check_condition(self, node: Scalar, allowed: AllowedNames) -> None:
        try:
            condition = parse_condition(node.text, allowed)
        except ExpressionError as error:
            self._refuse_expression(node, error)
            return
        if len(condition.parts) > 1:
            self._problems.warn(node, "this condition is a text around ${{ }}: it is always true")

    def _refuse_expression(self, node: Scalar, error: ExpressionError) -> None:
        self._problems.refuse_at(*locate_offset(node, error.position), str(error))

    def _check_sequence(self, node: Sequence, options: "list[_Option]") -> None:
        fitting = [option for option in options if isinstance(option.shape, Items | Anything)]
        if not fitting:
            self._problems.refuse(node, "A sequence was not expected")
            return
        shape, allowed = fitting[0]
        for item in node.items:
            self.check(item, shape.item if isinstance(shape, Items) else shape, allowed)

    def _check_mapping(self, node: Mapping, options: "list[_Option]") -> None:
        fitting = [option for option in options if isinstance(option.shape, Fields | Anything)]
        if not fitting:
            self._problems.refuse(node, "A mapping was not expected")
            return
        allowed = fitting[0].allowed
        shapes = [_as_fields(option.shape) for option in fitting]
        seen: set[str] = set()
        for key, value in node.pairs:
            if has_expression(key.text):
                self._check_computed_key(key, value, allowed)
                seen.add(_INSERT)
            elif key.text.upper() in seen:
                self._problems.refuse(key, f"'{key.text}' is already defined")
            else:
                seen.add(key.text.upper())
                # Each key that only some forms have (``run``, ``uses``) says which form is meant.
                shapes = _narrow_shapes(shapes, key.text)
                self._check_field(key, value, shapes[0], allowed)
        self._check_required(node, shapes, seen)

    def _check_computed_key(self, key: Scalar, value: Node, allowed: AllowedNames | None) -> None:
        if key.text.replace(" ", "") != _INSERT.replace(" ", ""):
            self._check_template(key, allowed)
        elif allowed is None:
            self._problems.refuse(key, _NO_EXPRESSION)
        self.check(value, Anything(), allowed)

    def _check_field(
        self, key: Scalar, value: Node, fields: Fields, allowed: AllowedNames | None
    ) -> None:
        shape = fields.known.get(key.text, fields.other)
        if shape is None:
            self._problems.refuse(key, f"Unexpected value '{key.text}'")
        elif not key.text:
            self._problems.refuse(key, "Unexpected value ''")
        else:
            self.check(value, shape, allowed)

    def _check_required(self, node: Mapping, shapes: list[Fields], seen: set[str]) -> None:
        if len(shapes) > 1:
            names = ", ".join(sorted({name for shape in shapes for name in shape.required}))
            message = "There's not enough info to determine what you meant."
            self._problems.refuse(node, f"{message} Add one of these properties: {names}")
        # What is inserted may bring the required keys along.
        elif _INSERT not in seen:
            for name in shapes[0].required:
                if name.upper() not in seen:
                    self._problems.refuse(node, f"Required property is missing: {name}")


class _Option(NamedTuple):
    shape: Shape
    allowed: AllowedNames | None


def _list_options(shape: Shape, allowed: AllowedNames | None) -> "list[_Option]":
    """The plain shapes of a shape."""
    if isinstance(shape, Within):
        return _list_options(shape.shape, shape.allowed)
    if isinstance(shape, Either):
        return [option for one in shape.shapes for option in _list_options(one, allowed)]
    return [_Option(shape, allowed)]


def _as_fields(shape: Shape) -> Fields:
    return shape if isinstance(shape, Fields) else Fields({}, (), Anything())


def _narrow_shapes(shapes: list[Fields], key: str) -> list[Fields]:
    """The shapes that know a key; all of them where none does."""
    return [shape for shape in shapes if key in shape.known] or shapes


def _fits_shape(node: Scalar, shape: Shape) -> bool:
    if isinstance(shape, Anything):
        return True
    if not isinstance(shape, Single):
        return False
    if str not in shape.kinds:
        return isinstance(node.value, shape.kinds)
    if shape.values and node.text not in shape.values:
        return False
    return shape.may_be_empty or node.text != ""


def locate_offset(node: Scalar, position: int) -> tuple[int, int]:
    """The line and column of a character of a text, counted from 1.

    In a block the column is unknown, since its indentation is not in the text, and in a folded
    or wrapped text the line too: then it is where the text begins.
    """
    before = node.text[: position - 1]
    if node.style == "|":
        return node.line + 1 + before.count("\n"), 1
    if node.style == ">" or "\n" in node.text:
        return node.line, node.column
    return node.line, node.column + len(before) + len(node.style)
