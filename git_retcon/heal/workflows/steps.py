"""What a step would be here: a command, something already so, or skipped with its reason."""

import functools
import re
from collections.abc import Callable

from git_retcon.heal.workflows.comparisons import (
    COMPARING,
    find_comparison,
    find_strange_input,
)
from git_retcon.heal.workflows.contexts import Misevaluated, evaluate_text
from git_retcon.heal.workflows.equivalents import (
    PACKAGES,
    REFUSE,
    find_equivalent,
    find_unknown_input,
    installs_more,
    place_steps,
)
from git_retcon.heal.workflows.expressions.evaluation import Surroundings, evaluate
from git_retcon.heal.workflows.expressions.syntax import Expression
from git_retcon.heal.workflows.expressions.templates import read_template
from git_retcon.heal.workflows.expressions.tokens import ExpressionError
from git_retcon.heal.workflows.expressions.values import UNKNOWN, NotKnown, Object, Value, to_text
from git_retcon.heal.workflows.nodes import Scalar
from git_retcon.heal.workflows.refusals import drop_unshallow, refuse_script
from git_retcon.heal.workflows.root_scripts import drop_needless_root, is_package, read_apt
from git_retcon.heal.workflows.rustup_scripts import read_rustup
from git_retcon.heal.workflows.setups import ToolRequest, read_tools
from git_retcon.heal.workflows.shells import BadShell, Shell, choose_default, read_shell
from git_retcon.heal.workflows.workflow import Action, Defaults, Step
from git_retcon.lazy_named_tuple import NamedTuple

CHECKOUT = "checkout"
SPARSE = "checkout of a part of the files"
SUBMODULES = "checks out submodules"
MODULES = b".gitmodules"
RECURSIVE = "recursive"
WITH_SUBMODULES = ("true", RECURSIVE)  # as a checkout's input says it
_SPARSE, _LFS = "sparse-checkout", "lfs"
# What a script has in place of an expression whose value only the run will say.
UNKNOWN_TEXT = "…"
_UNSAID = ("", UNKNOWN_TEXT)


class Run(NamedTuple):
    """A script for a shell. ``script`` has UNKNOWN_TEXT where a value is not known yet; its lines
    that install ``packages`` are left out, which must be here.
    """

    shell: Shell
    script: str
    packages: tuple[str, ...] = ()


class Satisfied(NamedTuple):
    """Nothing to do: the worktree has it."""

    what: str


class Fetch(NamedTuple):
    """A checkout of something else than the state at the top of the workspace. ``repository`` is
    empty for this one, ``ref`` for the commit of the state, or of the other's default branch.
    """

    repository: str
    ref: str
    path: str

    @property
    def is_at_top(self) -> bool:
        """Whether it takes the place of what the top of the workspace holds."""
        return self.path in ("", ".", "./")

    @property
    def what(self) -> str:
        """It in a few words."""
        if self.repository:
            return f"another repository ({self.repository})"
        return f"another commit ({self.ref})" if self.ref else f"this commit in '{self.path}'"


class Compare(NamedTuple):
    """What an action says of the files that differ ``since`` a commit or a branch; or, if it is
    ``forked``, since this branch left that one.
    """

    action: str
    since: str
    forked: bool


class Setup(NamedTuple):
    """Tools that must be here, with components and targets of Rust's, and the system's packages."""

    tools: tuple[ToolRequest, ...]
    components: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    packages: tuple[str, ...] = ()


class Keep(NamedTuple):
    """A cache or an artifact, in place of which a folder here is used."""

    what: str
    action: str


class Local(NamedTuple):
    """An action of the repository; ``path`` is its folder. ``of_commit``: in the commit that runs,
    not in the workspace.
    """

    path: bytes
    of_commit: bool = False


class Equivalent(NamedTuple):
    """Steps that do here what an action of somebody else does on GitHub."""

    action: Action


class Skipped(NamedTuple):
    """Not run here, because ``reason``."""

    reason: str


Kind = Run | Satisfied | Fetch | Compare | Setup | Keep | Local | Equivalent | Skipped

# What a step finds at the top without it may differ.
PARTIAL = {name: Skipped(f"checks out this commit with '{name}'") for name in (_SPARSE, _LFS)}
_NO = ("", "false")
_NEWEST = "the system's packages are as they are"
LOCAL_USES = ("./", "$/")  # how an action of the repository itself is named
_CHECKOUTS = ("actions/checkout", "taiki-e/checkout-action")
# Versions whose service is gone: a job that uses one fails on GitHub.
_RETIRED = {
    "upload-artifact": ("v1", "v2", "v3"),
    "download-artifact": ("v1", "v2", "v3"),
    "cache": ("v1", "v2"),
}
_KEEPS = {
    "actions/cache": "cache",
    "actions/cache/restore": "cache",
    "actions/cache/save": "cache",
    "actions/download-artifact": "artifact",
    "actions/upload-artifact": "artifact",
    "actions/upload-artifact/merge": "artifact",
    "actions/upload-pages-artifact": "artifact",
    "hendrikmuhs/ccache-action": "cache",
    "mozilla-actions/sccache-action": "cache",
    "swatinem/rust-cache": "cache",
}
# These look after GitHub's own machines, runs or pages, and change no result.
_MOOT = {
    "codespell-project/codespell-problem-matcher": "the output of codespell is read anyway",
    "adityagarg8/remove-unwanted-software": "the disk of GitHub's machine",
    "easimon/maximize-build-space": "the disk of GitHub's machine",
    "endersonmenezes/free-disk-space": "the disk of GitHub's machine",
    "insightsengineering/disk-space-reclaimer": "the disk of GitHub's machine",
    "ilammy/msvc-dev-cmd": "only Windows has what it sets up",
    "jlumbroso/free-disk-space": "the disk of GitHub's machine",
    "pierotofy/set-swap-space": "the memory of GitHub's machine",
    "step-security/harden-runner": "the network of GitHub's machine",
    "styfle/cancel-workflow-action": "older runs on GitHub",
}
# These send what earlier steps measured to a service, and fail only if an input asks for it.
_REPORTING = {
    "codecov/codecov-action": (("fail_ci_if_error",), "coverage is not sent from here"),
    "codecov/test-results-action": (("fail_ci_if_error",), "results are not sent from here"),
    "coverallsapp/github-action": (("fail-on-error",), "coverage is not sent from here"),
    "mikepenz/action-junit-report": (
        ("fail_on_failure", "fail_on_parse_error", "require_tests", "require_passed_tests"),
        "results are not sent from here",
    ),
    "test-summary/action": ((), "results are not sent from here"),
    "testlens-app/setup-testlens": ((), "results are not sent from here"),
}
_PUBLISHING = (
    "deploy", "publish", "release", "gh-pages", "upload", "login", "codecov", "coveralls",
    "attest", "configure-pages", "push-action", "commit-action", "create-pull-request",
)  # fmt: skip
_NEEDS_GITHUB = (
    "actions/github-script", "actions/labeler", "actions/stale", "actions/first-interaction",
    "actions/dependency-review-action", "github/codeql-action/", "actions/add-to-project",
)  # fmt: skip


def classify_step(step: Step, defaults: Defaults, around: Surroundings) -> Kind:
    """What a step would be. Raises Misevaluated."""
    if step.run is not None:
        return _classify_run(step, step.run, defaults, around)
    if step.uses is not None:
        return _classify_use(step, step.uses.text, around)
    return Skipped(f"steps with `{step.special}` are not run here")


def leaves_job_alone(uses: str) -> bool:
    """Whether the inputs of an action mean nothing to how its job ends: it only keeps a cache,
    reports, or looks after GitHub's machine.
    """
    action = uses.partition("@")[0].lower().rstrip("/")
    return _KEEPS.get(action) == "cache" or action in _MOOT or action in _REPORTING


def fill_known(node: Scalar, around: Surroundings) -> str:
    """The text with what is known in it, and UNKNOWN_TEXT for the rest. Raises Misevaluated."""
    try:
        parts = read_template(node.text)
        return "".join(_fill_one(part, around) for part in parts)
    except ExpressionError as error:
        raise Misevaluated(str(error), node) from None


def _fill_one(part: str | Expression, around: Surroundings) -> str:
    try:
        return part if isinstance(part, str) else to_text(evaluate(part, around))
    except NotKnown:
        return UNKNOWN_TEXT


def _classify_run(step: Step, run: Scalar, defaults: Defaults, around: Surroundings) -> Kind:
    named = step.shell or defaults.shell
    try:
        shell = read_shell(evaluate_text(named, around)) if named else choose_default()
    except NotKnown as error:
        return Skipped(f"its shell is not known ({error})")
    except BadShell as error:
        raise Misevaluated(str(error), named or run) from None
    if shell.is_windows_only:
        return Skipped(f"needs Windows ({shell.program})")
    script = fill_known(run, around)
    if shell.is_posix and (rust := _read_rust(script, around)) is not None:
        return rust
    if not shell.is_posix:
        return Run(shell, script)  # other languages have no commands that can be read like this
    script = drop_unshallow(drop_needless_root(script))
    packages: tuple[str, ...] = ()
    if (apt := read_apt(script, functools.partial(_expand_variable, around))) is not None:
        if not apt.rest:
            return Setup((), packages=apt.packages) if apt.packages else Satisfied(_NEWEST)
        script, packages = apt.rest, apt.packages
    reason = refuse_script(script)
    return Skipped(reason) if reason else Run(shell, script, packages)


def _read_rust(script: str, around: Surroundings) -> Setup | None:
    """A script that does no more than choose a toolchain of Rust, as an action would."""
    if "rustup" not in script or UNKNOWN_TEXT in script:
        return None
    wanted = read_rustup(script, lambda name: _expand_variable(around, name) or "")
    if wanted is None:
        return None
    tools = tuple(ToolRequest("rust", channel) for channel in wanted.channels)
    return Setup(tools, wanted.components, wanted.targets)


def _expand_variable(around: Surroundings, name: str) -> str | None:
    """The value of a variable of the environment as the workflow sets it; None if not known."""
    env = around.contexts.get("env")
    value = env.get(name) if isinstance(env, Object) else UNKNOWN
    return value if isinstance(value, str) else None


def _classify_use(step: Step, uses: str, around: Surroundings) -> Kind:
    if uses.startswith("docker://"):
        return Skipped("needs containers")
    if uses.startswith(LOCAL_USES):
        return Local(uses[2:].strip("/").encode(), of_commit=uses.startswith("$"))
    name, _, ref = uses.partition("@")
    action = name.lower().rstrip("/")

    def read_input(wanted: str) -> str:
        node = step.inputs.get(wanted) if step.inputs else None
        return fill_known(node, around).strip() if isinstance(node, Scalar) else ""

    if action in _CHECKOUTS:
        return _classify_checkout(read_input, around)
    if action in _MOOT:
        return Satisfied(_MOOT[action])
    if action in _REPORTING and _only_reports(action, read_input):
        return Satisfied(_REPORTING[action][1])
    if action in COMPARING:
        return _classify_comparison(action, step, read_input, around)
    if action in _KEEPS:
        if ref.split(".")[0] in _RETIRED.get(action.split("/")[1], ()):
            return Skipped(f"GitHub refuses this version ({uses})")
        return Keep(_KEEPS[action], action)
    tools = read_tools(action, ref, read_input)
    if tools is not None and not installs_more(action, read_input):
        return Setup(tools)
    if action == PACKAGES:
        return _classify_packages(tuple(read_input("packages").split()))
    if action == REFUSE:
        return Skipped(read_input("reason"))
    equivalent = find_equivalent(action)
    if equivalent is not None:
        unknown = find_unknown_input(equivalent, step.inputs)
        if unknown:
            return Skipped(f"third-party action ({name} with '{unknown}')")
        return Equivalent(place_steps(equivalent, step))
    return Skipped(_refuse_action(action, name))


def _classify_checkout(read_input: Callable[[str], str], around: Surroundings) -> Kind:
    """The worktree is what is asked for, unless another repository, commit or folder is named.

    What is not known before the run is taken for the usual.
    """
    repository, ref, path = map(read_input, ("repository", "ref", "path"))
    ours = _see_github(around, "repository")
    # GitHub's names are the same in any case.
    is_ours = isinstance(ours, str) and repository.lower() == ours.lower()
    if repository in _UNSAID or is_ours:
        repository = ""
        own = [_see_github(around, name) for name in ("ref", "ref_name", "sha", "head_ref")]
        own.append(_see_request_head(around))
        ref = "" if ref in own or UNKNOWN_TEXT in ref else ref
    wanted = Fetch(repository, ref, path)
    if not repository and not ref and wanted.is_at_top:
        if read_input(_LFS) not in _NO:
            return PARTIAL[_LFS]
        if read_input(_SPARSE) in _NO:
            return Satisfied(CHECKOUT)
        return Satisfied(SPARSE) if read_input("submodules") in _NO else PARTIAL[_SPARSE]
    # Where nobody knows what this one is called, the other may be this one.
    is_known = isinstance(ours, str) and _repository_name().fullmatch(repository)
    if repository and not is_known:
        return Skipped(f"checks out another repository ({repository})")
    for name in (_SPARSE, _LFS, "ssh-key"):
        if read_input(name) not in _NO:
            return Skipped(f"checks out {wanted.what} with '{name}'")
    return wanted


def find_checkout_folder(step: Step) -> str:
    """The folder that a checkout names, if a step is one; of which repository is not looked at."""
    action = step.uses.text.partition("@")[0].lower().rstrip("/") if step.uses else ""
    node = step.inputs.get("path") if action in _CHECKOUTS and step.inputs else None
    return node.text.strip() if isinstance(node, Scalar) else ""


def _only_reports(action: str, read_input: Callable[[str], str]) -> bool:
    """Whether nothing but the report is lost where such an action does not run."""
    # Coveralls' own fails unless an input says not to.
    default = "true" if action == "coverallsapp/github-action" else "false"
    names = _REPORTING[action][0]
    return all((read_input(name).lower() or default) == "false" for name in names)


def _classify_packages(names: tuple[str, ...]) -> Kind:
    if all(map(is_package, names)):
        return Setup((), packages=names)
    return Skipped(f"needs root to install packages ({' '.join(names)})")


def _classify_comparison(
    action: str, step: Step, read_input: Callable[[str], str], around: Surroundings
) -> Kind:
    names = [key.text.lower() for key, _ in step.inputs.pairs] if step.inputs else []
    strange = find_strange_input(action, names, read_input)
    if strange:
        return Skipped(f"third-party action ({action} with '{strange}')")
    found = find_comparison(action, names, around, read_input)
    if found.refusal:
        return Skipped(f"{action}: {found.refusal}")
    return Compare(action, found.since, found.forked)


@functools.cache
def _repository_name() -> re.Pattern[str]:
    return re.compile(r"[A-Za-z0-9_][\w.-]*/[A-Za-z0-9_.][\w.-]*", re.ASCII)


def _see_request_head(around: Surroundings) -> Value:
    """The commit of a pull request, in whose stead the state is: uncommitted work comes on top."""
    place = _see_github(around, "event")
    for name in ("pull_request", "head", "sha"):
        place = place.get(name) if isinstance(place, Object) else UNKNOWN
    return place


def _see_github(around: Surroundings, name: str) -> Value:
    github = around.contexts.get("github")
    return github.get(name) if isinstance(github, Object) else UNKNOWN


def _refuse_action(action: str, name: str) -> str:
    if action.startswith(_NEEDS_GITHUB):
        return f"needs GitHub ({name})"
    if action.startswith("docker/"):
        return f"needs containers ({name})"
    # By a word in its name: a list of all such actions would be out of date at once.
    if any(word in action for word in _PUBLISHING):
        return f"publishes or deploys ({name})"
    return f"third-party action ({name})"
