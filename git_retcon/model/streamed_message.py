"""Putting a streamed message together, event by event."""

import json
import math
from collections.abc import Mapping
from typing import Any

from git_retcon.model.api_format import to_usage
from git_retcon.model.failures import MalformedAnswer, Unavailable
from git_retcon.model.messages import Json, Usage

# Which field of a block each kind of delta grows.
_GROWS = {
    "text_delta": "text",
    "thinking_delta": "thinking",
    "signature_delta": "signature",
    "input_json_delta": "partial_json",
}


class Assembly:
    """A message under construction. ``usage`` is right at any moment, however it ends."""

    def __init__(self) -> None:
        self._message: dict[str, Any] | None = None
        self._blocks: dict[int, dict[str, Any]] = {}
        self._deltas: dict[tuple[int, str], list[str]] = {}
        self._received = 0
        self._usage: dict[str, Any] = {}
        self.complete = False

    @property
    def usage(self) -> Usage:
        """What this answer costs so far; text received counts though its bill is not in yet."""
        known = to_usage(self._usage)
        # About four characters a token: a stream that breaks off has been billed for what came.
        unbilled = 0 if self.complete else math.ceil(self._received / 4)
        return Usage(known.input, max(known.output, unbilled), known.cache_read, known.cache_write)

    def feed(self, event: Json) -> None:
        """Take one event. Raises MalformedAnswer where it does not fit what came before."""
        kind = event.get("type")
        if kind == "message_start":
            self._start_message(event.get("message"))
        elif kind == "message_stop":
            self.complete = True
        elif kind == "message_delta":
            self._close_block(event)
        elif kind == "content_block_start":
            self._open_block(event)
        elif kind == "content_block_delta":
            self._grow_block(event)

    def finish(self) -> dict[str, Any]:
        """The whole message. Raises Unavailable where the stream ended too early."""
        if self._message is None or not self.complete:
            raise Unavailable("the model's answer broke off")
        for index, block in self._blocks.items():
            self._finish_block(index, block)
        content = [self._blocks[index] for index in sorted(self._blocks)]
        return {**self._message, "content": content, "usage": self._usage}

    def _start_message(self, message: object) -> None:
        if not isinstance(message, Mapping):
            raise _out_of_step("message_start")
        self._message = dict(message)
        self._note_usage(message.get("usage"))

    def _close_block(self, event: Json) -> None:
        delta = event.get("delta")
        if self._message is None or not isinstance(delta, Mapping):
            raise _out_of_step("message_delta")
        self._message.update(delta)
        self._note_usage(event.get("usage"))

    def _note_usage(self, usage: object) -> None:
        # A delta's counts are totals so far, and may leave out what did not change.
        if isinstance(usage, Mapping):
            merged = self._usage | {k: v for k, v in usage.items() if v is not None}
            to_usage(merged)
            self._usage = merged

    def _open_block(self, event: Json) -> None:
        index, block = event.get("index"), event.get("content_block")
        if self._message is None or not isinstance(index, int) or not isinstance(block, Mapping):
            raise _out_of_step("content_block_start")
        self._blocks[index] = dict(block)

    def _grow_block(self, event: Json) -> None:
        index, delta = event.get("index"), event.get("delta")
        if not isinstance(index, int) or index not in self._blocks:
            raise _out_of_step("content_block_delta")
        field = _GROWS.get(str(delta.get("type"))) if isinstance(delta, Mapping) else None
        if not isinstance(delta, Mapping) or field is None:
            return
        text = delta.get(field)
        if not isinstance(text, str):
            raise _out_of_step("content_block_delta")
        self._received += len(text)
        self._deltas.setdefault((index, field), []).append(text)

    def _finish_block(self, index: int, block: dict[str, Any]) -> None:
        for field in ("text", "thinking", "signature"):
            grown = "".join(self._deltas.get((index, field), ()))
            if grown:
                block[field] = f"{block.get(field) or ''}{grown}"
        if block.get("type") == "tool_use" and (index, "partial_json") in self._deltas:
            block["input"] = _parse_input("".join(self._deltas[index, "partial_json"]))


def _parse_input(text: str) -> Any:
    try:
        return json.loads(text or "{}")
    except (ValueError, RecursionError):
        return None


def _out_of_step(event: str) -> MalformedAnswer:
    return MalformedAnswer(
        f"the model service sent an answer that cannot be read: '{event}' does not fit",
        hint="check ANTHROPIC_BASE_URL and any proxy between, or use --offline",
    )
