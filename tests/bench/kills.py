"""Every change to the disk of each command that keeps something, killed once and refused once.

`python -m tests.bench.kills` runs each command once to count the system calls by which it and its
children (git) change the disk. Then, for each of them, it runs the command in a fresh copy with
that call killed, runs the same command again, and compares with the run that nothing disturbed;
the same with "no space left" for each call that needs space. Then kills at random times. It prints
a Markdown table and, for each fault, what was wrong; the exit status is 1 if anything was.

`--every 10` takes each tenth call only, from the one that `--first` names; `--random 0` leaves out
the random kills.
"""

import argparse
import atexit
import contextlib
import difflib
import functools
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from tests.bench.killed_programs import PROGRAMS, Program
from tests.bench.system_calls import Fault, needs_space, run_watched

_DATE = "2026-01-02T03:04:05+00:00"
_CONFIG = "[user]\n\tname = Ada\n\temail = ada@example.com\n[init]\n\tdefaultBranch = main\n"


class Trial(NamedTuple):
    """One fault, and what was wrong after the command was run again; "" if nothing was."""

    kind: str
    at: str
    wrong: str
    locks: Sequence[str] = ()  # of git's, which a killed git left and a person must remove


class Bench:
    """One program's faults, in copies of one prepared place."""

    def __init__(self, program: Program, folder: Path) -> None:
        self._program = program
        self._origin, self._copy = folder / "origin", folder / "copy"
        for each in ("home", "temporary"):
            (self._copy / each).mkdir(parents=True)
        (self._copy / "home/.gitconfig").write_text(_CONFIG)
        os.environ |= _environment(self._copy)
        tempfile.tempdir = None  # found once, and this is another place
        program.prepare(self._copy)
        # What is prepared may hold paths, so every copy has to be where it was made.
        self._copy.rename(self._origin)
        self._fresh()
        self._once()  # here, so that no fork has to import all of it again
        self._fresh()
        started = time.monotonic()
        status = self._finish()
        self._seconds = time.monotonic() - started
        if status != 0:
            raise SystemExit(f"{program.name} fails undisturbed: {status}")
        self._wanted = program.describe(self._copy)

    def disturb(self, fault: Fault, every: int, first: int) -> Iterator[Trial]:
        """Each call, met by the fault."""
        for at, call in enumerate(self.calls):
            if at % every == first and (fault is Fault.KILL or needs_space(call)):
                self._fresh()
                run_watched(self._run_and_exit, at, fault)
                yield self._judge(fault.value, f"{at} ({call})")

    def kill_at_random(self, times: int, chance: random.Random) -> Iterator[Trial]:
        """Kills of the command alone at any time of a run."""
        for _ in range(times):
            self._fresh()
            after = chance.uniform(0, self._seconds)
            child = self._start()
            time.sleep(after)
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            yield self._judge("killed at random", f"{after:.3f} s")

    @functools.cached_property
    def calls(self) -> Sequence[str]:
        """The system calls of an undisturbed run that change the disk."""
        self._fresh()
        return run_watched(self._run_and_exit, None).calls

    def _judge(self, kind: str, at: str) -> Trial:
        """Run the command again; what is not as it would be undisturbed."""
        locks: list[str] = []
        status = self._finish()
        if status != 0 and (locks := _remove_locks(self._copy / "repo/.git")):
            status = self._finish()
        if status != 0:
            return Trial(kind, at, f"the same command ends with {status}", locks)
        locks += _remove_locks(self._copy / "repo/.git")
        found = self._program.describe(self._copy)
        wrong = (
            f"{key}: {_difference(self._wanted[key], found[key])}"
            for key in self._wanted
            if self._wanted[key] != found[key]
        )
        return Trial(kind, at, "; ".join(wrong), locks)

    def _finish(self) -> int:
        return os.waitstatus_to_exitcode(os.waitpid(self._start(), 0)[1])

    def _start(self) -> int:
        child = os.fork()
        if child == 0:
            status = 70
            try:
                status = self._run_and_exit()
            finally:
                os._exit(status)
        return child

    def _once(self) -> int:
        with contextlib.chdir(self._copy):
            return self._program.run(self._copy)

    def _run_and_exit(self) -> int:
        """In a fork: what ends with its process does not end with that."""
        status = self._once()
        atexit._run_exitfuncs()
        return status

    def _fresh(self) -> None:
        shutil.rmtree(self._copy, ignore_errors=True)
        shutil.copytree(self._origin, self._copy, symlinks=True)
        os.environ |= _environment(self._copy)


@contextlib.contextmanager
def make_place() -> Iterator[Path]:
    """A folder that no fork removes as it exits; after it, this process has its variables back."""
    before, temporary = dict(os.environ), tempfile.tempdir
    folder = Path(tempfile.mkdtemp(prefix="git-retcon-kills-"))
    try:
        yield folder
    finally:
        os.environ.clear()
        os.environ.update(before)
        tempfile.tempdir = temporary
        shutil.rmtree(folder, ignore_errors=True)


def _environment(top: Path) -> dict[str, str]:
    home = top / "home"
    return {
        "HOME": str(home),
        "XDG_DATA_HOME": str(home / "data"),
        "XDG_STATE_HOME": str(home / "state"),
        "TMPDIR": str(top / "temporary"),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_DATE": _DATE,
        "GIT_COMMITTER_DATE": _DATE,
    }


def _remove_locks(git_dir: Path) -> list[str]:
    """Remove git's own locks, as git tells people to do after a crash of git."""
    places = ("retcon/locks", "allium/locks")
    ours = {
        git_dir / "code-commit/lock",
        *(p for each in places for p in (git_dir / each).glob("*")),
    }
    found = [path for path in git_dir.rglob("*.lock") if path not in ours]
    for path in found:
        path.unlink()
    return [str(path.relative_to(git_dir)) for path in found]


def _difference(wanted: str, found: str) -> str:
    lines = difflib.unified_diff(wanted.splitlines(), found.splitlines(), n=0, lineterm="")
    return ", ".join([line for line in lines if not line.startswith(("---", "+++", "@@"))][:6])


def _count(trials: Iterable[Trial], name: str) -> Counter[str]:
    counts: Counter[str] = Counter()
    for trial in trials:
        counts[trial.kind] += 1
        counts[f"locked {trial.kind}"] += bool(trial.locks)
        if trial.wrong:
            counts[f"wrong {trial.kind}"] += 1
            sys.stdout.write(f"{name}, {trial.kind} at {trial.at}: {trial.wrong}\n")
            sys.stdout.flush()
    return counts


def main() -> int:
    """Run all and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--random", type=int, default=100)
    parser.add_argument("--only", choices=[program.name for program in PROGRAMS])
    options = parser.parse_args()
    rows: list[str] = []
    wrong = 0
    for program in PROGRAMS:
        if options.only not in (None, program.name):
            continue
        with make_place() as folder:
            bench = Bench(program, folder)
            counts = Counter[str]()
            for fault in Fault:
                counts += _count(bench.disturb(fault, options.every, options.first), program.name)
            chance = random.Random(1 + options.first)
            counts += _count(bench.kill_at_random(options.random, chance), program.name)
        kinds = [*(fault.value for fault in Fault), "killed at random"]
        wrong += sum(counts[f"wrong {kind}"] for kind in kinds)
        cells = (
            f"{counts[kind]} | {counts[f'locked {kind}']} | {counts[f'wrong {kind}']}"
            for kind in kinds
        )
        rows.append(f"| `{program.name}` | {len(bench.calls)} | {' | '.join(cells)} |")
    head = " | git's lock left | wrong | ".join(("Killed", "Disk full", "Killed at random", ""))
    print(f"| Command | Changes to the disk | {head.strip()}\n| --- |{' --: |' * 10}")
    print("\n".join(rows))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
