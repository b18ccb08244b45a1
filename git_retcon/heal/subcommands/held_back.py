"""The ending of a command whose fixes were kept on a branch, though they were to be applied."""

from collections.abc import Sequence

from git_retcon.errors import Reason
from git_retcon.heal.review.settled_heals import Settled
from git_retcon.show.counting import count
from git_retcon.show.envelope import FAILED, Ending, Failure
from git_retcon.show.notices import say


def end_held_back(kept: Sequence[Settled], data: dict[str, object]) -> Ending:
    """The ending, told to people too: how many, why the first, and how to see it."""
    first = kept[0]
    error = f"{count(len(kept), 'fix', 'fixes')} not applied: {first.reason}"
    hint = f"'git diff HEAD...{first.branch}' shows the fix; nothing was overwritten"
    say("error", error, hint)
    commands = [["git", "diff", f"HEAD...{first.branch}"]]
    return Ending(FAILED, data, Failure(Reason.STALE_PLAN, error, hint, commands=commands))
