"""What the tools of one conversation share."""

from dataclasses import field

from git_retcon.heal.engine import ModelTask
from git_retcon.heal.engines.claude.allowed_commands import AllowedCommands
from git_retcon.heal.engines.claude.draft_files import DraftFiles
from git_retcon.heal.engines.claude.shown_output import OutputView
from git_retcon.lazy_dataclass import dataclass
from git_retcon.model.conversation import Conversation

MOST_RUNS = 10  # of steps and commands, in one conversation


@dataclass
class Session:
    """One conversation. ``runs`` is how many more things it may run."""

    task: ModelTask
    files: DraftFiles
    view: OutputView
    commands: AllowedCommands
    conversation: Conversation = field(default_factory=Conversation)
    runs: int = MOST_RUNS
