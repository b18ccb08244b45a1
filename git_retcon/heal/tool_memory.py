"""The versions of tools, remembered while none of them changes: to ask each takes a process."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from git_retcon.files.json_file import read_json, remember_json
from git_retcon.run.tool_versions import Tool, ToolFinder


class ToolMemory:
    """A finder of tools that keeps its answers in a file.

    ``fingerprint`` changes with the tools.
    """

    def __init__(self, finder: ToolFinder, file: Path) -> None:
        self._finder = finder
        self._file = file
        self.fingerprint = finder.fingerprint()
        self._found = self._read_tools()

    def find(self, tool: str, wanted: str = "") -> Sequence[Tool]:
        """The versions of a tool that are here, as ``ToolFinder.find`` gives them."""
        question = f"{tool} {wanted}"
        if question not in self._found:
            self._found[question] = list(self._finder.find(tool, wanted))
            self._write_tools()
        return self._found[question]

    def _read_tools(self) -> dict[str, list[Tool]]:
        try:
            said: dict[str, Any] = read_json(self._file)
            # Other programs, other versions: all of it is asked again.
            if said["fingerprint"] != self.fingerprint:
                return {}
            return {name: list(map(_read_tool, found)) for name, found in said["found"].items()}
        except (KeyError, ValueError, TypeError, AttributeError):
            return {}

    def _write_tools(self) -> None:
        said = {"fingerprint": self.fingerprint, "found": self._found}
        remember_json(self._file, said)


def _read_tool(said: Any) -> Tool:
    path, version, variables = said
    return Tool(path, version, tuple((name, value) for name, value in variables))
