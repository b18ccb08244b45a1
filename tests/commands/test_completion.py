"""The completion scripts are found, and printed as they are."""

import json
from pathlib import Path

import pytest

from git_retcon.commands import completion
from git_retcon.errors import Fatal
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


def test_an_installed_script_is_found_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(completion, "__file__", str(tmp_path / "a/b/c.py"))
    monkeypatch.setattr(completion.sys, "prefix", str(tmp_path))  # type: ignore[attr-defined]
    with pytest.raises(Fatal, match="the fish completion of git-retcon is not installed"):
        completion.script("git-retcon", "fish")
    place = tmp_path / "share/fish/vendor_completions.d/git-retcon.fish"
    place.parent.mkdir(parents=True)
    place.write_text("here")
    assert completion.script("git-retcon", "fish") == "here"
