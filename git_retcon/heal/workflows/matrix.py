"""The cells of a job's matrix: what is made of ``strategy``, and the names GitHub prints."""

import math
from collections.abc import Iterator

from git_retcon.heal.workflows.contexts import (
    Misevaluated,
    evaluate_node,
    evaluate_text,
    with_context,
)
from git_retcon.heal.workflows.expressions.evaluation import Surroundings
from git_retcon.heal.workflows.expressions.templates import has_expression
from git_retcon.heal.workflows.expressions.values import (
    Array,
    Object,
    Value,
    are_equal,
    is_primitive,
    to_text,
)
from git_retcon.heal.workflows.nodes import Node
from git_retcon.heal.workflows.workflow import Job
from git_retcon.lazy_named_tuple import NamedTuple

MAX_CELLS = 256
# Before anything is excluded; every one of them is compared with every filter.
_MOST_COMBINATIONS = 4096
_MOST_FILTERS = 512
_LONGEST_NAME = 100


class Cell(NamedTuple):
    """One run of a job: its number, from 0, its name and, with a matrix, its values."""

    number: int
    name: str
    matrix: Object | None


class Strategy(NamedTuple):
    """How a job's cells run. ``max_parallel`` is None where all may run at once."""

    cells: tuple[Cell, ...]
    fail_fast: bool
    max_parallel: int | None


def expand_job(job: Job, around: Surroundings) -> Strategy:
    """All cells of a job, in GitHub's order. Raises Misevaluated, or NotKnown."""
    value = evaluate_node(job.strategy, around) if job.strategy else Object()
    fields = value if isinstance(value, Object) else Object()
    place = job.strategy
    matrix = fields.get("matrix")
    combinations: list[_Combination] = [_Combination(None, ())]
    if place is not None and matrix is not None:
        combinations = _combine_cells(matrix, place)
    cells = tuple(
        Cell(number, _name_cell(job, one, around), one.matrix)
        for number, one in enumerate(combinations)
    )
    # Only an explicit false: GitHub's default is true.
    return Strategy(cells, fields.get("fail-fast") is not False, _read_limit(fields))


def see_cell(around: Surroundings, strategy: Strategy, cell: Cell) -> Surroundings:
    """What expressions see within a cell."""
    limit = strategy.max_parallel or len(strategy.cells)
    described: dict[str, Value] = {
        "fail-fast": strategy.fail_fast,
        "job-index": float(cell.number),
        "job-total": float(len(strategy.cells)),
        "max-parallel": float(limit),
    }
    around = with_context(around, "strategy", Object(described.items()))
    return with_context(around, "matrix", cell.matrix)


def _read_limit(fields: Object) -> int | None:
    limit = fields.get("max-parallel")
    # Numbers of YAML and of expressions are floats here, as in JavaScript.
    usable = isinstance(limit, float) and math.isfinite(limit) and limit >= 1
    return int(limit) if isinstance(limit, float) and usable else None


class _Combination(NamedTuple):
    """Values of a cell, and the texts of those that are in its name."""

    matrix: Object | None
    named: tuple[str, ...]


def _name_cell(job: Job, combination: _Combination, around: Surroundings) -> str:
    """The job's own name if it has expressions, else with the cell's values behind it."""
    if job.name is not None and has_expression(job.name.text):
        inside = with_context(around, "matrix", combination.matrix)
        return _shorten_name(evaluate_text(job.name, inside)) or job.id
    name = (job.name.text if job.name else "") or job.id
    return _shorten_name(f"{name} ({', '.join(combination.named)})" if combination.named else name)


def _shorten_name(name: str) -> str:
    return name if len(name) <= _LONGEST_NAME else name[: _LONGEST_NAME - 3] + "..."


def _combine_cells(matrix: Value, place: Node) -> list[_Combination]:
    """The product of the vectors, less what is excluded, and with what is included."""
    if not isinstance(matrix, Object):
        raise Misevaluated("the matrix is no mapping", place)
    vectors = [pair for pair in matrix if pair[0] not in ("include", "exclude")]
    include = _read_filters(matrix.get("include"), "include", place)
    exclude = _read_filters(matrix.get("exclude"), "exclude", place)
    if not vectors and not include:
        raise Misevaluated("Matrix must define at least one vector", place)
    _check_exclude(exclude, matrix, place)
    used: set[int] = set()
    cells = [
        _extend_cell(cell, include, matrix, used)
        for cell in _multiply_vectors(vectors, place)
        if not any(_matches_value(one, cell) for one in exclude)
    ]
    # What extends no cell becomes one of its own (GitHub's rule for `include`).
    alone = [one for number, one in enumerate(include) if number not in used]
    cells += [_Combination(one, _leaf_texts(one)) for one in alone]
    if len(cells) > MAX_CELLS:
        raise Misevaluated(f"the matrix has more than {MAX_CELLS} cells", place)
    return cells


def _read_filters(value: Value, name: str, place: Node) -> list[Object]:
    items = value.items if isinstance(value, Array) else ()
    filters = [item for item in items if isinstance(item, Object)]
    if (value is not None and not isinstance(value, Array)) or len(filters) < len(items):
        raise Misevaluated(f"the matrix's `{name}` is no list of mappings", place)
    if len(filters) > _MOST_FILTERS:
        raise Misevaluated(f"the matrix's `{name}` has more than {_MOST_FILTERS} items", place)
    if not all(len(one) for one in filters):
        raise Misevaluated(f"Matrix {name} mapping does not contain any values", place)
    return filters


def _check_exclude(exclude: list[Object], matrix: Object, place: Node) -> None:
    for name in (name for one in exclude for name, _ in one):
        if name not in matrix:
            message = f"Matrix exclude key '{name}' does not match any key within the matrix"
            raise Misevaluated(message, place)


def _multiply_vectors(vectors: list[tuple[str, Value]], place: Node) -> Iterator[Object]:
    """Every combination, the last vector changing fastest; none without vectors."""
    rows: list[tuple[tuple[str, Value], ...]] = [()] if vectors else []
    for name, vector in vectors:
        if not isinstance(vector, Array):
            raise Misevaluated(f"Matrix vector '{name}' is no list", place)
        if not vector.items:
            raise Misevaluated(f"Matrix vector '{name}' does not contain any values", place)
        # Before they are made: five vectors of 100 values would be ten billion.
        if len(rows) * len(vector.items) > _MOST_COMBINATIONS:
            raise Misevaluated(f"the matrix has more than {MAX_CELLS} cells", place)
        rows = [(*row, (name, value)) for row in rows for value in vector.items]
    return map(Object, rows)


def _extend_cell(
    cell: Object, include: list[Object], matrix: Object, used: set[int]
) -> _Combination:
    """A cell with the further values of all that match it; what they repeat must be the same."""
    extra: dict[str, Value] = {}
    for number, one in enumerate(include):
        condition = Object(pair for pair in one if pair[0] in matrix)
        if _matches_value(condition, cell):
            used.add(number)
            extra |= {name: value for name, value in one if name not in matrix}
    return _Combination(Object([*cell, *extra.items()]), _leaf_texts(cell))


def _matches_value(condition: Value, value: Value) -> bool:
    """Whether every single value of a condition is the same at its place in another value."""
    if isinstance(condition, Object):
        inner = value if isinstance(value, Object) else Object()
        return all(_matches_value(wanted, inner.get(name)) for name, wanted in condition)
    if isinstance(condition, Array):
        items = value.items if isinstance(value, Array) else ()
        # A list that is too short has empty values there, as on GitHub.
        padded = (*items, *[None] * len(condition.items))
        return all(map(_matches_value, condition.items, padded))
    return are_equal(condition, value)


def _leaf_texts(value: Value) -> tuple[str, ...]:
    """All single values in it that are not empty, as texts."""
    if isinstance(value, Object):
        return tuple(text for _, item in value for text in _leaf_texts(item))
    if isinstance(value, Array):
        return tuple(text for item in value.items for text in _leaf_texts(item))
    text = to_text(value) if is_primitive(value) else ""
    return (text,) if text else ()
