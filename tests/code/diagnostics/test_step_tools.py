"""Which readers a step calls for: never fewer than its tools need."""

import pytest

from git_retcon.code.diagnostics.readers import READERS
from git_retcon.code.diagnostics.step_tools import choose_families


@pytest.mark.parametrize(
    ("script", "family"),
    [
        ("go test ./...", "go"),
        ("cd x && /usr/local/bin/golangci-lint run", "go tests"),
        ("npx tsc --noEmit", "typescript"),
        ("pnpm exec eslint .", "javascript linters"),
        ("CI=1 python3 -m pytest -q", "python tests"),
        ("uv run mypy src/\nruff check .", "python linters"),
        ("cargo clippy -- -D warnings", "rust"),
        ("./gradlew test", "java tests"),
        ("./node_modules/.bin/jest", "javascript tests"),
    ],
)
def test_known_tools(script: str, family: str) -> None:
    assert family in choose_families(script)


@pytest.mark.parametrize(
    "script",
    ["make test", "npm test", "./run.sh", "for f in *; do pytest $f; done", "$(which go) test"],
)
def test_what_may_run_anything_is_read_by_all(script: str) -> None:
    assert choose_families(script) == frozenset()
    assert choose_families(f"pytest\n{script}") == frozenset()


def test_comments_and_quiet_commands_choose_nothing() -> None:
    assert choose_families("# go test\necho hello\n") == frozenset()


def test_the_families_are_readers() -> None:
    names = {reader.name for reader in READERS}
    scripts = ("go test", "pytest", "cargo test", "gcc", "mvn", "eslint")
    assert {family for script in scripts for family in choose_families(script)} <= names
