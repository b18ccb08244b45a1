"""Manual pages and completion scripts are found in a checkout, and where they are installed."""

from pathlib import Path

import pytest

from git_retcon.show import installed
from git_retcon.show.installed import (
    PROGRAMS,
    SHELLS,
    find_page,
    find_script,
    find_script_in,
    manual_folder,
)
from tests.program import CHECKOUT

INSTALLED = {
    "bash": "share/bash-completion/completions/git-heal",
    "zsh": "share/zsh/site-functions/_git-heal",
    "fish": "share/fish/vendor_completions.d/git-heal.fish",
}


def test_every_command_has_a_page_and_a_script_for_each_shell() -> None:
    launchers = {path.name for path in (CHECKOUT / "bin").glob("git-*")}
    assert set(PROGRAMS) == launchers
    for program in PROGRAMS:
        assert find_page(program) == CHECKOUT / "man/man1" / f"{program}.1"
        scripts = {find_script(program, shell) for shell in SHELLS}
        assert len(scripts - {None}) == 3


@pytest.fixture
def installation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A prefix with no checkout beside the package."""
    monkeypatch.setattr(installed, "__file__", str(tmp_path / "a/b/c.py"))
    monkeypatch.setattr("sys.prefix", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize("shell", SHELLS)
def test_an_installed_script_is_found(installation: Path, shell: str) -> None:
    assert find_script("git-heal", shell) is None
    assert find_script_in(installation / "share", "git-heal") is None
    place = installation / INSTALLED[shell]
    place.parent.mkdir(parents=True)
    place.touch()
    assert find_script("git-heal", shell) == place
    assert find_script_in(installation / "share", "git-heal") == place
    assert find_script_in(installation / "share", "git-allium") is None


def test_an_installed_page_is_found(installation: Path) -> None:
    assert find_page("git-heal") is None
    page = manual_folder() / "man1/git-heal.1"
    assert page == installation / "share/man/man1/git-heal.1"
    page.parent.mkdir(parents=True)
    page.touch()
    assert find_page("git-heal") == page
