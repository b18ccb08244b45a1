"""What a heal costs of itself, beside a ``git heal check`` of which all is known.

    python -m tests.bench.heal_overhead [CHECKOUT...] [--files 20] [--repeat 9]

A step names an unused import; the heal is offline, ``--yes``, from a check that has just run, and
makes its worktree, as the first heal of each state does. Processor seconds of whole processes and
all they started; what the runs of the step took, which the step notes itself, is taken off.
CHECKOUTs are working trees of other commits, measured in alternation with this one.
"""

import argparse
import os
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from tests.heal.project import STEPS

_HERE = Path(__file__).parents[2]
_HEAL = (sys.executable, "-P", "-m", "git_retcon.commands.heal")
_CHECK = (*_HEAL, "check", "-q")
_RUN = (*_HEAL, "--offline", "--yes", "-q")
# Without colour or sandbox, in the shell alone: nearly all that is measured is ours.
_STEP = """\
    - name: Lint
      run: |
        trap 'times >> "{note}"' EXIT
        while read -r line; do
          if [ "$line" = "import os" ]; then
            echo "app.py:1:1: F401 'os' imported but unused"
            exit 1
          fi
        done < app.py
"""
_WORKFLOW = f"on: push\njobs:\n  lint:\n{STEPS}"
_TIME = re.compile(r"(\d+)m(\d+\.\d+)s")


class Cost(NamedTuple):
    """Processor seconds of one heal and of a cached check; ``gits`` are processes of git."""

    heal: float
    check: float
    steps: float
    gits: int

    @property
    def ratio(self) -> float:
        return (self.heal - self.steps) / self.check


class Bench:
    """A repository of so many files that were checked, copied anew for each heal."""

    def __init__(self, folder: Path, files: int, program: Path) -> None:
        self._folder = folder
        self._note = folder / "note"
        self._repo = folder / "now/repo"
        self._env = {
            **os.environ, "HOME": str(folder / "now"), "PYTHONPATH": str(program),
            "XDG_DATA_HOME": str(folder / "now/data"),
        }  # fmt: skip
        # --trust writes to the user's configuration: let that be the one in HOME.
        for name in ("GIT_CONFIG_GLOBAL", "XDG_CONFIG_HOME"):
            self._env.pop(name, None)
        # Compiled modules are kept, as in any installed program.
        self._env.pop("PYTHONDONTWRITEBYTECODE", None)
        self._write(files)
        self._run((*_CHECK, "--trust"), fails=True)
        shutil.copytree(folder / "now", folder / "checked", symlinks=True)

    def _write(self, files: int) -> None:
        (self._repo / ".github/workflows").mkdir(parents=True)
        workflow = _WORKFLOW + _STEP.format(note=self._note)
        (self._repo / ".github/workflows/ci.yml").write_text(workflow)
        (self._repo / "app.py").write_text("import os\n\nprint('hello')\n")
        for number in range(files):
            (self._repo / f"file{number}.py").write_text(f"VALUE = {number}\n")
        for arguments in (
            ("init", "-q", "-b", "main"), ("config", "user.name", "Ada"),
            ("config", "user.email", "ada@example.org"), ("config", "gc.auto", "0"),
            ("add", "."), ("commit", "-q", "-m", "All"),
        ):  # fmt: skip
            self._run(("git", *arguments))

    def measure(self) -> Cost:
        """One heal of the state that was checked, and a check of it before."""
        # Moved, not removed: ext4 looks long for an inode that was not freed a moment ago.
        now = self._folder / "now"
        now.rename(tempfile.mkdtemp(prefix="before-", dir=self._folder))
        shutil.copytree(self._folder / "checked", self._folder / "now", symlinks=True)
        self._note.unlink(missing_ok=True)
        check = self._run(_CHECK, fails=True)
        if self._note.exists():
            raise RuntimeError("the check ran the step: nothing was known of it")
        trace = self._folder / "trace"
        trace.unlink(missing_ok=True)
        self._env["GIT_TRACE2_EVENT"] = str(trace)
        heal = self._run(_RUN)
        del self._env["GIT_TRACE2_EVENT"]
        if "import os" in (self._repo / "app.py").read_text():
            raise RuntimeError("nothing was healed")
        return Cost(heal, check, self._read_note(), trace.read_text().count('"event":"start"'))

    def _read_note(self) -> float:
        found = _TIME.findall(self._note.read_text())
        return sum(60 * int(minutes) + float(seconds) for minutes, seconds in found)

    def _run(self, command: Sequence[str], *, fails: bool = False) -> float:
        """Processor seconds of a command."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        ran = subprocess.run(
            command, cwd=self._repo, env=self._env, check=False, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )  # fmt: skip
        if ran.returncode != int(fails):
            raise RuntimeError(f"{command}: {ran.returncode}: {ran.stderr.decode()}")
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Print a row for each checkout."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("checkouts", type=Path, nargs="*")
    parser.add_argument("--files", type=int, default=20)
    parser.add_argument("--repeat", type=int, default=9)
    options = parser.parse_args()
    programs = [*(one.resolve() for one in options.checkouts), _HERE]
    with tempfile.TemporaryDirectory(prefix="overhead-") as folder:
        benches = [
            Bench(Path(folder, str(number)), options.files, program)
            for number, program in enumerate(programs)
        ]
        runs = [[bench.measure() for bench in benches] for _ in range(options.repeat)]
    print("| Code | a heal | of it the step | a cached check | ratio | processes of git |")
    print("| --- | --: | --: | --: | --: | --: |")
    for program, costs in zip(programs, zip(*runs, strict=True), strict=True):
        heal, check, steps, gits, ratio = (
            statistics.median(values)
            for values in zip(*((*cost, cost.ratio) for cost in costs), strict=True)
        )
        print(f"| {program.name} | {heal:.3f} s | {steps:.3f} s | {check:.3f} s | {ratio:.2f} "
              f"| {gits:.0f} |")  # fmt: skip


if __name__ == "__main__":
    main()
