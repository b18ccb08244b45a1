"""Actions of others that do no more than run a script: the script, in their place.

What they send to a service beside is left out; the verdict is that of the script.
"""

import shlex
from pathlib import Path

from git_retcon.code.lazy_pattern import LazyPattern
from git_retcon.heal.workflows.nodes import BadYaml, Scalar, as_mapping, as_scalar
from git_retcon.heal.workflows.workflow import Step
from git_retcon.lazy_named_tuple import NamedTuple


class _Script(NamedTuple):
    """``{}`` is for an input, with its default; ``folder`` is the input that names where to run."""

    text: str
    given: str
    default: str = ""
    folder: str = ""


_SCRIPTS = {
    "codspeedhq/action": _Script("{}", "run", folder="working-directory"),
    "coactions/setup-xvfb": _Script("xvfb-run --auto-servernum {}", "run", "", "working-directory"),
    "gabrielbb/xvfb-action": _Script(
        "xvfb-run --auto-servernum {}", "run", "", "working-directory"
    ),
    "pre-commit/action": _Script(
        "python -m pip install pre-commit\n"
        "pre-commit run --show-diff-on-failure --color=always {}\n",
        "extra_args",
        "--all-files",
    ),
}


_RETRIES = ("nick-fields/retry", "nick-invision/retry")
# Waiting changes no result; without these it is what it would be with them, or fails sooner.
_RETRY_INPUTS = frozenset(
    {
        "command", "max_attempts", "polling_interval_seconds", "retry_on", "retry_wait_seconds",
        "shell", "timeout_minutes", "timeout_seconds", "warning_on_retry",
    }
)  # fmt: skip
# There the command is the whole of a `bash -c`: a failing line does not end it.
_RETRY_SHELL = "bash {0}"
_WRETRY = "wandalen/wretry.action"
_WRETRY_INPUTS = frozenset({"action", "attempt_delay", "attempt_limit", "with"})
_GITHUB_SCRIPT = "actions/github-script"
_RUNNER = Path(__file__).with_name("github_script.cjs")
# What a script cannot do without GitHub, its event, modules or a network; and what could hide that.
_ASKING = LazyPattern(
    r"\b(?:Function|WebSocket|__original_require__|arguments|constructor|context|eval|exec|fetch"
    r"|getOctokit|github|glob|globalThis|import|io|mainModule|octokit|require|this)\b|\\u"
)
_EXPRESSION = LazyPattern(r"\$\{\{.*?\}\}")
_CORE = LazyPattern(
    r"\bcore\b(?!\.(?:debug|endGroup|error|exportVariable|info|isDebug|notice|setFailed|setOutput"
    r"|setSecret|startGroup|warning)\()"
)


def replace_action(step: Step) -> Step:
    """The step with such a script in place of its action; any other step as it is."""
    action = step.uses.text.partition("@")[0].lower() if step.uses else ""
    if action in _RETRIES:
        return _replace_retry(step)
    if action == _WRETRY:
        return _unwrap_retry(step)
    if action == _GITHUB_SCRIPT:
        return _replace_github_script(step)
    script = _SCRIPTS.get(action)
    if script is None or step.uses is None:
        return step
    inputs = step.inputs
    said = as_scalar(inputs.get(script.given)) if inputs else None
    given = said.text.strip() if said else script.default
    if not given:  # GitHub would refuse it; so the action is skipped, by its name
        return step
    uses = step.uses
    folder = as_scalar(inputs.get(script.folder)) if inputs and script.folder else None
    return step._replace(
        name=step.name or uses,
        uses=None,
        inputs=None,
        run=Scalar(script.text.format(given), "|", uses.line, uses.column),
        shell=Scalar("bash", "", uses.line, uses.column),
        directory=folder or step.directory,
    )


def _replace_retry(step: Step) -> Step:
    """A step that runs its command until it passes, as often as the action would."""
    pairs = step.inputs.pairs if step.inputs else ()
    given = {key.text.lower(): as_scalar(value) for key, value in pairs}
    command = given.get("command")
    texts = {name: one.text.strip() for name, one in given.items() if one is not None}
    attempts = texts.get("max_attempts", "3")
    minutes, seconds = texts.get("timeout_minutes", "0"), texts.get("timeout_seconds", "0")
    is_known = given.keys() <= _RETRY_INPUTS and (attempts + minutes + seconds).isdecimal()
    is_usual = texts.get("shell", "bash") == "bash" and texts.get("retry_on", "any") != "timeout"
    if step.uses is None or command is None or not (is_known and is_usual):
        return step
    uses = step.uses
    limit = int(attempts) * (int(minutes) + int(seconds) / 60)  # that of all attempts together
    timeout = Scalar(limit, "", uses.line, uses.column) if limit else None
    # A line of its own ends a comment and a here-document.
    script = (
        f"attempts={attempts}\nuntil (\n{command.text}\n); do\n"
        "  attempts=$((attempts - 1))\n  [ $attempts -gt 0 ] || exit 1\ndone\n"
    )
    return step._replace(
        name=step.name or uses,
        uses=None,
        inputs=None,
        run=Scalar(script, "|", uses.line, uses.column),
        shell=Scalar(_RETRY_SHELL, "", uses.line, uses.column),
        timeout=step.timeout or timeout,
    )


def _unwrap_retry(step: Step) -> Step:
    """A step that uses the action itself, where it is one of GitHub's own: a folder here, or a
    tool, is there the first time. A step whose outputs may be asked for, all in one, stays.
    """
    from git_retcon.heal.workflows.yaml import read_yaml

    pairs = step.inputs.pairs if step.inputs else ()
    given = {key.text.lower(): as_scalar(value) for key, value in pairs}
    action, inputs = given.get("action"), given.get("with")
    if step.id or action is None or given.keys() - _WRETRY_INPUTS:
        return step
    if not action.text.startswith("actions/"):
        return step
    try:
        said = as_mapping(read_yaml(inputs.text.encode())) if inputs else None
    except BadYaml:
        return step
    return step._replace(uses=action, inputs=said)


def _replace_github_script(step: Step) -> Step:
    """A step that runs its script, where that only computes something."""
    pairs = step.inputs.pairs if step.inputs else ()
    given = {key.text.lower(): as_scalar(value) for key, value in pairs}
    script, encoding = given.get("script"), given.get("result-encoding")
    if step.uses is None or script is None or given.keys() - {"script", "result-encoding"}:
        return step
    plain = _EXPRESSION.compiled.sub("", script.text.replace("\n", " "))
    encoded = encoding.text if encoding else "json"
    if _ASKING.search(plain) or _CORE.search(plain) or encoded not in ("json", "string"):
        return step
    shell = f"node {shlex.quote(str(_RUNNER))} {encoded} {{0}}"
    return step._replace(
        name=step.name or step.uses,
        uses=None,
        inputs=None,
        run=script,
        shell=Scalar(shell, "", script.line, script.column),
    )
