"""Manual pages and completion scripts are found in a checkout, and where they are installed."""

from pathlib import Path

import pytest

from git_retcon.show import installed
from git_retcon.show.installed import PROGRAMS, find_page, find_script_in, manual_folder
from tests.program import CHECKOUT


def test_every_command_has_a_page() -> None:
    launchers = {path.name for path in (CHECKOUT / "bin").glob("git-*")}
    assert set(PROGRAMS) == launchers
    for program in PROGRAMS:
        assert find_page(program) == CHECKOUT / "man/man1" / f"{program}.1"


@pytest.mark.parametrize(
    "script",
    [
        "bash-completion/completions/git-heal",
        "zsh/site-functions/_git-heal",
        "fish/vendor_completions.d/git-heal.fish",
    ],
)
def test_an_installed_script_is_found(tmp_path: Path, script: str) -> None:
    assert find_script_in(tmp_path, "git-heal") is None
    place = tmp_path / script
    place.parent.mkdir(parents=True)
    place.touch()
    assert find_script_in(tmp_path, "git-heal") == place
    assert find_script_in(tmp_path, "git-allium") is None


def test_an_installed_page_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installed, "__file__", str(tmp_path / "a/b/c.py"))
    monkeypatch.setattr("sys.prefix", str(tmp_path))
    assert find_page("git-heal") is None
    page = manual_folder() / "man1/git-heal.1"
    assert page == tmp_path / "share/man/man1/git-heal.1"
    page.parent.mkdir(parents=True)
    page.touch()
    assert find_page("git-heal") == page
