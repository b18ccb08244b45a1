"""Our own time beside git's: planning and writing twenty commits, against rebasing the same ones.

    python -m tests.bench.speed [--files 20000] [--atoms 1000] [--clone CLONE]... [--repeat 5]
        [--scaling 1000,2000,5000,10000,50000] [--growth]

``--growth`` alone prints, for hunks, commits, lines of one file and files of the tree, what eight
times the size costs.

``git retcon`` (no commands to run) and ``git rebase --onto`` are whole processes, in alternation,
each beginning with no object of an earlier run. Processor seconds are user and system time of the
process and all it started; a busy machine stretches only the wall's. Medians; memory is the peak.
"""

import argparse
import functools
import itertools
import json
import math
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tests.bench.atoms import COMMITS, build, git
from tests.bench.branches import name_of as clone_name

_CHECKOUT = Path(__file__).parents[2]
_OURS = [sys.executable, "-P", "-m", "git_retcon.commands.retcon", "--offline", "-q"]
_PYTHON = [sys.executable, "-P", "-c", "pass"]
# All that a run imports, and nothing done with it.
_START = [
    sys.executable,
    "-P",
    "-c",
    "from git_retcon.commands.wrapper import spare_collections\n"
    "spare_collections()\n"
    "import git_retcon.commands.retcon, git_retcon.retcon.rebuild.command, pygit2",
]
# What is started, and what it is measured by.
_STARTS = {
    "git retcon -h": "import click",
    "git heal -h": "import click",
    "git allium -h": "import click",
    "git code-commit -h": "import click",
    "git retcon completion bash": "import click",
    "git retcon status ../history.toml": "import click, pygit2, tomlkit",
}


@dataclass(frozen=True)
class Cost:
    """Of one process and its children: seconds of processor and wall, and megabytes."""

    processor: float
    wall: float
    peak: float


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--files", type=int, default=20_000)
    parser.add_argument("--atoms", type=int, default=1_000)
    parser.add_argument("--clone", type=Path, action="append", default=[], metavar="CLONE")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--scaling", default="1000,2000,5000,10000,50000", metavar="N,...")
    parser.add_argument("--growth", action="store_true", help="print only what growth costs")
    options = parser.parse_args()
    if options.growth:
        _growth(options.repeat)
        return
    print(f"{options.files:,} files, {COMMITS} commits; git {git(Path(), 'version').split()[2]}\n")
    _start_up(options.repeat)
    _beside_the_peer(_benches(options), options.repeat)
    if options.scaling:
        _scaling(options.files, [int(count) for count in options.scaling.split(",")])


def _start_up(repeat: int) -> None:
    """Of commands that do next to nothing, beside the imports that they cannot do without."""
    commands = {line: _command_of(line) for line in _STARTS}
    bases = {base: [sys.executable, "-P", "-c", base] for base in _STARTS.values()}
    costs: dict[str, list[Cost]] = {name: [] for name in (*commands, *bases)}
    with tempfile.TemporaryDirectory(prefix="speed-") as folder:
        bench = Bench(Path(folder), lambda repo: build(repo, 10, 100))
        for _ in range(4 * repeat):
            for name, command in (commands | bases).items():
                costs[name].append(bench.cost(command))
    print("| Start-up | Processor s | beside | ratio |")
    print("| --- | --: | --- | --: |")
    for name, base in _STARTS.items():
        own, beside = _median(costs[name]).processor, _median(costs[base]).processor
        print(f"| `{name}` | {own:.3f} | `{base}` | {own / beside:.2f} |")
    print(flush=True)


def _command_of(line: str) -> list[str]:
    """``git heal -h`` as it runs from this checkout."""
    _, name, *words = line.split()
    module = f"git_retcon.commands.{name.replace('-', '_')}"
    return [sys.executable, "-P", "-m", module, *words]


def _beside_the_peer(benches: Mapping[str, Callable[[Path], "Bench"]], repeat: int) -> None:
    """Whole processes, start-up included, each in a repository that was repacked."""
    print(f"| Processor s, median of {repeat} | `git retcon` | squashed | `git rebase` | ratio |")
    print("| --- | --: | --: | --: | --: |")
    for name, make in benches.items():
        with tempfile.TemporaryDirectory(prefix="speed-") as folder:
            bench = make(Path(folder))
            bench.check_out()
            ours, squashed, peer = [], [], []
            for _ in range(repeat):
                peer.append(bench.rebase())
                ours.append(bench.retcon("topic"))
                squashed.append(bench.retcon("source"))
            costs = [_median(each) for each in (ours, squashed, peer)]
            seconds = " | ".join(f"{each.processor:.2f}" for each in costs)
            ratio = costs[0].processor / costs[2].processor
            print(f"| {name} | {seconds} | {ratio:.2f} |", flush=True)
            if name == next(iter(benches)):
                start = _median([bench.cost(_START) for _ in range(repeat)])
                python = _median([bench.cost(_PYTHON) for _ in range(repeat)])
    print(f"\nOf that, start-up: Python alone {python.processor:.2f} s, ", end="")
    print(f"all that a run imports {start.processor:.2f} s.\n", flush=True)


def _benches(options: argparse.Namespace) -> dict[str, Callable[[Path], "Bench"]]:
    """The rows: twenty commits, one commit of one hunk, and twenty commits of each clone."""

    def made(files: int, atoms: int, commits: int) -> Callable[[Path], "Bench"]:
        return lambda folder: Bench(
            folder, lambda repo: _fixture(repo, files, atoms, commits), commits
        )

    rows = {
        f"{COMMITS} commits, {options.atoms:,} changes, {options.files:,} files": made(
            options.files, options.atoms, COMMITS
        ),
        f"1 commit, 1 change, {options.files:,} files": made(options.files, 1, 1),
    }
    for clone in options.clone:
        count = len(git(clone, "ls-tree", "-r", "--name-only", "HEAD").splitlines())
        rows[f"{COMMITS} commits of {clone_name(clone)}, {count:,} files"] = functools.partial(
            _bench_of_clone, clone
        )
    return rows


def _fixture(repo: Path, files: int, atoms: int, commits: int) -> None:
    build(repo, files, atoms)
    if commits != COMMITS:
        git(repo, "update-ref", "refs/heads/topic", "refs/heads/source")


def _bench_of_clone(clone: Path, folder: Path) -> "Bench":
    """The newest commits in a row of a clone, moved onto a base with one file more."""
    run = _newest_run(clone)
    subjects = [git(clone, "show", "-s", "--format=%s", oid).strip() for oid in run[1:]]

    def make(repo: Path) -> None:
        git(repo, "clone", "-q", "--no-checkout", "--no-hardlinks", str(clone), ".")
        git(repo, "update-ref", "--no-deref", "HEAD", run[0])
        tree = git(repo, "rev-parse", f"{run[-1]}^{{tree}}").strip()
        base = git(repo, "rev-parse", f"{run[0]}^{{tree}}").strip()
        oids = {
            "main": run[0],
            "topic": run[-1],
            "source": git(repo, "commit-tree", tree, "-p", run[0], "-m", "squashed").strip(),
            "upstream": git(repo, "commit-tree", base, "-p", run[0], "-m", "upstream").strip(),
        }
        for name, oid in oids.items():
            git(repo, "update-ref", f"refs/heads/{name}", oid)
        git(repo, "symbolic-ref", "HEAD", "refs/heads/main")

    return Bench(folder, make, COMMITS, subjects)


def _newest_run(clone: Path) -> list[str]:
    """A commit and the ``COMMITS`` above it, each with one parent, oldest first."""
    run: list[str] = []
    for line in git(clone, "rev-list", "--first-parent", "--parents", "HEAD").splitlines():
        oid, *parents = line.split()
        run.append(oid)
        if len(run) > COMMITS:
            return run[::-1]
        if len(parents) != 1:
            run = []
    sys.exit(f"{clone}: no {COMMITS} commits in a row with one parent each")


def _scaling(files: int, counts: Sequence[int]) -> None:
    print("| Atoms | Processor s | Wall s | Peak MB | Time for each doubling |")
    print("| --: | --: | --: | --: | --: |")
    before: tuple[int, float] | None = None
    for count in counts:
        with tempfile.TemporaryDirectory(prefix="speed-") as folder:
            bench = Bench(Path(folder), functools.partial(build, files=files, count=count))
            runs = range(3 if count <= 10_000 else 1)
            own = _median([bench.retcon("source") for _ in runs])
        factor = ""
        if before is not None:
            doublings = math.log2(count / before[0])
            factor = f"× {(own.processor / before[1]) ** (1 / doublings):.2f}"
        before = count, own.processor
        print(
            f"| {count:,} | {own.processor:.2f} | {own.wall:.2f} | {own.peak:.0f} | {factor} |",
            flush=True,
        )


@dataclass(frozen=True)
class Size:
    """A squashed branch: ``hunks`` in files of 60 lines, ``lines`` in one file of its own."""

    hunks: int = 2_000
    commits: int = 20
    lines: int = 300
    files: int = 1_000


# Large enough that the least of eight times the size costs more than start-up does.
_GROWTH: tuple[tuple[str, Size], ...] = (
    ("hunks", Size(hunks=2_000)),
    ("commits", Size(commits=30)),
    ("lines", Size(lines=4_000)),
    ("files", Size(files=5_000)),
)
_TIMES = 8


def _growth(repeat: int) -> None:
    """Processor seconds without start-up, for one size and for eight times as much of one thing."""
    print(f"| | Processor s | of {_TIMES} times as many | Ratio |")
    print("| --- | --: | --: | --: |")
    for name, small in _GROWTH:
        count = getattr(small, name)
        large = replace(small, **{name: _TIMES * count})
        one, many = (_grown(size, repeat) for size in (small, large))
        print(f"| {count:,} {name} | {one:.2f} | {many:.2f} | {many / one:.1f} |", flush=True)


def _grown(size: Size, repeat: int) -> float:
    with tempfile.TemporaryDirectory(prefix="speed-") as folder:
        bench = make_bench(Path(folder), size)
        own = [bench.retcon("source").processor for _ in range(repeat)]
        start = [bench.cost(_START).processor for _ in range(repeat)]
    return statistics.median(own) - statistics.median(start)


def make_bench(folder: Path, size: Size, checkout: Path = _CHECKOUT) -> "Bench":
    """A bench of that size for the code of a checkout."""
    return Bench(folder, lambda repo: _import(repo, _branch(size)), size.commits, checkout=checkout)


def _branch(size: Size) -> Iterator[tuple[str, str, str]]:
    """(branch, path, text) for the base and for the source; every changed line has a new name."""
    places = range(0, 60 * size.files, 3)  # every third line, so that no two changes touch
    step = len(places) / size.hunks
    changed: dict[int, set[int]] = {}
    for place in (places[int(at * step)] for at in range(size.hunks)):
        changed.setdefault(place // 60, set()).add(place % 60)
    for branch, is_new in (("main", False), ("source", True)):
        yield branch, "long.py", _text("long", size.lines, range(0, size.lines, 3), is_new)
        for number in range(size.files):
            own = changed.get(number, ())
            if own or not is_new:
                text = _text(f"file_{number}", 60, own, is_new)
                yield branch, f"src/d{number % 200}/f{number}.py", text


def _text(name: str, lines: int, changed: Collection[int], is_new: bool) -> str:
    return "".join(
        f"{name}_new_{at} = compute({at})\n"
        if is_new and at in changed
        else f"{name}_{at} = compute({at})\n"
        for at in range(lines)
    )


def _import(repo: Path, files: Iterator[tuple[str, str, str]]) -> None:
    git(repo, "init", "-q", "-b", "main")
    command = ["git", "-C", str(repo), "fast-import", "--quiet"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, text=True) as importer:
        assert importer.stdin is not None
        for branch, group in itertools.groupby(files, key=lambda each: each[0]):
            begin = f"commit refs/heads/{branch}\ncommitter A <a@b> 1500000000 +0000\ndata 1\nx\n"
            importer.stdin.write(begin + ("from refs/heads/main\n" if branch != "main" else ""))
            for _, path, text in group:
                importer.stdin.write(f"M 100644 inline {path}\ndata {len(text)}\n{text}\n")
    assert importer.returncode == 0


class Bench:
    """A repository that ``make`` fills, and a spec of ``commits`` commits for it."""

    def __init__(
        self,
        folder: Path,
        make: Callable[[Path], None],
        commits: int = COMMITS,
        subjects: Sequence[str] = (),
        checkout: Path = _CHECKOUT,
    ) -> None:
        self.repo = folder / "repo"
        self.repo.mkdir()
        make(self.repo)
        self._subjects = subjects or [f"part {part}" for part in range(commits)]
        self._spec = folder / "history.toml"
        self._env = {
            **os.environ,
            "PYTHONPATH": str(checkout),
            # As when installed: compiled once, here by a run that is not counted.
            "PYTHONDONTWRITEBYTECODE": "",
            "PYTHONPYCACHEPREFIX": str(folder / "compiled"),
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_NOSYSTEM": "1",
            "XDG_DATA_HOME": str(folder / "data"),
            "XDG_STATE_HOME": str(folder / "state"),
        }
        git(self.repo, "repack", "-adq")
        for key, value in (("user.name", "a"), ("user.email", "a@b"), ("gc.auto", "0")):
            git(self.repo, "config", key, value)
        self.retcon("source")

    def check_out(self) -> None:
        """Give git rebase the working tree that it needs."""
        git(self.repo, "checkout", "-q", "--force", "--detach", "topic")

    def rebase(self) -> Cost:
        """The peer: the same twenty commits onto another one."""
        self._forget()
        command = ["git", "-c", "rebase.backend=merge", "rebase", "-q"]
        command += ["--onto", "upstream", "main"]
        found = cost(command, self.repo, self._env)
        self.check_out()  # HEAD must not name what is forgotten next
        return found

    def retcon(self, source: str) -> Cost:
        """Ours, from the spec alone: ``topic`` has the series, ``source`` has it squashed."""
        for ref in git(self.repo, "for-each-ref", "--format=%(refname)").split():
            if ref not in {
                f"refs/heads/{name}" for name in ("main", "source", "topic", "upstream")
            }:
                git(self.repo, "update-ref", "-d", ref)
        self._forget()
        head = f'source = "{source}"\nremote = "main"\ncleaned = "clean"\n'
        wishes = (f"[[commit]]\nmessage = {json.dumps(each)}\n" for each in self._subjects)
        self._spec.write_text(head + "".join(wishes))
        found = cost([*_OURS, str(self._spec)], self.repo, self._env)
        ends = [git(self.repo, "rev-parse", f"{name}^{{tree}}") for name in ("clean", source)]
        assert ends[0] == ends[1]
        return found

    def cost(self, command: Sequence[str]) -> Cost:
        """Another command, in the same surroundings."""
        return cost(command, self.repo, self._env)

    def _forget(self) -> None:
        """Drop loose objects: the branches are in the importer's pack, runs only add loose ones."""
        git(self.repo, "reflog", "expire", "--expire=now", "--all")
        for loose in (self.repo / ".git" / "objects").glob("??"):
            shutil.rmtree(loose)
        shutil.rmtree(self.repo / ".git" / "retcon", ignore_errors=True)


def cost(command: Sequence[str], where: Path, env: dict[str, str] | None = None) -> Cost:
    """Run a command to its end. Raises CalledProcessError when it fails."""
    begun = time.perf_counter()
    process = subprocess.Popen(
        command, cwd=where, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL
    )
    _, status, used = os.wait4(process.pid, 0)
    wall = time.perf_counter() - begun
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise subprocess.CalledProcessError(process.returncode, list(command))
    unit = 1024 * 1024 if sys.platform == "darwin" else 1024
    return Cost(used.ru_utime + used.ru_stime, wall, used.ru_maxrss / unit)


def _median(costs: Sequence[Cost]) -> Cost:
    return Cost(
        statistics.median(each.processor for each in costs),
        statistics.median(each.wall for each in costs),
        max(each.peak for each in costs),
    )


if __name__ == "__main__":
    main()
