"""Play the solutions of aider's polyglot exercises to ``git code-commit`` as a model's answers.

    python -m tests.bench.polyglot CLONE [--language python|javascript|all] [--only N]
        [--exercise NAME]... [--jobs N] [--json FILE]

CLONE is a clone of github.com/Aider-AI/polyglot-benchmark, which is only read. JavaScript needs
npm, and its registry once. Each exercise is played three times: right at the first try; wrong at
first, then right; never right, where two of four answers try to get round the tests. ``git
code-commit`` runs as a process of its own, sandbox included, and what it claims is checked by git
and by the bytes of the solution. An exercise whose solution fails by itself is counted and named.
"""

import argparse
import dataclasses
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from git_retcon.code_commit.answer_grammar import write_block
from tests.bench.exercises import (
    LANGUAGES,
    Exercise,
    build_environment,
    exercises_of,
    git,
    install_tools,
    passes,
    write_project,
)
from tests.model.loopback import LoopbackApi, last_text, says
from tests.program import CHECKOUT

_CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "git-retcon-bench"
_LONGEST = 900.0  # seconds for one command
_HEAD = (
    "Language", "Exercises", "Solution fails by itself", "Right at the first try",
    "Repaired", "False successes", "Requests", "Seconds in us", "in builds",
)  # fmt: skip


@dataclass
class Played:
    """What came of one exercise. Seconds are of the wall; ``remarks`` say what is not as it has
    to be.
    """

    language: str
    name: str
    reference_passes: bool = True
    first_try: bool = False
    repaired: bool = False
    false_success: bool = False
    requests: int = 0
    own_seconds: float = 0.0
    build_seconds: float = 0.0
    remarks: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class _Run:
    """One run of the program. ``prompts`` are what it asked."""

    status: int
    prompts: tuple[str, ...]
    said: str


def main() -> None:
    options = _options()
    with tempfile.TemporaryDirectory(prefix="polyglot-") as folder:
        clone = Path(folder) / "clone"
        subprocess.run(["git", "clone", "-q", options.clone, clone], check=True)
        languages = LANGUAGES if options.language == "all" else (options.language,)
        exercises = [
            each for name in languages for each in list(exercises_of(clone, name))[: options.only]
            if not options.exercise or each.folder.name in options.exercise
        ]  # fmt: skip
        tools = install_tools(exercises, _CACHE)
        env = build_environment(tools)
        with ThreadPoolExecutor(options.jobs) as pool:
            results = list(
                pool.map(lambda each: _play(each, Path(folder) / each.name, tools, env), exercises)
            )
    if options.json:
        found = {"version": 1, "results": [dataclasses.asdict(each) for each in results]}
        options.json.write_text(json.dumps(found, indent=1) + "\n", "utf-8")
    print(_table(results))
    for each in results:
        for remark in each.remarks:
            print(f"\n{each.name}: {remark}")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("clone", type=Path)
    parser.add_argument("--language", choices=(*LANGUAGES, "all"), default="all")
    parser.add_argument("--only", type=int, metavar="N", help="the first N of each language")
    parser.add_argument("--exercise", action="append", metavar="NAME", help="these alone")
    parser.add_argument("--jobs", type=int, default=1, help="exercises at a time (1)")
    parser.add_argument("--json", type=Path)
    return parser.parse_args()


def _play(exercise: Exercise, where: Path, tools: Path | None, env: Mapping[str, str]) -> Played:
    played = Played(exercise.language, exercise.name)
    where.parent.mkdir(exist_ok=True)
    write_project(exercise, where, tools)
    played.reference_passes = _reference_passes(exercise, where, env)
    if not played.reference_passes:
        played.remarks.append("its own solution fails outside of the tool")
    try:
        stage = _Stage(exercise, where, env, played)
        stage.first_try()
        stage.repaired()
        stage.never_right()
    except (OSError, subprocess.SubprocessError) as error:
        played.remarks.append(f"crashed: {error!r}")
    shutil.rmtree(where)
    print(f"{exercise.name}: {played}", file=sys.stderr, flush=True)
    return played


def _reference_passes(exercise: Exercise, where: Path, env: Mapping[str, str]) -> bool:
    (where / exercise.solution).write_text(exercise.reference, "utf-8")
    passed = passes(where, env)
    git(where, "checkout", "-q", "--", ".")
    git(where, "clean", "-q", "-d", "-f")
    return passed


class _Stage:
    """One exercise's project, and the three plays."""

    def __init__(
        self, exercise: Exercise, where: Path, env: Mapping[str, str], played: Played
    ) -> None:
        self._exercise, self._where, self._env, self._played = exercise, where, env, played
        self._right = _block(exercise.solution, exercise.reference)
        lines = exercise.reference.splitlines(keepends=True)
        self._half = _block(exercise.solution, "".join(lines[: len(lines) // 2]))
        self._program("rollup")

    def first_try(self) -> None:
        ran = self._ask(f"Here it is.\n\n{self._right}")
        self._played.first_try = self._succeeded(ran, requests=1)
        self._undo()

    def repaired(self) -> None:
        ran = self._ask(self._half, self._right)
        told = len(ran.prompts) == 2 and "--- FILE REPLACEMENT " in ran.prompts[1]
        if not told:
            self._remark("the repair prompt has no replaced file", ran)
        self._played.repaired = self._succeeded(ran, requests=2) and told
        self._undo()

    def never_right(self) -> None:
        """The stub; half of the solution; that half with another judge, and with no tests.

        Where the tests pass with the stub (the exercise is to tidy it up), half goes for it.
        """
        judge = _block("build.sh", "#!/bin/sh\nexit 0\n")
        tests = "".join(_block(name, "") for name in self._exercise.tests)
        stub = _block(self._exercise.solution, self._exercise.stub)
        wrong = self._half if passes(self._where, self._env) else stub
        ran = self._ask(wrong, self._half, self._half + judge, self._half + tests)
        if ran.status == 0:
            self._played.false_success = not passes(self._where, self._env)
            self._remark("it passed with wrong answers", ran)
        elif ran.status != 1 or len(ran.prompts) != 4:
            self._remark(f"status {ran.status} after {len(ran.prompts)} requests, never right", ran)
        if set(self._changed()) - {self._exercise.solution}:
            self._remark(f"other files changed: {self._changed()}", ran)
        self._undo()

    def _succeeded(self, ran: _Run, requests: int) -> bool:
        """Whether a run claims success after so many requests, and the tree agrees."""
        written = (self._where / self._exercise.solution).read_text("utf-8")
        as_answered = written.rstrip("\n") == self._exercise.reference.rstrip("\n")
        alone = self._changed() == [self._exercise.solution]
        if ran.status == 0 and not (as_answered and alone and self._played.reference_passes):
            self._played.false_success = True
        good = ran.status == 0 and len(ran.prompts) == requests and as_answered and alone
        if not good:
            self._remark(f"status {ran.status} after {len(ran.prompts)} requests", ran)
        return good

    def _changed(self) -> list[str]:
        listing = git(self._where, "status", "--porcelain", "-z", "-uall")
        return [entry[3:] for entry in listing.split("\0") if entry]

    def _undo(self) -> None:
        self._program("undo")
        if self._changed():
            self._played.remarks.append(f"undo left changes: {self._changed()}")
            git(self._where, "checkout", "-q", "--", ".")

    def _remark(self, what: str, ran: _Run) -> None:
        self._played.remarks.append(f"{what}: {ran.said[-600:]}")

    def _ask(self, *answers: str) -> _Run:
        api = LoopbackApi()
        api.script(*map(says, answers))
        try:
            ran = self._timed(api)
        finally:
            api.close()
        self._played.requests += len(ran.prompts)
        return ran

    def _timed(self, api: LoopbackApi) -> _Run:
        """A run with its seconds: what lies between its first line and its first question is a
        build too, since the tree is tried in the sandbox then.
        """
        started = begun = time.monotonic()
        builds, lines = 0.0, []
        with tempfile.TemporaryFile() as errors:
            process = subprocess.Popen(
                _command("--events"), cwd=self._where, env=self._environment(api.env),
                stdout=subprocess.PIPE, stderr=errors, text=True,
            )  # fmt: skip
            assert process.stdout is not None
            for line in process.stdout:
                event = json.loads(line)
                lines.append(line)
                if event["event"] == "confined":
                    begun = time.monotonic()
                elif event["event"] == "asking" and event["attempt"] == 1:
                    builds += time.monotonic() - begun
                elif event["event"] == "built":
                    builds += event["seconds"]
            status = process.wait(_LONGEST)
            errors.seek(0)
            said = errors.read().decode("utf-8", "replace") + "".join(lines)
        self._played.build_seconds += builds
        self._played.own_seconds += time.monotonic() - started - builds
        prompts = tuple(last_text(each.body) for each in api.requests)
        return _Run(status, prompts, said)

    def _program(self, *arguments: str) -> None:
        started = time.monotonic()
        done = subprocess.run(
            _command(*arguments), cwd=self._where, env=self._environment({}),
            capture_output=True, timeout=_LONGEST, check=False,
        )  # fmt: skip
        self._played.own_seconds += time.monotonic() - started
        if done.returncode != 0:
            said = done.stderr.decode("utf-8", "replace")
            self._played.remarks.append(f"{' '.join(arguments)} failed: {said}")

    def _environment(self, more: Mapping[str, str]) -> dict[str, str]:
        return {**self._env, "PYTHONPATH": str(CHECKOUT), **more}


def _command(*arguments: str) -> list[str]:
    return [sys.executable, "-P", "-m", "git_retcon.commands.code_commit", *arguments]


def _block(name: str, content: str) -> str:
    return write_block(os.fsencode(name), content.encode()).decode()


def _table(results: Sequence[Played]) -> str:
    """Markdown: a row for each language, and a total."""
    rows = [
        _row(name, [each for each in results if each.language == name])
        for name in dict.fromkeys(each.language for each in results)
    ]
    if len(rows) > 1:
        rows.append(_row("**all**", results))
    head = [list(_HEAD), ["---", *["--:"] * (len(_HEAD) - 1)]]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in [*head, *rows])


def _row(name: str, results: Sequence[Played]) -> list[str]:
    numbers = (
        len(results),
        sum(not each.reference_passes for each in results),
        sum(each.first_try for each in results),
        sum(each.repaired for each in results),
        sum(each.false_success for each in results),
        sum(each.requests for each in results),
        round(sum(each.own_seconds for each in results)),
        round(sum(each.build_seconds for each in results)),
    )
    return [name, *map(str, numbers)]


if __name__ == "__main__":
    main()
