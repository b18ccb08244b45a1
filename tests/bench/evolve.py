"""What ``git allium evolve`` costs on a real history: processor time a step, processes, memory.

    .venv/bin/python -m tests.bench.evolve CLONE [--commits N]

CLONE is only read; everything is described in a throwaway copy, whose objects are its own: libgit2
looks for each object that it writes in every store that a repository borrows from.
"""

import argparse
import ast
import compileall
import contextlib
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from git_retcon.allium.engine import Step, Update
from git_retcon.allium.evolve.agenda import make_agenda
from git_retcon.allium.evolve.request import Range
from git_retcon.allium.evolve.run import Limits, lock_branch, run
from git_retcon.allium.evolve.source_files import SourceFiles
from git_retcon.allium.history.commit_graph import read_graph
from git_retcon.allium.history.segments import find_segments
from git_retcon.allium.history.spec_branch import SpecBranch
from git_retcon.git.graph import tree_of
from git_retcon.git.repository import Repository, open_repository
from git_retcon.git.trees import EMPTY_TREE, read_object
from tests.bench.older_evolve import make_history, measure_older
from tests.bench.sdk_floor import measure_sdk
from tests.model.loopback import LoopbackApi, Says, answers, last_text

CHECKOUT = Path(__file__).parents[2]
T = TypeVar("T")
BRANCH = "refs/heads/allium/evolution"
_USUAL_REQUEST = 10_000  # bytes: the mean of the requests about 400 trees of requests


class Usage(NamedTuple):
    """Of one process with its children: processor seconds, megabytes at most, git processes."""

    seconds: float
    megabytes: float
    processes: int


class Fixed:
    """An engine that answers at once: what is left is ours, trees, commits, notes and refs."""

    name = "fixed"
    is_slow = False

    def update(self, step: Step) -> Update:
        text = f"-- allium: 3\n-- Step {step.number}.\n\nentity Order {{\n    total: Integer\n}}\n"
        path = step.store.root.name_module(step.changes[0].path)
        return Update({step.store.spell_module(path): text.encode()} if path else {})

    def summarize(self) -> Sequence[str]:
        return ()


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("clone", type=Path)
    arguments.add_argument("--commits", type=int, default=5_000, metavar="N")
    arguments.add_argument("--model-steps", type=int, default=50, metavar="N")
    arguments.add_argument("--older", type=Path, metavar="FOLDER", help="see older_evolve")
    arguments.add_argument(
        "--older-steps", type=int, nargs="*", default=[30, 150, 400], metavar="N"
    )
    given = arguments.parse_args()
    # An installed program is compiled; a checkout need not be.
    compileall.compile_dir(CHECKOUT / "git_retcon", quiet=1)
    with tempfile.TemporaryDirectory() as folder:
        clone = Path(folder) / "clone"
        git("clone", "-q", "--no-local", "--bare", str(given.clone), str(clone))
        tip = choose_tip(clone, given.commits)
        print(f"{given.clone.name}, {tip[:12]}")
        measure_segments(clone, tip)
        offline = measure_command(clone, tip)
        steps = int(git("-C", str(clone), "rev-list", "--count", tip))
        show("offline, a step", offline.seconds / steps * 1e3, "ms of CPU")
        show("offline, all", offline.seconds, "s of CPU")
        show("offline, at most", offline.megabytes, "MB")
        show("git processes of the run", offline.processes, "")
        show("parsing the changed Python files alone", parsing := measure_parsing(clone, tip), "s")
        show("offline / parsing", offline.seconds / max(parsing, 0.01), "x")
        fixed, asked = measure_fixed(clone, tip)
        show("an engine that answers at once, a step", fixed / steps * 1e3, "ms of CPU")
        show("of these steps with a change to the specification", asked, "")
        show_model(clone, tip, given.model_steps)
        for steps in given.older_steps if given.older is not None else ():
            show_older(clone, tip, given.older, steps)
        measure_command(clone, tip)
        again = measure_command(clone, tip, fresh=False)
        floor = measure_floor(clone)
        show("up to date", again.seconds / floor, "x (git status + import click, pygit2)")


def show_model(clone: Path, tip: str, most: int) -> None:
    asked, usage = measure_model(clone, tip, most)
    milliseconds = usage.seconds / max(1, asked) * 1e3
    show(f"a model that answers at once, a step of {asked}", milliseconds, "ms of CPU")
    show("with it, at most", usage.megabytes, "MB")
    show("git processes of the run", usage.processes, "")


def show_older(clone: Path, tip: str, folder: Path, most: int) -> None:
    """One history for both: all steps of it, each with a model."""
    target = clone.parent / f"same-{most}"
    steps = make_history(clone, tip, target, most)
    theirs = measure_older(folder, target, steps)
    tip = git("-C", str(target), "rev-parse", "measured")
    # The older tool never compares a specification with its source.
    asked, usage = measure_model(target, tip, steps, ["--reconciliation-strategy", "none"])
    show(f"the older tool, a step of {steps}", theirs * 1e3, "ms of CPU")
    show("ours, a step of the same history", usage.seconds / steps * 1e3, "ms of CPU")
    show("older / ours", theirs / (usage.seconds / steps), "x")
    sdk = measure_sdk(asked, _USUAL_REQUEST)
    show(f"the SDK alone, {asked} requests, a step", sdk / steps * 1e3, "ms of CPU")
    show("older / the SDK alone", theirs / (sdk / steps), "x")
    fixed, _ = measure_fixed(target, tip)
    show("older / ours, the git side alone", theirs / (fixed / steps), "x")


def choose_tip(clone: Path, most: int) -> str:
    """The newest commit along first parents that has no more commits before it than that."""
    line = git("-C", str(clone), "rev-list", "--first-parent", "HEAD").split()
    low, high = 0, len(line) - 1
    while low < high:
        middle = (low + high) // 2
        if int(git("-C", str(clone), "rev-list", "--count", line[middle])) > most:
            low = middle + 1
        else:
            high = middle
    return line[low]


def measure_segments(clone: Path, tip: str) -> None:
    """Of the whole history, not only of what is told."""
    repository = open_repository(clone)
    whole = repository.git.line("rev-parse", "HEAD")
    graph = read_graph(repository.git, [whole])
    seconds, found = timed(lambda: find_segments(graph, whole))
    show(f"{len(graph):,} commits cut into {len(found):,} segments", seconds, "s of CPU")


def measure_command(clone: Path, tip: str, *, fresh: bool = True) -> Usage:
    """A whole run without a model, as its user starts it."""
    if fresh:
        forget(clone)
    return measure_run(clone, ["--offline", tip], {})


def measure_run(clone: Path, options: Sequence[str], env: Mapping[str, str]) -> Usage:
    """One run with all that it starts, git processes counted."""
    trace = clone.parent / "trace"
    trace.unlink(missing_ok=True)
    traced = {**env, "GIT_TRACE2_EVENT": str(trace)}
    seconds, megabytes = run_command(clone, options, traced)
    started = [line for line in trace.read_text().splitlines() if '"event":"start"' in line]
    # Only those that we started: git starts some itself.
    own = [line for line in started if "/" not in line.partition('"sid":"')[2].partition('"')[0]]
    return Usage(seconds, megabytes, len(own))


def measure_model(
    clone: Path, tip: str, most: int, options: Sequence[str] = ()
) -> tuple[int, Usage]:
    """Steps that ask a service on this machine, which answers at once: how many, and what they
    cost on this side, start-up and SDK included.
    """
    forget(clone)
    api = LoopbackApi()

    def respond(body: dict[str, Any]) -> Says:
        """Rewrite the first module that the step is about, with another number of fields."""
        named = re.search(r"for the modules `([^`]+)`", last_text(body))
        fields = "".join(f"    f{n}: Integer\n" for n in range(len(api.requests) % 9 + 1))
        text = f"-- allium: 3\n-- Told.\n\nentity Order {{\n{fields}}}\n"
        module = named[1] if named and named[1] != "_master" else "other"
        update = {"module": f"{module}.allium", "content": text}
        return answers({"spec": None, "moduleUpdates": [update], "removed": [], "changelog": "x"})

    api.responder = respond
    asking = ["--yes", "--max-cost", "1000", "--last", str(most), *options, tip]
    usage = measure_run(clone, asking, api.env)
    asked = len(api.requests)
    api.close()
    return asked, usage


def forget(clone: Path) -> None:
    """Let the next run tell everything."""
    for ref in (BRANCH, "refs/notes/allium"):
        git("-C", str(clone), "update-ref", "-d", ref)


def run_command(clone: Path, options: Sequence[str], env: Mapping[str, str]) -> tuple[float, float]:
    """Processor seconds and megabytes of ``git allium evolve`` with all that it starts."""
    code = (
        "import resource, subprocess, sys\n"
        "status = subprocess.run(sys.argv[1:]).returncode\n"
        "used = resource.getrusage(resource.RUSAGE_CHILDREN)\n"
        "print(status, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)\n"
    )
    evolve = [sys.executable, "-m", "git_retcon.commands.allium", "evolve", "-q", *options]
    done = subprocess.run(
        [sys.executable, "-c", code, *evolve],
        cwd=clone,
        env={**os.environ, "PYTHONPATH": str(CHECKOUT), **env},
        capture_output=True,
        check=True,
    )
    status, seconds, megabytes = done.stdout.split()
    assert status == b"0", done.stderr.decode()
    return float(seconds), float(megabytes)


def measure_parsing(clone: Path, tip: str) -> float:
    """Each Python file that a commit changed, in each of its versions, parsed once."""
    repository = open_repository(clone)
    contents = list(list_versions(repository, tip))

    def parse() -> None:
        for content in contents:
            with contextlib.suppress(SyntaxError, ValueError, RecursionError):
                ast.parse(content)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return timed(parse)[0]


def list_versions(repository: Repository, tip: str) -> Iterator[bytes]:
    files, trees, seen = SourceFiles(repository, ()), repository.trees, set()
    for commit, parents in read_graph(repository.git, [tip]).parents.items():
        base = tree_of(repository, parents[0]) if parents else EMPTY_TREE
        tree = tree_of(repository, commit)
        for change in files.select(trees.changes(base, tree), tree):
            new = change.new
            if new is None or not new.is_file or not change.path.endswith((b".py", b".pyi")):
                continue
            if (change.path, new.oid) not in seen:
                seen.add((change.path, new.oid))
                yield read_object(repository.objects.odb, new.oid)


def measure_fixed(clone: Path, tip: str) -> tuple[float, int]:
    repository = open_repository(clone)
    forget(clone)
    changed = 0

    def count(event: object) -> None:
        nonlocal changed
        changed += bool(getattr(event, "changed", ()))

    def tell() -> None:
        with lock_branch(repository, SpecBranch(repository, BRANCH)) as branch:
            agenda = make_agenda(repository, branch, Range(tip), tip)
            run(repository, branch, agenda, Fixed(), Limits(None, (), 5, 1, 8000), count)

    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds, _ = timed(tell)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    children = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return seconds + children, changed


def measure_floor(clone: Path) -> float:
    """The best of five of ``git status`` and of the two imports, each a process."""

    def cost(command: Sequence[str]) -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, cwd=clone, capture_output=True, check=False)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    imports = [sys.executable, "-c", "import click, pygit2"]
    return sum(min(cost(command) for _ in range(5)) for command in (["git", "status"], imports))


def timed(work: Callable[[], T]) -> tuple[float, T]:
    start = time.process_time()
    result = work()
    return time.process_time() - start, result


def show(what: str, number: float, unit: str) -> None:
    print(f"{what:52} {number:10,.2f} {unit}")


def git(*arguments: str) -> str:
    return subprocess.run(
        ["git", *arguments], capture_output=True, check=True, text=True
    ).stdout.strip()


if __name__ == "__main__":
    main()
