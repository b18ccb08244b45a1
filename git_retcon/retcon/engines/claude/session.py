"""What the tools of one conversation share."""

from dataclasses import field

from git_retcon.lazy_dataclass import dataclass
from git_retcon.model.conversation import Conversation
from git_retcon.model.toolloop import Turn
from git_retcon.retcon.engines.claude.bench import Bench
from git_retcon.retcon.engines.claude.display import Display
from git_retcon.retcon.engines.claude.workspace import Workspace


@dataclass
class Session:
    """One conversation. ``create_commit`` sets ``committed`` and its ``message``."""

    workspace: Workspace
    display: Display
    bench: Bench
    conversation: Conversation = field(default_factory=Conversation)
    committed: bool = False
    message: str = ""

    def watch(self, turn: Turn) -> None:
        """Judge a turn that is over. A commit ends the conversation, so its turn is not judged."""
        if not self.committed:
            self.conversation.watch(turn)
