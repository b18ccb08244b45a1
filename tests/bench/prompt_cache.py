"""What the service's cache of prompts would hold of a series of requests, by its documented rules.

A breakpoint ends a prefix that is kept; a later request reads the longest kept prefix that ends
at most 20 blocks before a breakpoint of its own. A prefix under 1,024 tokens is not kept.
"""

import hashlib
import json
from collections.abc import Iterator
from typing import Any

from git_retcon.model.messages import Usage
from git_retcon.model.token_count import count_tokens

_LOOKBACK = 20
_LEAST = 1_024


class PromptCache:
    """The cache of one run; entries live longer than its pauses."""

    def __init__(self) -> None:
        self._kept: set[str] = set()

    def bill(self, body: dict[str, Any], output: int) -> Usage:
        """How the input of a request would be billed; it is in the cache from now on."""
        digest = hashlib.sha256(json.dumps([body["model"], body.get("output_config")]).encode())
        prefixes: list[tuple[str, int]] = []
        breakpoints: list[int] = []
        total = 0
        for at, (text, is_breakpoint) in enumerate(_list_blocks(body)):
            digest.update(text.encode())
            total += count_tokens(text.encode())
            prefixes.append((digest.hexdigest(), total))
            if is_breakpoint:
                breakpoints.append(at)
        if "cache_control" in body:
            breakpoints.append(len(prefixes) - 1)
        read = max(
            (
                size
                for mark in breakpoints
                for name, size in prefixes[max(0, mark - _LOOKBACK) : mark + 1]
                if name in self._kept
            ),
            default=0,
        )
        kept = [prefixes[mark] for mark in breakpoints if prefixes[mark][1] >= _LEAST]
        self._kept.update(name for name, _ in kept)
        written = max(0, max((size for _, size in kept), default=0) - read)
        return Usage(total - read - written, output, read, written)


def _list_blocks(body: dict[str, Any]) -> Iterator[tuple[str, bool]]:
    if body.get("tools"):
        yield json.dumps(body["tools"]), False
    blocks = [*body.get("system", ()), *(b for m in body["messages"] for b in m["content"])]
    for block in blocks:
        said = {key: value for key, value in block.items() if key != "cache_control"}
        yield said.get("text") or json.dumps(said), "cache_control" in block
