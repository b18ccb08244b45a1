"""Tools are found on PATH and asked for their versions, safely."""

import os
import time
from pathlib import Path

import pytest

from git_retcon.run import tool_versions
from git_retcon.run.tool_versions import Tool, ToolFinder


def install(folder: Path, **programs: str) -> Path:
    """Programs, each a shell script, in a folder."""
    folder.mkdir(exist_ok=True)
    for name, script in programs.items():
        path = folder / name
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)
    return folder


def finder(*folders: Path | str, without: Path | None = None) -> ToolFinder:
    return ToolFinder({"PATH": os.pathsep.join(map(str, folders))}, without)


@pytest.mark.parametrize(
    ("tool", "program", "printed", "version"),
    [
        ("python", "python3", "Python 3.12.3", "3.12.3"),
        ("python", "python3", "Python 3.9.18 (9c4f8ef)\\n[PyPy 7.3.13 with GCC 10.2.1]", "3.9.18"),
        ("go", "go", "go version go1.22.1 linux/amd64", "1.22.1"),
        ("node", "node", "v20.1.0", "20.1.0"),
        ("rust", "rustc", "rustc 1.75.0-nightly (82e1608df 2023-12-21)", "1.75.0-nightly"),
        ("java", "java", 'Picked up X: -Xmx512m\\nopenjdk version "17.0.2" 2022', "17.0.2"),
        ("java", "java", 'java version "1.8.0_292"', "8.0_292"),
        ("c++", "g++", "g++ (Debian 12.2.0-14) 12.2.0", "12.2.0-14"),
        ("php", "php", "PHP 8.2.7 (cli) (built: Jun  9 2023)", "8.2.7"),
        ("erlang", "erl", "26", "26"),
        ("protoc", "protoc", "libprotoc 3.21.12", "3.21.12"),
        ("gradle", "gradle", "\\n-------\\nGradle 8.5\\n-------", "8.5"),
        ("swift", "swift", "Apple Swift version 5.9 (swiftlang-5.9.0.128.108)", "5.9"),
    ],
)  # fmt: skip
def test_a_tool_says_its_version(
    tmp_path: Path, tool: str, program: str, printed: str, version: str
) -> None:
    folder = install(tmp_path / "bin", **{program: f"printf '%b\\n' '{printed}' >&2"})
    assert finder(folder).find(tool) == [Tool(str(folder / program), version)]


def test_a_tool_that_is_missing_or_fails_or_has_no_version_is_not_here(tmp_path: Path) -> None:
    folder = install(tmp_path / "bin", ruby="echo 3.2.2; exit 127", node="echo none")
    found = finder(folder)
    assert [found.find(tool) for tool in ("ruby", "node", "go", "no/such", "..")] == [
        [],
        [],
        [],
        (),
        (),
    ]


def test_a_launcher_that_fails_leaves_the_place_to_the_next_program(tmp_path: Path) -> None:
    folder = install(tmp_path / "bin", python3="exit 127", python="echo Python 3.11.2")
    assert finder(folder).find("python") == [Tool(str(folder / "python"), "3.11.2")]


def test_a_python_of_the_wanted_version_is_found_beside_the_usual_one(tmp_path: Path) -> None:
    programs = {"python3": "echo Python 3.11.2", "python3.12": "echo Python 3.12.1"}
    folder = install(tmp_path / "bin", **programs)
    found = finder(folder).find("python", "3.12.x")
    assert [tool.version for tool in found] == ["3.11.2", "3.12.1"]
    assert [tool.version for tool in finder(folder).find("python", "3.x")] == ["3.11.2"]


def test_a_rust_that_rustup_has_is_found_beside_the_usual_one_and_no_other_tool(
    tmp_path: Path,
) -> None:
    asked = 'test "$*" = "run 1.70 rustc --version" && echo rustc 1.70.0'
    folder = install(tmp_path / "bin", rustc="echo rustc 1.75.0", go="echo go1.22.1", rustup=asked)
    compiler = str(folder / "rustc")
    assert finder(folder).find("rust", "1.70") == [
        Tool(compiler, "1.75.0"),
        Tool(compiler, "1.70.0", (("RUSTUP_TOOLCHAIN", "1.70"),)),
    ]
    assert finder(folder).find("rust", "1.71") == [Tool(compiler, "1.75.0")]
    assert finder(folder).find("go", "1.70") == [Tool(str(folder / "go"), "1.22.1")]


def test_of_pythons_that_pyenv_has_the_newest_of_the_wanted_version_is_found(
    tmp_path: Path,
) -> None:
    """Its launcher on PATH would be asked in vain: which version it starts is chosen elsewhere."""
    folder = install(tmp_path / "bin", **{"python3": "echo 3.11.2", "python3.12": "exit 127"})
    for version in ("3.12.9", "3.12.10", "3.1.2", "3.12-dev"):
        (tmp_path / "versions" / version).mkdir(parents=True)
        install(tmp_path / "versions" / version / "bin", python=f"echo Python {version}")
    found = ToolFinder({"PATH": str(folder), "PYENV_ROOT": str(tmp_path)})
    before = found.fingerprint()
    assert [one.version for one in found.find("python", "3.12")] == ["3.11.2", "3.12.10", "3.12.9"]
    assert [one.version for one in found.find("python", "3.9")] == ["3.11.2"]
    (tmp_path / "versions/3.12.11").mkdir()
    assert found.fingerprint() != before


@pytest.mark.parametrize(
    "program",
    [
        "cargo-semver-checks", "govulncheck", "hatch", "nox", "pdm", "pre-commit", "task", "tox",
        "yarn",
    ],
)  # fmt: skip
def test_another_program_of_a_name_that_is_not_asked_is_another_tool(
    tmp_path: Path, program: str
) -> None:
    without = finder(tmp_path).fingerprint()
    install(tmp_path, **{program: "echo 1.0"})
    first = finder(tmp_path).fingerprint()
    install(tmp_path, **{program: "echo 1.0; exit 1"})
    assert len({without, first, finder(tmp_path).fingerprint()}) == 3


def test_a_tool_is_asked_once(tmp_path: Path) -> None:
    folder = install(tmp_path / "bin", node=f"echo asked >>{tmp_path}/asked; echo v20.1.0")
    found = finder(folder)
    assert found.find("node", "20") == found.find("node", "18")
    assert (tmp_path / "asked").read_text() == "asked\n"


def test_a_tool_we_do_not_know_is_found_but_never_run(tmp_path: Path) -> None:
    """A workflow may name any program as its tool: `reboot`, for one."""
    script = f"echo >{tmp_path}/ran"
    folder = install(tmp_path / "bin", reboot=script, **{"cargo-nextest": script})
    assert finder(folder).find("reboot") == [Tool(str(folder / "reboot"), "")]
    assert finder(folder).find("nextest") == [Tool(str(folder / "cargo-nextest"), "")]
    assert finder(folder).find("../bin/reboot") == ()
    assert not (tmp_path / "ran").exists()


def test_programs_of_the_working_tree_or_of_where_one_is_are_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else a repository could run what it likes before anybody trusts it."""
    tree = tmp_path / "tree"
    tree.mkdir()
    bad = install(tree / "bin", go="echo go9.9.9")
    good = install(tmp_path / "tree-tools", go="echo go1.22.1")
    install(tmp_path / "beside", go="echo go8.8.8")
    (tmp_path / "link").symlink_to(bad)
    monkeypatch.chdir(tree)
    everything = finder(
        "bin", "", ".", "../beside", bad, tree, tmp_path / "link", good, without=tree
    )
    assert everything.find("go") == [Tool(str(good / "go"), "1.22.1")]
    assert finder(bad, without=tree).find("go") == []


def test_a_tool_is_asked_where_no_file_can_choose_its_version_or_have_it_downloaded(
    tmp_path: Path,
) -> None:
    said = 'echo "$PWD $GOTOOLCHAIN $COREPACK_ENABLE_NETWORK $RUSTUP_AUTO_INSTALL $API_TOKEN"'
    folder = install(tmp_path / "bin", go=f"{said} >{tmp_path}/said; echo go1.22.1")
    env = {"PATH": f"{folder}:{os.environ['PATH']}", "API_TOKEN": "secret", "GOTOOLCHAIN": "auto"}
    ToolFinder(env).find("go")
    assert (tmp_path / "said").read_text() == "/ local 0 0 \n"


def test_a_tool_that_never_answers_is_ended_with_what_it_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tool_versions, "_SECONDS", 0.5)
    folder = install(tmp_path / "bin", ruby=f"sleep 300 & echo $! >{tmp_path}/pid; wait")
    env = {"PATH": f"{folder}:{os.environ['PATH']}"}
    assert ToolFinder(env).find("ruby") == []
    child = int((tmp_path / "pid").read_text())
    deadline = time.monotonic() + 60
    while _lives(child) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not _lives(child)


def _lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"
