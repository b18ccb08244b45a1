"""Whole runs of the Claude engine on branches whose builds fail, and what their prompts cost.

    python -m tests.bench.claude_runs CLONE... [--branches 6] [--wrong 0.1] [--former CHECKOUT]

Each branch of Python is rebuilt by ``git retcon``, a process of its own, over a loopback service:
squashed, and as own commits called "wip" that part and mix the author's (``finished.py``). The
build (``names_check.py``) fails where a use comes before its definition. The model knows the
author's truth and says a share wrong; after a failure it takes the hunks that define what the
build names. "tools" puts commit by commit together. The share that a cache of prompts would hold
is by its documented rules (``prompt_cache.py``). ``--former`` runs the package of another checkout
beside this one's, with the same model.
"""

import argparse
import json
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import product
from pathlib import Path
from typing import NamedTuple

from git_retcon.git.atoms import Atom
from git_retcon.model.messages import Usage
from git_retcon.model.prices import load_prices
from git_retcon.model.token_count import count_tokens
from git_retcon.show.style import show_path
from tests.bench.branches import Branch, branches_of
from tests.bench.finished import make_repository
from tests.bench.prompt_cache import PromptCache
from tests.bench.review import find_author
from tests.model.loopback import Answer, Json, LoopbackApi, Says, answers, calls
from tests.retcon.engines.claude.scene import Conversation, commit, several, stuck

_ROOT = Path(__file__).parents[2]
_MODEL = "claude-sonnet-5-5"
_EXTRACTS = ("pages", "tools")
_SOURCES = ("squashed", "own commits")
_SUBJECT = "add what the build names"
_CHECK = f"{sys.executable} {Path(__file__).with_name('names_check.py')}"


@dataclass(frozen=True)
class Row:
    """One run. ``complete`` says that it ended with exit 0 and the source's tree."""

    branch: str
    given: str
    package: str
    extract: str
    requests: int
    repairs: int
    tokens_in: int
    cached: int
    tokens_out: int
    dollars: float
    complete: bool
    leftover: bool


class Way(NamedTuple):
    """Which package runs, from where, on which kind of source, and how hunks are chosen."""

    package: str
    root: Path
    given: str
    extract: str


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("clones", nargs="+", type=Path, metavar="CLONE")
    parser.add_argument("--branches", type=int, default=6, metavar="N", help="of each clone")
    parser.add_argument("--wrong", type=float, default=0.1)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--source", action="append", choices=_SOURCES, help="default: both")
    parser.add_argument("--extract", action="append", choices=_EXTRACTS, help="default: both")
    parser.add_argument("--former", type=Path, metavar="CHECKOUT")
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args()
    packages = {"now": _ROOT} | ({"former": options.former} if options.former else {})
    rows: list[Row] = []
    for clone in options.clones:
        for branch in branches_of(clone, options.branches, options.seed):
            ways = product(options.source or _SOURCES, options.extract or _EXTRACTS, packages)
            for given, extract, package in ways:
                way = Way(package, packages[package], given, extract)
                row = measure_run(clone, branch, way, options.wrong, options.seed)
                if row is not None:
                    rows.append(row)
                    print(row, file=sys.stderr, flush=True)
    if options.json:
        options.json.write_text(json.dumps([asdict(row) for row in rows], indent=1) + "\n", "utf-8")
    print("\n".join(_make_table(rows)))


def measure_run(clone: Path, branch: Branch, way: Way, wrong: float, seed: int) -> Row | None:
    """Rebuild one branch; None where its ends do not pass the build."""
    api = LoopbackApi()
    author = _Author(branch, wrong, seed)
    api.responder = author
    try:
        with tempfile.TemporaryDirectory() as folder:
            top = Path(folder, "repository")
            if way.given == _SOURCES[0]:
                _squash_branch(top, clone, branch)
            else:
                make_repository(top, clone, branch, random.Random(f"{seed} {branch.name}"))
            _write_spec(top, branch)
            if not all(_passes(top, end) for end in ("main", "messy")):
                return None
            env = {
                **os.environ, **api.env, "PYTHONPATH": str(way.root),
                "GIT_RETCON_EXTRACT": way.extract,
                "XDG_DATA_HOME": folder, "XDG_STATE_HOME": folder,
            }  # fmt: skip
            command = [sys.executable, "-m", "git_retcon.commands.retcon", "h.toml", "--trust"]
            ended = subprocess.run(command, cwd=top, env=env, capture_output=True, check=False)
            tree = _git(top, "rev-parse", "clean^{tree}")
            subjects = _git(top, "log", "--format=%s", "main..clean")
            is_complete = ended.returncode == 0 and tree == branch.difference.target
    finally:
        api.close()
    return Row(
        branch=branch.name,
        given=way.given,
        package=way.package,
        extract=way.extract,
        requests=len(api.requests),
        repairs=author.repairs,
        tokens_in=author.usage.prompt,
        cached=author.usage.cache_read,
        tokens_out=author.usage.output,
        dollars=load_prices().cost(_MODEL, author.usage),
        complete=is_complete,
        leftover="WIP: what" in subjects,
    )


def _squash_branch(top: Path, clone: Path, branch: Branch) -> None:
    """The branch squashed to one commit, its objects read from the clone."""
    subprocess.run(["git", "init", "-q", "-b", "empty", top], check=True)
    for name, value in (("user.name", "Bench"), ("user.email", "bench@example.com")):
        _git(top, "config", name, value)
    common = _git(clone, "rev-parse", "--absolute-git-dir")
    Path(top, ".git/objects/info/alternates").write_text(f"{common}/objects\n", "utf-8")
    base = _git(top, "commit-tree", branch.difference.base, "-m", "base")
    source = _git(top, "commit-tree", branch.difference.target, "-p", base, "-m", "squashed")
    _git(top, "update-ref", "refs/heads/main", base)
    _git(top, "update-ref", "refs/heads/messy", source)


def _write_spec(top: Path, branch: Branch) -> None:
    lines = ['source = "messy"', 'remote = "main"', 'cleaned = "clean"']
    lines.append(f"build = {json.dumps(_CHECK)}")
    for each in branch.commits:
        lines += ["[[commit]]", f"message = {json.dumps(each.message)}"]
    Path(top, "h.toml").write_text("\n".join(lines) + "\n", "utf-8")


def _passes(top: Path, name: str) -> bool:
    with tempfile.TemporaryDirectory() as folder:
        packed = subprocess.run(
            ["git", "-C", top, "archive", name], capture_output=True, check=True
        )
        subprocess.run(["tar", "-x", "-C", folder], input=packed.stdout, check=True)
        done = subprocess.run(_CHECK.split(), cwd=folder, capture_output=True, check=False)
    return done.returncode == 0


def _git(top: Path, *arguments: str) -> str:
    done = subprocess.run(["git", "-C", top, *arguments], capture_output=True, check=False)
    return done.stdout.decode("utf-8", "replace").strip()


class _Author:
    """Plays who wrote the branch, with tools too; counts what it is asked and says."""

    def __init__(self, branch: Branch, wrong: float, seed: int) -> None:
        self._branch, self._wrong = branch, wrong
        self._chance = random.Random(seed)
        self._cache = PromptCache()
        self._labels = {a: self._choose_commit(a) for a in branch.truth}
        self._taken: set[str] = set()
        self.repairs = 0
        self.usage = Usage()

    def __call__(self, body: Json) -> Answer:
        said = self._answer(Conversation(body))
        usage = self._cache.bill(body, count_tokens(json.dumps(said.content).encode()))
        self.usage += usage
        return replace(
            said,
            usage={
                "input_tokens": usage.input,
                "output_tokens": usage.output,
                "cache_read_input_tokens": usage.cache_read,
                "cache_creation_input_tokens": usage.cache_write,
            },
        )

    def _choose_commit(self, atom: str) -> int:
        """The author's commit, or another one; -1 for "unsure"."""
        right = find_author(self._branch.truth[atom])
        drawn = self._chance.random()
        others = [k for k in range(len(self._branch.commits)) if k != right]
        if drawn < self._wrong:
            return self._chance.choice(others)
        return right if drawn >= 2 * self._wrong else -1

    def _answer(self, seen: Conversation) -> Says:
        if seen.is_placing:
            return self._place(seen)
        if seen.turn:
            return commit(_SUBJECT)
        if seen.is_assessing:
            self.repairs += 1
            wanted = [atom.id for atom in self._find_missing(seen.prompt)]
        else:
            here = seen.number - 1
            wanted = [atom for atom, label in self._labels.items() if label in (here, -1)]
        shown = seen.ids(*{show_path(a.path) for a in self._branch.difference.atoms})
        whole = {each: short for short in shown for each in wanted if each.startswith(short)}
        ids = [whole[each] for each in wanted if each in whole and each not in self._taken]
        self._taken.update(wanted)
        if not ids:
            return stuck("nothing helps")
        if "in the same turn" in seen.rules:
            return several(("take_atoms", {"ids": ids}), ("create_commit", {"message": _SUBJECT}))
        return calls("take_atoms", {"ids": ids})

    def _find_missing(self, prompt: str) -> Iterator[Atom]:
        """Hunks that define a name of the build's complaints, or take a use of it away."""
        names = set(re.findall(r"(?:undefined name|cannot import name) '(\w+)'", prompt))
        for atom in self._branch.difference.atoms:
            defined = re.compile(rb"(?:def|class|import|as|from) +(\w+)|^(\w+)[ :]|(\w+) *=", re.M)
            added, removed = b"".join(atom.added), b"".join(atom.removed)
            found = {name.decode() for each in defined.findall(added) for name in each if name}
            found |= {name.decode() for name in re.findall(rb"\w+", removed)}
            if found & names or (b"import" in added and any(n.encode() in added for n in names)):
                yield atom

    def _place(self, seen: Conversation) -> Says:
        places: dict[int, list[str]] = {}
        for path, number, old, new in _list_numbered(seen.prompt):
            label = self._labels.get(self._by_place.get((path, old, new), ""), -1)
            places.setdefault(label + 1, []).append(number)
        unsure = ", ".join(places.pop(0, []))
        said = [{"commit": k, "hunks": ", ".join(own)} for k, own in sorted(places.items())]
        return answers({"placements": said, "unsure": unsure})

    @property
    def _by_place(self) -> dict[tuple[str, int, int], str]:
        return {
            (show_path(a.path), max(a.old.start, 0) + 1, max(a.new.start, 0) + 1): a.id
            for a in self._branch.difference.atoms
        }


def _list_numbered(prompt: str) -> Iterator[tuple[str, str, int, int]]:
    path = ""
    for line in prompt.splitlines():
        if line.startswith("=== "):
            path = line.removeprefix("=== ")
        elif found := re.match(r"(\d+)\) (?:line (\d+), now (\d+))?", line):
            yield path, found[1], int(found[2] or 0), int(found[3] or 0)


def _make_table(rows: Sequence[Row]) -> Iterator[str]:
    head = (
        "source", "package", "hunks chosen by", "runs", "complete", "leftover", "repairs",
        "requests a run", "tokens in", "cacheable", "out", "dollars a run", "median",
    )  # fmt: skip
    yield f"| {' | '.join(head)} |"
    yield "|---" * len(head) + "|"
    kinds = {row: (row.given, row.package, row.extract) for row in rows}
    for given, package, extract in dict.fromkeys(kinds.values()):
        group = [row for row in rows if kinds[row] == (given, package, extract)]
        total = sum(row.tokens_in for row in group)
        cells = (
            given, package, extract, len(group), sum(row.complete for row in group),
            sum(row.leftover for row in group), sum(row.repairs for row in group),
            f"{statistics.mean(row.requests for row in group):.1f}", f"{total:,}",
            f"{sum(row.cached for row in group) / total:.0%}",
            f"{sum(row.tokens_out for row in group):,}",
            f"${statistics.mean(row.dollars for row in group):.4f}",
            # One branch with many repairs is half of the mean of a few.
            f"${statistics.median(row.dollars for row in group):.4f}",
        )  # fmt: skip
        yield f"| {' | '.join(map(str, cells))} |"


if __name__ == "__main__":
    main()
