"""``completion`` prints the script that an installation has."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from git_retcon.commands.completion.script import make_installed_scripts
from git_retcon.show.installed import SCRIPT_PLACES, SHELLS
from tests.program import Ran, allium_here, code_commit_here, heal_here, retcon_here


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize(
    ("program", "run"),
    [
        ("git-retcon", retcon_here),
        ("git-heal", heal_here),
        ("git-allium", allium_here),
        ("git-code-commit", code_commit_here),
    ],
)
def test_a_command_prints_its_script_which_says_how_to_install_it(
    program: str, run: Callable[..., Ran], shell: str, tmp_path: Path
) -> None:
    text = run(tmp_path, "completion", shell).ok().out
    assert text == dict(make_installed_scripts())[SCRIPT_PLACES[shell].format(program)]
    assert f"{program.replace('-', ' ', 1)} completion {shell} >" in text[:800]
    found = json.loads(run(tmp_path, "completion", shell, "--json").ok().out)
    assert found == {"version": 1, "status": "done", "text": text}
