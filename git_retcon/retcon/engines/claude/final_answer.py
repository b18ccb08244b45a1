"""The final answer of a conversation: progress with what, stuck with a summary, or nothing."""

import re

from git_retcon.model.messages import Json

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
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def fault_of(answer: Json, *, is_changed: bool, may_be_nothing: bool) -> str | None:
    """What is wrong with an answer of the right shape, in words for the model."""
    match answer["verdict"]:
        case "progress" if not is_changed:
            return "it says 'progress' but nothing was taken or written"
        case "progress" if not subject(answer["what"]):
            return "'what' must say what was added"
        case "stuck" if not summary(answer["summary"]):
            return "'summary' must say why, and what to merge, swap or change"
        case "nothing" if is_changed or not may_be_nothing:
            return "'nothing' does not fit here; it means that no piece belongs to a new commit"
    return None


def subject(what: str) -> str:
    """What a model calls its fix, as the end of a WIP subject."""
    line = " ".join(_CONTROL.sub(" ", what).split())
    line = re.sub(r"^(?:wip\s*:\s*)+", "", line, flags=re.IGNORECASE)
    return line if len(line) <= _LONGEST_SUBJECT else f"{line[: _LONGEST_SUBJECT - 1].rstrip()}…"


def summary(text: str) -> str:
    """Why a model is stuck, bounded."""
    clean = _CONTROL.sub("", text).strip()
    return clean if len(clean) <= _LONGEST_SUMMARY else f"{clean[:_LONGEST_SUMMARY]}…"
