"""A diff in colour, as git shows one."""

from git_retcon.show.style import Style, printable


def paint_diff(patch: bytes, style: Style) -> list[str]:
    """A diff as lines for a terminal."""
    lines = []
    for raw in patch.decode("utf-8", "replace").rstrip("\n").split("\n"):
        text = printable(raw)
        if raw.startswith(("+++", "---", "diff ", "index ")):
            text = style.title(text)
        elif raw.startswith("+"):
            text = style.good(text)
        elif raw.startswith("-"):
            text = style.bad(text)
        elif raw.startswith("@@"):
            text = style.faint(text)
        lines.append(text)
    return lines
