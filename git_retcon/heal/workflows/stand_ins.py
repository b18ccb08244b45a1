"""Actions of others that do no more than run a script: the script, in their place.

What they send to a service beside is left out; the verdict is that of the script.
"""

from git_retcon.heal.workflows.nodes import Scalar, as_scalar
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


def replace_action(step: Step) -> Step:
    """The step with such a script in place of its action; any other step as it is."""
    action = step.uses.text.partition("@")[0].lower() if step.uses else ""
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
