"""Between our values and the JSON of the Messages API (version 2026-10-21), both ways.

Nothing that comes in is trusted: every field used is checked, because the SDK takes a malformed
answer without a word.
"""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from git_retcon.model.failures import MalformedAnswer
from git_retcon.model.messages import (
    Block,
    Json,
    Message,
    Reply,
    Request,
    StopReason,
    Text,
    Thinking,
    ToolResult,
    ToolUse,
    Usage,
)

_CACHED = {"type": "ephemeral"}
_MOST_TOKENS = 100_000_000  # of one request; the largest windows hold a hundredth of it


def to_body(request: Request) -> dict[str, Any]:
    """The JSON body of a request, marked so that its common beginnings are cached."""
    body: dict[str, Any] = {
        "model": request.model,
        "max_tokens": request.max_output_tokens,
        "messages": [_encode_message(message) for message in request.messages],
    }
    # A question without tools has no later turn that would read what was paid to be kept.
    if request.tools:
        body["cache_control"] = _CACHED
    if request.system:
        body["system"] = [{"type": "text", "text": request.system, "cache_control": _CACHED}]
    if request.tools:
        body["tools"] = [
            {
                "name": tool.name,
                "description": tool.description,
                "input_schema": _shorten_schema(tool.schema),
            }
            for tool in request.tools
        ]
    output: dict[str, Any] = {}
    if request.schema is not None:
        output["format"] = {"type": "json_schema", "schema": close_objects(request.schema)}
    if request.effort is not None:
        output["effort"] = request.effort
    if output:
        body["output_config"] = output
    return body


def _shorten_schema(schema: Json) -> dict[str, Any]:
    """Without what we refuse ourselves and a model does not need to be told with every request."""
    return {key: value for key, value in schema.items() if key != "additionalProperties"}


def close_objects(schema: Any) -> Any:
    """A schema whose objects admit no other properties, as structured output demands."""
    if isinstance(schema, Mapping):
        inner = {key: close_objects(value) for key, value in schema.items()}
        if inner.get("type") == "object":
            inner.setdefault("additionalProperties", False)
        return inner
    if isinstance(schema, list | tuple):
        return [close_objects(value) for value in schema]
    return schema


def _encode_message(message: Message) -> dict[str, Any]:
    content = [_encode_block(block) for block in _drop_blank_text(message.blocks)]
    # Nor does it take a turn with nothing in it.
    return {"role": message.role, "content": content or [_encode_block(Text("(nothing)"))]}


def _drop_blank_text(blocks: Iterable[Block]) -> Iterable[Block]:
    # The API refuses blank text blocks, though models do send them.
    return (block for block in blocks if not isinstance(block, Text) or block.text.strip())


def _encode_block(block: Block) -> dict[str, Any]:
    match block:
        case Text(text, cached):
            encoded = {"type": "text", "text": text}
            return {**encoded, "cache_control": _CACHED} if cached else encoded
        case Thinking(payload):
            thinking: dict[str, Any] = json.loads(payload)
            return thinking
        case ToolUse():
            return {
                "type": "tool_use",
                "id": block.id,
                "name": block.name,
                "input": dict(block.input),
            }
        case ToolResult():
            return {
                "type": "tool_result",
                "tool_use_id": block.tool_use_id,
                "content": block.text or "(nothing)",
                "is_error": block.is_error,
            }


def to_reply(message: object) -> Reply:
    """Read a message. Raises MalformedAnswer naming the first field that is wrong."""
    if not isinstance(message, Mapping) or message.get("type") != "message":
        raise _malformed_answer("it is not a message")
    content = message.get("content")
    if not isinstance(content, list):
        raise _malformed_answer("it has no content")
    stop = message.get("stop_reason")
    if stop not in tuple(StopReason):
        raise _malformed_answer(f"its stop reason is {stop!r}")
    blocks = tuple(_read_block(block) for block in content)
    calls = [block.id for block in blocks if isinstance(block, ToolUse)]
    if len(set(calls)) < len(calls):
        # The service refuses a turn in which two results are of one call.
        raise _malformed_answer("two calls of tools have the same id")
    details = message.get("stop_details")
    category = details.get("category") if isinstance(details, Mapping) else None
    return Reply(
        model=_read_string(message, "model"),
        blocks=blocks,
        stop=StopReason(stop),
        usage=_read_usage(message.get("usage")),
        detail=category if isinstance(category, str) else "",
    )


def _read_block(block: object) -> Block:
    if not isinstance(block, Mapping):
        raise _malformed_answer("a content block is not an object")
    kind = block.get("type")
    if kind == "text":
        return Text(_read_string(block, "text"))
    if kind == "tool_use":
        return _read_tool_use(block)
    if kind in ("thinking", "redacted_thinking"):
        # Signed by the service: it refuses a turn whose thinking was changed.
        return Thinking(json.dumps(block, ensure_ascii=False))
    raise _malformed_answer(f"a content block is of the unknown type {kind!r}")


def _read_tool_use(block: Json) -> ToolUse:
    given = block.get("input")
    name, identity = _read_string(block, "name"), _read_string(block, "id")
    if isinstance(given, Mapping):
        return ToolUse(identity, name, given)
    # A call cut off by the output limit; the model learns of it, and may try again.
    return ToolUse(identity, name, {}, fault="the input is not a JSON object")


def _read_usage(usage: object) -> Usage:
    if not isinstance(usage, Mapping) or not {"input_tokens", "output_tokens"} <= usage.keys():
        raise _malformed_answer("it has no usage")
    return to_usage(usage)


def to_usage(usage: object) -> Usage:
    """Read token counts, those missing as none. Raises MalformedAnswer where one is no count."""
    if not isinstance(usage, Mapping):
        raise _malformed_answer("it has no usage")
    return Usage(
        input=_read_count(usage, "input_tokens"),
        output=_read_count(usage, "output_tokens"),
        cache_read=_read_count(usage, "cache_read_input_tokens"),
        cache_write=_read_count(usage, "cache_creation_input_tokens"),
    )


def _read_count(usage: Json, field: str) -> int:
    value = usage.get(field)
    if value is None:
        return 0
    # A negative count would give the budget back, an absurd one would spend a month's.
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= _MOST_TOKENS:
        raise _malformed_answer(f"its {field} is {value!r:.40}")
    return value


def _read_string(value: Json, field: str) -> str:
    found = value.get(field)
    if not isinstance(found, str):
        raise _malformed_answer(f"the field '{field}' is missing")
    return found


def _malformed_answer(why: str) -> MalformedAnswer:
    return MalformedAnswer(
        f"the model service sent an answer that cannot be read: {why}",
        hint="check ANTHROPIC_BASE_URL and any proxy between, or use --offline",
    )
