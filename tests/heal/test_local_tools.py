"""What this machine answers to the requests of workflows."""

import os
from pathlib import Path

from git_retcon.heal.local_tools import LocalTools, Match, read_local_machine
from git_retcon.heal.workflows.cells import FoundTool
from git_retcon.heal.workflows.machines import refuse_machine
from git_retcon.heal.workflows.setups import ToolRequest
from git_retcon.run.tool_versions import Tool, ToolFinder
from tests.heal.programs import install


class Files(dict[bytes, bytes]):
    def read(self, path: bytes) -> bytes | None:
        return self.get(path)

    def has_submodules(self) -> bool:
        return False


def tools_of(
    tmp_path: Path, files: dict[bytes, bytes] | None = None, **programs: str
) -> LocalTools:
    folder = install(tmp_path / "bin", **programs)
    return LocalTools(ToolFinder({"PATH": str(folder)}), Files(files or {}))


def test_a_request_gets_the_usual_tool_and_whether_it_is_the_wanted_version(tmp_path: Path) -> None:
    tools = tools_of(tmp_path, node="v20.1.0")
    path = str(tmp_path / "bin/node")
    wanted, other = ToolRequest("node", "20"), ToolRequest("node", "18")
    assert tools.find_tool(wanted) == FoundTool(path, exact=True)
    assert tools.find_tool(other) == FoundTool(path, exact=False)
    assert tools.match(other) == Match(other, "18", Tool(path, "20.1.0"), exact=False)


def test_one_of_several_versions_that_is_wanted_goes_before_the_usual_one(tmp_path: Path) -> None:
    install(tmp_path / "bin", **{"python3.12": "Python 3.12.1"})
    tools = tools_of(tmp_path, python3="Python 3.11.2")
    found = [tools.find_tool(ToolRequest("python", wanted)) for wanted in ("3.12", "3.11", "3.10")]
    folder = str(tmp_path / "bin")
    assert found == [
        FoundTool(f"{folder}/python3.12", exact=True),
        FoundTool(f"{folder}/python3", exact=True),
        FoundTool(f"{folder}/python3", exact=False),
    ]


def test_a_missing_tool_has_no_name(tmp_path: Path) -> None:
    tools = tools_of(tmp_path)
    request = ToolRequest("go", "1.22")
    assert tools.find_tool(request) == FoundTool("", exact=False)
    assert tools.match(request) == Match(request, "1.22", None, exact=False)


def test_a_version_may_be_said_in_a_file_of_the_repository(tmp_path: Path) -> None:
    tools = tools_of(tmp_path, {b"web/.nvmrc": b"v18\n"}, node="v20.1.0")
    match = tools.match(ToolRequest("node", "", "./web/.nvmrc"))
    assert (match.wanted, match.exact) == ("v18", False)
    missing = tools.match(ToolRequest("node", "", "none"))
    assert (missing.wanted, missing.exact) == ("", True)


def test_this_machine_is_one_for_its_own_jobs() -> None:
    machine = read_local_machine()
    assert machine.system == {"Linux": "Linux", "Darwin": "macOS"}[os.uname().sysname]
    assert refuse_machine(machine, machine) == ""


def test_only_rust_has_a_channel_that_is_called_stable(tmp_path: Path) -> None:
    tools = tools_of(tmp_path, rustc="rustc 1.75.0 (82e1608df)", go="go version go1.20")
    found = [tools.match(ToolRequest(tool, "stable")).exact for tool in ("rust", "go")]
    assert found == [True, False]
    assert not tools.match(ToolRequest("rust", "nightly")).exact
