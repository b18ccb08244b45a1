"""Versions of tools are asked once, until a tool is another one."""

from pathlib import Path

from git_retcon.heal.tool_memory import ToolMemory
from git_retcon.run.tool_versions import ToolFinder
from tests.heal.programs import install


def remember(folder: Path, file: Path) -> ToolMemory:
    return ToolMemory(ToolFinder({"PATH": str(folder)}), file)


def test_a_tool_is_asked_again_only_when_it_changed(tmp_path: Path) -> None:
    folder, asked = tmp_path / "bin", tmp_path / "asked"
    install(folder)
    program = folder / "go"
    script = f"#!/bin/sh\necho x >> {asked}\necho go version go1.%s\n"
    program.write_text(script % "21")
    program.chmod(0o755)
    file = tmp_path / "kept" / "tools.json"
    for _ in range(3):
        (found,) = remember(folder, file).find("go", "1.21")
        assert (found.path, found.version) == (str(program), "1.21")
    assert asked.read_text() == "x\n"
    program.write_text(script % "22.1")
    assert remember(folder, file).find("go", "1.21")[0].version == "1.22.1"
    file.write_text("damaged")
    assert remember(folder, file).find("go", "")[0].version == "1.22.1"
