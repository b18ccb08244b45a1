"""What ``git heal`` costs around the commands that it runs, beside git's own.

    python -m tests.bench.checked_again [--files 20000] [--repeat 9]

The second ``git heal check`` of a state, beside ``git status`` and an import of the two libraries
that any such program needs, with the processes of git that it starts; and the worktree of a new
state, beside ``git worktree add``. Processor seconds of the process and all it started, medians of
runs in alternation.
"""

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

_CHECKOUT = Path(__file__).parents[2]
_CHECK = (sys.executable, "-P", "-m", "git_retcon.commands.heal", "check", "-q")
_IMPORT = (sys.executable, "-P", "-c", "import click, pygit2")
_WORKFLOW = (
    "on: push\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - run: 'true'\n"
)


class Bench:
    """A repository of so many files in a folder of its own."""

    def __init__(self, folder: Path, files: int) -> None:
        self.repo = folder / "repo"
        self.folder = folder
        self.env = {
            **os.environ, "HOME": str(folder), "XDG_DATA_HOME": str(folder / "data"),
            "PYTHONPATH": str(_CHECKOUT),
        }  # fmt: skip
        # Compiled modules are kept, as in any installed program.
        self.env.pop("PYTHONDONTWRITEBYTECODE", None)
        self._write(files)

    def _write(self, files: int) -> None:
        for number in range(files):
            place = self.repo / f"part{number // 1000}" / f"sub{number // 50 % 20}"
            place.mkdir(parents=True, exist_ok=True)
            (place / f"file{number}.py").write_text(f"VALUE = {number}\n" * 8)
        (self.repo / ".github/workflows").mkdir(parents=True)
        (self.repo / ".github/workflows/ci.yml").write_text(_WORKFLOW)
        self.git("init", "-q", "-b", "main")
        self.git("config", "maintenance.auto", "false")
        self.git("config", "gc.auto", "0")
        self.git("config", "user.name", "Ada")
        self.git("config", "user.email", "ada@example.org")
        self.git("add", ".")
        self.git("commit", "-q", "-m", "All")
        self.git("gc", "-q")

    def git(self, *arguments: str) -> None:
        self.run(("git", *arguments))

    def run(self, command: Sequence[str], more: Mapping[str, str] | None = None) -> float:
        """Processor seconds of a command."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(
            command, cwd=self.repo, env={**self.env, **(more or {})}, check=True,
            stdout=subprocess.DEVNULL,
        )  # fmt: skip
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    def count_gits(self, command: Sequence[str]) -> int:
        """The processes of git that a command starts."""
        trace = self.folder / "trace"
        self.run(command, {"GIT_TRACE2_EVENT": str(trace)})
        counted = trace.read_text().count('"event":"start"')
        trace.unlink()
        return counted


def measure_again(bench: Bench, repeat: int) -> None:
    """The second check of a state, in a table's row."""
    bench.run((*_CHECK, "--trust"))
    ours, status, imports = [], [], []
    for _ in range(repeat):
        ours.append(bench.run(_CHECK))
        status.append(bench.run(("git", "status")))
        imports.append(bench.run(_IMPORT))
    base = statistics.median(status) + statistics.median(imports)
    gits = bench.count_gits(_CHECK)
    own = statistics.median(ours)
    print("| The second check | `git status` | the import | ratio | processes of git |")
    print("| --: | --: | --: | --: | --: |")
    print(
        f"| {own:.3f} s | {statistics.median(status):.3f} s | {statistics.median(imports):.3f} s"
        f" | {own / base:.2f} | {gits} |\n"
    )


def measure_worktrees(bench: Bench, repeat: int) -> None:
    """A worktree of ours that is new, beside one of git's, in a table's row."""
    ours, theirs = [], []
    for number in range(repeat):
        (bench.repo / "part0/sub0/file0.py").write_text(f"VALUE = {-number}\n")
        bench.git("commit", "-qam", f"Change {number}")
        folder = str(bench.folder / f"theirs-{number}")
        add = ("git", "worktree", "add", "-q", "--detach", folder)
        theirs.append(_time(bench, add))
        ours.append(_time(bench, (sys.executable, "-P", "-c", _MAKE)))
        bench.git("worktree", "remove", "--force", folder)
    print("| A new worktree | `git worktree add` | ratio, processor | ratio, wall |")
    print("| --: | --: | --: | --: |")
    cpu, wall = (statistics.median(one[at] for one in ours) for at in (0, 1))
    their_cpu, their_wall = (statistics.median(one[at] for one in theirs) for at in (0, 1))
    print(f"| {cpu:.2f} s | {their_cpu:.2f} s | {cpu / their_cpu:.2f} | {wall / their_wall:.2f} |")


# What a check does of itself before the first step of a state that it has not seen.
_MAKE = """
from pathlib import Path
from git_retcon.git.graph import resolve_commit
from git_retcon.heal.check_situation import open_checkout, worktrees_folder
from git_retcon.heal.check_worktree import StateWorktree, wait_for_worktree
from git_retcon.run.working_state import open_state
from git_retcon.settings import Settings
checkout = open_checkout(Path.cwd())
head = resolve_commit(checkout.repository, "HEAD")
base = worktrees_folder(Settings.of(checkout.repository.config))
with open_state(checkout.repository, checkout.top, head) as state:
    with wait_for_worktree(base, checkout.repository, state.run_id, print) as worktree:
        StateWorktree(worktree, state, lambda top: None).prepare("job")
"""


def _time(bench: Bench, command: Sequence[str]) -> tuple[float, float]:
    """Processor and wall seconds of a command."""
    started = time.monotonic()
    cpu = bench.run(command)
    return cpu, time.monotonic() - started


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--files", type=int, default=20_000)
    parser.add_argument("--repeat", type=int, default=9)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="checked-") as folder:
        bench = Bench(Path(folder), options.files)
        measure_again(bench, options.repeat)
        measure_worktrees(bench, max(options.repeat // 3, 1))


if __name__ == "__main__":
    main()
