"""Choosing the engine of a run."""

import os

from git_retcon.git.repository import Repository
from git_retcon.model.choice import EngineName
from git_retcon.retcon import events
from git_retcon.retcon.engine import Failure
from git_retcon.retcon.engines.offline import OfflineEngine
from git_retcon.retcon.events import Listener
from git_retcon.retcon.rebuild.loop import Spending
from git_retcon.retcon.rebuild.options import EngineWish, Wishes
from git_retcon.retcon.rebuild.run import Engagement
from git_retcon.retcon.spec.model import Spec


def engage(
    repository: Repository, spec: Spec, wish: EngineWish, wishes: Wishes, tell: Listener
) -> Engagement:
    """The engine that was chosen, ready to be asked."""
    choice = wish.choice
    if choice.engine is EngineName.OFFLINE:
        return Engagement(
            OfflineEngine(),
            "offline (no model is asked)",
            cause,
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
        f"{choice.model}, up to {choice.budget}",
        cause,
        spending,
        sandbox=wish.sandbox,
        attach=engine.attach,
    )


def cause(failure: Failure) -> str:
    """The short cause of a failure, for one line."""
    if failure.timed_out:
        return "timed out"
    # a few hundred regular expressions, needed by no run that builds at once
    from git_retcon.code.diagnostics.read import headline, read

    return headline(read(failure.output), failure.output)
