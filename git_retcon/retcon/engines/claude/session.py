"""One conversation's state, and how long it may go on."""

from collections.abc import Hashable
from dataclasses import dataclass, field

from git_retcon.model.failures import NoAnswer
from git_retcon.model.toolloop import ToolFault, Turn
from git_retcon.retcon.engines.claude.bench import Bench
from git_retcon.retcon.engines.claude.display import Display
from git_retcon.retcon.engines.claude.workspace import Workspace

IDLE_TURNS = 3
MOST_CALLS = 48  # in one turn


class NoHeadway(NoAnswer):
    """Turn after turn brought nothing new."""


@dataclass
class Session:
    """What the tools of one conversation share. ``committed`` is set by ``create_commit``."""

    workspace: Workspace
    display: Display
    bench: Bench
    committed: bool = False
    message: str = ""
    _known: set[Hashable] = field(default_factory=set, init=False)
    _is_new: bool = field(default=False, init=False)
    _calls: int = field(default=0, init=False)
    _idle: int = field(default=0, init=False)
    _fault: str = field(default="", init=False)

    def begin_call(self) -> None:
        """Count a call. Raises ToolFault for one too many in a turn."""
        self._calls += 1
        if self._calls > MOST_CALLS:
            raise ToolFault(f"nothing was done: at most {MOST_CALLS} calls in one turn")

    def note(self, *what: Hashable) -> None:
        """Something was seen, chosen or found out; only the first time counts."""
        if what not in self._known:
            self._known.add(what)
            self._is_new = True

    def watch(self, turn: Turn) -> None:
        """A turn is over. Raises NoHeadway after IDLE_TURNS in a row with nothing new."""
        self._idle = 0 if self._is_new or not turn.results else self._idle + 1
        faults = [result.text for result in turn.results if result.is_error]
        self._fault = faults[-1] if faults else self._fault
        self._is_new = False
        self._calls = 0
        if self._idle >= IDLE_TURNS and not self.committed:
            why = f"; the last fault was: {self._fault[:300]}" if self._fault else ""
            raise NoHeadway(f"the model went {IDLE_TURNS} turns without anything new{why}")
