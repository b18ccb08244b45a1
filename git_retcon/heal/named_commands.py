"""The commands that workflows name, for a person to see before any of them runs."""

from collections.abc import Iterable, Iterator

from git_retcon.heal.workflows.equivalents import find_equivalent
from git_retcon.heal.workflows.nodes import Scalar
from git_retcon.heal.workflows.reader import read_action, read_workflow
from git_retcon.heal.workflows.step_plans import DEEPEST, Tree, list_action_paths
from git_retcon.heal.workflows.workflow import Step, Workflow
from git_retcon.run.trust import NamedCommand


def list_commands(workflows: Iterable[Workflow], tree: Tree) -> list[NamedCommand]:
    """Every script, those of called workflows and of the repository's own actions included."""
    return list(dict.fromkeys(_Walk(tree).list_all(workflows)))


class _Walk:
    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._seen: set[bytes] = set()

    def list_all(self, workflows: Iterable[Workflow]) -> Iterator[NamedCommand]:
        for workflow in workflows:
            self._seen.add(workflow.file)
            yield from self._list_jobs(workflow, 0)

    def _list_jobs(self, workflow: Workflow, depth: int) -> Iterator[NamedCommand]:
        for job in workflow.jobs:
            yield from self._list_steps(workflow.file, job.steps, depth)
            if job.uses is not None and job.uses.text.startswith("./"):
                yield from self._list_called(job.uses.text.removeprefix("./").encode(), depth)

    def _list_called(self, path: bytes, depth: int) -> Iterator[NamedCommand]:
        content = self._read_once(path, depth)
        called = read_workflow(path, content).workflow if content is not None else None
        if called is not None:
            yield from self._list_jobs(called, depth + 1)

    def _list_steps(self, file: bytes, steps: Iterable[Step], depth: int) -> Iterator[NamedCommand]:
        for step in steps:
            if step.run is not None:
                role = f"{file.decode('utf-8', 'replace')}:{step.line}"
                shell = f"({step.shell.text}) " if step.shell else ""
                yield NamedCommand(role, shell + step.run.text.rstrip("\n"))
            elif step.uses is not None and step.uses.text.startswith("./"):
                yield from self._list_action(step.uses.text[2:].strip("/").encode(), depth)
            elif step.uses is not None and _runs_commands(step.uses.text):
                role = f"{file.decode('utf-8', 'replace')}:{step.line}"
                yield NamedCommand(role, _show_use(step.uses.text, step))

    def _list_action(self, folder: bytes, depth: int) -> Iterator[NamedCommand]:
        for path in list_action_paths(folder):
            content = self._read_once(path, depth)
            action = read_action(path, content)[0] if content is not None else None
            if action is not None:
                yield from self._list_steps(path, action.steps, depth + 1)

    def _read_once(self, path: bytes, depth: int) -> bytes | None:
        if path in self._seen or depth >= DEEPEST:
            return None
        self._seen.add(path)
        return self._tree.read(path)


def _runs_commands(uses: str) -> bool:
    """Whether something runs here in the place of an action, with inputs of the repository's."""
    return find_equivalent(uses.partition("@")[0].lower().rstrip("/")) is not None


def _show_use(uses: str, step: Step) -> str:
    pairs = step.inputs.pairs if step.inputs else ()
    given = (f"{key.text}: {value.text}" for key, value in pairs if isinstance(value, Scalar))
    return "\n".join((f"(uses) {uses}", *given))
