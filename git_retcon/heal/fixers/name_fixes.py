"""Names that are not there: the one that was meant instead, or the import that is missing.

The tool says what it thinks was meant, or the name of the file's own that is nearest by letters
is taken, if only one is. The step's next run is the judge.
"""

import builtins
import keyword
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from git_retcon.heal.engine import Item
    from git_retcon.run.places import Finding

_NEAR = 0.75
_IDENTIFIER = r"[^\W\d]\w*"


def replace_names(
    item: "Item", content: bytes, is_importable: Callable[[str], bool]
) -> bytes | None:
    """The item's file with the names that were meant; None where none is known.

    What can be imported is not misspelt, unless the tool names another; TypeScript names one for
    every name that it does not find.
    """
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        return None
    rows = text.split("\n")
    changed = False
    for error in item.errors:
        finding = error.finding
        for wrong in finding.diagnostic.missing:
            if not _may_be_misspelt(finding):
                continue
            is_sure = finding.diagnostic.suggestion and finding.diagnostic.tool != "tsc"
            if not is_sure and is_importable(wrong):
                continue
            right = _choose_name(wrong, finding, text)
            if right and finding.line is not None and finding.line <= len(rows):
                made = _replace_word(rows, wrong, right, finding)
                changed |= made != rows[finding.line - 1]
                rows[finding.line - 1] = made
    return "\n".join(rows).encode() if changed else None


def add_imports(
    item: "Item", content: bytes, add: Callable[[bytes, str], bytes | None]
) -> bytes | None:
    """The item's file with imports of the names it lacks; ``add`` imports one into a content."""
    from git_retcon.code.diagnostics.diagnostic import Kind

    made = content
    for error in item.errors:
        said = error.finding.diagnostic
        if said.kind is Kind.UNDEFINED and not said.owner:
            for name in said.missing:
                made = add(made, name) or made
    return made if made != content else None


def _may_be_misspelt(finding: "Finding") -> bool:
    """Whether a name may be meant in place of those that it complains of."""
    from git_retcon.code.diagnostics.diagnostic import Kind

    said = finding.diagnostic
    return bool(said.suggestion) or said.kind in (Kind.UNDEFINED, Kind.MEMBER, Kind.IMPORT)


def _choose_name(wrong: str, finding: "Finding", text: str) -> str:
    said = finding.diagnostic
    if said.suggestion and re.fullmatch(_IDENTIFIER, said.suggestion) and said.suggestion != wrong:
        return said.suggestion
    if not _may_be_misspelt(finding):
        return ""
    import difflib  # late: for misspelt names alone

    known = set(re.findall(_IDENTIFIER, text))
    if (finding.path or b"").endswith((b".py", b".pyi")):
        known |= set(dir(builtins))
    # What is written once is the misspelt name itself, or another one.
    near: list[str] = difflib.get_close_matches(
        wrong, known - {wrong} - set(keyword.kwlist), 2, _NEAR
    )
    if not near:
        return ""
    if len(near) > 1:
        first, second = (difflib.SequenceMatcher(None, wrong, one).ratio() for one in near)
        if first - second < 0.05:
            return ""
    return str(near[0])


def _replace_word(rows: Sequence[str], wrong: str, right: str, finding: "Finding") -> str:
    """The finding's line with the other name."""
    number, column = finding.line or 1, finding.column
    row = rows[number - 1]
    pattern = re.compile(rf"(?<![\w]){re.escape(wrong)}(?![\w])")
    found = list(pattern.finditer(row))
    if not found:
        return row
    # A column that is exact says which; else all of the line's code are meant.
    meant = [one for one in found if column is not None and one.start() == column - 1]
    if not meant:
        # Late: it brings in what is known of every language.
        from git_retcon.heal.fixers.quoted_text import list_quoted

        quoted = list_quoted(rows, number, finding.path or b"")
        meant = [one for one in found if not any(at <= one.start() < end for at, end in quoted)]
    for one in reversed(meant):
        row = row[: one.start()] + right + row[one.end() :]
    return row
