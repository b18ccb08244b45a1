"""The final answer of a conversation: progress with what, stuck with a summary, or nothing."""

import re

from git_retcon.model.messages import Json
from git_retcon.show.style import shorten

SCHEMA: Json = {
    "type": "object",
    "properties": {
        "verdict": {"type": "string", "enum": ["progress", "stuck", "nothing"]},
        "what": {"type": "string"},
        "summary": {"type": "string"},
    },
    "required": ["verdict", "what", "summary"],
    "additionalProperties": False,
}
_LONGEST_SUBJECT = 72 - len("WIP: ")
_LONGEST_SUMMARY = 2_000
# A model's text goes to a terminal and into a commit: no escape sequence may come along.
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def find_fault(answer: Json, *, is_changed: bool, may_be_nothing: bool) -> str | None:
    """Find what is wrong with an answer of the right shape, in words for the model."""
    match answer["verdict"]:
        case "progress" if not is_changed:
            return "it says 'progress' but nothing was taken or written"
        # A new commit has the user's message; a fix needs words of its own.
        case "progress" if not may_be_nothing and not clean_subject(answer["what"]):
            return "'what' must say what was added"
        case "stuck" if not clean_summary(answer["summary"]):
            return "'summary' must say why, and what to merge, swap or change"
        case "nothing" if is_changed or not may_be_nothing:
            return "'nothing' does not fit here; it means that no hunk belongs to a new commit"
    return None


def clean_subject(what: str) -> str:
    """Make what a model calls its fix the end of a WIP subject: one plain line."""
    line = " ".join(_CONTROL.sub(" ", what).split())
    line = re.sub(r"^(?:wip\s*:\s*)+", "", line, flags=re.IGNORECASE)
    return shorten(line, _LONGEST_SUBJECT)


def clean_summary(text: str) -> str:
    """Bound a model's reason for being stuck, without control characters."""
    return shorten(_CONTROL.sub("", text).strip(), _LONGEST_SUMMARY)
