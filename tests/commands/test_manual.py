"""``help`` shows the page, or the usage where there is no page to show."""

import json
from pathlib import Path

import pytest

from tests.program import CHECKOUT, allium_here, code_commit_here, retcon_here


def test_the_page_is_shown_by_man(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = tmp_path / "shown"
    man = tmp_path / "man"
    man.write_text(f'#!/bin/sh\necho "$@" >{shown}\n')
    man.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    assert retcon_here(tmp_path, "help").ok().out == ""
    assert shown.read_text() == f"{CHECKOUT}/man/man1/git-retcon.1\n"


@pytest.mark.parametrize("script", [None, "#!/bin/sh\nexit 3\n"])
def test_without_man_the_usage_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str | None
) -> None:
    if script is not None:
        (tmp_path / "man").write_text(script)
        (tmp_path / "man").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    for run, spelling in (
        (retcon_here, "git retcon"),
        (allium_here, "git allium"),
        (code_commit_here, "git code-commit"),
    ):
        assert run(tmp_path, "help").ok().out.startswith(f"Usage: {spelling} [OPTIONS] COMMAND")


def test_help_for_a_program_shows_nothing(tmp_path: Path) -> None:
    told = json.loads(retcon_here(tmp_path, "help", "--json").ok().out)
    assert told["page"] == str(CHECKOUT / "man/man1/git-retcon.1")
    assert told["usage"].startswith("Usage: git retcon ")
