"""The command line of ``git retcon``: what is refused, what to do next, and how light it starts."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.program import CHECKOUT, retcon
from tests.repository import new_repository
from tests.retcon.scene import messy_branch


def test_options_before_a_command_get_their_place_in_the_hint(tmp_path: Path) -> None:
    done = retcon(tmp_path, "--json", "status")
    assert done.status == 129
    assert done.err == (
        "error: options of 'status' come after it\nhint: write 'git retcon status …' instead\n"
    )


def test_a_wrong_option_shows_the_usage_as_it_is_typed(tmp_path: Path) -> None:
    done = retcon(tmp_path, "status", "--jsno")
    assert done.status == 129
    assert done.err.startswith("error: no such option '--jsno'")
    assert "\nUsage: git retcon status [OPTIONS] [SPEC]\n" in done.err
    assert done.err.endswith("hint: 'git retcon status -h' lists the options\n")


def test_advice_can_be_switched_off(tmp_path: Path) -> None:
    for arguments in (["--jsno"], ["statsu"], ["missing.toml"]):
        assert "hint:" in retcon(tmp_path, *arguments).err
        assert "hint:" not in retcon(tmp_path, *arguments, env={"GIT_ADVICE": "0"}).err


_ALWAYS = {"click", "git_retcon.commands.retcon", "git_retcon.show.style"}
_LISTED = """
import sys
from git_retcon.commands.{} import main
try:
    main({!r})
except SystemExit:
    print(*sys.modules, file=sys.stderr)
"""


def loaded(where: Path, command: str, *words: str) -> set[str]:
    """The modules that a command line loads, in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-P", "-c", _LISTED.format(command, words)],
        cwd=where,
        env={**os.environ, "PYTHONPATH": str(CHECKOUT)},
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stderr.split())


def rooms(modules: set[str]) -> set[str]:
    """The rooms of the package that modules are in."""
    return {".".join(name.split(".")[:2]) for name in modules if name.startswith("git_retcon.")}


@pytest.mark.parametrize("command", ["retcon", "code_commit"])
@pytest.mark.parametrize("words", [["-h"], ["run", "-h"], ["completion", "bash"], ["--version"]])
def test_what_does_next_to_nothing_loads_next_to_nothing(
    tmp_path: Path, command: str, words: list[str]
) -> None:
    modules = loaded(tmp_path, command, *words)
    assert modules > _ALWAYS - {"git_retcon.commands.retcon"}
    assert rooms(modules) <= {
        "git_retcon.commands", "git_retcon.errors", "git_retcon.options", "git_retcon.show"
    }  # fmt: skip
    late = {"dataclasses", "hashlib", "json", "subprocess", "traceback", "tomllib"}
    if words != ["completion", "bash"]:
        late |= {"shutil"}
    assert not modules & late
    assert (words == ["-h"]) <= ("difflib" not in modules)


def test_a_status_loads_nothing_that_builds_plans_or_asks(tmp_path: Path) -> None:
    repo = new_repository(tmp_path / "repo")
    messy_branch(repo)
    for words in (["status", "history.toml"], ["status", "--json", "history.toml"]):
        modules = loaded(repo.path, "retcon", *words)
        assert modules > _ALWAYS
        assert rooms(modules) <= {
            "git_retcon.commands", "git_retcon.errors", "git_retcon.files", "git_retcon.git",
            "git_retcon.lazy_dataclass", "git_retcon.options", "git_retcon.retcon",
            "git_retcon.show",
        }  # fmt: skip
        ours = {name for name in modules if name.startswith("git_retcon.retcon.")}
        assert {".".join(name.split(".")[:3]) for name in ours} == {
            "git_retcon.retcon.spec", "git_retcon.retcon.subcommands"
        }  # fmt: skip
        assert not modules & {"tomlkit", "anthropic", "sqlite3", "unidiff", "traceback"}


def test_a_status_as_json_reads_no_configuration(tmp_path: Path) -> None:
    repo = new_repository(tmp_path / "repo")
    messy_branch(repo)
    assert "pygit2" not in loaded(repo.path, "retcon", "status", "--json", "history.toml")
