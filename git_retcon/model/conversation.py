"""How long a conversation with tools may go on: calls in a turn, and turns without anything new.

The number of turns, of faulty answers and of output tokens is ``toolloop``'s affair.
"""

from collections.abc import Hashable

from git_retcon.model.failures import NoAnswer
from git_retcon.model.toolloop import ToolFault, Turn

IDLE_TURNS = 3
# A model that calls hundreds of tools in one turn is in a loop, and each may cost a build.
MOST_CALLS = 48  # in one turn
_LONGEST_FAULT = 300  # characters


class NoHeadway(NoAnswer):
    """Turn after turn brought nothing new."""


class Conversation:
    """What has been seen and done so far in one conversation.

    Tools call ``begin_call`` first and ``note`` what they showed or changed; ``watch`` is given to
    ``converse``. ``has_fault`` says that a call of this turn failed: what follows it in the same
    turn was meant to build on it.
    """

    def __init__(self) -> None:
        self._known: set[Hashable] = set()
        self._is_new = False
        self._calls = 0
        self._idle = 0
        self._fault = ""
        self.has_fault = False

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
        # A turn without calls is an answer; how many of these may be wrong is counted elsewhere.
        self._idle = 0 if self._is_new or not turn.results else self._idle + 1
        faults = [result.text for result in turn.results if result.is_error]
        self._fault = faults[-1] if faults else self._fault
        self._is_new = self.has_fault = False
        self._calls = 0
        if self._idle >= IDLE_TURNS:
            why = f"; the last fault was: {self._fault[:_LONGEST_FAULT]}" if self._fault else ""
            raise NoHeadway(f"the model went {IDLE_TURNS} turns without anything new{why}")
