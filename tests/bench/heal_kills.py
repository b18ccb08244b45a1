"""`git heal --yes`, killed at random times and run again: nothing lost, nothing applied twice.

`python -m tests.bench.heal_kills --times 25 --seed 1` kills it 25 times, each in a fresh copy of a
repository with two faults, with `--commit` every second time; then the same command runs until it
has an answer. What is there then is compared with what an undisturbed run leaves: files, index,
commits, and how often a fix was applied. The exit status is 1 if anything differs.

`python -m tests.bench.heal_kills --settle` does the same to `git heal apply`, `reject` and `undo`,
killed at each system call by which they change the disk, and with a full disk at each that needs
space; with `--every 3` at each third, with `--only undo` one of them.
"""

import argparse
import json
import random
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from git_retcon.heal.records.database import database_path, open_database
from git_retcon.heal.records.heals import Decision, StoredHeal, list_heals
from tests.bench.killed_programs import Program
from tests.bench.kills import Bench, make_place
from tests.bench.system_calls import Fault
from tests.heal.checks import new_project
from tests.heal.healing.test_heal_flow import CLEAN, LINT, RUN_LINT
from tests.program import heal_here
from tests.repository import TestRepository

_WORKFLOW = """\
on: push
jobs:
  lint:
    runs-on: ubuntu-latest
    steps: [{uses: actions/checkout@v4}, {run: sh checks/lint.sh a.py b.py}]
  test:
    runs-on: ubuntu-latest
    steps: [{uses: actions/checkout@v4}, {run: "grep -q total a.py"}]
"""
_FILES = {
    "checks/lint.py": LINT,
    "checks/lint.sh": RUN_LINT,
    "a.py": f"import os\n\n\n{CLEAN}",
    "b.py": CLEAN.replace("return result", "return resul"),
    "mine.txt": "committed\n",
}


def make_program(*options: str) -> Program:
    """``git heal --yes`` with more options."""
    return Program(" ".join(("git heal --yes", *options)), _prepare, _run(options), _describe)


def _prepare(top: Path) -> None:
    repository = new_project(top / "repo", _WORKFLOW, _FILES)
    repository.write({"mine.txt": "mine, not committed\n"})


def list_settling() -> list[Program]:
    """What decides about heals that are there."""
    kept, applied = _prepare_with("--no-apply"), _prepare_with()
    committed = _prepare_with("--commit")
    return [
        Program("git heal apply", kept, _settle("apply", "1", "2"), _describe),
        Program("git heal reject", kept, _settle("reject", "1", "2"), _describe),
        Program("git heal undo", applied, _settle("undo"), _describe),
        Program("git heal undo, a commit", committed, _settle("undo"), _describe),
    ]


def _prepare_with(*options: str) -> Callable[[Path], None]:
    def prepare(top: Path) -> None:
        _prepare(top)
        assert _run(options)(top) == 0

    return prepare


def _settle(*arguments: str) -> Callable[[Path], int]:
    def run(top: Path) -> int:
        done = heal_here(top / "repo", *arguments, "-q")
        # One that was killed at its very end finds nothing left to undo.
        if done.status and "there is nothing that a heal applied" in done.err:
            return 0
        if done.status:
            sys.stderr.write(done.err)
        return done.status

    return run


def _run(options: Sequence[str]) -> Callable[[Path], int]:
    def run(top: Path) -> int:
        done = heal_here(top / "repo", "--yes", "--trust", "--offline", "-q", *options)
        if done.status:
            sys.stderr.write(done.err)
        return done.status

    return run


def _describe(top: Path) -> dict[str, str]:
    repository = TestRepository(top / "repo")
    journals = [
        json.loads(path.read_bytes())["phase"]
        for path in (repository.path / ".git/heal/applied").glob("*.json")
    ]
    with open_database(database_path(repository.open().common_dir), lambda *_: None) as database:
        heals = list_heals(database)
    return {
        "files": "".join((repository.path / name).read_text() for name in sorted(_FILES)),
        "index": repository.git("ls-files", "--stage"),
        "commits": repository.git("log", "--format=%s %T"),
        "refs": repository.git("for-each-ref", "--format=%(refname)"),
        "status": repository.git("status", "--porcelain"),
        "applications": " ".join(sorted(journals)),
        "applied heals": _list_paths(heals, Decision.APPLIED),
        "rejected heals": _list_paths(heals, Decision.REJECTED),
    }


def _list_paths(heals: Sequence[StoredHeal], decision: Decision) -> str:
    paths = (one.heal.path or b"" for one in heals if one.heal.decision is decision)
    return " ".join(sorted(path.decode() for path in paths))


def kill_at_random(program: Program, times: int, seed: int) -> list[str]:
    """What was wrong after kills at random times; "" for each after which nothing was."""
    with make_place() as folder:
        bench = Bench(program, folder)
        trials = bench.kill_at_random(times, random.Random(seed))
        return [f"{trial.at}: {trial.wrong}" if trial.wrong else "" for trial in trials]


def disturb_settling(every: int, only: str) -> int:
    """Kill what settles heals at each moment; how often something was wrong."""
    wrong = 0
    for program in list_settling():
        if only not in program.name:
            continue
        with make_place() as folder:
            bench = Bench(program, folder)
            for fault in Fault:
                trials = list(bench.disturb(fault, every, 0))
                bad = [f"{one.at}: {one.wrong}" for one in trials if one.wrong]
                print(f"{program.name}, {fault.value}: {len(trials)}, {len(bad)} wrong", flush=True)
                print("".join(f"  {one}\n" for one in bad), end="", flush=True)
                wrong += len(bad)
    return wrong


def main() -> int:
    """Kill both ways, and print what was wrong."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--times", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--settle", action="store_true", help="apply, reject and undo instead")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--only", default="", metavar="NAME")
    options = parser.parse_args()
    if options.settle:
        return 1 if disturb_settling(options.every, options.only) else 0
    found: list[str] = []
    for number, program in enumerate((make_program(), make_program("--commit"))):
        times = (options.times + 1 - number) // 2
        wrong = kill_at_random(program, times, options.seed)
        found += [f"{program.name}, killed after {one}" for one in wrong if one]
        print(f"{program.name}: {times} kills, {sum(map(bool, wrong))} wrong")
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
