"""Showing every prompt before it is sent (``--show-prompt``)."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TextIO

from git_retcon.model.client import Completer
from git_retcon.model.messages import Block, Reply, Request, Text, ToolResult
from git_retcon.model.redaction import Redactor
from git_retcon.show.style import printable, write_line


@dataclass(frozen=True)
class Shown:
    """Writes what is new in a request, secrets masked, then passes it on."""

    inner: Completer
    redactor: Redactor
    stream: TextIO

    def complete(self, request: Request) -> Reply:
        """As ``Completer``."""
        for line in self._lines(request):
            write_line(self.stream, printable(self.redactor.text(line)))
        self.stream.flush()
        return self.inner.complete(request)

    def _lines(self, request: Request) -> Iterator[str]:
        yield f"--- prompt to {request.model}"
        if len(request.messages) == 1:
            yield request.system
            yield f"(tools: {', '.join(tool.name for tool in request.tools)})"
        yield from map(_text, request.messages[-1].blocks)
        yield "---"


def _text(block: Block) -> str:
    match block:
        case Text(text):
            return text
        case ToolResult():
            return f"({'fault' if block.is_error else 'result'} of a tool) {block.text}"
    return ""
