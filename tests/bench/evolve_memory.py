"""The most memory of ``git allium evolve`` with a model, over longer and longer histories.

    .venv/bin/python -m tests.bench.evolve_memory [STEPS...]

Each history is made for it: small commits, each of which changes one of forty files, in order. The
model is a service on this machine that answers at once, with a small module.
"""

import argparse
import compileall
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.bench.evolve import CHECKOUT, git, measure_model

_FILES = 40


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("steps", type=int, nargs="*", default=[2_000, 6_000], metavar="STEPS")
    given = arguments.parse_args()
    compileall.compile_dir(CHECKOUT / "git_retcon", quiet=1)
    for steps in given.steps:
        with tempfile.TemporaryDirectory() as folder:
            repository = Path(folder) / "history.git"
            make_history(repository, steps)
            asked, usage = measure_model(repository, "main", steps)
        print(
            f"{steps:,} steps, {asked:,} requests: {usage.megabytes:.0f} MB at most, "
            f"{usage.seconds / steps * 1e3:.1f} ms of CPU a step, {usage.processes} git processes"
        )


def make_history(repository: Path, steps: int) -> None:
    """A bare repository with a linear history of so many commits."""
    git("init", "-q", "--bare", "-b", "main", str(repository))
    stream = b"".join(list_commits(steps))
    subprocess.run(
        ["git", "-C", str(repository), "fast-import", "--quiet"], input=stream, check=True
    )


def list_commits(steps: int) -> Iterator[bytes]:
    """Commits as ``git fast-import`` reads them."""
    for step in range(steps):
        number = step % _FILES
        fields = "".join(f"    field_{each}: int\n" for each in range(step // _FILES % 7 + 1))
        text = f"from dataclasses import dataclass\n\n@dataclass\nclass Item{number}:\n{fields}"
        subject = f"step {step}"
        yield (
            f"commit refs/heads/main\ncommitter A <a@b.example> {1_700_000_000 + step} +0000\n"
            f"data {len(subject)}\n{subject}\n"
            f"M 100644 inline shop/part{number % 8}/item{number}.py\ndata {len(text)}\n{text}\n"
        ).encode()


if __name__ == "__main__":
    main()
