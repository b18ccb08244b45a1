"""The edits that a tool's own report proposes: SARIF fixes, JSON of ruff and eslint, suggestions of
rustc. They are exact, from any tool.
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from git_retcon.code.diagnostics.diagnostic import Edit
    from git_retcon.heal.engine import Item


def apply_report_edits(item: "Item", content: bytes) -> bytes | None:
    """The item's file with the edits of its errors; None where there are none that fit.

    Edits that overlap one before are left out: the next run of the step proposes them again.
    """
    edits = [
        edit
        for error in item.errors
        for edit in error.finding.edits
        if edit.path == item.path and all(one.path == item.path for one in error.finding.edits)
    ]
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        return None
    spans = sorted(set(_find_spans(edits, text)))
    made: list[str] = []
    at = 0
    for start, end, replacement in spans:
        if start < at or end < start or end > len(text):
            continue
        made += [text[at:start], replacement]
        at = end
    changed = "".join([*made, text[at:]])
    return changed.encode() if changed != text else None


def _find_spans(edits: Iterable["Edit"], text: str) -> Iterable[tuple[int, int, str]]:
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    for edit in edits:
        if edit.start_line == 0:  # characters from the start of the file
            yield edit.start_column, edit.end_column, edit.text
            continue
        start = _find_offset(starts, edit.start_line, edit.start_column, len(text))
        end = _find_offset(starts, edit.end_line, edit.end_column, len(text))
        if start is not None and end is not None:
            yield start, end, edit.text


def _find_offset(starts: Sequence[int], line: int, column: int, length: int) -> int | None:
    if not 1 <= line < len(starts) or column < 1:
        # The end of the last line may be given as the start of the one after it.
        return length if line >= len(starts) else None
    return min(starts[line - 1] + column - 1, length)
