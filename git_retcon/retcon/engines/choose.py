"""Make the engine of a run from what options and settings decide."""

import os
from collections.abc import Callable

from git_retcon.git.repository import Repository
from git_retcon.lazy_dataclass import dataclass
from git_retcon.model.engine_choice import EngineName, ModelChoice
from git_retcon.retcon import events
from git_retcon.retcon.engine import Engine, Spent
from git_retcon.retcon.engines.offline import OfflineEngine
from git_retcon.retcon.events import Listener
from git_retcon.run.checks import Checks
from git_retcon.run.sandbox.level import Policy


@dataclass(frozen=True)
class EngineDecisions:
    """Which engine a run has, with its models and limits, and what it may do.

    ``extract`` is how a model chooses hunks: "pages" or "tools".
    """

    choice: ModelChoice
    sandbox: Policy
    never_send: tuple[str, ...]
    show_prompt: bool
    extract: str


def _ignore_checks(checks: Checks) -> None:
    pass


@dataclass(frozen=True)
class ChosenEngine:
    """The engine of a run, and what to call it.

    ``hint`` says how the user gets another one. ``sandbox`` confines what holds bytes that a model
    wrote, perhaps in an earlier run, and keeps what ``never_send`` names from it. ``attach`` gives
    the checks, once they are there, to an engine that builds by itself.
    """

    engine: Engine
    description: str
    spending: Callable[[], Spent] = Spent
    hint: str = ""
    sandbox: Policy = Policy.AUTO
    never_send: tuple[str, ...] = ()
    attach: Callable[[Checks], None] = _ignore_checks


def choose_engine(
    repository: Repository, decisions: EngineDecisions, tell: Listener
) -> ChosenEngine:
    """Make the engine that the decisions name."""
    choice = decisions.choice
    if choice.engine is EngineName.OFFLINE:
        return ChosenEngine(
            OfflineEngine(),
            choice.description,
            hint=choice.hint or "",
            sandbox=decisions.sandbox,
            never_send=decisions.never_send,
        )
    # Late: an offline run loads nothing of the model room.
    from git_retcon.retcon.engines.claude.opening import open_engine

    engine, client = open_engine(
        repository,
        choice,
        decisions.never_send,
        os.environ,
        lambda line: tell(events.Warned(line)),
        show_prompt=decisions.show_prompt,
        extract=decisions.extract,
    )

    def read_spending() -> Spent:
        return Spent(client.spending.usage.total, client.spending.dollars)

    return ChosenEngine(
        engine,
        choice.description,
        read_spending,
        sandbox=decisions.sandbox,
        never_send=decisions.never_send,
        attach=engine.attach,
    )
