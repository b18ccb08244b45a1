"""A script holds what click knows of a command, and the functions for what its values name."""

import click
import pytest

from git_retcon.commands.completion.script import make_installed_scripts, make_script
from git_retcon.commands.kinds import SPEC
from git_retcon.show.installed import PROGRAMS, SHELLS
from tests.commands.completion.walk import cli, walk


@pytest.mark.parametrize("shell", SHELLS)
def test_functions_of_kinds_that_no_value_has_are_left_out(shell: str) -> None:
    both = click.Group(
        commands={
            "walk": walk,
            "run": click.Command("run", params=[click.Argument(["s"], type=SPEC)]),
        }
    )
    script, script_of_both = (make_script("git-walk", each, shell) for each in (cli, both))
    assert "for-each-ref" in script
    assert "for-each-ref" in script_of_both
    assert "commit\\]" not in script
    assert "[commit" in script_of_both


@pytest.mark.parametrize("shell", [*SHELLS, "fish-start"])
def test_no_mark_of_a_template_is_left(shell: str) -> None:
    text = make_script("git-walk", cli, shell)
    assert "@" not in text.replace('"$@"', "").replace("[@]", "")
    assert "git walk" in text


def test_an_installation_has_each_command_in_each_shell_and_fish_twice() -> None:
    places = [place for place, _ in make_installed_scripts()]
    assert len(set(places)) == len(places) == 4 * len(PROGRAMS)
    assert "bash-completion/completions/git-heal" in places
    assert "zsh/site-functions/_git-heal" in places
    assert "fish/vendor_completions.d/git-heal.fish" in places
    assert "fish/vendor_conf.d/git-heal.fish" in places
