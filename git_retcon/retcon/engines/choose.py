"""Choosing the engine of a run."""

import os
from collections.abc import Callable
from dataclasses import dataclass

from git_retcon.git.repository import Repository
from git_retcon.model.engine_choice import EngineName, ModelChoice
from git_retcon.retcon import events
from git_retcon.retcon.engine import Engine, Spending
from git_retcon.retcon.engines.offline import OfflineEngine
from git_retcon.retcon.events import Listener
from git_retcon.run.checks import Checks
from git_retcon.run.sandbox.level import Policy


@dataclass(frozen=True)
class EngineWish:
    """Which engine, with its models and limits, and what it may do."""

    choice: ModelChoice
    sandbox: Policy
    never_send: tuple[str, ...]
    show_prompt: bool


def _unattached(checks: Checks) -> None:
    pass


@dataclass(frozen=True)
class Engagement:
    """The engine of a run, and what to call it.

    ``hint`` says what the user could do for another one. ``sandbox`` is for whatever holds bytes
    that a model wrote, in an earlier run perhaps. ``attach`` is given what builds, once it is
    there, for an engine that builds by itself.
    """

    engine: Engine
    description: str
    spending: Callable[[], Spending] = Spending
    hint: str = ""
    sandbox: Policy = Policy.AUTO
    attach: Callable[[Checks], None] = _unattached


def engage(repository: Repository, wish: EngineWish, tell: Listener) -> Engagement:
    """The engine that was chosen, ready to be asked."""
    choice = wish.choice
    if choice.engine is EngineName.OFFLINE:
        return Engagement(
            OfflineEngine(),
            choice.description,
            hint=choice.hint or "",
            sandbox=wish.sandbox,
        )
    # The offline engine needs none of it.
    from git_retcon.retcon.engines.claude.opening import open_engine

    engine, client = open_engine(
        repository,
        choice,
        wish.never_send,
        os.environ,
        lambda line: tell(events.Warned(line)),
        show_prompt=wish.show_prompt,
    )

    def spending() -> Spending:
        return Spending(client.spending.usage.total, client.spending.dollars)

    return Engagement(
        engine,
        choice.description,
        spending,
        sandbox=wish.sandbox,
        attach=engine.attach,
    )
