"""The prompts, part by part in the specification's order (committing-code.md)."""

from collections.abc import Mapping
from dataclasses import dataclass

from git_retcon.prompts import read_prompt
from git_retcon.show.style import show_path

_COMMON = ("project-structure", "code-modification-instructions")


@dataclass(frozen=True, slots=True)
class Prompt:
    """What is asked: the system prompts, and the parts behind them."""

    system: str
    parts: bytes

    @property
    def whole(self) -> bytes:
        """All of it as one text, as it is logged, shown and pasted."""
        return self.system.encode() + b"\n" + self.parts


def initial_prompt(query: bytes, codebase: bytes) -> Prompt:
    """The first question."""
    return Prompt(_system("initial-query"), _part("query", query) + _part("codebase", codebase))


def repair_prompt(
    output: bytes, query: bytes, codebase: bytes, replacements: Mapping[bytes, bytes | None]
) -> Prompt:
    """What is asked after a failure; ``replacements`` are the latest contents, None: removed."""
    parts = (
        _part("build.sh output", output)
        + _part("query", query)
        + _part("codebase", codebase)
        + _part("file replacements", file_replacements(replacements))
    )
    return Prompt(_system("repair-query"), parts)


def file_replacements(replacements: Mapping[bytes, bytes | None]) -> bytes:
    """Each file's latest state, in the order of their paths."""
    return b"\n".join(_replacement(path, content) for path, content in sorted(replacements.items()))


def _replacement(path: bytes, content: bytes | None) -> bytes:
    name = show_path(path).encode()
    if content is None:
        return b"--- FILE REMOVED %s ---\n" % name
    return b"--- FILE REPLACEMENT %s ---\n%s" % (name, _ended(content))


def _system(last: str) -> str:
    return "\n".join(read_prompt(name) for name in (*_COMMON, last))


def _part(name: str, content: bytes) -> bytes:
    return f"[{name}]\n".encode() + _ended(content) + b"\n"


def _ended(content: bytes) -> bytes:
    return content if not content or content.endswith(b"\n") else content + b"\n"
