"""What every manual page says as its code does: options, commands, keys, statuses, the envelope.

What one command alone has is in ``test_manual_<command>.py``.
"""

import re
import shutil
import subprocess
from collections.abc import Sequence

import pytest

from git_retcon import settings
from git_retcon.commands import wrapper
from git_retcon.commands.allium import cli as allium
from git_retcon.commands.code_commit import cli as code_commit
from git_retcon.commands.heal import cli as heal
from git_retcon.commands.retcon import cli as retcon
from git_retcon.errors import Fatal
from tests.manual import ENVELOPE, FAILURE, Page

RETCON, HEAL = Page("git-retcon", retcon), Page("git-heal", heal)
ALLIUM, CODE_COMMIT = Page("git-allium", allium), Page("git-code-commit", code_commit)
PAGES = (RETCON, HEAL, ALLIUM, CODE_COMMIT)
every_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.program)


@every_page
def test_every_option_has_an_entry_and_every_entry_is_an_option(page: Page) -> None:
    entries = " ".join(re.findall(r"(?m)^\.It (Fl .*)$", page.section("OPTIONS")))
    documented = {f"--{name}" for name in re.findall(r"Fl Fl ([\w-]+)", entries)}
    documented |= {f"-{letter}" for letter in re.findall(r"Fl (\w)\b", entries)}
    assert documented == page.options()


@every_page
def test_no_option_is_named_that_does_not_exist(page: Page) -> None:
    named = {f"--{name}" for name in re.findall(r"Fl Fl ([\w-]+)", page.text)}
    assert named <= page.options()


@every_page
@pytest.mark.parametrize("title", ["SYNOPSIS", "COMMANDS"])
def test_every_command_is_listed_and_no_other(page: Page, title: str) -> None:
    assert sorted(page.commands(title)) == sorted(page.cli.commands)


@pytest.mark.parametrize(
    ("page", "keys"),
    [
        (RETCON, settings.KEYS),
        (ALLIUM, settings.ALLIUM_KEYS),
        (CODE_COMMIT, settings.CODE_COMMIT_KEYS),
    ],
    ids=["git-retcon", "git-allium", "git-code-commit"],
)
def test_every_key_is_there_with_its_variable_and_its_default(
    page: Page, keys: Sequence[settings.Key]
) -> None:
    entries = re.split(r"(?m)^\.It ", page.section("CONFIGURATION"))[1:]
    documented = {entry.split("\n", 1)[0]: entry for entry in entries}
    assert set(documented) == {f"Va {key.name} Pq Ev {key.variable}" for key in keys}
    for key in keys:
        entry = " ".join(documented[f"Va {key.name} Pq Ev {key.variable}"].split())
        said = f"default .Ql {key.default} " if key.default else "no default"
        assert said in f"{entry} ", key.name


@every_page
def test_the_exit_statuses_are_those_of_the_code(page: Page) -> None:
    documented = re.findall(r"(?m)^\.It (\d+)$", page.section("EXIT STATUS"))
    assert documented == ["0", "1", str(Fatal.status), str(wrapper.USAGE), str(wrapper.INTERRUPTED)]


@every_page
def test_the_members_of_the_envelope_are_listed_and_no_others(page: Page) -> None:
    assert page.members("--json of every command") == ENVELOPE | FAILURE


@every_page
def test_no_quotation_is_inside_another(page: Page) -> None:
    """Ql quotes all the rest of its line, a second Ql with it."""
    nested = re.compile(r"(?m)^\.(?=.*\bQl\b.*\b(?:Ql|No)\b).*$")
    assert nested.findall(page.text) == []


@every_page
def test_the_page_is_sound_to_mandoc(page: Page) -> None:
    if shutil.which("mandoc") is None:
        pytest.skip("mandoc is not installed")
    done = subprocess.run(
        ["mandoc", "-Tlint", "-W", "warning", str(page.path)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stdout + done.stderr == ""
    assert done.returncode == 0
