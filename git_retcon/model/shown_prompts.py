"""Showing every prompt before it is sent or handed out (``--show-prompt``), secrets masked."""

from collections.abc import Iterable, Iterator
from typing import TextIO

from git_retcon.lazy_dataclass import dataclass
from git_retcon.model.client import Completer
from git_retcon.model.messages import Block, Reply, Request, Text, ToolResult
from git_retcon.model.redaction import Redactor
from git_retcon.show.style import printable, write_line


def show_prompt(whom: str, parts: Iterable[str], redactor: Redactor, stream: TextIO) -> None:
    """Write a prompt between two marks; ``whom`` is who gets it."""
    for part in (f"--- prompt to {whom}", *parts, "---"):
        write_line(stream, printable(redactor.redact_text(part)))
    stream.flush()


def show_request(request: Request, redactor: Redactor, stream: TextIO) -> None:
    """Write what is new in a request between two marks."""
    show_prompt(request.model, _new_parts(request), redactor, stream)


@dataclass(frozen=True)
class ShownPrompts:
    """Shows what is new in a request, then passes the request on."""

    inner: Completer
    redactor: Redactor
    stream: TextIO

    def complete(self, request: Request) -> Reply:
        """As ``Completer``."""
        show_request(request, self.redactor, self.stream)
        return self.inner.complete(request)


def _new_parts(request: Request) -> Iterator[str]:
    """The last turn; before the first one, what stays the same for the whole conversation."""
    if len(request.messages) == 1:
        yield request.system
        if request.tools:
            yield f"(tools: {', '.join(tool.name for tool in request.tools)})"
    yield from map(_read_text, request.messages[-1].blocks)


def _read_text(block: Block) -> str:
    match block:
        case Text(text):
            return text
        case ToolResult():
            return f"({'fault' if block.is_error else 'result'} of a tool) {block.text}"
    return ""
