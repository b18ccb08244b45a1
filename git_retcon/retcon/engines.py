"""Choosing the engine of a run."""

import os

from git_retcon.git.repository import Repository
from git_retcon.model.choice import EngineName, ModelChoice, choose
from git_retcon.model.choice import Wishes as ModelWishes
from git_retcon.retcon import events
from git_retcon.retcon.engine import Failure
from git_retcon.retcon.events import Listener
from git_retcon.retcon.loop import Spending
from git_retcon.retcon.offline.engine import OfflineEngine
from git_retcon.retcon.rebuild import Engagement
from git_retcon.retcon.request import EngineWish, Wishes
from git_retcon.retcon.spec import Spec
from git_retcon.run.sandbox.level import Policy


def engage(
    repository: Repository, spec: Spec, wish: EngineWish, wishes: Wishes, tell: Listener
) -> Engagement:
    """The engine that was asked for, or the best there is credentials for.

    Raises NoCredentials where Claude is asked for and there are none.
    """
    choice = _choice(wish)
    policy = Policy(wish.sandbox)
    if choice.engine is EngineName.OFFLINE:
        return Engagement(
            OfflineEngine(),
            "offline (no model is asked)",
            cause,
            hint=choice.hint or "",
            sandbox=policy,
        )
    # The offline engine needs none of it.
    from git_retcon.retcon.claude.opening import open_engine

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
        f"{choice.model}, up to {choice.budget}",
        cause,
        spending,
        sandbox=policy,
        attach=engine.attach,
    )


def _choice(wish: EngineWish) -> ModelChoice:
    """What the model room makes of a wish; options and configuration are in it already."""
    options = ModelWishes(
        engine=wish.engine,
        model=wish.model or None,
        max_cost=str(wish.max_cost),
        max_tokens=None if wish.max_tokens is None else str(wish.max_tokens),
    )
    return choose(options, ModelWishes(), os.environ, max_cost=wish.max_cost)


def cause(failure: Failure) -> str:
    """The short cause of a failure, for one line."""
    if failure.timed_out:
        return "timed out"
    # a few hundred regular expressions, needed by no run that builds at once
    from git_retcon.code.diagnostics.read import headline, read

    return headline(read(failure.output), failure.output)
