"""The prompts, part by part in the specification's order (committing-code.md)."""

from collections.abc import Mapping

from git_retcon.lazy_dataclass import dataclass
from git_retcon.prompts import read_prompt
from git_retcon.show.style import show_path

_COMMON = ("project-structure", "code-modification-instructions")


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt: the system prompts, and the parts behind them."""

    system: str
    parts: bytes

    @property
    def whole(self) -> bytes:
        """All of it as one text, as it is logged, shown and pasted."""
        return self.system.encode() + b"\n" + self.parts


def initial_prompt(query: bytes, codebase: bytes) -> Prompt:
    """The first question."""
    return Prompt(
        _read_system("initial-query"), _make_part("query", query) + _make_part("codebase", codebase)
    )


def repair_prompt(
    output: bytes, query: bytes, codebase: bytes, replacements: Mapping[bytes, bytes | None]
) -> Prompt:
    """The question after a failure; ``replacements`` are the latest contents, None: removed."""
    parts = (
        _make_part("build.sh output", output)
        + _make_part("query", query)
        + _make_part("codebase", codebase)
        + _make_part("file replacements", show_replacements(replacements))
    )
    return Prompt(_read_system("repair-query"), parts)


def show_replacements(replacements: Mapping[bytes, bytes | None]) -> bytes:
    """Each file's latest state, in the order of their paths."""
    return b"\n".join(
        _show_replacement(path, content) for path, content in sorted(replacements.items())
    )


def _show_replacement(path: bytes, content: bytes | None) -> bytes:
    name = show_path(path).encode()
    if content is None:
        return b"--- FILE REMOVED %s ---\n" % name
    return b"--- FILE REPLACEMENT %s ---\n%s" % (name, _end_line(content))


def _read_system(last: str) -> str:
    return "\n".join(read_prompt(name) for name in (*_COMMON, last))


def _make_part(name: str, content: bytes) -> bytes:
    return f"[{name}]\n".encode() + _end_line(content) + b"\n"


def _end_line(content: bytes) -> bytes:
    return content if not content or content.endswith(b"\n") else content + b"\n"
