"""Actions that set up tools: which tool, in which version, a step asks for."""

import functools
from collections.abc import Callable
from pathlib import Path
from typing import Any

from git_retcon.lazy_named_tuple import NamedTuple


class ToolRequest(NamedTuple):
    """A tool that a step wants. ``version`` is as the workflow says it, empty for any; ``file`` is
    one of the repository that says it instead.
    """

    tool: str
    version: str
    file: str = ""


class _Row(NamedTuple):
    """What an action sets up, and the inputs that say which version."""

    tool: str
    version: tuple[str, ...] = ()
    file: str = ""
    # dtolnay/rust-toolchain@1.75: the version is the action's own.
    by_ref: bool = False


@functools.cache
def _rows() -> dict[str, _Row]:
    """The table beside this file."""
    import tomllib

    table = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
    return {action: _read_row(row) for action, row in table.items()}


def _read_row(row: dict[str, Any]) -> _Row:
    return _Row(
        row["tool"], tuple(row.get("version", ())), row.get("file", ""), row.get("by-ref", False)
    )


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
    return action in _rows() or action in _LISTS


def read_tools(
    action: str, ref: str, read_input: Callable[[str], str]
) -> tuple[ToolRequest, ...] | None:
    """The tools that an action sets up; None if it is no such action.

    ``action`` is ``owner/name[/path]`` in lower case, ``ref`` what follows ``@``.
    """
    if action in _LISTS:
        return _read_list(read_input(_LISTS[action]) or ref)
    row = _rows().get(action)
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
