"""Which lines of a file only bring names in: import statements, over as many lines as they take."""

from collections.abc import Iterator, Sequence

from git_retcon.code.languages.language import Language
from git_retcon.code.lazy_pattern import LazyPattern
from git_retcon.code.lexer import LineStates

_MANY_LINES = LazyPattern(
    rb"\s*(?:pub(?:\([^)]*\))?\s+)?(?:use|import|from|export|const|let|var)\b"
)
_MOST_LINES = 200
_CALLS = LazyPattern(rb"[=(]")
_IMPORTING = LazyPattern(rb"import|include|require|\buse\b|\busing\b|\bfrom\b|\bmod\b|\bload\b")


def may_import(line: bytes) -> bool:
    """Whether a line may belong to an import statement, judged without the file around it.

    A line that calls or assigns and has none of the words is at most a name in an import of
    several lines, and those hold neither.
    """
    return not _CALLS.search(line) or _IMPORTING.search(line) is not None


def find_import_lines(
    lines: Sequence[bytes], states: LineStates, language: Language
) -> frozenset[int]:
    """The numbers of the lines of import statements."""
    return frozenset(_walk_imports(lines, states, language))


def _walk_imports(lines: Sequence[bytes], states: LineStates, language: Language) -> Iterator[int]:
    until = 0
    for at, line in enumerate(lines):
        if at < until:
            continue
        if language.imports is None or states.is_open[at] or not language.imports.match(line):
            continue
        until = at + 1
        if states.depth[at + 1] > states.depth[at]:
            if not _MANY_LINES.match(line):
                continue  # "mod tests {" holds code
            limit = min(len(lines), at + _MOST_LINES)
            while until < limit and states.depth[until] > states.depth[at]:
                until += 1
        yield from range(at, until)
