"""Actions in whose place their script runs."""

import pytest

from git_retcon.heal.workflows.stand_ins import replace_action
from tests.heal.workflows.files import make_job


def _read(step: str) -> list[str]:
    made = make_job(f"steps:\n- {step}\n").steps[0]
    assert replace_action(made) == made  # the reader has done it
    return [node.text if node else "-" for node in (made.name, made.run, made.uses, made.directory)]


@pytest.mark.parametrize(
    ("step", "read"),
    [
        ("uses: pre-commit/action@v3",
         ["pre-commit/action@v3", "python -m pip install pre-commit\npre-commit run "
          "--show-diff-on-failure --color=always --all-files\n", "-", "-"]),
        ("{name: Bench, uses: CodSpeedHQ/action@v4, with: {mode: memory, run: '${{ env.it }}'}}",
         ["Bench", "${{ env.it }}", "-", "-"]),
        ("{uses: coactions/setup-xvfb@v1, with: {run: make, working-directory: gui}}",
         ["coactions/setup-xvfb@v1", "xvfb-run --auto-servernum make", "-", "gui"]),
        ("uses: CodSpeedHQ/action@v4", ["-", "-", "CodSpeedHQ/action@v4", "-"]),
        ("uses: ada/action@v1", ["-", "-", "ada/action@v1", "-"]),
    ],
)  # fmt: skip
def test_the_script_of_an_action_is_run_with_its_inputs(step: str, read: list[str]) -> None:
    assert _read(step) == read
