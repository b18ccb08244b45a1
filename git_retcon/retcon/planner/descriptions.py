"""What the message and the hints of a logical commit say, read once for a plan."""

from collections.abc import Sequence
from typing import NamedTuple

from git_retcon.retcon.hints.hint import Hint, read_hint
from git_retcon.retcon.hints.message import Message, read_message
from git_retcon.retcon.spec.model import LogicalCommit


class Description(NamedTuple):
    """One logical commit in words. The hints, less what they exclude, are in ``message`` too."""

    message: Message
    hint: Hint


def read_descriptions(commits: Sequence[LogicalCommit]) -> list[Description]:
    """Read every logical commit, in order."""
    hints = [read_hint(commit.hints) for commit in commits]
    return [
        Description(read_message(commit.message, hint.text), hint)
        for commit, hint in zip(commits, hints, strict=True)
    ]
