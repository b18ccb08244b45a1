"""Files to workflows and actions, or to what is wrong with them."""

import functools
import re
from collections.abc import Callable

from git_retcon.heal.workflows import grammar
from git_retcon.heal.workflows.expressions.templates import has_expression
from git_retcon.heal.workflows.faults import Problem, Problems
from git_retcon.heal.workflows.filters import BadPattern, read_pattern
from git_retcon.heal.workflows.nodes import (
    BadYaml,
    Mapping,
    Node,
    Scalar,
    Sequence,
    as_mapping,
    as_scalar,
    list_items,
    list_scalars,
)
from git_retcon.heal.workflows.shapes import Shape, check_shape
from git_retcon.heal.workflows.stand_ins import replace_action
from git_retcon.heal.workflows.workflow import (
    Action,
    Defaults,
    Filters,
    Input,
    Job,
    Step,
    Trigger,
    Workflow,
    rank_jobs,
)
from git_retcon.lazy_named_tuple import NamedTuple

_SPECIAL_STEPS = ("wait", "wait-all", "cancel", "parallel")
_BAD_ID = (
    "The identifier '{0}' is invalid. IDs may only contain alphanumeric characters, '_', and '-'."
    " IDs must start with a letter or '_' and must be less than 100 characters."
)
_LONGEST_ID = 100


class ReadWorkflow(NamedTuple):
    """A workflow, or none where GitHub would refuse the file; problems may hold warnings too."""

    workflow: Workflow | None
    problems: tuple[Problem, ...]


class ReadAction(NamedTuple):
    action: Action | None
    problems: tuple[Problem, ...]


def read_workflow(
    file: bytes, content: bytes, read: Callable[[bytes], Node] | None = None
) -> ReadWorkflow:
    """The workflow in a file; ``file`` is its path, for messages. ``read`` reads YAML in the place
    of PyYAML, or raises BadYaml.
    """
    problems = Problems(file)
    root = _read_root(content, grammar.WORKFLOW, problems, read)
    if root is None or problems.fatal:
        return ReadWorkflow(None, tuple(problems.found))
    workflow = _make_workflow(file, root)
    _check_workflow(workflow, root, problems)
    return ReadWorkflow(None if problems.fatal else workflow, tuple(problems.found))


def read_action(file: bytes, content: bytes) -> ReadAction:
    """The action in an ``action.yml``."""
    problems = Problems(file)
    root = _read_root(content, grammar.ACTION, problems)
    runs = as_mapping(root.get("runs")) if root else None
    if root is None or runs is None or problems.fatal:
        return ReadAction(None, tuple(problems.found))
    using = _read_text(runs.get("using"))
    # Actions in JavaScript and Docker are not run here, so nothing else of them is read.
    if using == "composite":
        check_shape(runs, grammar.COMPOSITE, problems)
    steps = _make_steps(runs.get("steps")) if using == "composite" else ()
    _check_steps(steps, problems)
    outputs = as_mapping(root.get("outputs"))
    inputs = _make_inputs(root.get("inputs"))
    action = Action(file, _read_text(root.get("name")), using, inputs, outputs, steps)
    return ReadAction(None if problems.fatal else action, tuple(problems.found))


def _read_root(
    content: bytes,
    shape: Shape,
    problems: Problems,
    read: Callable[[bytes], Node] | None = None,
) -> Mapping | None:
    """The outermost mapping, checked. PyYAML is imported only here."""
    if read is None:
        from git_retcon.heal.workflows.yaml import read_yaml

        read = read_yaml
    try:
        root = read(content)
    except BadYaml as error:
        problems.refuse_at(error.line, error.column, str(error))
        return None
    if not isinstance(root, Mapping):
        problems.refuse(root, "the file holds no mapping")
        return None
    check_shape(root, shape, problems)
    return root


def _as_env(node: Node | None) -> Mapping | Scalar | None:
    """Variables, or the expression that gives them all."""
    if isinstance(node, Scalar):
        return node if has_expression(node.text) else None
    return as_mapping(node)


def _read_text(node: Node | None) -> str:
    return node.text if isinstance(node, Scalar) else ""


def _make_workflow(file: bytes, root: Mapping) -> Workflow:
    triggers = _make_triggers(root.get("on"))
    call = next((as_mapping(one.node) for one in triggers if one.event == "workflow_call"), None)
    jobs = as_mapping(root.get("jobs"))
    return Workflow(
        file=file,
        name=as_scalar(root.get("name")),
        triggers=triggers,
        env=_as_env(root.get("env")),
        defaults=_make_defaults(root.get("defaults")),
        concurrency=root.get("concurrency"),
        jobs=tuple(
            _make_job(key, value)
            for key, value in (jobs.pairs if jobs else ())
            if isinstance(value, Mapping)
        ),
        outputs=as_mapping(call.get("outputs")) if call else None,
    )


def _make_triggers(node: Node | None) -> tuple[Trigger, ...]:
    if isinstance(node, Mapping):
        return tuple(_make_trigger(key.text, key, value) for key, value in node.pairs)
    return tuple(_make_trigger(name.text, name, name) for name in list_scalars(node))


def _make_trigger(event: str, place: Node, node: Node) -> Trigger:
    fields = node if isinstance(node, Mapping) else Mapping((), place.line, place.column)

    def filters(name: str) -> Filters:
        said = (list_scalars(fields.get(key)) for key in (name, name + "-ignore"))
        return Filters(*(tuple(one for one in texts if one.value is not None) for texts in said))

    return Trigger(
        event=event,
        branches=filters("branches"),
        tags=filters("tags"),
        paths=filters("paths"),
        types=tuple(one.text for one in list_scalars(fields.get("types"))),
        inputs=_make_inputs(fields.get("inputs")),
        node=node,
    )


def _make_defaults(node: Node | None) -> Defaults:
    run = as_mapping(node.get("run")) if isinstance(node, Mapping) else None
    if run is None:
        return Defaults()
    return Defaults(as_scalar(run.get("shell")), as_scalar(run.get("working-directory")))


def _make_inputs(node: Node | None) -> tuple[Input, ...]:
    pairs = node.pairs if isinstance(node, Mapping) else ()
    return tuple(_make_input(key, value) for key, value in pairs)


def _make_input(key: Scalar, node: Node) -> Input:
    fields = node if isinstance(node, Mapping) else Mapping((), key.line, key.column)
    required = as_scalar(fields.get("required"))
    return Input(
        name=key.text,
        type=_read_text(fields.get("type")) or "string",
        required=required is not None and required.text == "true",
        default=fields.get("default"),
        node=key,
    )


def _make_job(key: Scalar, node: Mapping) -> Job:
    return Job(
        id=key.text,
        name=as_scalar(node.get("name")),
        needs=list_scalars(node.get("needs")),
        condition=as_scalar(node.get("if")),
        strategy=node.get("strategy"),
        concurrency=node.get("concurrency"),
        runs_on=node.get("runs-on"),
        env=_as_env(node.get("env")),
        defaults=_make_defaults(node.get("defaults")),
        outputs=as_mapping(node.get("outputs")),
        environment=node.get("environment"),
        container=node.get("container"),
        services=node.get("services"),
        continue_on_error=as_scalar(node.get("continue-on-error")),
        timeout=as_scalar(node.get("timeout-minutes")),
        steps=_make_steps(node.get("steps")),
        uses=as_scalar(node.get("uses")),
        inputs=as_mapping(node.get("with")),
        secrets=node.get("secrets"),
        line=key.line,
        column=key.column,
    )


def _make_steps(node: Node | None) -> tuple[Step, ...]:
    steps = [step for step in list_items(node) if isinstance(step, Mapping)]
    return tuple(replace_action(_make_step(number, step)) for number, step in enumerate(steps, 1))


def _make_step(number: int, node: Mapping) -> Step:
    return Step(
        number=number,
        id=_read_text(node.get("id")),
        name=as_scalar(node.get("name")),
        condition=as_scalar(node.get("if")),
        run=as_scalar(node.get("run")),
        uses=as_scalar(node.get("uses")),
        inputs=as_mapping(node.get("with")),
        env=_as_env(node.get("env")),
        shell=as_scalar(node.get("shell")),
        directory=as_scalar(node.get("working-directory")),
        continue_on_error=as_scalar(node.get("continue-on-error")),
        timeout=as_scalar(node.get("timeout-minutes")),
        special=next((name for name in _SPECIAL_STEPS if node.get(name)), ""),
        line=node.line,
        column=node.column,
    )


def _check_workflow(workflow: Workflow, root: Mapping, problems: Problems) -> None:
    if not workflow.triggers:
        problems.refuse(root, "No event triggers defined in `on`")
    for trigger in workflow.triggers:
        _check_trigger(trigger, problems)
    for job in workflow.jobs:
        _check_id(job.id, job, problems)
        _check_job(job, problems)
    _check_needs(workflow, root, problems)


def _check_trigger(trigger: Trigger, problems: Problems) -> None:
    for name, filters in (
        ("branches", trigger.branches),
        ("tags", trigger.tags),
        ("paths", trigger.paths),
    ):
        if filters.wanted and filters.ignored:
            message = f"you may only define one of `{name}` and `{name}-ignore` for a single event"
            problems.refuse(trigger.node, message)
        _check_patterns(filters, name, problems)
    if trigger.event == "schedule":
        _check_schedule(trigger.node, problems)


def _check_patterns(filters: Filters, name: str, problems: Problems) -> None:
    for pattern in filters.wanted + filters.ignored:
        try:
            read_pattern(pattern.text)
        except BadPattern as error:
            problems.refuse(pattern, f"Invalid pattern '{pattern.text}': {error}")
    # GitHub takes it, and then starts nothing: a warning is all that its author ever gets.
    if filters.wanted and all(pattern.text.startswith("!") for pattern in filters.wanted):
        problems.warn(filters.wanted[0], f"`{name}` has only negative patterns: nothing matches")


def _check_schedule(node: Node, problems: Problems) -> None:
    for item in node.items if isinstance(node, Sequence) else ():
        cron = as_scalar(item.get("cron")) if isinstance(item, Mapping) else None
        if cron is not None and not _cron().fullmatch(cron.text.strip()):
            problems.refuse(cron, f"Invalid cron expression '{cron.text}'")


@functools.cache
def _cron() -> re.Pattern[str]:
    return re.compile(r"(?:[0-9A-Za-z*,/-]+\s+){4}[0-9A-Za-z*,/-]+")


def _check_id(name: str, place: Job | Step, problems: Problems) -> None:
    valid = re.fullmatch("[A-Za-z_][A-Za-z0-9_-]*", name) and len(name) < _LONGEST_ID
    if not valid:
        problems.refuse_at(place.line, place.column, _BAD_ID.format(name))
    elif name.startswith("__"):
        message = f"The identifier '{name}' is invalid. IDs starting with '__' are reserved."
        problems.refuse_at(place.line, place.column, message)


def _check_job(job: Job, problems: Problems) -> None:
    if job.uses is not None and not _called_workflow().fullmatch(job.uses.text):
        problems.refuse(job.uses, f"invalid value workflow reference: '{job.uses.text}'")
    _check_steps(job.steps, problems)


@functools.cache
def _called_workflow() -> re.Pattern[str]:
    name = r"\.github/workflows/[^/@]+\.ya?ml"
    return re.compile(rf"\./{name}|[^/@\s]+/[^/@\s]+/{name}@\S+")


def _check_steps(steps: tuple[Step, ...], problems: Problems) -> None:
    seen: set[str] = set()
    for step in steps:
        if step.id:
            _check_id(step.id, step, problems)
        # Ids are compared without regard to case, as all names in expressions are.
        if step.id and step.id.lower() in seen:
            message = f"The identifier '{step.id}' may not be used more than once within"
            problems.refuse_at(step.line, step.column, message + " the same scope.")
        seen.add(step.id.lower())
        if step.uses is not None and not _used_action().fullmatch(step.uses.text):
            message = "Expected format {org}/{repo}[/path]@ref. Actual "
            problems.refuse(step.uses, f"{message}'{step.uses.text}'")


@functools.cache
def _used_action() -> re.Pattern[str]:
    return re.compile(r"\.[/\\].*|\$/.*|docker://.+|[^/@\s]+/[^@\s]+@\S+")


def _check_needs(workflow: Workflow, root: Mapping, problems: Problems) -> None:
    jobs = root.get("jobs")
    # GitHub's first complaint about such a file; a cycle further on is not worth a second one.
    if all(job.needs for job in workflow.jobs):
        message = "The workflow must contain at least one job with no dependencies."
        problems.refuse(jobs or root, message)
        return
    ranks = rank_jobs(workflow.jobs)
    for job in workflow.jobs:
        for need in job.needs if job.id not in ranks else ():
            if workflow.job(need.text) is None:
                problems.refuse(need, f"Job '{job.id}' depends on unknown job '{need.text}'.")
            elif need.text not in ranks:
                message = f"Job '{job.id}' depends on job '{need.text}' which creates a cycle in"
                problems.refuse(need, message + " the dependency graph.")
