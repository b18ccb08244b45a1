"""What was said about one commit so far: its extraction goes on into its repair.

A new conversation for each attempt would send the whole difference again, and would have
forgotten what the attempts before it found out. Nothing is taken out of it as it grows: to read a
token from the service's cache costs a twenty-fifth of writing one, and all behind a gap would be
written again (tests/bench/README.md, "One request to Claude").
"""

from typing import NamedTuple

from git_retcon.model.messages import Message, Text, ToolResult
from git_retcon.retcon.engine import Situation
from git_retcon.retcon.spec.hunk_parts import name_whole

# Characters. Beyond it a turn costs more than beginning again; it is a fraction of any window.
_LONGEST = 400_000


class Dialogue(NamedTuple):
    """A conversation that can go on.

    ``shown`` are the whole hunks it was about, ``quoted`` is the failed output it quoted last.
    """

    commit: int
    messages: tuple[Message, ...]
    shown: frozenset[str]
    quoted: str

    def goes_on(self, situation: Situation) -> bool:
        """Whether it is about the commit in work, and has room."""
        return self.commit == situation.index and _measure(self.messages) < _LONGEST


def open_dialogue(
    situation: Situation, messages: tuple[Message, ...], quoted: str, earlier: Dialogue | None
) -> Dialogue:
    """The conversation about the commit in work as it is now; ``earlier`` is its beginning."""
    shown = frozenset(name_whole(atom.id) for atom in situation.difference.atoms)
    shown |= earlier.shown if earlier else frozenset()
    return Dialogue(situation.index, messages, shown, quoted)


def _measure(messages: tuple[Message, ...]) -> int:
    return sum(
        len(block.text)
        for message in messages
        for block in message.blocks
        if isinstance(block, Text | ToolResult)
    )
