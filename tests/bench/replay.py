"""Rebuild real branches of any clone from their own messages, and measure what comes out.

    python -m tests.bench.replay CLONE... [--branches 30] [--mode plain|hinted|messy]...
        [--build CMD] [--test CMD] [--setup CMD] [--no-tests | --all-tests] [--json FILE] [-v]

The clones are only read. A branch is squashed into one source commit ("plain"), its spec written
from the original messages; "hinted" adds the files that each commit touched; "messy" leaves the
branch as it was. ``git retcon --offline`` runs as a process of its own. What it claims is checked
without it: trees by their ids, and each logical commit by a checkout and the commands.
"""

import argparse
import dataclasses
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import tomlkit

from git_retcon.git.repository import Repository, open_repository
from tests.bench.branches import name_of
from tests.bench.placed import Placed, placed
from tests.bench.project import Recipe, python_environment, python_recipe, with_tests
from tests.bench.series import Series, series_of
from tests.bench.table import table

MODES = ("plain", "hinted", "messy")
_CHECKOUT = Path(__file__).parents[2]
_CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "git-retcon-bench"
_SUFFIXES = (
    ".py", ".c", ".h", ".cc", ".cpp", ".hpp", ".rs", ".go", ".js", ".ts", ".tsx", ".java", ".kt",
)  # fmt: skip


@dataclass
class Outcome:
    """One branch rebuilt in one mode. Seconds are of the wall."""

    branch: str
    kind: str
    commits: int
    mode: str
    tested: bool
    tests_left_out: int
    status: str = "crash"
    tree_equal: bool = False
    every_commit_builds: bool = False
    made: int = 0
    with_wip: int = 0
    leftover: bool = False
    stuck: str = ""
    own_seconds: float = 0.0
    build_seconds: float = 0.0
    lines: int = 0
    right: int = 0
    largest: int = 0
    said: str = ""
    broken: list[str] = field(default_factory=list)


def main() -> None:
    options = _options()
    results: list[dict[str, object]] = []
    with tempfile.TemporaryDirectory(prefix="replay-") as folder:
        for clone in options.clones:
            project = _Project(clone, Path(folder), options)
            outcomes = list(project.outcomes())
            for mode in options.mode or ["plain"]:
                mine = [each for each in outcomes if each.mode == mode]
                results.append({"name": project.name, "mode": mode, "skipped": project.skipped,
                                "branches": mine})  # fmt: skip
    if options.json:
        text = json.dumps({"version": 1, "results": results}, default=dataclasses.asdict, indent=1)
        options.json.write_text(text + "\n", "utf-8")
    print(table(json.loads(json.dumps(results, default=dataclasses.asdict))))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("clones", nargs="+", type=Path, metavar="CLONE")
    parser.add_argument("--branches", type=int, default=30, metavar="N")
    parser.add_argument("--mode", action="append", choices=MODES)
    parser.add_argument("--build", metavar="CMD")
    parser.add_argument("--test", metavar="CMD")
    parser.add_argument("--setup", metavar="CMD")
    parser.add_argument("--no-tests", action="store_true", help="build only")
    parser.add_argument("--all-tests", action="store_true", help="not only the tests touched")
    parser.add_argument("--only", metavar="ID", help="branches whose tip starts with ID")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="work here, and leave it there")
    parser.add_argument("--cache", type=Path, default=_CACHE, metavar="DIR")
    parser.add_argument("--json", type=Path, metavar="FILE")
    parser.add_argument("-v", "--verbose", action="store_true", help="say why commits are stuck")
    return parser.parse_args()


class _Project:
    """A work copy of one clone, and what was found with it."""

    def __init__(self, clone: Path, folder: Path, options: argparse.Namespace) -> None:
        clone = clone.resolve()
        self.name = name_of(clone)
        self.skipped = 0
        self._options = options
        self._home = (options.keep or folder).resolve() / self.name.replace("/", "-")
        self._work = self._home / "work"
        self._home.mkdir(parents=True)
        subprocess.run(["git", "clone", "-q", "--no-checkout", clone, self._work], check=True)
        for key, value in (("user.name", "Replay"), ("user.email", "replay@example.com")):
            _git(self._work, "config", key, value)
        self._check = _Checkout(self._work, self._home / "check")
        self._repository = open_repository(self._work)
        self._python: Path | None = None
        if not options.build:
            head = self._check.at("HEAD")
            short = self.name.replace("/", "-")
            self._python = python_environment(head, short, options.cache.resolve())

    def outcomes(self) -> Iterator[Outcome]:
        """Every branch in every mode, until enough branches were accepted."""
        accepted = 0
        for series in series_of(self._repository, _SUFFIXES):
            if accepted == self._options.branches:
                return
            if self._options.only and not series.tip.startswith(self._options.only):
                continue
            recipe = self._recipe(series)
            if recipe is None or not all(_message(self._work, each) for each in series.commits):
                self.skipped += 1
                continue
            accepted += 1
            verdicts: dict[str, bool] = {self._tree(series.tip): True}
            for mode in self._options.mode or ["plain"]:
                replay = _Replay(self._work, self._home, series, recipe, mode)
                outcome = replay.outcome(self._repository, self._verifier(recipe, verdicts))
                _say(self.name, outcome, verbose=self._options.verbose)
                yield outcome

    def _recipe(self, series: Series) -> Recipe | None:
        """How to build this branch; None where base or source fail themselves."""
        options = self._options
        if options.build:
            given = Recipe(options.build, options.test, options.setup)
            both = (series.base, series.tip)
            return given if all(given.passes(self._check.at(each)) for each in both) else None
        if self._python is None:
            return None
        recipe = python_recipe(self._check.at(series.tip), self._python)
        if recipe is None or not recipe.passes(self._check.tree):
            return None
        if not recipe.passes(self._check.at(series.base)):
            return None
        if options.no_tests:
            return recipe
        checkouts = (self._check.at(each) for each in (series.base, series.tip))
        touched = None if options.all_tests else _touched(self._work, series)
        tested = with_tests(recipe, self._python, checkouts, touched)
        both = (series.base, series.tip)
        return tested if all(tested.passes(self._check.at(each)) for each in both) else recipe

    def _tree(self, oid: str) -> str:
        return _git(self._work, "rev-parse", f"{oid}^{{tree}}")

    def _verifier(self, recipe: Recipe, verdicts: dict[str, bool]) -> Callable[[str], bool]:
        """Whether a commit passes, asked of the commands themselves once for each tree."""

        def verified(oid: str) -> bool:
            tree = self._tree(oid)
            if tree not in verdicts:
                verdicts[tree] = recipe.passes(self._check.at(oid))
            return verdicts[tree]

        return verified


class _Checkout:
    """A second clone to build in, clean before each use."""

    def __init__(self, work: Path, tree: Path) -> None:
        self.tree = tree
        self._work = work
        subprocess.run(["git", "clone", "-q", "--shared", "--no-checkout", work, tree], check=True)

    def at(self, name: str) -> Path:
        """The files of a commit, and no others."""
        oid = _git(self._work, "rev-parse", f"{name}^{{commit}}")
        _git(self.tree, "checkout", "-q", "--force", "--detach", oid)
        _git(self.tree, "clean", "-qffdx")
        return self.tree


@dataclass(frozen=True)
class _Replay:
    """One branch in one mode."""

    work: Path
    home: Path
    series: Series
    recipe: Recipe
    mode: str

    def outcome(self, repository: Repository, verified: Callable[[str], bool]) -> Outcome:
        series, recipe = self.series, self.recipe
        outcome = Outcome(
            series.tip[:10], series.kind, len(series.commits), self.mode,
            recipe.test is not None, recipe.left_out,
        )  # fmt: skip
        spec = self._spec()
        begun = time.monotonic()
        done = subprocess.run(
            [sys.executable, "-P", "-m", "git_retcon.commands.retcon", "--offline", "--json", spec],
            cwd=self.work, env=self._env(), capture_output=True, text=True, check=False,
            errors="surrogateescape", stdin=subprocess.DEVNULL,
        )  # fmt: skip
        seconds = time.monotonic() - begun
        outcome.said = done.stderr
        if done.returncode not in (0, 1) or not done.stdout.startswith("{"):
            return outcome
        report = json.loads(done.stdout)
        outcome.status = report["status"]
        outcome.build_seconds = report["build_seconds"]
        outcome.own_seconds = round(seconds - report["build_seconds"], 3)
        self._judge(report, outcome, repository, verified)
        return outcome

    def _judge(
        self,
        report: dict[str, object],
        outcome: Outcome,
        repository: Repository,
        verified: Callable[[str], bool],
    ) -> None:
        commits: list[dict[str, list[str]]] = report["commits"]  # type: ignore[assignment]
        made = [(k, each["commits"]) for k, each in enumerate(commits) if each["commits"]]
        outcome.made = len(made)
        outcome.with_wip = sum(len(oids) > 1 for _, oids in made)
        outcome.leftover = len(commits) > len(self.series.commits)
        outcome.stuck = "; ".join(str(each["stuck"]) for each in commits if each["stuck"])
        tips = [
            _git(self.work, "rev-parse", f"{at}^{{tree}}")
            for at in (report["tip"], self.series.tip)
        ]
        outcome.tree_equal = tips[0] == tips[1]
        if outcome.status != "complete":
            return
        outcome.broken = [oids[-1] for _, oids in made if not verified(oids[-1])]
        outcome.every_commit_builds = not outcome.broken
        rebuilt = {oid: k for k, oids in made for oid in oids}
        found: Placed = placed(repository, self.series.base, self.series.commits, rebuilt)
        outcome.lines, outcome.right, outcome.largest = found.lines, found.right, found.largest

    def _spec(self) -> Path:
        name = f"{self.series.tip[:10]}-{self.mode}"
        source = self.series.tip if self.mode == "messy" else self._squashed()
        _git(self.work, "update-ref", f"refs/heads/replay/{name}", source)
        document = tomlkit.document()
        document["source"] = f"replay/{name}"
        document["remote"] = self.series.base
        document["cleaned"] = f"replay/{name}-clean"
        commits = tomlkit.aot()
        for oid in self.series.commits:
            commit = tomlkit.table()
            commit["message"] = _message(self.work, oid)
            if self.mode == "hinted":
                commit["hints"] = f"Files: {', '.join(_paths(self.work, oid))}"
            commits.append(commit)
        for key in ("setup", "build", "test"):
            if command := getattr(self.recipe, key):
                document[key] = command
        document["commit"] = commits
        path = self.home / f"{name}.toml"
        path.write_text(tomlkit.dumps(document), "utf-8")
        return path

    def _squashed(self) -> str:
        tree = f"{self.series.tip}^{{tree}}"
        return _git(self.work, "commit-tree", tree, "-p", self.series.base, "-m", "squashed")

    def _env(self) -> dict[str, str]:
        return {
            **os.environ,
            "PYTHONPATH": str(_CHECKOUT),
            "PYTHONDONTWRITEBYTECODE": "",
            "PYTHONPYCACHEPREFIX": str(self.home / "compiled"),
            "GIT_CONFIG_GLOBAL": os.devnull,
            "XDG_DATA_HOME": str(self.home / "data"),
            "XDG_STATE_HOME": str(self.home / "state"),
        }


def _message(work: Path, oid: str) -> str:
    return _git(work, "show", "-s", "--format=%B", oid)


def _touched(work: Path, series: Series) -> list[str]:
    listed = _git(work, "diff", "--name-only", "--no-renames", "-z", series.base, series.tip)
    return [path for path in listed.split("\0") if path]


def _paths(work: Path, oid: str) -> list[str]:
    listed = _git(work, "diff", "--name-only", "--no-renames", "-z", f"{oid}^", oid)
    return [path for path in listed.split("\0") if path]


def _git(where: Path, *arguments: str) -> str:
    done = subprocess.run(
        ["git", "-C", where, *arguments], capture_output=True, check=True,
        env={**os.environ, "GIT_CONFIG_GLOBAL": os.devnull},
    )  # fmt: skip
    return done.stdout.decode("utf-8", "replace").strip()


def _say(name: str, outcome: Outcome, *, verbose: bool) -> None:
    accuracy = f"{outcome.right / outcome.lines:.2f}" if outcome.lines else "-"
    print(
        f"{name} {outcome.branch} {outcome.kind:6} {outcome.mode:6} {outcome.commits} commits: "
        f"{outcome.status}, builds {outcome.every_commit_builds}, {outcome.with_wip} with WIP, "
        f"placed {accuracy}, {outcome.own_seconds:.1f} s + {outcome.build_seconds:.1f} s",
        file=sys.stderr, flush=True,
    )  # fmt: skip
    if verbose and outcome.stuck:
        print(f"    stuck: {outcome.stuck}", file=sys.stderr, flush=True)
    if outcome.status == "crash" or outcome.broken:
        print(outcome.said, *outcome.broken, sep="\n", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
