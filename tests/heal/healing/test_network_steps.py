"""Which steps before the failed one need not run again with a fix."""

import pytest

from git_retcon.files.beneath import File
from git_retcon.heal.healing.network_steps import keeps_result
from git_retcon.heal.patches import FileChange
from git_retcon.heal.results import StepResult, StepVerdict

CHANGES = [FileChange(b"pkg/src/app.py", File(b"1\n"), File(b"2\n"))]


def keeps(command: str) -> bool:
    return keeps_result(StepResult(1, "x", 1, StepVerdict.PASSED, command=command), CHANGES)


@pytest.mark.parametrize(
    "command",
    [
        "", "pip install pytest", "python3 -m pip install -r requirements.txt\npip3 install tox",
        "npm ci", "pip install -e .", "pip install --editable '.[dev]'", "go mod download",
        "echo hi && sudo apt-get install x", "pip install other/pkg",
    ],
)  # fmt: skip
def test_what_brings_packages_keeps_its_result(command: str) -> None:
    assert keeps(command)


@pytest.mark.parametrize(
    "command",
    [
        "pip install .", "pip install '.[dev]'", "pip install ./pkg", "pip install pkg/",
        "make build", "npm ci && npm run build", "python setup.py build", "cat x | sh", "'",
    ],
)  # fmt: skip
def test_what_runs_or_copies_the_tree_runs_again(command: str) -> None:
    assert not keeps(command)
