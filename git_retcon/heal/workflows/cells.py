"""Cells of a matrix that would do the same here, of which one runs.

They differ only in the operating system, in what is added for another one, or in versions of tools,
and this machine has one system and, mostly, one version of a tool.
"""

from collections.abc import Callable, Sequence
from typing import Protocol

from git_retcon.heal.workflows.contexts import list_parts
from git_retcon.heal.workflows.equivalents import sets_up_job
from git_retcon.heal.workflows.expressions.syntax import (
    Call,
    Context,
    Expression,
    Index,
    Literal,
    walk_expression,
)
from git_retcon.heal.workflows.expressions.templates import has_expression
from git_retcon.heal.workflows.expressions.values import Array, Object, Value, to_text
from git_retcon.heal.workflows.matrix import Cell
from git_retcon.heal.workflows.nodes import (
    Mapping,
    Node,
    Scalar,
    as_mapping,
    list_items,
    list_scalars,
)
from git_retcon.heal.workflows.setups import ToolRequest, sets_up_tools
from git_retcon.heal.workflows.steps import leaves_job_alone
from git_retcon.heal.workflows.workflow import Job, Step
from git_retcon.lazy_named_tuple import NamedTuple

_WHOLE = "*"
_OF_THE_RUN = frozenset({"env", "job", "needs", "steps"})


class FoundTool(NamedTuple):
    """The tool that a request gets. Equal names are the same tool; ``exact``: it is the version
    that was asked for. A tool that is missing has no name.
    """

    name: str
    exact: bool


class Here(Protocol):
    """What is on this machine."""

    def find_tool(self, request: ToolRequest) -> FoundTool: ...


class JudgedCell(NamedTuple):
    """What is known of a cell: the tools it wants, and the numbers of the steps that would run.

    ``fits``: this machine is one on which it can run.
    """

    cell: Cell
    fits: bool
    tools: tuple[ToolRequest, ...]
    steps: tuple[int, ...]


def find_twins(job: Job, cells: Sequence[JudgedCell], here: Here) -> dict[int, int]:
    """For the place of each cell that need not run, the place of the one that runs instead."""
    added = _find_added_for_others(job, cells)
    used = _find_what_matters(job)

    def matters(name: str) -> bool:
        return name.upper() not in added and used(name)

    groups: dict[tuple[object, ...], list[int]] = {}
    for place, judged in enumerate(cells):
        groups.setdefault(_identify_cell(judged, matters, here), []).append(place)
    twins: dict[int, int] = {}
    for group in groups.values():
        twins |= _pair_cells(group, cells, here)
    return twins


def _pair_cells(group: list[int], cells: Sequence[JudgedCell], here: Here) -> dict[int, int]:
    """One cell for each set of steps runs. Where the machine does not fit, the steps do not count:
    they differ because the system does.
    """
    chosen: dict[tuple[int, ...], int] = {}
    # The cell that asks for what is here comes first: its name is the one that is shown.
    for place in sorted(group, key=lambda place: -_count_exact(cells[place], here)):
        if cells[place].fits:
            chosen.setdefault(cells[place].steps, place)
    runs = list(chosen.values())
    return {
        place: chosen[cells[place].steps] if cells[place].fits else min(runs)
        for place in group
        if runs and place not in runs
    }


def _count_exact(judged: JudgedCell, here: Here) -> int:
    return sum(here.find_tool(request).exact for request in judged.tools)


def _identify_cell(
    judged: JudgedCell, matters: Callable[[str], bool], here: Here
) -> tuple[object, ...]:
    """What a cell does here, apart from its steps: the values that matter, and the tools it gets.

    An empty value is as none.
    """
    values = judged.cell.matrix or ()
    others = [pair for pair in values if matters(pair[0]) and pair[1] not in ("", None)]
    tools = [here.find_tool(request).name for request in judged.tools]
    return _freeze_value(Object(others)), tuple(tools)


def _freeze_value(value: Value) -> object:
    """What can be compared: objects and arrays are equal only to themselves."""
    if isinstance(value, Object):
        return tuple((name, _freeze_value(item)) for name, item in value)
    if isinstance(value, Array):
        return tuple(map(_freeze_value, value.items))
    # 1, 1.0 and true are equal to Python, and different to GitHub.
    return type(value), value


def _find_what_matters(job: Job) -> Callable[[str], bool]:
    """Which values of a matrix change what a job does here: those that are used, if not to say
    the system or a version. What only names a cell or a step changes nothing.
    """
    setups = [
        step
        for step in job.steps
        if step.uses and (sets_up_tools(step.uses.text) or sets_up_job(step))
    ]
    axes = _names_of_matrix([job.runs_on, *(step.inputs for step in setups)])
    nodes: list[Node | None] = [job.env, job.defaults.shell, job.defaults.directory, job.container]
    for step in job.steps:
        nodes += [step.run, step.env, step.shell, step.directory, step.continue_on_error]
        nodes += [] if step in setups else [step.uses]
        nodes += [] if step in setups or _leaves_job_alone(step) else [step.inputs]
        nodes += [_as_template(step.condition)] if _may_be_unknown(step.condition) else []
    used = _names_of_matrix([*nodes, job.services, job.continue_on_error, job.timeout])
    everything = _WHOLE in used

    def matters(name: str) -> bool:
        return name.upper() not in axes and (everything or name.upper() in used)

    return matters


def _find_added_for_others(job: Job, cells: Sequence[JudgedCell]) -> set[str]:
    """The names, in capitals, of what `include` adds to every cell of another system, and of which
    no cell that can run here has any.
    """
    matrix = as_mapping(job.strategy.get("matrix") if isinstance(job.strategy, Mapping) else None)
    if matrix is None:
        return set()
    systems = _names_of_matrix([job.runs_on])
    added: set[str] = set()
    others: set[str] = set()
    for item in list_items(matrix.get("include")):
        pairs = item.pairs if isinstance(item, Mapping) else ()
        asked = [(key, value) for key, value in pairs if matrix.get(key.text) is not None]
        new = {key.text.upper() for key, _ in pairs} - {key.text.upper() for key, _ in asked}
        is_of_system = bool(asked) and all(
            key.text.upper() in systems and _is_among(value, matrix.get(key.text))
            for key, value in asked
        )
        (added if is_of_system else others).update(new)
    here = (cell.cell.matrix or () for cell in cells if cell.fits)
    others |= {name.upper() for pairs in here for name, value in pairs if value not in ("", None)}
    return added - others


def _is_among(value: Node, vector: Node | None) -> bool:
    """Whether a vector of the matrix has a value, so that an item extends cells with it."""
    texts = [one.text for one in list_scalars(vector)]
    return isinstance(value, Scalar) and value.text in texts


def _leaves_job_alone(step: Step) -> bool:
    return step.uses is not None and leaves_job_alone(step.uses.text)


def _may_be_unknown(condition: Scalar | None) -> bool:
    """Whether a condition may depend on the run. One that does not is decided by the steps that a
    cell has, so what it names is not looked at again.
    """
    template = _as_template(condition)
    parts = [inner for part in list_parts(template) for inner in walk_expression(part)]
    contexts = {part.name for part in parts if isinstance(part, Context)}
    calls = {part.function for part in parts if isinstance(part, Call)}
    return bool(contexts & _OF_THE_RUN) or "hashfiles" in calls


def _as_template(condition: Scalar | None) -> Scalar | None:
    if condition is None or has_expression(condition.text):
        return condition
    return condition._replace(value="${{" + condition.text + "}}") if condition.text else None


def _names_of_matrix(nodes: Sequence[Node | None]) -> set[str]:
    """Every ``x`` of a ``matrix.x`` in nodes, in capitals; ``*`` where it is used as a whole."""
    names: set[str] = set()
    for part in (part for node in nodes for part in list_parts(node)):
        inner = list(walk_expression(part))
        found = [name for one in inner for name in _name_of_matrix(one)]
        uses = [one for one in inner if isinstance(one, Context) and one.name == "matrix"]
        names.update(map(str.upper, found), [_WHOLE] if len(uses) > len(found) else [])
    return names


def _name_of_matrix(part: Expression) -> list[str]:
    match part:
        case Index(Context("matrix"), Literal(name)):
            return [to_text(name)]
    return []
