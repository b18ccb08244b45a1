"""What the steps of one job share while it runs: variables, PATH, masks, matchers, the clock."""

import os
import stat
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from git_retcon.heal.execution.masks import Masks
from git_retcon.heal.execution.ready_job import make_slug
from git_retcon.heal.execution.runner_commands import LEVELS, Command, make_annotation
from git_retcon.heal.execution.step_environment import JobFolders
from git_retcon.heal.results import ACTION, Annotation
from git_retcon.heal.workflows.contexts import Variables
from git_retcon.run.background import Background

_MOST_ANNOTATIONS = 1000
_MOST_MATCHER_BYTES = 1 << 20


class JobSession:
    """``base`` is the environment before workflow and job say anything, ``env`` what they and
    the steps have set so far. ``deadline`` is on the monotonic clock.

    Variables whose values are not known here are none of ``env``: a script that reads one as empty
    could do anything (``rm -rf "$FOLDER/"``). ``confine`` gives the argv of a sandbox for an
    environment; nothing while steps run as the user would run them. ``copies`` are the folders that
    hold the state; None while the workspace holds it and nothing else. ``background`` is where what
    steps leave running lives on; without it, that ends with its step.
    """

    def __init__(
        self,
        folders: JobFolders,
        workspace: Path,
        base: Mapping[str, str],
        masks: Masks,
        deadline: float,
    ) -> None:
        self.folders = folders
        self.workspace = workspace
        self.base = dict(base)
        self.masks = masks
        self.deadline = deadline
        self.background: Background | None = None
        self.env: dict[str, str] = {}
        self.failed = False
        self.confine: Callable[[Mapping[str, str]], Sequence[str]] = _run_free
        self.copies: list[str] | None = None
        self._unknown: set[str] = set()
        self._paths: list[str] = []
        self._matchers: dict[str, str] = {}
        self._logs = 0

    def set_variables(self, variables: Variables) -> None:
        """Take what a workflow or a job sets."""
        self.env.update(variables.known)
        self._unknown |= set(variables.unknown)

    def list_unknown(self) -> list[str]:
        """The variables that were set to what is not known here, and not again since."""
        return sorted(self._unknown - self.env.keys())

    def add_path(self, folder: str) -> None:
        """Put a folder before all others."""
        self._paths = [folder, *(one for one in self._paths if one != folder)]

    def make_env(self, step: Mapping[str, str]) -> dict[str, str]:
        """The environment of a process; ``step`` is what the step itself sets."""
        env = {**self.base, **self.env, **step}
        before = env.get("PATH", os.defpath)
        env["PATH"] = os.pathsep.join([*self._paths, before])
        return env

    def seconds_left(self) -> float:
        return max(0.0, self.deadline - time.monotonic())

    def next_log(self, name: str) -> Path:
        """Where the next step's output goes."""
        self._logs += 1
        return self.folders.logs / f"{self._logs:02}-{make_slug(name)}.log"

    def read_matchers(self) -> tuple[str, ...]:
        """The problem matchers in force."""
        return tuple(self._matchers.values())

    def add_matcher(self, path: str, folder: Path) -> None:
        """Register the matchers of a JSON file; those of the same owner give way."""
        for owner, matcher in _split_matchers(_read_text(folder / path)):
            self._matchers.pop(owner, None)
            self._matchers[owner] = matcher

    def register_matchers(self, action: str) -> None:
        """Those that an action which sets up a tool registers on GitHub."""
        self._matchers[action] = f"{ACTION}{action}"

    def remove_matcher(self, owner: str) -> None:
        self._matchers.pop(owner.lower(), None)


def _run_free(env: Mapping[str, str]) -> Sequence[str]:
    return ()


def _read_text(path: Path) -> str:
    """A file that a step names; "" if it is none."""
    try:
        # To open a pipe without O_NONBLOCK would wait for somebody who writes to it.
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError):
        return ""
    with os.fdopen(descriptor, "rb") as file:
        is_file = stat.S_ISREG(os.fstat(descriptor).st_mode)
        return file.read(_MOST_MATCHER_BYTES).decode("utf-8", "replace") if is_file else ""


def _split_matchers(text: str) -> list[tuple[str, str]]:
    """Each matcher of a file by its owner, as a file of one."""
    import json

    try:
        listed = json.loads(text)["problemMatcher"]
        return [
            (str(one["owner"]).lower(), json.dumps({"problemMatcher": [one]})) for one in listed
        ]
    except (ValueError, KeyError, TypeError, RecursionError):
        return []


class StepCommands:
    """Obeys the commands that one step prints."""

    def __init__(self, session: JobSession) -> None:
        self._session = session
        self.outputs: dict[str, str] = {}
        self.annotations: list[Annotation] = []
        self.errors: list[str] = []

    def obey(self, command: Command) -> None:
        session, given = self._session, command.parameters
        if command.name in LEVELS:
            self._add_annotation(command)
        elif command.name == "add-mask":
            session.masks.add(command.data)
        elif command.name == "set-output" and given.get("name"):
            self.outputs[given["name"]] = command.data
        elif command.name == "add-matcher":
            session.add_matcher(command.data, session.workspace)
        elif command.name == "remove-matcher":
            session.remove_matcher(given.get("owner", command.data))
        elif command.name in ("set-env", "add-path"):
            self._refuse_unsafe(command)

    def _add_annotation(self, command: Command) -> None:
        if len(self.annotations) < _MOST_ANNOTATIONS:
            annotation = make_annotation(command)
            masked = self._session.masks.mask_text(annotation.message)
            self.annotations.append(annotation._replace(message=masked))

    def _refuse_unsafe(self, command: Command) -> None:
        """GitHub has switched these off: output of untrusted origin could set variables."""
        if self._session.env.get("ACTIONS_ALLOW_UNSECURE_COMMANDS", "").lower() != "true":
            self.errors.append(f"the command '{command.name}' is switched off on GitHub too")
        elif command.name == "add-path":
            self._session.add_path(command.data)
        elif command.parameters.get("name"):
            self._session.env[command.parameters["name"]] = command.data
