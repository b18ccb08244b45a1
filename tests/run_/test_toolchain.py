"""A fingerprint of the tools changes when a tool that a build could call is another one."""

import os
from pathlib import Path

import pytest

from git_retcon.run.toolchain import fingerprint


@pytest.fixture
def tools(tmp_path: Path) -> Path:
    for name in ("make", "mytool"):
        path = tmp_path / "bin" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("#!/bin/sh\n")
        path.chmod(0o755)
    return tmp_path / "bin"


def of(tools: Path, *commands: str) -> str:
    return fingerprint(commands, {"PATH": str(tools)})


def test_the_same_tools_have_the_same_fingerprint(tools: Path) -> None:
    assert of(tools, "make all") == of(tools, "make test")


def test_a_tool_that_a_command_names_counts(tools: Path) -> None:
    assert of(tools, "make") != of(tools, "make && mytool -x")


@pytest.mark.parametrize("name", ["make", "mytool"])
def test_another_size_or_time_is_another_tool(tools: Path, name: str) -> None:
    before = of(tools, "mytool")
    times = (tools / name).stat()
    (tools / name).write_text("#!/bin/bash\n")
    os.utime(tools / name, ns=(times.st_atime_ns, times.st_mtime_ns))
    longer = of(tools, "mytool")
    os.utime(tools / name, ns=(1, 1))
    assert len({before, longer, of(tools, "mytool")}) == 3


def test_a_link_counts_as_what_it_leads_to(tools: Path, tmp_path: Path) -> None:
    (tools / "cc").symlink_to(tools / "mytool")
    before = of(tools, "cc")
    (tools / "mytool").write_text("#!/bin/sh -e\n")
    assert of(tools, "cc") != before


def test_what_cannot_be_run_is_no_tool(tools: Path) -> None:
    before = of(tools, "other")
    (tools / "other").write_text("")
    assert of(tools, "other") == before
