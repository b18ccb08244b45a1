"""Which events start a workflow.

What happened is given as values: this module asks git nothing.
"""

from collections.abc import Sequence

from git_retcon.heal.workflows.filters import matches_last
from git_retcon.heal.workflows.happenings import (
    Happening,
    NamedEvent,
    PullRequest,
    Push,
    name_event,
)
from git_retcon.heal.workflows.workflow import Filters, Trigger, Workflow
from git_retcon.lazy_named_tuple import NamedTuple

_BRANCH, _TAG = "refs/heads/", "refs/tags/"
# Activities of a pull request when it is made and when commits are pushed to it. They are also
# the ones that start a workflow which names none.
_PULL_REQUEST_TYPES = ("opened", "synchronize", "reopened")


class Start(NamedTuple):
    """Whether an event starts a workflow, and why or why not."""

    starts: bool
    reason: str


def decide_start(workflow: Workflow, happening: Happening) -> Start:
    """Whether this happening starts a workflow."""
    event = name_event(happening)
    trigger = workflow.trigger(event)
    if trigger is None:
        known = ", ".join(dict.fromkeys(one.event for one in workflow.triggers))
        return Start(False, f"starts on {known}, not on {event}")
    match happening:
        case Push():
            refusal = _refuse_push(trigger, happening)
        case PullRequest():
            refusal = _refuse_pull_request(trigger, happening)
        case NamedEvent():
            refusal = ""
    return Start(not refusal, refusal or f"starts on {event}")


def decide_any(workflow: Workflow, happenings: Sequence[Happening]) -> tuple[Happening | None, str]:
    """The first of these happenings that starts a workflow, and why; else why none does."""
    decided = [(happening, decide_start(workflow, happening)) for happening in happenings]
    for happening, start in decided:
        if start.starts:
            return happening, start.reason
    # A filter that holds an event back says more than that another event is not named at all.
    held = [start.reason for one, start in decided if workflow.trigger(name_event(one))]
    reasons = held or [start.reason for _, start in decided[:1]]
    return None, "; ".join(dict.fromkeys(reasons))


def _refuse_push(trigger: Trigger, push: Push) -> str:
    if push.ref.startswith(_TAG):
        return _refuse_ref(push.ref.removeprefix(_TAG), "tag", trigger.tags, trigger.branches)
    branch = push.ref.removeprefix(_BRANCH)
    refusal = _refuse_ref(branch, "branch", trigger.branches, trigger.tags)
    return refusal or _refuse_paths(trigger.paths, push.changed)


def _refuse_ref(name: str, kind: str, filters: Filters, others: Filters) -> str:
    """Filters of only branches mean that no tag starts it, and the reverse."""
    if filters == Filters() and others != Filters():
        return f"no {kind} starts it"
    return "" if _passes_filters(filters, name) else f"the {kind} '{name}' is filtered out"


def _refuse_pull_request(trigger: Trigger, request: PullRequest) -> str:
    if trigger.types and not set(trigger.types) & set(_PULL_REQUEST_TYPES):
        return f"starts when a pull request is {' or '.join(trigger.types)}"
    if not _passes_filters(trigger.branches, request.base):
        return f"pull requests to '{request.base}' are filtered out"
    return _refuse_paths(trigger.paths, request.changed)


def _passes_filters(filters: Filters, name: str) -> bool:
    if filters.wanted:
        return matches_last((pattern.text for pattern in filters.wanted), name)
    return not matches_last((pattern.text for pattern in filters.ignored), name)


def _refuse_paths(filters: Filters, changed: Sequence[bytes] | None) -> str:
    if filters == Filters() or changed is None:
        return ""
    names = (path.decode("utf-8", "surrogateescape") for path in changed)
    # One changed path that passes is enough, for both kinds of filter.
    if any(_passes_filters(filters, name) for name in names):
        return ""
    return "no changed path is asked for" if filters.wanted else "all changed paths are ignored"
