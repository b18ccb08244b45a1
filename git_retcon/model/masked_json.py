"""Masking secrets in the JSON that is sent, answered and recorded."""

from collections.abc import Mapping
from typing import Any

from git_retcon.model.redaction import Redactor


def mask_json(value: Any, redactor: Redactor) -> Any:
    """The same JSON with every secret masked.

    Thinking is signed and cannot be changed: it is left out where it would have to be.
    """
    if isinstance(value, str):
        return redactor.redact_text(_make_sendable(value))
    if isinstance(value, Mapping):
        if _is_thinking(value):
            return dict(value)
        return {mask_json(k, redactor): mask_json(v, redactor) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [mask_json(item, redactor) for item in value if not _is_spoiled(item, redactor)]
    return value


def _make_sendable(text: str) -> str:
    # Bytes that were no UTF-8 are lone surrogates in a str; JSON cannot carry them.
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _is_thinking(value: Any) -> bool:
    return isinstance(value, Mapping) and value.get("type") in ("thinking", "redacted_thinking")


def _is_spoiled(value: Any, redactor: Redactor) -> bool:
    if not _is_thinking(value):
        return False
    text = value.get("thinking", "")
    return not isinstance(text, str) or redactor.redact_text(text) != text
