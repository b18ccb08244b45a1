"""A conversation that has committed is over, also when its last turn brought nothing."""

from typing import cast

import pytest

from git_retcon.model.conversation import IDLE_TURNS, NoHeadway
from git_retcon.model.messages import ToolResult
from git_retcon.model.toolloop import Turn
from git_retcon.retcon.engines.claude.bench import Bench
from git_retcon.retcon.engines.claude.display import Display
from git_retcon.retcon.engines.claude.session import Session
from git_retcon.retcon.engines.claude.workspace import Workspace


def turns(session: Session) -> None:
    result = ToolResult("id", "nothing new")
    for number in range(IDLE_TURNS):
        session.watch(Turn(number, None, (result,)))  # type: ignore[arg-type]


def session(*, committed: bool) -> Session:
    unused = cast("Workspace", None), cast("Display", None), cast("Bench", None)
    return Session(*unused, committed=committed)


def test_turns_without_anything_new_end_it() -> None:
    with pytest.raises(NoHeadway):
        turns(session(committed=False))


def test_after_the_commit_no_turn_is_judged() -> None:
    turns(session(committed=True))
