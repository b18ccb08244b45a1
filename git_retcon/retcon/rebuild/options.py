"""What one run does: options over the spec over configuration over defaults."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from git_retcon import settings
from git_retcon.lazy_dataclass import dataclass
from git_retcon.model.engine_choice import EngineOptions, choose_engine
from git_retcon.options import SharedOptions
from git_retcon.retcon.engines.choose import EngineDecisions
from git_retcon.retcon.rebuild.leftover import Leftovers
from git_retcon.retcon.spec.model import Spec
from git_retcon.run.commands import DEFAULT_TIMEOUT, Commands
from git_retcon.run.sandbox.level import Policy
from git_retcon.run.trust import NamedCommand
from git_retcon.run.worktree_place import worktrees_directory
from git_retcon.settings import Settings
from git_retcon.show.question import Asker, ask_person, choose_asker


@dataclass(frozen=True)
class Request:
    """The command line of one run."""

    shared: SharedOptions
    spec: Path | None = None
    explain: bool = False
    patch: bool = False
    plan: str | None = None
    state: str | None = None  # of the source: "branch" or "worktree"
    build: str | None = None
    test: str | None = None
    setup: str | None = None
    timeout: float | None = None
    leftover: str | None = None
    restart: bool = False
    squash_wip: bool = False
    no_cache: bool = False
    trust: bool = False

    @classmethod
    def of(cls, shared: SharedOptions, options: Mapping[str, object]) -> "Request":
        """From parsed options, by their names."""
        return cls(shared, **options)  # type: ignore[arg-type]


@dataclass(frozen=True)
class Decisions:
    """Everything that is decided before a run begins."""

    commands: Commands
    worktrees: Path
    leftover: Leftovers = Leftovers.COMMIT
    squash_wip: bool = False
    restart: bool = False
    cache: bool = True
    explain: bool = False
    ask: Asker = ask_person


def decide_run(request: Request, spec: Spec, chosen: Settings) -> Decisions:
    """Decide what a run does. Raises Fatal for a value that makes no sense."""
    return Decisions(
        commands=Commands(
            setup=_choose_command(request.setup, spec.setup, chosen.get(settings.SETUP)),
            build=_choose_command(request.build, spec.build, chosen.get(settings.BUILD)),
            test=_choose_command(request.test, spec.test, chosen.get(settings.TEST)),
            timeout=request.timeout or DEFAULT_TIMEOUT,
        ),
        worktrees=worktrees_directory(chosen.get(settings.WORKTREE_DIR)),
        leftover=_decide_leftovers(request, spec, chosen),
        squash_wip=decides_to_squash(request, chosen),
        restart=request.restart,
        cache=not request.no_cache,
        explain=request.explain,
        ask=choose_asker(request.shared),
    )


def _decide_leftovers(request: Request, spec: Spec, chosen: Settings) -> Leftovers:
    """What becomes of hunks that no commit takes. Raises Fatal for a value that makes no sense."""
    configured = chosen.one_of(settings.LEFTOVER, ("commit", "stop"))
    # Of a working state, they can stay what they are: not committed.
    usual = Leftovers.LEAVE if spec.worktree else Leftovers(configured)
    return Leftovers(request.leftover) if request.leftover else usual


def commands_of_spec(request: Request, spec: Spec) -> Sequence[NamedCommand]:
    """Every command that the spec names; none where options replace each of them."""
    named = (
        ("setup", request.setup, spec.setup),
        ("build", request.build, spec.build),
        ("test", request.test, spec.test),
    )
    if not any(command and option is None for _, option, command in named):
        return ()
    # All of them, so that the answer stays good when an option replaces one.
    return [NamedCommand(role, command) for role, _, command in named if command]


def decides_to_squash(request: Request, chosen: Settings) -> bool:
    """Whether WIP commits are folded at the end. Raises Fatal for a value that makes no sense."""
    wip = chosen.one_of(settings.WIP, ("keep", "squash"))
    return request.squash_wip or wip == "squash"


def decide_engine(request: Request, chosen: Settings) -> EngineDecisions:
    """Decide on the engine.

    Raises Fatal for a value that makes no sense, and NoCredentials where Claude is chosen and there
    are none.
    """
    return EngineDecisions(
        choice=choose_engine(EngineOptions.of(request.shared), chosen, settings.MAX_COST),
        sandbox=Policy.of(request.shared, chosen),
        never_send=chosen.all(settings.NEVER_SEND),
        show_prompt=request.shared.show_prompt,
        extract=decide_extraction(chosen),
    )


def decide_extraction(chosen: Settings) -> str:
    """How a model chooses hunks. Raises Fatal for a value that makes no sense."""
    return chosen.one_of(settings.EXTRACT, ("pages", "tools"))


def _choose_command(option: str | None, in_spec: str | None, configured: str | None) -> str | None:
    """The first that is given; an empty one switches the step off."""
    for command in (option, in_spec, configured):
        if command is not None:
            return command or None
    return None
