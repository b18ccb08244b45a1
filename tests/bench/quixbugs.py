"""The loop with a model, on programs of QuixBugs: the right fix is healed, and no other is.

``python -m tests.bench.quixbugs CLONE [PROGRAM...]`` takes a clone of jkoppel/QuixBugs, makes a
repository with a workflow of each of ten programs, and lets a scripted model play the reference fix
through the real tools, then nothing at all, then a wrong fix. Nothing of the clone is kept.
"""

import difflib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from tests.model.loopback import Answer, LoopbackApi, answers, calls
from tests.repository import new_repository

PROGRAMS = (
    "get_factors", "is_valid_parenthesization", "kth", "lis", "max_sublist_sum",
    "next_palindrome", "pascal", "quicksort", "sieve", "to_base",
)  # fmt: skip
_TEST = """\
import json, os, sys
sys.path.insert(0, "src")
from {name} import {name}
for line in open("tests/cases.json"):
    if line.strip():
        given, wanted = json.loads(line)
        found = {name}(*given)
        assert found == wanted, f"{name}{{tuple(given)}} is {{found}}, not {{wanted}}"
"""
_STEP = "sh tests/run.sh"
_WORKFLOW = """\
on: push
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
    - run: test -s src/{name}.py
    - run: {step}
"""


class Program(NamedTuple):
    """A program: its bug, its reference fix, its cases as lines of JSON."""

    name: str
    buggy: str
    correct: str
    cases: str

    @property
    def edit(self) -> tuple[str, str]:
        """The text to be replaced, which is in the program once, and what replaces it."""
        old, new = (text.splitlines(keepends=True) for text in (self.buggy, self.correct))
        changed = [op for op in difflib.SequenceMatcher(None, old, new).get_opcodes()
                   if op[0] != "equal"]  # fmt: skip
        first, last = changed[0], changed[-1]
        before, behind = first[1], last[2]
        shift = last[4] - last[2]
        while self.buggy.count("".join(old[before:behind])) != 1 or before == behind:
            before -= 1 if before else 0
            behind += 0 if before else 1
        return "".join(old[before:behind]), "".join(new[before : behind + shift])


def read_program(clone: Path, name: str) -> Program:
    """A program of the clone, without the text behind it."""

    def show(path: str) -> str:
        command = ["git", "-C", str(clone), "show", f"HEAD:{path}"]
        return subprocess.run(command, capture_output=True, check=True).stdout.decode()

    def read(folder: str) -> str:
        text = show(f"{folder}/{name}.py")
        return text.partition('\n"""')[0].rstrip() + "\n"

    listed = show(f"json_testcases/{name}.json")
    return Program(name, read("python_programs"), read("correct_python_programs"), listed)


def script(program: Program, kind: str) -> list[Answer]:
    """What the model does."""
    path, step = f"src/{program.name}.py", _STEP
    run = calls("run_step", {"workflow": "ci", "job": "test", "step": step})
    done = answers({"verdict": "fixed", "summary": "done"})
    old, new = program.edit
    if kind == "nothing":
        return [calls("read_file", {"path": path}), done] * 2
    if kind == "wrong":
        new = old.rstrip("\n") + "  # looked at\n"
    edit = calls("edit_file", {"path": path, "old_string": old, "new_string": new})
    return [calls("read_file", {"path": path}), edit, run, done] * 2


def heal(program: Program, kind: str, top: Path) -> dict[str, Any]:
    """One heal, as its user runs it."""
    repository = new_repository(top / f"{program.name}-{kind}", "-b", "main")
    files: Mapping[str, str] = {
        f"src/{program.name}.py": program.buggy,
        f"tests/test_{program.name}.py": _TEST.format(name=program.name),
        "tests/cases.json": program.cases,
        "tests/run.sh": f"exec python3 tests/test_{program.name}.py\n",
        ".github/workflows/ci.yml": _WORKFLOW.format(name=program.name, step=_STEP),
    }
    repository.commit("begin", files)
    api = LoopbackApi()
    api.script(*script(program, kind))
    command = [sys.executable, "-m", "git_retcon.commands.heal", "--trust", "--json", "--yes",
               "--engine=claude"]  # fmt: skip
    env = {**os.environ, **api.env, "HOME": str(top / "home"),
           "PYTHONPATH": str(Path(__file__).parents[2])}  # fmt: skip
    ran = subprocess.run(command, cwd=repository.path, env=env, capture_output=True, check=False)
    api.close()
    said: dict[str, Any] = json.loads(ran.stdout)
    said["right"] = (repository.path / f"src/{program.name}.py").read_text() == program.correct
    said["log"] = ran.stderr.decode()
    return said


def main() -> None:
    """Print a line for each heal, then the sums."""
    clone, programs = Path(sys.argv[1]), sys.argv[2:] or PROGRAMS
    sums = {kind: [0, 0] for kind in ("reference", "nothing", "wrong")}
    with tempfile.TemporaryDirectory() as top:
        (Path(top) / "home").mkdir()
        for name in programs:
            program = read_program(clone, name)
            for kind, total in sums.items():
                started = time.monotonic()
                said = heal(program, kind, Path(top))
                healed = [one["path"] for one in said["healed"]]
                applied = bool(said["applied"]) and said["right"]
                total[0] += bool(healed)
                total[1] += applied
                seconds = time.monotonic() - started
                print(f"{name} {kind}: healed {healed}, applied {applied} ({seconds:.1f} s)",
                      flush=True)  # fmt: skip
                if bool(healed) != (kind == "reference"):
                    print(said["log"], json.dumps(said["left"] + said["unverified"], indent=1))
    for kind, total in sums.items():
        print(f"{kind}: {total[0]} of {len(programs)} reported healed, {total[1]} applied")


if __name__ == "__main__":
    main()
