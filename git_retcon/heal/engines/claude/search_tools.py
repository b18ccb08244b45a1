"""The tools that look for files and for text in them: ``glob`` and ``grep``."""

import functools
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from git_retcon.files.patterns import Case, read_patterns
from git_retcon.heal.engines.claude.session import Session
from git_retcon.model.messages import Json
from git_retcon.model.tool_pages import clip_line, divide_into_pages, show_page
from git_retcon.model.tool_template import ToolTemplate
from git_retcon.model.toolloop import ToolFault
from git_retcon.show.style import show_path

_STRING = {"type": "string"}
_NUMBER = {"type": "integer"}
_MOST_HITS = 300
_LONGEST_PATTERN = 1_000
# What ripgrep calls the types that people ask for most; any other word is an ending.
_TYPES: Mapping[str, str] = {
    "c": "*.[ch]", "cpp": "*.{cc,cpp,cxx,hpp,hh,h}", "go": "*.go", "html": "*.{html,htm}",
    "java": "*.java", "js": "*.{js,jsx,mjs,cjs}", "json": "*.json", "md": "*.{md,markdown}",
    "py": "*.{py,pyi}", "ruby": "*.rb", "rust": "*.rs", "sh": "*.{sh,bash}", "toml": "*.toml",
    "ts": "*.{ts,tsx,mts,cts}", "yaml": "*.{yml,yaml}",
}  # fmt: skip


def list_search_tools() -> Iterator[ToolTemplate[Session]]:
    """The templates."""
    yield ToolTemplate(
        "glob",
        "The paths that match '*.py' at any depth, or 'src/**/{a,b}_*.py' from the top.",
        _find_files,
        {"pattern": _STRING, "path": _STRING, "page": _NUMBER},
        ("pattern",),
    )
    yield ToolTemplate(
        "grep",
        "The lines that match an RE2 expression, of all files or of a type (py, ts, ...).",
        _search_files,
        {"pattern": _STRING, "path": _STRING, "type": _STRING, "page": _NUMBER},
        ("pattern",),
    )


def _find_files(session: Session, given: Json) -> str:
    matches = _match_paths(given["pattern"])
    found = [path for path in _list_below(session, given.get("path", "")) if matches(path)]
    lines = [
        show_path(path) + (" (withheld)" if session.files.is_withheld(path) else "")
        for path in found
    ]
    return _show_lines(session, given, lines, f"no path matches '{given['pattern']}'")


def _search_files(session: Session, given: Json) -> str:
    expression = _compile_pattern(given["pattern"])
    kind = given.get("type", "")
    matches = _match_paths(_TYPES.get(kind, f"*.{kind}") if kind else "*")
    lines: list[str] = []
    for path in _list_below(session, given.get("path", "")):
        if not matches(path):
            continue
        for number, line in enumerate(session.files.read_listed(path).split("\n"), 1):
            if expression.search(line):
                lines.append(f"{show_path(path)}:{number}: {clip_line(line)}")
                if len(lines) >= _MOST_HITS:
                    lines.append(f"[the first {_MOST_HITS}; name a path or a type for others]")
                    return _show_lines(session, given, lines, "")
    return _show_lines(session, given, lines, f"no line matches '{given['pattern']}'")


def _show_lines(session: Session, given: Json, lines: Sequence[str], nothing: str) -> str:
    shown = show_page(divide_into_pages(lines), given.get("page", 1)) if lines else nothing
    session.conversation.note("searched", shown)
    return shown


def _list_below(session: Session, folder: str) -> list[bytes]:
    """The paths at or below a place; "" and "." are the top."""
    place = folder.removeprefix("./").rstrip("/").encode("utf-8", "surrogateescape")
    paths = session.files.list_paths()
    if place in (b"", b"."):
        return paths
    found = [path for path in paths if path == place or path.startswith(place + b"/")]
    if not found:
        raise ToolFault(f"there is nothing at '{folder}'; glob without a path lists what there is")
    return found


def _match_paths(pattern: str) -> Callable[[bytes], bool]:
    if len(pattern) > _LONGEST_PATTERN or "\n" in pattern or pattern.startswith("!"):
        raise ToolFault("that is no pattern of paths")
    patterns = read_patterns(_expand_braces(pattern), Case.MATTERS)
    return patterns.matches


def _expand_braces(pattern: str) -> list[str]:
    """Each of ``a{b,c}`` as a pattern of its own; one level is enough."""
    found = re.search(r"\{([^{}]*)\}", pattern)
    if found is None:
        return [pattern]
    before, behind = pattern[: found.start()], pattern[found.end() :]
    return [f"{before}{part}{behind}" for part in found[1].split(",")]


@functools.lru_cache(maxsize=16)
def _compile_pattern(pattern: str) -> Any:
    """An expression whose time is linear, as a model writes it. Raises ToolFault."""
    import re2  # late: as in code/diagnostics/matchers.py

    if len(pattern) > _LONGEST_PATTERN:
        raise ToolFault("the pattern is too long")
    options = re2.Options()
    options.log_errors = False
    try:
        return re2.compile(pattern, options)
    except re2.error as error:
        raise ToolFault(f"'{pattern}' is no regular expression: {error}") from error
