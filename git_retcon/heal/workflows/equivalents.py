"""Actions of others whose whole effect is known: steps that do the same with the tools here.

Each is a file beside this one, ``OWNER+NAME.yml`` in lower case, in the form of a composite
action. Its ``inputs`` are all those whose meaning is known; a step that gives another one is
skipped. Three actions exist only there: ``git-heal/tool`` asks for a tool as a setup action does,
``git-heal/packages`` for packages of the system, and ``git-heal/refuse`` says why the rest cannot
be done here.
"""

import functools
from collections.abc import Callable
from pathlib import Path

from git_retcon.heal.workflows.nodes import Mapping
from git_retcon.heal.workflows.reader import read_action
from git_retcon.heal.workflows.workflow import Action, Step

REFUSE, PACKAGES = "git-heal/refuse", "git-heal/packages"
# Actions that set up a tool and, where an input asks for it, install with it besides.
INSTALLING = {"pnpm/action-setup": "run_install", "ruby/setup-ruby": "bundler-cache"}
_NO = ("", "false", "null")
# Actions by another name; of those that send coverage, each has inputs of its own.
_SAME = {
    "coverallsapp/github-action": "codecov/codecov-action",
    "gradle/wrapper-validation-action": "gradle/actions/wrapper-validation",
}
# What they say depends on what others published today.
_ASKING = (
    "actions-rs/audit-check", "embarkstudios/cargo-deny-action", "golang/govulncheck-action",
    "gradle/actions/wrapper-validation", "gradle/wrapper-validation-action",
    "obi1kenobi/cargo-semver-checks-action", "rustsec/audit-check",
)  # fmt: skip


@functools.cache
def find_equivalent(action: str) -> Action | None:
    """What does the same as an action, which is ``owner/name[/path]`` in lower case; else None."""
    name = _SAME.get(action, action).replace("/", "+")
    # The name is a stranger's, and becomes a part of a path.
    if not name.replace("+", "").replace("-", "").replace("_", "").isalnum():
        return None
    try:
        content = (Path(__file__).with_suffix("") / f"{name}.yml").read_bytes()
    except OSError:
        return None
    found, problems = read_action(f"{name}.yml".encode(), content)
    assert found is not None, f"{name}.yml: {problems[0]}"
    return found


def find_unknown_input(action: Action, given: Mapping | None) -> str:
    """The first input that a step gives and whose meaning is not known; empty where there is none.

    GitHub takes any, and says so in a warning; here it may be one of a newer version.
    """
    known = {one.name.lower() for one in action.inputs}
    names = (key.text for key, _ in given.pairs) if given else ()
    return next((name for name in names if name.lower() not in known), "")


def installs_more(action: str, read_input: Callable[[str], str]) -> bool:
    """Whether an action that sets up a tool is to install something with it."""
    asked = INSTALLING.get(action)
    return asked is not None and read_input(asked).lower() not in _NO


def sets_up_job(step: Step) -> bool:
    """Whether what an equivalent sets up is for the steps that follow too."""
    name = step.uses.text.partition("@")[0].lower() if step.uses else ""
    return name in INSTALLING or name == "ruby/setup-ruby-pkgs"


def asks_database(step: Step) -> bool:
    """Whether a step uses an action whose equivalent asks a database of others."""
    name = step.uses.text.partition("@")[0] if step.uses else ""
    return name.lower().rstrip("/") in _ASKING


def place_steps(action: Action, step: Step) -> Action:
    """The action with its steps at the place of the one that uses it: no other file has them."""
    steps = tuple(one._replace(line=step.line, column=step.column) for one in action.steps)
    return action._replace(steps=steps)
