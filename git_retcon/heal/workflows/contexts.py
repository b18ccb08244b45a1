"""What a job's expressions see, and the values of nodes that hold them."""

from collections.abc import Iterator

from git_retcon.heal.workflows.expressions.evaluation import Surroundings
from git_retcon.heal.workflows.expressions.syntax import Expression
from git_retcon.heal.workflows.expressions.templates import (
    fill_template,
    has_expression,
    read_template,
)
from git_retcon.heal.workflows.expressions.tokens import ExpressionError
from git_retcon.heal.workflows.expressions.values import (
    UNKNOWN,
    Array,
    NotKnown,
    Object,
    Value,
    make_exact_object,
    to_text,
)
from git_retcon.heal.workflows.nodes import Mapping, Node, Scalar, Sequence
from git_retcon.lazy_named_tuple import NamedTuple

_INSERT = "${{insert}}"


class Misevaluated(Exception):
    """An expression that fails when it is evaluated, with its place."""

    def __init__(self, message: str, node: Node) -> None:
        super().__init__(message)
        self.line = node.line
        self.column = node.column


def evaluate_node(node: Node, around: Surroundings) -> Value:
    """The value of a node with every ``${{ }}`` in it filled. Raises Misevaluated or NotKnown."""
    if isinstance(node, Scalar):
        return _evaluate_scalar(node, around)
    if isinstance(node, Sequence):
        return Array(evaluate_node(item, around) for item in node.items)
    return Object(_evaluate_pairs(node, around))


def evaluate_text(node: Scalar, around: Surroundings) -> str:
    """The same as a text."""
    return to_text(_evaluate_scalar(node, around))


def _evaluate_scalar(node: Scalar, around: Surroundings) -> Value:
    if not isinstance(node.value, str) or not has_expression(node.value):
        return node.value
    try:
        return fill_template(read_template(node.value), around)
    except ExpressionError as error:
        raise Misevaluated(str(error), node) from None


def _evaluate_pairs(node: Mapping, around: Surroundings) -> list[tuple[str, Value]]:
    pairs: list[tuple[str, Value]] = []
    for key, value in node.pairs:
        if _is_insert(key):
            inserted = evaluate_node(value, around)
            pairs += inserted if isinstance(inserted, Object) else ()
        else:
            pairs.append((evaluate_text(key, around), evaluate_node(value, around)))
    return pairs


def _is_insert(key: Scalar) -> bool:
    """GitHub's own form for a whole object in the middle of another."""
    return key.text.replace(" ", "") == _INSERT


def list_parts(node: Node | None) -> Iterator[Expression]:
    """Every expression in a node."""
    if isinstance(node, Scalar):
        if isinstance(node.value, str) and has_expression(node.value):
            yield from (part for part in read_template(node.value) if not isinstance(part, str))
    elif isinstance(node, Sequence):
        for item in node.items:
            yield from list_parts(item)
    elif node is not None:
        for _, value in node.pairs:
            yield from list_parts(value)


class Variables(NamedTuple):
    """Variables of one ``env``, and of which ones the value is not known before the run."""

    known: tuple[tuple[str, str], ...]
    unknown: tuple[str, ...]


def evaluate_env(env: Mapping | Scalar | None, around: Surroundings) -> Variables:
    """The variables that an ``env`` sets. Raises Misevaluated."""
    known: list[tuple[str, str]] = []
    unknown: list[str] = []
    if isinstance(env, Scalar):
        return Variables(tuple(_list_inserted(env, around)), ())
    for key, value in env.pairs if env else ():
        if _is_insert(key):
            known += _list_inserted(value, around)
            continue
        try:
            known.append((evaluate_text(key, around), to_text(evaluate_node(value, around))))
        except NotKnown:
            unknown.append(key.text)
    return Variables(tuple(known), tuple(unknown))


def _list_inserted(node: Node, around: Surroundings) -> list[tuple[str, str]]:
    """The variables of an object that an expression gives; none while only a run can say them."""
    try:
        value = evaluate_node(node, around)
    except NotKnown:
        return []
    if isinstance(value, Object):
        return [(name, to_text(item)) for name, item in value]
    if value is None:
        return []
    raise Misevaluated("A mapping was expected", node)


def with_context(around: Surroundings, name: str, value: Value) -> Surroundings:
    """The same, with one context more or another."""
    return around._replace(contexts={**around.contexts, name: value})


def with_env(around: Surroundings, variables: Variables) -> Surroundings:
    """The same, where ``env`` has these variables too; the later ones win."""
    before = around.contexts.get("env")
    pairs: dict[str, Value] = dict(before) if isinstance(before, Object) else {}
    pairs |= dict(variables.known) | dict.fromkeys(variables.unknown, UNKNOWN)
    return with_context(around, "env", make_exact_object(pairs.items()))


def open_env(around: Surroundings) -> Surroundings:
    """The same, where ``env`` may have more variables than are known before the run."""
    before = around.contexts.get("env")
    pairs = before if isinstance(before, Object) else ()
    return with_context(around, "env", Object(pairs, str, rest=UNKNOWN))
