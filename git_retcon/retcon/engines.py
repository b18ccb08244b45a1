"""Choosing the engine of a run."""

from git_retcon.git.repository import Repository
from git_retcon.retcon.engine import Failure
from git_retcon.retcon.events import Listener
from git_retcon.retcon.offline.engine import OfflineEngine
from git_retcon.retcon.rebuild import Engagement
from git_retcon.retcon.request import EngineWish, Wishes
from git_retcon.retcon.spec import Spec


def engage(
    repository: Repository, spec: Spec, wish: EngineWish, wishes: Wishes, tell: Listener
) -> Engagement:
    """The engine that was asked for, or the best there is credentials for."""
    return Engagement(OfflineEngine(), "offline (no model is asked)", cause)


def cause(failure: Failure) -> str:
    """The short cause of a failure, for one line."""
    if failure.timed_out:
        return "timed out"
    # a few hundred regular expressions, needed by no run that builds at once
    from git_retcon.code.diagnostics.read import headline, read

    return headline(read(failure.output), failure.output)
