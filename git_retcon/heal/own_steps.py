"""What to run where no workflow can: the user's own commands, else what the project names.

The first of these that there is: ``heal.step``, local hooks of pre-commit, tox, nox, scripts of
``package.json``, targets of a ``Makefile``.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from git_retcon.heal.execution.step_scope import to_plain
from git_retcon.heal.local_tools import ToolsHere
from git_retcon.heal.workflows.nodes import (
    BadYaml,
    Mapping,
    Node,
    Scalar,
    as_mapping,
    list_items,
    to_value,
)
from git_retcon.heal.workflows.reader import read_workflow
from git_retcon.heal.workflows.setups import ToolRequest
from git_retcon.heal.workflows.step_plans import Tree
from git_retcon.heal.workflows.workflow import Workflow
from git_retcon.lazy_named_tuple import NamedTuple
from git_retcon.show.counting import all_of

_WANTED = ("lint", "check", "test")
_LOCAL_HOOKS = "$RUNNER_TEMP/local-hooks.json"
_NO_TEST = "no test specified"  # what `npm init` writes


class OwnSteps(NamedTuple):
    """Commands, and the file that names them; ``heal.step`` for the user's own.

    ``missing`` are the files that come before it and are passed over, as their tools are not here.
    """

    source: bytes
    commands: tuple[str, ...]
    before: str = ""  # what has to run before each of them
    missing: tuple[tuple[bytes, str], ...] = ()

    @property
    def is_users(self) -> bool:
        """Whether the user's own configuration names them."""
        return self.source == CONFIGURED


CONFIGURED = b"heal.step"


class _Named(NamedTuple):
    """What a file of the project names, and the tool that runs it."""

    tool: str
    steps: OwnSteps


def choose_steps(configured: Sequence[str], tree: Tree, tools: ToolsHere) -> OwnSteps | None:
    """The commands of the first source that has any, or None."""
    commands = tuple(command for command in configured if command.strip())
    if commands:
        return OwnSteps(CONFIGURED, commands)
    missing: list[tuple[bytes, str]] = []
    for named in _list_named(tree):
        if _is_here(named.tool, tools):
            return named.steps._replace(missing=tuple(missing))
        missing.append((named.steps.source, named.tool))
    return None


def describe_choice(steps: OwnSteps) -> str:
    """What is run in place of workflows, and what is not, for people."""
    said = f"'{steps.source.decode()}' is run instead"
    return f"{said}, as {describe_missing(steps.missing)}" if steps.missing else said


def describe_missing(missing: Sequence[tuple[bytes, str]]) -> str:
    """Tools that are not here, with the files that name commands for them; empty for none."""
    if not missing:
        return ""
    verb = "is" if len(missing) == 1 else "are"
    files = ", ".join(f"'{file.decode()}'" for file, _ in missing)
    return f"{all_of(tool for _, tool in missing)} {verb} not here ({files})"


def list_missing(tree: Tree, tools: ToolsHere) -> list[tuple[bytes, str]]:
    """The files that name commands whose tool is not here, each with that tool."""
    named = _list_named(tree)
    return [(one.steps.source, one.tool) for one in named if not _is_here(one.tool, tools)]


def _list_named(tree: Tree) -> Iterator[_Named]:
    found = (find(tree) for find in _SOURCES)
    return (one for one in found if one is not None and one.steps.commands)


def make_workflow(steps: OwnSteps) -> Workflow:
    """A workflow with a job for each command, which all find the files as they are."""
    name = steps.before.partition("\n")[0]
    before = [{"name": name, "run": steps.before}] if steps.before else []
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


def _find_hooks(tree: Tree) -> _Named | None:
    """Local hooks alone: the others would be downloaded."""
    from git_retcon.heal.workflows.yaml import read_yaml

    name = b".pre-commit-config.yaml"
    try:
        root = as_mapping(read_yaml(tree.read(name) or b""))
    except BadYaml:
        return None
    repositories = [*map(as_mapping, list_items(root.get("repos")))] if root else []
    local = [one for one in repositories if one and _read_text(one, "repo") == "local"]
    ids = [*_list_hooks(local)]
    before, options = "", ""
    if root and len(local) < len(repositories):
        # pre-commit fetches each repository that its configuration names.
        before, options = _keep_local(root, local), f' --config "{_LOCAL_HOOKS}"'
    commands = tuple(f"pre-commit run --all-files{options} {one}" for one in ids)
    return _Named("pre-commit", OwnSteps(name, commands, before))


def _list_hooks(repositories: Iterable[Mapping]) -> Iterator[str]:
    for repository in repositories:
        for hook in map(as_mapping, list_items(repository.get("hooks"))):
            name = _read_text(hook, "id") if hook else ""
            if re.fullmatch(r"[\w.-]+", name):
                yield name


def _keep_local(root: Mapping, local: Sequence[Mapping]) -> str:
    """A script that writes the configuration with these repositories alone."""
    plain = {key.text: to_plain(to_value(value)) for key, value in root.pairs}
    plain["repos"] = [to_plain(to_value(one)) for one in local]
    return f"cat >\"{_LOCAL_HOOKS}\" <<'hooks'\n{json.dumps(plain)}\nhooks"


def _read_text(node: Mapping, key: str) -> str:
    value: Node | None = node.get(key)
    return value.text if isinstance(value, Scalar) else ""


def _find_tox(tree: Tree) -> _Named | None:
    for name, sign in _TOX_FILES:
        content = tree.read(name)
        if content is not None and sign in content:
            return _Named("tox", OwnSteps(name, ("tox",)))
    return None


def _find_nox(tree: Tree) -> _Named | None:
    name = b"noxfile.py"
    return None if tree.read(name) is None else _Named("nox", OwnSteps(name, ("nox",)))


def _find_scripts(tree: Tree) -> _Named | None:
    name = b"package.json"
    try:
        scripts = json.loads(tree.read(name) or b"{}")["scripts"]
        wanted = [one for one in _WANTED if _NO_TEST not in scripts.get(one, _NO_TEST)]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    # Scripts need the packages; a lock file makes them those that CI has.
    locks = ((tool, how) for lock, tool, how in _LOCKS if tree.read(lock) is not None)
    tool, install = next(locks, ("npm", "npm install"))
    return _Named(tool, OwnSteps(name, tuple(f"{tool} run {one}" for one in wanted), install))


def _find_targets(tree: Tree) -> _Named | None:
    for name in (b"GNUmakefile", b"makefile", b"Makefile"):
        content = tree.read(name)
        if content is not None:
            text = content.decode("utf-8", "replace")
            targets = [one for one in _WANTED if re.search(rf"(?m)^{one}\s*::?(?!=)", text)]
            return _Named("make", OwnSteps(name, tuple(f"make {one}" for one in targets)))
    return None


_TOX_FILES = (
    (b"tox.ini", b""), (b"tox.toml", b""), (b"pyproject.toml", b"[tool.tox"),
    (b"setup.cfg", b"[tox:tox]"),
)  # fmt: skip
# A lock file, the tool that wrote it, and how that installs what it says.
_LOCKS = (
    (b"package-lock.json", "npm", "npm ci"),
    (b"pnpm-lock.yaml", "pnpm", "pnpm install --frozen-lockfile"),
    (b"yarn.lock", "yarn", "yarn install"),
    (b"bun.lock", "bun", "bun install --frozen-lockfile"),
    (b"bun.lockb", "bun", "bun install --frozen-lockfile"),
)
_SOURCES: tuple[Callable[[Tree], _Named | None], ...] = (
    _find_hooks, _find_tox, _find_nox, _find_scripts, _find_targets,
)  # fmt: skip
