"""The right tools first on PATH, and a virtual environment where a job uses Python."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from git_retcon.code.lazy_pattern import LazyPattern
from git_retcon.files.beneath import Beneath
from git_retcon.files.untrusted_paths import ForbiddenPath
from git_retcon.heal.execution.job_session import JobSession
from git_retcon.heal.execution.own_programs import link_python, write_uv
from git_retcon.heal.execution.step_ending import Ending
from git_retcon.heal.execution.workspace_files import WorkspaceFiles
from git_retcon.heal.local_tools import Match, ToolsHere
from git_retcon.heal.results import StepVerdict, UsedTool
from git_retcon.heal.system_packages import find_packages, refuse_packages
from git_retcon.heal.workflows.expressions.values import Value
from git_retcon.heal.workflows.setups import ToolRequest
from git_retcon.heal.workflows.step_plans import StepPlan, list_tools
from git_retcon.heal.workflows.steps import Run, Setup
from git_retcon.lazy_named_tuple import NamedTuple
from git_retcon.run.removal import remove

_SECONDS = 300.0
_PYTHON = ToolRequest("python", "")
_OF_PYTHON = (
    "black", "coverage", "flake8", "hatch", "isort", "mypy", "nox", "pdm", "pip", "poetry",
    "pre-commit", "py.test", "pylint", "pyright", "pytest", "python", "tox", "uv",
)  # fmt: skip
# What reads which file by itself.
_TASK_FILES = {
    "just": ("justfile", "Justfile", ".justfile"),
    "make": ("GNUmakefile", "makefile", "Makefile"),
    "task": ("Taskfile.yml", "Taskfile.yaml"),
    **dict.fromkeys(("npm", "pnpm", "yarn"), ("package.json",)),
}
_PYTHON_PROJECT = ("setup.py", "pyproject.toml", "requirements.txt")
_WORD = LazyPattern(r"[\w.+/-]+")
_MOST_BYTES = 256 * 1024


class NoVirtualEnvironment(Exception):
    """Python is here and cannot make one; the message says why."""


def describe_tool(match: Match) -> UsedTool | None:
    """A tool as results have it; None where it is not here."""
    if match.tool is None:
        return None
    return UsedTool(
        match.request.tool, match.wanted, match.tool.version, match.tool.path, match.exact
    )


def list_used(plans: tuple[StepPlan, ...], tools: ToolsHere) -> tuple[UsedTool, ...]:
    """The tools that a job sets up, each once."""
    matches = map(tools.match, dict.fromkeys(list_tools(plans)))
    return tuple(used for used in map(describe_tool, matches) if used is not None)


def set_up_tools(
    kind: Setup,
    inputs: Mapping[str, str],
    env: Mapping[str, str],
    tools: ToolsHere,
    session: JobSession,
) -> Ending:
    """Compare what is wanted with what is here."""
    said: list[str] = []
    outputs: dict[str, Value] = {"cache-hit": "false"}
    for match in map(tools.match, kind.tools):
        name = match.request.tool
        if match.tool is None:
            wanted = f" (wanted {match.wanted})" if match.wanted else ""
            return Ending(StepVerdict.SKIPPED, f"{name} is not here{wanted}", outputs=None)
        other = "" if match.exact else f" (wanted {match.wanted})"
        said.append(f"{name} {match.tool.version}".rstrip() + other)
        # Later steps find this version, as behind the real action.
        session.base.update(match.tool.variables)
        outputs |= {f"{name}-version": match.tool.version, f"{name}-path": match.tool.path}
    missing = refuse_packages(kind.packages) or find_missing_part(inputs, session.make_env(env))
    if missing:
        return Ending(StepVerdict.SKIPPED, missing, outputs=None)
    here = find_packages(kind.packages).items()
    said += [f"{name} {version}" for name, version in here]
    said += [*kind.components, *kind.targets]
    return Ending(StepVerdict.SATISFIED, ", ".join(said), outputs)


def find_missing_file(kind: Setup, files: WorkspaceFiles) -> str:
    """A file that is to say a version, and is not in the workspace; else empty."""
    named = (tool.file.removeprefix("./") for tool in kind.tools if tool.file)
    return next((one for one in named if files.read(one.encode()) is None), "")


def find_missing_part(inputs: Mapping[str, str], env: Mapping[str, str]) -> str:
    """What an action that sets up a tool would install besides, and is not here; else empty."""
    for name in ("bundler-cache", "run_install"):
        if inputs.get(name, "false") not in ("", "false"):
            return f"installs packages ({name})"
    for kind, names in (("component", ("components",)), ("target", ("targets", "target"))):
        wanted = [one for name in names for one in re.split(r"[\s,]+", inputs.get(name, "")) if one]
        installed = _list_installed(kind, env) if wanted else ()
        for one in wanted:
            # a component's name may end in the machine's own (clippy-x86_64-unknown-linux-gnu)
            if not any(each == one or each.startswith(f"{one}-") for each in installed):
                return f"the {kind} '{one}' of rust is not here"
    return ""


def _list_installed(kind: str, env: Mapping[str, str]) -> list[str]:
    try:
        listed = subprocess.run(
            ["rustup", kind, "list", "--installed"],
            env=dict(env), cwd="/", capture_output=True, timeout=_SECONDS, check=False,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired):
        return []
    return listed.stdout.decode("utf-8", "replace").split()


def uses_python(plans: tuple[StepPlan, ...], top: Path | None = None) -> bool:
    """Whether a job is expected to run Python, or a tool of its, by itself or in a script or a
    makefile below ``top`` that it calls. In a project of Python, any command may.
    """
    asked = any(request.tool in ("python", "uv", "poetry") for request in list_tools(plans))
    scripts = list(_list_scripts(plans))
    if asked or any(map(_mentions_python, scripts)):
        return True
    if top is None or not scripts:
        return False
    is_project = any((top / name).is_file() for name in _PYTHON_PROJECT)
    return is_project or any(map(_mentions_python, _read_called(scripts, top)))


def _read_called(scripts: Iterable[str], top: Path) -> Iterator[str]:
    """The text of scripts and of files of tasks that scripts name."""
    words = {word.removeprefix("./") for script in scripts for word in _WORD.findall(script)}
    tasks = {name for tool, names in _TASK_FILES.items() if tool in words for name in names}
    for word in sorted(words | tasks):
        try:
            file = Beneath(top).read(os.fsencode(word), _MOST_BYTES)
        except (ForbiddenPath, OSError, ValueError):
            continue
        if file is None or not (word in tasks or word.endswith(".sh") or (file.mode or 0) & 0o100):
            continue
        yield file.content.decode("utf-8", "replace")


def _list_scripts(plans: tuple[StepPlan, ...]) -> Iterator[str]:
    for plan in plans:
        if isinstance(plan.kind, Run):
            yield f"{plan.kind.shell.program}\n{plan.kind.script}"
        yield from _list_scripts(plan.inner)


def _mentions_python(script: str) -> bool:
    # Most scripts have none of these in them: they need no pattern.
    if not any(name in script for name in _OF_PYTHON):
        return False
    tools = "|".join(map(re.escape, _OF_PYTHON))
    return re.search(rf"\b(?:python[\d.]*|pip[\d.]*|pipx|uvx|{tools})\b", script) is not None


def choose_python(plans: tuple[StepPlan, ...], tools: ToolsHere) -> Match:
    """The Python of a job: the first that it sets up, else the usual one."""
    asked = [request for request in list_tools(plans) if request.tool == "python"]
    return tools.match(asked[0] if asked else _PYTHON)


class Environment(NamedTuple):
    """A virtual environment: its folder, and the program it was made with. ``seeds`` is a folder
    where pip and setuptools lie unpacked, to be copied into each environment.
    """

    folder: Path
    python: str
    seeds: Path


def prepare_environment(wanted: Environment, env: Mapping[str, str]) -> None:
    """Make a virtual environment, unless it is there. Raises NoVirtualEnvironment."""
    witness = wanted.folder / "made-with"
    if witness.is_file() and witness.read_text("utf-8") == wanted.python:
        return
    # Isolated: the variables of a job are for its own Python, not for ours.
    ours = [sys.executable, "-I", "-m", "virtualenv", "--quiet", "--no-vcs-ignore"]
    offline = ["--no-download", "--no-periodic-update", "--app-data", str(wanted.seeds)]
    said = _make_environment([*ours, *offline, "--python", wanted.python], wanted.folder, env)
    # virtualenv is faster, and has no pip for a Python that its makers have given up.
    if said and _make_environment([wanted.python, "-I", "-m", "venv"], wanted.folder, env):
        raise NoVirtualEnvironment(said)
    # Written last: an environment that was interrupted has none, and is made again.
    witness.write_text(wanted.python, "utf-8")


def _make_environment(command: Sequence[str], folder: Path, env: Mapping[str, str]) -> str:
    """Why the command could not make the environment; empty where it did."""
    remove(folder)
    try:
        done = subprocess.run(
            [*command, str(folder)],
            env=dict(env), cwd="/", capture_output=True, timeout=_SECONDS, check=False,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    if done.returncode == 0:
        return ""
    said = (done.stdout + done.stderr).decode("utf-8", "replace").strip()
    return said.rpartition("\n")[2] or f"exit status {done.returncode}"


class UvUse(NamedTuple):
    """How steps call uv: at all, and as a module of Python, where no program is before it."""

    is_called: bool
    is_module: bool


def enter_environment(session: JobSession, uv: UvUse) -> None:
    """Put its programs before all others, as an activated one does."""
    folder, path = session.folders.virtual_environment, session.base["PATH"]
    own = [session.folders.programs, folder / "bin", session.folders.python]
    session.base["VIRTUAL_ENV"] = session.base["pythonLocation"] = str(folder)
    # In ``base``, so that what steps add to PATH still comes before it.
    session.base["PATH"] = os.pathsep.join([*map(str, own), path])
    link_python(session.folders.python, folder)
    if uv.is_called or shutil.which("uv", path=path):
        write_uv(session.folders.programs, folder)
    if uv.is_module:
        # '--system' would pass the environment over, and install into the user's Python.
        session.base["UV_PYTHON"] = str(folder / "bin/python")


def find_uv_use(plans: tuple[StepPlan, ...], top: Path) -> UvUse:
    """Whether scripts install with uv, which they may have installed themselves."""
    scripts = list(_list_scripts(plans))
    scripts += _read_called(scripts, top)
    return UvUse(
        any("uv pip" in script for script in scripts),
        any("-m uv pip" in script for script in scripts),
    )
