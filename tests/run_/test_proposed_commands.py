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
        ({b"Makefile", b"Cargo.toml"}, "cargo check --all-targets"),
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


@pytest.mark.parametrize(
    "files",
    [
        {b"README": b"", b"src": b""},
        {b"Makefile": b"deploy:\n\tscp a b:\n"},
        {b"Makefile": b"all := 1\nhelp:\n\techo\n"},
        {b"package.json": b"{}"},
        {b"package.json": b'{"scripts": {"build": "tsc", "test": "vitest"}'},
        {b"package.json": b'[{"scripts": {"build": "tsc"}}]'},
        {b"package.json": b'{"scripts": {"build": ["tsc"]}, "x": {"build": "tsc"}}'},
        {b"package.json": b"[" * 100_000},
    ],
)
def test_nothing_is_guessed_without_a_sign(files: Mapping[bytes, bytes]) -> None:
    assert propose(files) is None


@pytest.mark.parametrize(
    ("rules", "build"),
    [
        (b"all:\n\tcc a.c\n", "make"),
        (b"build: a.o\n", "make"),
        (b"# a: b\nCC := cc\nOBJ = a:b\n.PHONY: all\n%.o: %.c\n\tcc $<\nall: a.o\n", "make"),
        (b"deploy:\n\tscp a b:\nall: deploy\n", "make all"),
        (b"  deploy:\n\tscp a b:\nall: deploy\n", "make all"),
        (b"help:\nbuild:\n", "make build"),
        (b"clean:\nbuild:\nall: build\n", "make all"),
        (b"clean:\nall:\n.DEFAULT_GOAL := all\n", "make"),
        (b"all:\nclean:\n.DEFAULT_GOAL = clean\n", "make all"),
        (b".DEFAULT_GOAL := all\nall:\nclean:\n.DEFAULT_GOAL := clean\n", "make all"),
        # Neither makes it the default goal.
        (b"all: CFLAGS = -g\nclean:\nall:\n", "make all"),
        (b"include rules.mk\nall:\n", "make all"),
    ],
)
def test_make_is_told_its_goal_where_the_default_may_be_another(rules: bytes, build: str) -> None:
    found = propose({b"Makefile": rules})
    assert found is not None
    assert found.build == build


@pytest.mark.parametrize(
    ("files", "commands"),
    [
        (
            {b"Makefile": b"init:\n\tpip install .\n", b"setup.py": b"", b"tests": b""},
            ("python3 -m compileall -q .", "python3 -m pytest -q"),
        ),
        (
            {b"Makefile": b"init:\ntest:\n", b"setup.py": b"", b"tests": b""},
            ("python3 -m compileall -q .", "make test"),
        ),
        ({b"Makefile": b"clean:\n", b"a.py": b""}, ("python3 -m compileall -q .", "")),
        ({b"Makefile": b"clean:\ntest:\n"}, ("", "make test")),
        ({b"Makefile": b"all:\n", b"CMakeLists.txt": b""}, ("make", "")),
        (
            {b"package.json": b'{"scripts": {"build": "tsc", "test": "vitest"}}'},
            ("npm run build", "npm test"),
        ),
    ],
)
def test_a_driver_with_no_build_leaves_it_to_the_next(
    files: Mapping[bytes, bytes], commands: tuple[str, str]
) -> None:
    found = propose(files)
    assert found is not None
    assert (found.build, found.test) == commands


@pytest.mark.parametrize(
    ("files", "test"),
    [
        ({b"Makefile": b"all:\n\tcc a.c\n"}, ""),
        ({b"Makefile": b"test := 1\nall:\n"}, ""),
        ({b"GNUmakefile": b"all:\ntest: all\n"}, "make test"),
        ({b"package.json": b'{"scripts": {"build": "tsc"}}'}, ""),
        (
            {
                b"package.json": b'{"scripts": {"build": "tsc", '
                b'"test": "echo \\"Error: no test specified\\""}}'
            },
            "",
        ),
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


def test_a_link_suggests_nothing(repo: TestRepository) -> None:
    repo.commit("one", {"rules": "all:\n\ttrue\ntest:\n\ttrue\n"})
    (repo.path / "Makefile").symlink_to("rules")
    repo.git("add", "Makefile")
    repo.git("commit", "-qm", "two")
    assert propose_for_tree(repo.open(), repo.rev("HEAD^{tree}")) is None
