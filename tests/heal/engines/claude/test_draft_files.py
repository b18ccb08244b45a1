"""No tool of a heal takes a path that is not beneath the tree: the one table of all commands."""

import pytest

from git_retcon.heal.engines.claude.draft_files import clean_name
from git_retcon.model.toolloop import ToolFault
from tests.files.test_untrusted_paths import HOSTILE


@pytest.mark.parametrize("name", [name for name, _ in HOSTILE])
def test_no_tool_takes_a_hostile_path(name: bytes) -> None:
    with pytest.raises(ToolFault):
        clean_name(name.decode("utf-8", "surrogateescape"))


def test_an_ordinary_path_is_taken_as_git_spells_it() -> None:
    assert clean_name("./src//é.py") == "src/é.py".encode()
