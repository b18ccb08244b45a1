"""The tools of this machine, as the steps of a workflow ask for them."""

import os
from collections.abc import Sequence
from typing import Protocol

from git_retcon.heal.workflows.cells import FoundTool
from git_retcon.heal.workflows.machines import Machine
from git_retcon.heal.workflows.setups import ToolRequest
from git_retcon.heal.workflows.step_plans import Tree
from git_retcon.lazy_named_tuple import NamedTuple
from git_retcon.run.tool_versions import Tool

_SYSTEMS = {"Darwin": "macOS"}
_PROCESSORS = {"aarch64": "arm64", "amd64": "x64", "x86_64": "x64"}


class Match(NamedTuple):
    """What a request gets: the version that is wanted, as it was said, and the tool, if any."""

    request: ToolRequest
    wanted: str
    tool: Tool | None
    exact: bool


class Finder(Protocol):
    """Finds tools on this machine, as ``ToolFinder`` does."""

    def find(self, tool: str, wanted: str = "") -> Sequence[Tool]: ...


class ToolsHere(Protocol):
    """``find_tool`` as plans ask (``Here``), and the same with the versions."""

    def find_tool(self, request: ToolRequest) -> FoundTool: ...

    def match(self, request: ToolRequest) -> Match: ...


class LocalTools:
    """What this machine answers to requests. Files that say a version are read from a tree."""

    def __init__(self, finder: Finder, tree: Tree) -> None:
        self._finder = finder
        self._tree = tree
        self._matches: dict[ToolRequest, Match] = {}

    def find_tool(self, request: ToolRequest) -> FoundTool:
        match = self.match(request)
        if match.tool is None:
            return FoundTool("", match.exact)
        chosen = "".join(f" {name}={value}" for name, value in match.tool.variables)
        return FoundTool(match.tool.path + chosen, match.exact)

    def match(self, request: ToolRequest) -> Match:
        """The tool that a request gets: one of the wanted version, else the usual one."""
        if request not in self._matches:
            self._matches[request] = self._match_tool(request)
        return self._matches[request]

    def _match_tool(self, request: ToolRequest) -> Match:
        wanted = request.version or self._read_file(request)
        found = self._finder.find(request.tool, wanted)
        for tool in found:
            if _is_wanted(request.tool, tool.version, wanted):
                return Match(request, wanted, tool, exact=True)
        return Match(request, wanted, found[0] if found else None, exact=False)

    def _read_file(self, request: ToolRequest) -> str:
        from git_retcon.heal.version_files import read_wanted_version

        path = request.file.removeprefix("./")
        content = self._tree.read(path.encode()) if path else None
        return read_wanted_version(request.tool, path, content) if content else ""


def _is_wanted(tool: str, version: str, wanted: str) -> bool:
    """``stable`` is a channel of Rust; elsewhere it means the newest, which nobody here knows."""
    from git_retcon.heal.version_ranges import is_of_channel, satisfies

    return satisfies(version, wanted) or (tool == "rust" and is_of_channel(version, wanted))


def read_local_machine() -> Machine:
    """This machine, in GitHub's words."""
    here = os.uname()
    processor = _PROCESSORS.get(here.machine.lower(), here.machine.lower())
    return Machine(_SYSTEMS.get(here.sysname, here.sysname), processor)
