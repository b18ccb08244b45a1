"""What the tools of one conversation share."""

from dataclasses import dataclass, field

from git_retcon.model.conversation import Conversation
from git_retcon.model.toolloop import Turn
from git_retcon.retcon.engines.claude.bench import Bench
from git_retcon.retcon.engines.claude.display import Display
from git_retcon.retcon.engines.claude.workspace import Workspace


@dataclass
class Session:
    """``committed`` is set by ``create_commit``."""

    workspace: Workspace
    display: Display
    bench: Bench
    conversation: Conversation = field(default_factory=Conversation)
    committed: bool = False
    message: str = ""

    def watch(self, turn: Turn) -> None:
        """A turn is over; a commit ends the conversation whatever the turn brought."""
        if not self.committed:
            self.conversation.watch(turn)
