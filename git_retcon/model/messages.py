"""What is said to a model and what it answers, as values of our own.

The Messages API's words are kept (block, stop reason, usage); its JSON is ``api_format``'s affair.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Literal, TypeAlias

from git_retcon.lazy_dataclass import dataclass

Json: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Text:
    """Plain text, of either side. ``cached``: many requests are the same up to its end."""

    text: str
    cached: bool = False


@dataclass(frozen=True, slots=True)
class Thinking:
    """The model's own thinking, as JSON: it is signed, so it goes back exactly as it came."""

    payload: str


@dataclass(frozen=True, slots=True)
class ToolUse:
    """A call of a tool. ``fault`` says why ``input`` is empty where it was no JSON object."""

    id: str
    name: str
    input: Json
    fault: str = ""


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a call answered."""

    tool_use_id: str
    text: str
    is_error: bool = False


Block: TypeAlias = Text | Thinking | ToolUse | ToolResult


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of the conversation."""

    role: Literal["user", "assistant"]
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class ToolDeclaration:
    """A tool as a model sees it; ``schema`` is a JSON schema of type object."""

    name: str
    description: str
    schema: Json


@dataclass(frozen=True, slots=True)
class Request:
    """One call of a model.

    ``schema`` asks for an answer in JSON of that shape; ``effort`` is low, medium, high, xhigh
    or max, None for the model's default.
    """

    model: str
    system: str
    messages: tuple[Message, ...]
    max_output_tokens: int
    tools: tuple[ToolDeclaration, ...] = ()
    schema: Json | None = None
    effort: str | None = None


class StopReason(StrEnum):
    """Why the model ended its turn."""

    END_TURN = "end_turn"
    MAX_TOKENS = "max_tokens"
    STOP_SEQUENCE = "stop_sequence"
    TOOL_USE = "tool_use"
    PAUSE_TURN = "pause_turn"
    REFUSAL = "refusal"
    WINDOW_EXCEEDED = "model_context_window_exceeded"


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as billed. ``input`` counts neither cache reads nor cache writes."""

    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            self.input + other.input,
            self.output + other.output,
            self.cache_read + other.cache_read,
            self.cache_write + other.cache_write,
        )

    @property
    def prompt(self) -> int:
        """The length of the whole prompt, cached or not."""
        return self.input + self.cache_read + self.cache_write

    @property
    def total(self) -> int:
        return self.prompt + self.output


@dataclass(frozen=True, slots=True)
class Reply:
    """A model's whole turn. ``detail`` is the category of a refusal, else empty."""

    model: str
    blocks: tuple[Block, ...]
    stop: StopReason
    usage: Usage
    detail: str = ""

    @property
    def text(self) -> str:
        """What was said, without thinking and calls."""
        return "".join(block.text for block in self.blocks if isinstance(block, Text))

    @property
    def tool_uses(self) -> tuple[ToolUse, ...]:
        return tuple(block for block in self.blocks if isinstance(block, ToolUse))


def user(text: str) -> Message:
    """A user's turn of plain text."""
    return Message("user", (Text(text),))
