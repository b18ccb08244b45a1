"""Actions that set up tools: which tool, in which version, a step asks for."""

from collections.abc import Callable

from git_retcon.heal.workflows.setup_table import SET_UPS
from git_retcon.lazy_named_tuple import NamedTuple


class ToolRequest(NamedTuple):
    """A tool that a step wants. ``version`` is as the workflow says it, empty for any; ``file`` is
    one of the repository that says it instead.
    """

    tool: str
    version: str
    file: str = ""


_RUST = ("toolchain",)
# taiki-e/install-action@nextest, or `with: tool: nextest,cargo-hack`.
_LISTS = {
    "dtolnay/install": "crate",
    "git-heal/tool": "tool",
    "taiki-e/cache-cargo-install-action": "tool",
    "taiki-e/install-action": "tool",
}


def sets_up_tools(uses: str) -> bool:
    """Whether a ``uses`` names such an action."""
    action = uses.partition("@")[0].lower()
    return action in SET_UPS or action in _LISTS


def read_tools(
    action: str, ref: str, read_input: Callable[[str], str]
) -> tuple[ToolRequest, ...] | None:
    """The tools that an action sets up; None if it is no such action.

    ``action`` is ``owner/name[/path]`` in lower case, ``ref`` what follows ``@``.
    """
    if action in _LISTS:
        return _read_list(read_input(_LISTS[action]) or ref)
    row = SET_UPS.get(action)
    if row is None:
        return None
    version = next((said for said in map(read_input, row.version) if said), "")
    if row.by_ref and not version:
        version = "" if ref in ("main", "master", "v1") else ref
    file = read_input(row.file) if row.file and not version else ""
    # Several versions, one a line: the last one is the default, but the first is wanted as much.
    versions = version.split("\n") if "\n" in version else [version]
    return tuple(ToolRequest(row.tool, one.strip(), file) for one in versions if one or not version)


def _read_list(text: str) -> tuple[ToolRequest, ...]:
    names = (name.strip() for name in text.split(","))
    parts = (name.partition("@") for name in names if name)
    return tuple(ToolRequest(tool, version) for tool, _, version in parts)
