"""A project's own files say which commands to propose."""

import pytest

from git_retcon.code.proposals import Proposal, proposal


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
    found = proposal(names)
    assert isinstance(found, Proposal)
    assert found.build == build


def test_nothing_is_guessed_without_a_sign() -> None:
    assert proposal({b"README", b"src"}) is None
