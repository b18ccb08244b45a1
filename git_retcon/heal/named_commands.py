"""The commands that workflows name, for a person to see before any of them runs.

With them is all in the workflows that decides what they do: shells, folders, variables, inputs,
outputs, and the matrix where something is made of it.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence

from git_retcon.heal.execution.step_scope import to_plain
from git_retcon.heal.workflows import nodes
from git_retcon.heal.workflows.equivalents import find_equivalent
from git_retcon.heal.workflows.nodes import Node, Scalar, as_mapping, to_value
from git_retcon.heal.workflows.reader import read_action, read_workflow
from git_retcon.heal.workflows.step_plans import (
    DEEPEST,
    CopiedTree,
    Tree,
    find_state,
    list_action_paths,
)
from git_retcon.heal.workflows.steps import LOCAL_USES, find_checkout_folder
from git_retcon.heal.workflows.workflow import Action, Defaults, Input, Job, Step, Workflow
from git_retcon.heal.workflows.workflow_plan import join_defaults
from git_retcon.lazy_named_tuple import NamedTuple
from git_retcon.run.trust import NamedCommand


class Listed(NamedTuple):
    """What a person is shown. ``actions`` are the repository's own of which the commands are
    among it, by the path of their file: no other one may run.
    """

    commands: Sequence[NamedCommand]
    actions: Mapping[bytes, Action]


def list_commands(workflows: Iterable[Workflow], tree: Tree) -> Listed:
    """Every script, those of called workflows and of the repository's own actions included."""
    walk = _Walk(tree)
    commands = tuple(dict.fromkeys(walk.list_all(workflows)))
    return Listed(commands, walk.actions)


class _Walk:
    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._depths: dict[bytes, int] = {}
        self.actions: dict[bytes, Action] = {}

    def list_all(self, workflows: Iterable[Workflow]) -> Iterator[NamedCommand]:
        for workflow in workflows:
            self._depths[workflow.file] = 0
            yield from self._list_jobs(workflow, 0)

    def _list_jobs(self, workflow: Workflow, depth: int) -> Iterator[NamedCommand]:
        listed = [one for job in workflow.jobs for one in self._list_job(workflow, job, depth)]
        if not listed:
            return  # values of which no command is made run nothing
        top = _name_place(workflow.file, 1)
        inputs = tuple(one for trigger in workflow.triggers for one in trigger.inputs)
        yield from _list_values(top, inputs=_find_defaults(inputs), env=workflow.env)
        yield from listed
        for job in workflow.jobs:
            yield from _list_values(_name_place(workflow.file, job.line), outputs=job.outputs)
        yield from _list_values(top, outputs=workflow.outputs)

    def _list_job(self, workflow: Workflow, job: Job, depth: int) -> Iterator[NamedCommand]:
        place = _name_place(workflow.file, job.line)
        matrix = _find_matrix(job) if _is_made_of_matrix(job) else None
        listed = [*self._list_steps(workflow.file, job.steps, join_defaults(workflow, job), depth)]
        if listed:
            yield from _list_values(place, matrix=matrix, env=job.env)
        yield from listed
        if job.uses is not None and job.uses.text.startswith("./"):
            yield from _list_values(place, matrix=matrix, inputs=job.inputs)
            yield from self._list_called(job.uses.text.removeprefix("./").encode(), depth)

    def _list_called(self, path: bytes, depth: int) -> Iterator[NamedCommand]:
        content = self._read(path, depth)
        called = read_workflow(path, content).workflow if content is not None else None
        if called is not None:
            yield from self._list_jobs(called, depth + 1)

    def _list_steps(
        self, file: bytes, steps: Iterable[Step], defaults: Defaults, depth: int
    ) -> Iterator[NamedCommand]:
        outer = self._tree
        for step in steps:
            place = _name_place(file, step.line)
            folder = find_checkout_folder(step)
            self._tree = CopiedTree(self._tree, folder) if folder else self._tree
            if step.run is not None:
                command = _show_manner(step, defaults) + step.run.text.rstrip("\n")
                yield NamedCommand(place, command)
                yield from _list_values(place, env=step.env)
            elif step.uses is not None and _is_local(step):
                if step.inputs or step.env:
                    yield NamedCommand(place, _show_use(step.uses.text, step))
                    yield from _list_values(place, env=step.env)
                inner = self._tree
                self._tree = find_state(inner) if step.uses.text.startswith("$") else inner
                yield from self._list_action(step.uses.text[2:].strip("/").encode(), depth)
                self._tree = inner
            elif step.uses is not None and _runs_commands(step.uses.text):
                yield NamedCommand(place, _show_use(step.uses.text, step))
                yield from _list_values(place, env=step.env)
        self._tree = outer

    def _list_action(self, folder: bytes, depth: int) -> Iterator[NamedCommand]:
        for path in list_action_paths(folder):
            content = self._read(path, depth)
            action = read_action(path, content)[0] if content is not None else None
            if action is not None:
                self.actions[path] = action
                top = _name_place(path, 1)
                yield from _list_values(top, inputs=_find_defaults(action.inputs))
                yield from self._list_steps(path, action.steps, Defaults(), depth + 1)
                yield from _list_values(top, outputs=action.outputs)

    def _read(self, path: bytes, depth: int) -> bytes | None:
        # What was met far inside is read once more nearer to the top: more runs below it there.
        if depth >= min(self._depths.get(path, DEEPEST), DEEPEST):
            return None
        self._depths[path] = depth
        return self._tree.read(path)


def _name_place(file: bytes, line: int) -> str:
    return f"{file.decode('utf-8', 'replace')}:{line}"


def _is_local(step: Step) -> bool:
    return step.uses is not None and step.uses.text.startswith(LOCAL_USES)


def _runs_commands(uses: str) -> bool:
    """Whether something runs here in the place of an action, with inputs of the repository's."""
    return find_equivalent(uses.partition("@")[0].lower().rstrip("/")) is not None


def _is_made_of_matrix(job: Job) -> bool:
    """Whether a cell may decide what runs. An action is listed once, so what uses one counts."""
    steps = (
        node
        for step in job.steps
        for node in (step.run, step.shell, step.directory, step.inputs, step.env)
    )
    parts = (*job.defaults, job.env, job.inputs, job.outputs, *steps)
    texts = (_show_node(node).lower() for node in parts if node is not None)
    return any(map(_is_local, job.steps)) or any("matrix" in text for text in texts)


def _find_matrix(job: Job) -> Node | None:
    strategy = as_mapping(job.strategy)
    return strategy.get("matrix") if strategy else job.strategy


def _find_defaults(inputs: Iterable[Input]) -> Node | None:
    pairs = tuple((_as_name(one), one.default) for one in inputs if one.default is not None)
    return nodes.Mapping(pairs, 1, 1) if pairs else None


def _as_name(one: Input) -> Scalar:
    return Scalar(one.name, "", one.node.line, one.node.column)


def _list_values(place: str, **values: Node | None) -> Iterator[NamedCommand]:
    """Values that commands may be made of, each kind in a block of its own."""
    for kind, node in values.items():
        if isinstance(node, nodes.Mapping):
            shown = (f"{key.text}: {_show_value(value)}" for key, value in node.pairs)
            yield NamedCommand(place, "\n".join((f"({kind})", *shown)))
        elif node is not None:
            yield NamedCommand(place, f"({kind}) {_show_node(node)}")


def _show_value(node: Node) -> str:
    """A value; of an output of a workflow or an action, without what describes it."""
    fields = as_mapping(node)
    value = fields.get("value") if fields else None
    return _show_node(node if value is None else value)


def _show_node(node: Node) -> str:
    if isinstance(node, Scalar):
        return node.text
    return json.dumps(to_plain(to_value(node)), ensure_ascii=False)


def _show_manner(step: Step, defaults: Defaults) -> str:
    """In which shell and where a script runs, as far as somebody says it."""
    shell, directory = step.shell or defaults.shell, step.directory or defaults.directory
    said = [shell.text] if shell else []
    said += [f"in {directory.text}"] if directory else []
    return f"({', '.join(said)}) " if said else ""


def _show_use(uses: str, step: Step) -> str:
    pairs = step.inputs.pairs if step.inputs else ()
    given = (f"{key.text}: {value.text}" for key, value in pairs if isinstance(value, Scalar))
    return "\n".join((f"(uses) {uses}", *given))
