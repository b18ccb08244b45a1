"""A value that is no number is told what the option takes, in words."""

from pathlib import Path

import pytest

from tests.program import Ran, code_commit, retcon


def said(done: Ran) -> str:
    """The error of a wrong usage."""
    assert (done.status, done.out) == (129, "")
    return done.err.splitlines()[0]


@pytest.mark.parametrize("value", ["abc", "", "0", "-1", "nan", "10s"])
def test_seconds(tmp_path: Path, value: str) -> None:
    for program in (retcon, code_commit):
        assert said(program(tmp_path, "run", f"--timeout={value}")) == (
            f"error: invalid value for '--timeout': '{value}' is not a number of seconds, 1 or more"
        )


def test_dollars_and_tokens(tmp_path: Path) -> None:
    assert said(retcon(tmp_path, "--max-cost=$2")).endswith(
        "'--max-cost': '$2' is not a number of US dollars, 0 or more"
    )
    for value in ("1.5", "many", "-1", "9" * 5000):
        assert said(retcon(tmp_path, f"--max-tokens={value}")).endswith(
            f"'--max-tokens': '{value}' is not a whole number of tokens, 0 or more"
        )


def test_repairs_and_the_size_of_a_rollup(tmp_path: Path) -> None:
    assert said(code_commit(tmp_path, "--repairs=two")).endswith(
        "'--repairs': 'two' is not a whole number of repairs, 0 or more"
    )
    assert said(code_commit(tmp_path, "rollup", "--max-tokens=0")).endswith(
        "'--max-tokens': '0' is not a whole number of tokens, 1 or more"
    )


@pytest.mark.parametrize("value", ["1", "2.5", "1e3", "inf"])
def test_what_is_a_number_is_taken(tmp_path: Path, value: str) -> None:
    done = retcon(tmp_path, "missing.toml", f"--timeout={value}")
    assert (done.status, "invalid value" in done.err) == (128, False)
