"""What is refused before a fix is looked for, or paid for."""

from pathlib import Path

import pytest

from tests.program import heal_here
from tests.repository import TestRepository


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--no-apply", "--branch=b"], "--no-apply and --branch contradict each other"),
        (["--branch=b", "--patch=p"], "--branch and --patch contradict each other"),
        (["--commit", "--no-apply"], "--commit and --no-apply contradict each other"),
        (["--patch=-", "--json"], "--patch=- is the patch alone"),
    ],
)
def test_options_that_contradict_each_other_are_wrong_usage(
    tmp_path: Path, options: list[str], said: str
) -> None:
    ran = heal_here(tmp_path, "--offline", *options)
    assert ran.status == 129
    assert said in ran.out + ran.err


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["nothing.py"], "there is no file 'nothing.py'"),
        ([".."], "'..': "),
        (["--patch=."], "'.' is a folder"),
        (["--patch=none/p"], "there is no folder 'none'"),
        (["--branch=main"], "'main' is checked out"),
        (["--branch=a..b"], "a..b"),
        (["--error=abc"], "abc"),
    ],
)
def test_what_cannot_be_is_refused_before_anything_runs(
    repo: TestRepository, options: list[str], said: str
) -> None:
    repo.commit("one", {".github/workflows/ci.yml": "on: push\njobs: {}\n"})
    ran = heal_here(repo.path, "--offline", *options)
    assert ran.status == 128
    assert said in ran.err
    assert not (repo.path / ".git/heal/applied").exists()
