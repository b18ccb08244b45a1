"""A kind says what a value names; every kind has its functions in every shell."""

from importlib import resources
from pathlib import Path

import pytest

from git_retcon.commands import kinds
from git_retcon.show.installed import SHELLS

WITH_FUNCTIONS = sorted(
    value.name
    for value in vars(kinds).values()
    if isinstance(value, kinds.Kind | kinds.PathKind) and not isinstance(value, kinds.Suggestion)
)


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize("name", WITH_FUNCTIONS)
def test_each_shell_can_list_each_kind(name: str, shell: str) -> None:
    text = (resources.files("git_retcon.commands.completion") / f"kinds.{shell}").read_text()
    function = {"bash": f"_@ID@_offer_{name}()", "zsh": f"_@PROGRAM@_{name}()",
                "fish": f"function __@ID@_{name}\n"}[shell]  # fmt: skip
    section = text.partition(f"\n{function}")[0].rpartition("\n### ")[2]
    assert name in section.partition("\n")[0].split()


def test_a_path_is_given_as_one() -> None:
    assert kinds.SPEC.convert("history.toml", None, None) == Path("history.toml")
    assert kinds.FILE.convert("-", None, None) == "-"
