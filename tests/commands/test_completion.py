"""The completion scripts are found, and printed as they are."""

import json
from pathlib import Path

import pytest

from git_retcon.commands.completion import script
from git_retcon.errors import Fatal
from git_retcon.show import installed
from tests.program import CHECKOUT, allium_here, code_commit_here, retcon_here

SCRIPTS = {"bash": "{}.bash", "zsh": "_{}", "fish": "{}.fish"}


@pytest.mark.parametrize("shell", sorted(SCRIPTS))
def test_the_script_of_a_shell_is_printed_as_it_is(tmp_path: Path, shell: str) -> None:
    for name, run in (
        ("git-retcon", retcon_here),
        ("git-allium", allium_here),
        ("git-code-commit", code_commit_here),
    ):
        text = (CHECKOUT / "completions" / SCRIPTS[shell].format(name)).read_text()
        assert run(tmp_path, "completion", shell).ok().out == text
        told = json.loads(run(tmp_path, "completion", shell, "--json").ok().out)
        assert told == {"version": 1, "status": "done", "text": text}


def test_a_script_that_is_not_installed_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(installed, "__file__", str(tmp_path / "a/b/c.py"))
    monkeypatch.setattr("sys.prefix", str(tmp_path))
    with pytest.raises(Fatal, match="the fish completion of git-retcon is not installed"):
        script("git-retcon", "fish")
