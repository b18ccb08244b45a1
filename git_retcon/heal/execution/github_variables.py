"""The variables and contexts with which GitHub's runner tells a job where it runs, and why."""

from collections.abc import Mapping
from pathlib import Path

from git_retcon.heal.execution.step_environment import JobFolders
from git_retcon.heal.execution.step_scope import extend, to_plain
from git_retcon.heal.workflows.contexts import with_context
from git_retcon.heal.workflows.expressions.evaluation import Surroundings
from git_retcon.heal.workflows.expressions.values import Object, Unknown, Value, to_text
from git_retcon.heal.workflows.machines import Machine
from git_retcon.lazy_named_tuple import NamedTuple

_ADDRESS = "https://github.com"
_IN_VARIABLES = (
    "actor", "api_url", "base_ref", "event_name", "event_path", "graphql_url", "head_ref", "job",
    "ref", "ref_name", "ref_type", "repository", "repository_owner", "run_attempt", "run_id",
    "run_number", "server_url", "sha", "triggering_actor", "workflow", "workspace",
)  # fmt: skip


class Situation(NamedTuple):
    """Where a job runs: its id, the name of its workflow, its folders, the run's id as a number,
    the commit that is checked out, and the machine.
    """

    job: str
    workflow: str
    workspace: Path
    folders: JobFolders
    run: str
    commit: str
    machine: Machine


def see_situation(
    around: Surroundings, situation: Situation, secrets: Mapping[str, str]
) -> Surroundings:
    """What expressions see on this machine beside what they see anywhere.

    There is no token: what asks GitHub with one gets an empty text, as where none is given.
    """
    folders = situation.folders
    github: dict[str, Value] = {
        "action_path": "",
        "actor": "git-heal",
        "api_url": "https://api.github.com",
        "event_path": str(folders.temporary / "_github/event.json"),
        "graphql_url": "https://api.github.com/graphql",
        "job": situation.job,
        "retention_days": "90",
        "run_attempt": "1",
        "run_id": situation.run,
        "run_number": "1",
        "sha": situation.commit,
        "token": "",
        "triggering_actor": "git-heal",
        "workflow": situation.workflow,
        "workspace": str(situation.workspace),
    }
    runner: dict[str, Value] = {
        "arch": situation.machine.processor.upper(),
        "debug": "",
        "environment": "self-hosted",
        "name": "git-heal",
        "os": situation.machine.system,
        "temp": str(folders.temporary),
        "tool_cache": str(folders.tool_cache),
        "workspace": str(situation.workspace),
    }
    around = with_context(around, "github", extend(around.contexts.get("github"), github))
    around = with_context(around, "runner", extend(around.contexts.get("runner"), runner))
    return with_context(around, "secrets", Object(secrets.items()))


def name_variables(around: Surroundings) -> dict[str, str]:
    """The ``GITHUB_`` and ``RUNNER_`` variables; none for what is not known."""
    github, runner = around.contexts.get("github"), around.contexts.get("runner")
    found = {}
    for name in _IN_VARIABLES:
        found[f"GITHUB_{name.upper()}"] = _read_field(github, name)
    for name in ("arch", "environment", "name", "os"):
        found[f"RUNNER_{name.upper()}"] = _read_field(runner, name)
    return {name: text for name, text in found.items() if text is not None}


def _read_field(context: Value, name: str) -> str | None:
    value = context.get(name) if isinstance(context, Object) else None
    return None if isinstance(value, Unknown) else to_text(value)


def write_event(around: Surroundings) -> None:
    """The file that GITHUB_EVENT_PATH names, with what is known of the event."""
    import json

    github = around.contexts.get("github")
    assert isinstance(github, Object), "a run has this context"
    path = Path(to_text(github.get("event_path")))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(to_plain(github.get("event")), indent=2), "utf-8")
