"""A clone of a project with one workflow of ours in place of its own.

    python -m tests.bench.own_workflow CLONE TARGET WORKFLOW

For projects whose own builds need what the machine cannot reach: their code is real, the commands
are ours. ``checks`` then takes TARGET as it takes any clone.
"""

import argparse
import shutil
import subprocess
from pathlib import Path

from tests.bench.workflows import FOLDER

_NOBODY = ("-c", "user.name=bench", "-c", "user.email=bench@example.org")


def replace_workflows(source: Path, target: Path, workflow: Path) -> None:
    """Clone ``source``, and commit ``workflow`` as the only one."""
    subprocess.run(["git", "clone", "-q", "--shared", source, target], check=True)
    folder = target / FOLDER
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    shutil.copy(workflow, folder)
    subprocess.run(["git", "-C", target, "add", "-A", "-f", FOLDER], check=True)
    subject = f"CI: {workflow.name} alone"
    subprocess.run(["git", "-C", target, *_NOBODY, "commit", "-q", "-m", subject], check=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    for name in ("clone", "target", "workflow"):
        parser.add_argument(name, type=Path, metavar=name.upper())
    options = parser.parse_args()
    replace_workflows(options.clone, options.target, options.workflow)


if __name__ == "__main__":
    main()
