"""A command that looks becomes one that fixes, with the same settings and files."""

from pathlib import Path

import pytest

from git_retcon.heal.fixers.tool_fixers import CallSite, list_layout_calls, list_tool_calls

SAME = [
    ("ruff check --select I src", "ruff check --fix --select I src"),
    ("ruff check --output-format=github .", "ruff check --fix ."),
    ("ruff check --output-format github .", "ruff check --fix ."),
    ("python -m ruff format --check .", "python -m ruff format ."),
    ("black --check --diff src tests", "black src tests"),
    ("cd x && isort --check-only .", "isort ."),
    ("npx eslint . --max-warnings 0", "npx eslint --fix . "),
    ("npx prettier --check 'src/**/*.ts'", "npx prettier --write src/**/*.ts"),
    ("biome ci .", "biome check --write ."),
    ("gofmt -l -d .", "gofmt -w ."),
    ("cargo fmt --all -- --check", "cargo fmt --all"),
    ("cargo clippy -- -D warnings", "cargo clippy --fix --allow-dirty --allow-staged --offline"),
    ("clang-format --dry-run -Werror a.c", "clang-format -i a.c"),
    ("bundle exec rubocop --parallel", "bundle exec rubocop -a"),
    ("shfmt -d .", "shfmt -w ."),
    ("terraform fmt -check -recursive", "terraform fmt -recursive"),
    ("pre-commit run --all-files", "pre-commit run --all-files"),
]


@pytest.mark.parametrize(("script", "fixing"), SAME)
def test_only_what_makes_it_look_is_exchanged(script: str, fixing: str, tmp_path: Path) -> None:
    calls = list_tool_calls((), CallSite(script, {}, tmp_path))
    assert [list(call.argv) for call in calls] == [fixing.split()]


@pytest.mark.parametrize(
    "script", ["gofmt -l $(git ls-files)", "echo ruff check", "my-black --check", "ruff rule E501"]
)
def test_what_is_no_plain_call_is_left_alone(script: str, tmp_path: Path) -> None:
    assert list_tool_calls((), CallSite(script, {}, tmp_path)) == []


def test_what_lays_files_out_is_found_in_all_steps_of_a_job() -> None:
    script = "ruff check src\nblack --check src\npytest\nisort -c ."
    calls = [call.argv for call in list_layout_calls(script)]
    assert calls == [("black", "src"), ("isort", ".")]
