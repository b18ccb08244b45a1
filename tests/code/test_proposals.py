"""A project's own files say which commands to propose."""

import pytest

from git_retcon.code.languages.language import Proposal
from git_retcon.code.proposals import propose_commands


@pytest.mark.parametrize(
    ("names", "build"),
    [
        ({b"Makefile", b"Cargo.toml"}, "make"),
        ({b"Cargo.toml", b"README.md"}, "cargo check --all-targets"),
        ({b"pyproject.toml"}, "python3 -m compileall -q ."),
        ({b"a.py"}, "python3 -m compileall -q ."),
        ({b"package.json", b"tsconfig.json"}, "npx tsc --noEmit"),
    ],
)
def test_the_first_driver_found_is_proposed(names: set[bytes], build: str) -> None:
    found = propose_commands(names)
    assert isinstance(found, Proposal)
    assert found.build == build


def test_nothing_is_guessed_without_a_sign() -> None:
    assert propose_commands({b"README", b"src"}) is None
