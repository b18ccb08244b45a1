"""A project's own files say which commands to propose."""

from collections.abc import Mapping

import pytest

from git_retcon.code.languages.language import Proposal
from git_retcon.run.proposed_commands import propose_commands, propose_for_tree
from tests.repository import TestRepository


def propose(files: Mapping[bytes, bytes]) -> Proposal | None:
    return propose_commands(files.keys(), files.get)


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
    found = propose(dict.fromkeys(names, b""))
    assert found is not None
    assert found.build == build


def test_nothing_is_guessed_without_a_sign() -> None:
    assert propose({b"README": b"", b"src": b""}) is None


@pytest.mark.parametrize(
    ("files", "test"),
    [
        ({b"Makefile": b"all:\n\tcc a.c\n"}, ""),
        ({b"Makefile": b"test := 1\nall:\n"}, ""),
        ({b"GNUmakefile": b"all:\ntest: all\n"}, "make test"),
        ({b"package.json": b'{"scripts": {"build": "tsc"}}'}, ""),
        ({b"package.json": b'{"scripts": {"test": "echo \\"Error: no test specified\\""}}'}, ""),
        ({b"package.json": b'{"scripts": {"test": "vitest run"}}'}, "npm test"),
        ({b"tsconfig.json": b"{}"}, ""),
        ({b"pyproject.toml": b""}, ""),
        ({b"pyproject.toml": b"", b"tests": b""}, "python3 -m pytest -q"),
        ({b"setup.py": b"", b"test_it.py": b""}, "python3 -m pytest -q"),
        ({b"go.mod": b"module x\n"}, "go test ./..."),
    ],
)
def test_tests_are_proposed_where_there_are_some(files: Mapping[bytes, bytes], test: str) -> None:
    found = propose(files)
    assert found is not None
    assert found.test == test


def test_the_files_of_a_commit_suggest_its_commands(repo: TestRepository) -> None:
    repo.commit("one", {"Makefile": "all:\n\ttrue\n"})
    found = propose_for_tree(repo.open(), repo.rev("HEAD^{tree}"))
    assert found is not None
    assert (found.build, found.test) == ("make", "")
    repo.commit("two", {"Makefile": "all:\n\ttrue\ntest:\n\ttrue\n"})
    found = propose_for_tree(repo.open(), repo.rev("HEAD^{tree}"))
    assert found is not None
    assert found.test == "make test"


def test_a_link_suggests_no_tests(repo: TestRepository) -> None:
    repo.commit("one", {"rules": "all:\n\ttrue\ntest:\n\ttrue\n"})
    (repo.path / "Makefile").symlink_to("rules")
    repo.git("add", "Makefile")
    repo.git("commit", "-qm", "two")
    found = propose_for_tree(repo.open(), repo.rev("HEAD^{tree}"))
    assert found is not None
    assert found.test == ""
