"""What the checkouts of a job make of its workspace."""

from collections.abc import Iterable, Iterator

from git_retcon.heal.workflows.equivalents import asks_database
from git_retcon.heal.workflows.refusals import calls_fetch
from git_retcon.heal.workflows.step_plans import StepPlan
from git_retcon.heal.workflows.steps import (
    CHECKOUT,
    PARTIAL,
    SPARSE,
    SUBMODULES,
    Compare,
    Equivalent,
    Fetch,
    Kind,
    Run,
    Satisfied,
    Skipped,
)

# Whole or not, with its submodules or without them, the state is at the top.
_AT_TOP = frozenset(
    {Satisfied(CHECKOUT), Satisfied(SPARSE), Skipped(SUBMODULES), *PARTIAL.values()}
)


def is_of_state(kind: Kind) -> bool:
    """Whether a step checks out the state at the top, whole or not."""
    return isinstance(kind, Satisfied | Skipped) and kind in _AT_TOP


def fetches_all(steps: tuple[StepPlan, ...]) -> bool:
    """Whether a job checks out other things, or the state into a folder, and never the state at
    the top: then the top holds nothing of it.
    """
    kinds = list(_list_kinds(steps))
    return any(isinstance(kind, Fetch) for kind in kinds) and not _is_at_top(kinds)


def refuse_overlaid(steps: tuple[StepPlan, ...]) -> tuple[StepPlan, ...]:
    """The steps, without those that put something else in the place of the state at the top."""
    if not _is_at_top(_list_kinds(steps)):
        return steps
    return tuple(map(_refuse_one, steps))


def list_taken_refs(steps: tuple[StepPlan, ...]) -> list[str]:
    """The refs of this repository that steps check out beside the state, or compare it with; an
    empty one is said by the run alone.
    """
    found = []
    for plan in _list_plans(steps):
        kind = plan.kind
        if isinstance(kind, Fetch) and not kind.repository:
            asks = plan.step.inputs is not None and plan.step.inputs.get("ref") is not None
            found += [kind.ref] if asks or kind.ref else []
        elif isinstance(kind, Compare):
            found.append(kind.since)
    return found + ([""] if fetches_origin(steps) else [])


def fetches_origin(steps: tuple[StepPlan, ...]) -> bool:
    """Whether a script of a job fetches branches or tags of the remote."""
    kinds = (kind for kind in _list_kinds(steps) if isinstance(kind, Run))
    return any(kind.shell.is_posix and calls_fetch(kind.script) for kind in kinds)


def asks_network(steps: tuple[StepPlan, ...]) -> bool:
    """Whether a job brings what others change at any time: another repository, or a database that
    the stand-in of an action asks.
    """
    return any(
        (isinstance(plan.kind, Fetch) and bool(plan.kind.repository))
        or (isinstance(plan.kind, Equivalent) and asks_database(plan.step))
        for plan in _list_plans(steps)
    )


def _is_at_top(kinds: Iterable[Kind]) -> bool:
    return any(map(is_of_state, kinds))


def _refuse_one(plan: StepPlan) -> StepPlan:
    kind = plan.kind
    if isinstance(kind, Fetch) and kind.is_at_top:
        kind = Skipped(f"checks out {kind.what} over this commit")
    return plan._replace(kind=kind, inner=tuple(map(_refuse_one, plan.inner)))


def _list_kinds(steps: tuple[StepPlan, ...]) -> Iterator[Kind]:
    return (plan.kind for plan in _list_plans(steps))


def _list_plans(steps: tuple[StepPlan, ...]) -> Iterator[StepPlan]:
    for plan in steps:
        yield plan
        yield from _list_plans(plan.inner)
