"""What to run where no workflow can: the user's own commands, else what the project names.

The first of these that there is: ``heal.step``, local hooks of pre-commit, tox, nox, scripts of
``package.json``, targets of a ``Makefile``.
"""

import json
import re
from collections.abc import Callable, Iterator, Sequence

from git_retcon.heal.local_tools import ToolsHere
from git_retcon.heal.workflows.nodes import BadYaml, Mapping, Node, Scalar, as_mapping, list_items
from git_retcon.heal.workflows.reader import read_workflow
from git_retcon.heal.workflows.setups import ToolRequest
from git_retcon.heal.workflows.step_plans import Tree
from git_retcon.heal.workflows.workflow import Workflow
from git_retcon.lazy_named_tuple import NamedTuple

_WANTED = ("lint", "check", "test")
_NO_TEST = "no test specified"  # what `npm init` writes


class OwnSteps(NamedTuple):
    """Commands, and the file that names them; ``heal.step`` for the user's own."""

    source: bytes
    commands: tuple[str, ...]
    before: str = ""  # what has to run before each of them

    @property
    def is_users(self) -> bool:
        """Whether the user's own configuration names them."""
        return self.source == CONFIGURED


CONFIGURED = b"heal.step"


def choose_steps(configured: Sequence[str], tree: Tree, tools: ToolsHere) -> OwnSteps | None:
    """The commands of the first source that has any, or None."""
    commands = tuple(command for command in configured if command.strip())
    if commands:
        return OwnSteps(CONFIGURED, commands)
    found = (find(tree, tools) for find in _SOURCES)
    return next((steps for steps in found if steps is not None and steps.commands), None)


def make_workflow(steps: OwnSteps) -> Workflow:
    """A workflow with a job for each command, which all find the files as they are."""
    before = [{"name": steps.before, "run": steps.before}] if steps.before else []
    jobs = {
        f"step-{number}": {
            "name": command.partition("\n")[0][:80],
            "runs-on": "ubuntu-latest",
            "steps": [*before, {"run": command}],
        }
        for number, command in enumerate(steps.commands, 1)
    }
    text = json.dumps({"name": steps.source.decode(), "on": "push", "jobs": jobs})
    # An expression in a command would be read as one of a workflow.
    read = read_workflow(steps.source, text.replace("${{", "$ {{").encode())
    assert read.workflow is not None, read.problems
    with_files = tuple(job._replace(has_files=True) for job in read.workflow.jobs)
    return read.workflow._replace(jobs=with_files)


def _is_here(tool: str, tools: ToolsHere) -> bool:
    return tools.match(ToolRequest(tool, "")).tool is not None


def _find_hooks(tree: Tree, tools: ToolsHere) -> OwnSteps | None:
    """Local hooks alone: the others would be downloaded."""
    name = b".pre-commit-config.yaml"
    content = tree.read(name)
    if content is None or not _is_here("pre-commit", tools):
        return None
    ids = [f"pre-commit run --all-files {one}" for one in _list_local_hooks(content)]
    return OwnSteps(name, tuple(ids))


def _list_local_hooks(content: bytes) -> Iterator[str]:
    from git_retcon.heal.workflows.yaml import read_yaml

    try:
        root = as_mapping(read_yaml(content))
    except BadYaml:
        return
    for repository in map(as_mapping, list_items(root.get("repos") if root else None)):
        if repository is not None and _read_text(repository, "repo") == "local":
            for hook in map(as_mapping, list_items(repository.get("hooks"))):
                name = _read_text(hook, "id") if hook else ""
                if re.fullmatch(r"[\w.-]+", name):
                    yield name


def _read_text(node: Mapping, key: str) -> str:
    value: Node | None = node.get(key)
    return value.text if isinstance(value, Scalar) else ""


def _find_tox(tree: Tree, tools: ToolsHere) -> OwnSteps | None:
    for name, sign in ((b"tox.ini", b""), (b"pyproject.toml", b"[tool.tox"), (b"tox.toml", b"")):
        content = tree.read(name)
        if content is not None and sign in content and _is_here("tox", tools):
            return OwnSteps(name, ("tox",))
    return None


def _find_nox(tree: Tree, tools: ToolsHere) -> OwnSteps | None:
    if tree.read(b"noxfile.py") is None or not _is_here("nox", tools):
        return None
    return OwnSteps(b"noxfile.py", ("nox",))


def _find_scripts(tree: Tree, tools: ToolsHere) -> OwnSteps | None:
    content = tree.read(b"package.json")
    if content is None or not _is_here("npm", tools):
        return None
    try:
        scripts = json.loads(content)["scripts"]
        named = [name for name in _WANTED if _NO_TEST not in scripts.get(name, _NO_TEST)]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    # Scripts need the packages; a lock file makes them those that CI has.
    install = "npm ci" if tree.read(b"package-lock.json") is not None else "npm install"
    return OwnSteps(b"package.json", tuple(f"npm run {name}" for name in named), install)


def _find_targets(tree: Tree, tools: ToolsHere) -> OwnSteps | None:
    for name in (b"GNUmakefile", b"makefile", b"Makefile"):
        content = tree.read(name)
        if content is not None and _is_here("make", tools):
            text = content.decode("utf-8", "replace")
            targets = [one for one in _WANTED if re.search(rf"(?m)^{one}\s*::?(?!=)", text)]
            return OwnSteps(name, tuple(f"make {one}" for one in targets))
    return None


_SOURCES: tuple[Callable[[Tree, ToolsHere], OwnSteps | None], ...] = (
    _find_hooks, _find_tox, _find_nox, _find_scripts, _find_targets,
)  # fmt: skip
