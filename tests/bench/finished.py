"""How many commits of a finished branch are their author's, after a few pages of questions.

    python -m tests.bench.finished CLONE... [--branches 4] [--pages N]... [--json FILE]

The source of each branch is made from the author's commits: each file is advanced through its own
versions apart from the others, by a seeded script, into commits called "wip". A machine with the
author's truth answers pages of ``git retcon review`` (its session, without a terminal), the pins
are written to the spec, and ``git retcon --offline`` runs as a process of its own, with a build.
The machine splits a hunk of a page where its lines are of several commits, and where a run is
stuck and names pins that may go, it removes these and runs again: what ``finished_answers`` does.

What came out is read from the commits alone. A commit is *near* where it and its author's differ
by at most two hunks, missing and strange ones together, and share one; it is *finished* where it
is near and the build, run again in a checkout, passes. Commits that wrote most of no hunk are not
counted. Branches whose base or end does not build are passed over.

Branches that FILE has already are not run again, so that a table can be made in parts.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from git_retcon.git.difference import Difference
from git_retcon.git.graph import read_commit
from git_retcon.git.provenance import History
from git_retcon.git.repository import Repository, open_repository
from git_retcon.retcon.review.session import Review
from git_retcon.retcon.spec.file import SpecFile
from tests.bench.branches import Branch, branches_of
from tests.bench.finished_answers import answer_pages, read_truth, take_back_pins
from tests.bench.finished_builds import Build, find_build, passes_at
from tests.bench.review import find_author

PAGES = (0, 5)
_MOST_ADVICE = 3  # runs after the first, each with the pins removed that the one before named
FAR = 2  # hunks that a commit may differ by
ENDS = ("main", "messy")
_LONGEST = 120.0  # seconds of one run
_HERE = Path(__file__).parent
_ADVANCED = 0.4  # how likely a file that is not at its end goes on in a commit


@dataclass(frozen=True)
class Row:
    """One branch rebuilt after so many pages.

    From ``commits`` to ``with_wip`` these are counts of commits. ``splits`` are the hunks that
    were split on the pages, ``taken_back`` the pins that the run named and that were removed.
    """

    branch: str
    language: str
    build: str
    pages: int
    status: str
    hunks: int
    commits: int
    near: int
    exact: int
    finished: int
    exact_built: int
    broken: int
    with_wip: int
    splits: int
    taken_back: int
    seconds: float


def main() -> None:
    options = _options()
    rows = _read_rows(options.json)
    for clone in options.clones:
        found = 0
        for branch in branches_of(clone, 8 * options.branches, options.seed):
            if found == options.branches:
                break
            found += _add_rows(clone, branch, options, rows)
    print("\n".join(make_table(rows)))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("clones", nargs="*", type=Path, metavar="CLONE")
    parser.add_argument("--branches", type=int, default=4, metavar="N", help="of each clone")
    parser.add_argument("--pages", action="append", type=int, metavar="N", help="default: 0 and 5")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--json", type=Path, metavar="FILE")
    return parser.parse_args()


def _read_rows(path: Path | None) -> list[Row]:
    if path is None or not path.exists():
        return []
    return [Row(**each) for each in json.loads(path.read_text("utf-8"))["rows"]]


def _add_rows(clone: Path, branch: Branch, options: argparse.Namespace, rows: list[Row]) -> bool:
    """Run one branch, unless its rows are there; False where it cannot be built."""
    wanted = options.pages or PAGES
    if {(branch.name, pages) for pages in wanted} <= {(row.branch, row.pages) for row in rows}:
        return True
    with tempfile.TemporaryDirectory(prefix="finished-") as folder:
        top = Path(folder, "repository")
        oids = make_repository(top, clone, branch, random.Random(f"{options.seed} {branch.name}"))
        build = find_build(top, branch, ENDS)
        if build is None:
            print(
                f"{branch.name}: has no code, or does not build at its ends",
                file=sys.stderr,
                flush=True,
            )
            return False
        for pages in wanted:
            rows.append(_measure(top, branch, oids, build, pages))
            print(rows[-1], file=sys.stderr, flush=True)
    if options.json:
        found = {"version": 1, "rows": [asdict(row) for row in rows]}
        options.json.write_text(json.dumps(found, indent=1) + "\n", "utf-8")
    return True


def make_repository(top: Path, clone: Path, branch: Branch, chance: random.Random) -> Sequence[str]:
    """A repository with the branch as "messy" on "main"; returns its author's commits.

    Objects are read from the clone.
    """
    subprocess.run(["git", "init", "-q", "-b", "empty", top], check=True)
    for name, value in (("user.name", "Bench"), ("user.email", "bench@example.com")):
        _git(top, "config", name, value)
    common = _git(clone, "rev-parse", "--path-format=absolute", "--git-common-dir")
    Path(top, ".git/objects/info/alternates").write_text(f"{common}/objects\n", "utf-8")
    oids: list[str] = []
    at = _git(top, "rev-parse", branch.name.rpartition(":")[2])
    while _git(top, "rev-parse", f"{at}^{{tree}}") != branch.difference.base:
        oids.append(at)
        at = _git(top, "rev-parse", f"{at}^1")
    oids.reverse()
    _git(top, "update-ref", "refs/heads/main", at)
    _git(top, "update-ref", "refs/heads/messy", advance_files(top, at, oids, chance))
    return oids


def advance_files(top: Path, base: str, oids: Sequence[str], chance: random.Random) -> str:
    """Commit the files' versions in another order: each file goes on by itself.

    Returns the last commit, whose tree is that of the author's last.
    """
    versions: dict[str, list[str]] = {}
    for oid in oids:
        raw = _git(top, "diff-tree", "-r", "-z", "--raw", "--no-renames", f"{oid}^1", oid)
        fields = raw.split("\0")
        for entry, path in zip(fields[::2], fields[1::2], strict=False):
            _, mode, _, blob, _ = entry.lstrip(":").split()
            versions.setdefault(path, []).append(f"{mode} {blob}\t{path}")
    _git(top, "read-tree", base)
    tip = base
    while versions:
        moved = [path for path in versions if chance.random() < _ADVANCED]
        for path in moved:
            own = versions[path]
            step = own[min(chance.randint(1, 2), len(own)) - 1]
            versions[path] = own[own.index(step) + 1 :]
            _git(top, "update-index", "-z", "--replace", "--index-info", said=f"{step}\0")
        versions = {path: own for path, own in versions.items() if own}
        if moved:
            tip = _git(top, "commit-tree", _git(top, "write-tree"), "-p", tip, "-m", "wip")
    return tip


def _measure(top: Path, branch: Branch, oids: Sequence[str], build: Build, pages: int) -> Row:
    repository = open_repository(top)
    spec = _write_spec(top, branch, build, pages)
    begun = time.monotonic()
    specfile = SpecFile.parse(spec, spec.read_bytes())
    review = Review(repository, specfile)
    difference = review.plan.position.difference
    truth = read_truth(repository, oids, difference)
    splits = answer_pages(review, truth, pages)
    if review.answers:
        specfile.with_pins(review.pins())
    report = _run_retcon(top, spec)
    taken_back = 0
    for _ in range(_MOST_ADVICE):
        advised = take_back_pins(spec, report)
        if not advised:
            break
        taken_back += advised
        report = _run_retcon(top, spec)
    seconds = time.monotonic() - begun
    made = [tuple(each["commits"]) for each in report.get("commits", [])]
    held = _find_holders(repository, difference, oids[0], made)
    authors = truth.find_authors(difference)
    offs = list(compare_commits(authors, held, len(branch.commits)))
    broken = {k for k, own in enumerate(made) if own and not passes_at(top, own[-1], build)}
    near = {k for k, off, shared in offs if shared and off <= FAR}
    exact = {k for k, off, _ in offs if not off}
    return Row(
        branch=branch.name,
        language=build.language,
        build=build.name,
        pages=pages,
        status=report.get("status", "crash"),
        hunks=len(difference.atoms),
        commits=len(offs),
        near=len(near),
        exact=len(exact),
        finished=len(near - broken),
        exact_built=len(exact - broken),
        broken=len(broken),
        with_wip=sum(len(own) > 1 for own in made),
        splits=splits,
        taken_back=taken_back,
        seconds=round(seconds, 1),
    )


def _write_spec(top: Path, branch: Branch, build: Build, pages: int) -> Path:
    lines = ['source = "messy"', 'remote = "main"', f'cleaned = "clean-{pages}"']
    lines.append(f"build = {json.dumps(build.command)}")
    for each in branch.commits:
        lines += ["", "[[commit]]", f"message = {json.dumps(each.message)}"]
    path = top.with_name(f"h{pages}.toml")
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


def _run_retcon(top: Path, spec: Path) -> dict[str, Any]:
    env = {
        **os.environ, "PYTHONPATH": str(_HERE.parents[1]), "GIT_CONFIG_GLOBAL": os.devnull,
        "XDG_DATA_HOME": str(top.with_name("data")), "XDG_STATE_HOME": str(top.with_name("state")),
    }  # fmt: skip
    command = [
        sys.executable, "-P", "-m", "git_retcon.commands.retcon",
        "--offline", "--json", "--trust", str(spec),
    ]  # fmt: skip
    try:
        done = subprocess.run(
            command, cwd=top, env=env, capture_output=True, text=True, timeout=_LONGEST
        )
    except subprocess.TimeoutExpired:
        return {}
    if not done.stdout.startswith("{"):
        print(done.stderr, file=sys.stderr, flush=True)
        return {}
    report: dict[str, Any] = json.loads(done.stdout)
    return report


def _find_holders(
    repository: Repository, difference: Difference, first: str, made: Sequence[Sequence[str]]
) -> Mapping[str, int]:
    """The logical commit that holds most of each hunk."""
    owners = [(k, oid) for k, own in enumerate(made) for oid in own]
    if not owners:
        return {}
    # A history of one commit tells no origins; the same one twice does.
    owners = owners * 2 if len(owners) == 1 else owners
    history = History.read(repository, first, [read_commit(repository, oid) for _, oid in owners])
    found: dict[str, int] = {}
    for atom, shares in history.of(difference).origin.items():
        lines: Counter[int] = Counter()
        for position, count in shares.items():
            lines[owners[position][0]] += count
        found[atom] = find_author(lines)
    return found


def compare_commits(
    authors: Mapping[str, int], held: Mapping[str, int], count: int
) -> Iterator[tuple[int, int, int]]:
    """Each commit of the author's: its place, the hunks it is off, and those it shares."""
    for k in range(count):
        wished = {atom for atom, at in authors.items() if at == k}
        found = {atom for atom in authors if held.get(atom) == k}
        if wished:
            yield k, len(wished ^ found), len(wished & found)


def make_table(rows: Sequence[Row]) -> Iterator[str]:
    """Markdown: a row for each project and one for all; finished commits by numbers of pages."""
    pages = sorted({row.pages for row in rows})
    head = ("Project", "Builds", "Branches", "Commits", *(f"{each} pages" for each in pages))
    yield f"| {' | '.join(head)} |"
    yield "| --- | --- |" + " --: |" * (len(head) - 2)
    projects = sorted({row.branch.partition(":")[0] for row in rows})
    for name in projects:
        yield _write_line(name, [row for row in rows if row.branch.startswith(f"{name}:")], pages)
    if len(projects) > 1:
        yield _write_line("**all**", rows, pages)


def _write_line(name: str, rows: Sequence[Row], pages: Sequence[int]) -> str:
    first = [row for row in rows if row.pages == pages[0]]
    builds = Counter(f"{row.language}: {row.build}" for row in first)
    told = ", ".join(f"{build} ({count})" for build, count in sorted(builds.items()))
    by_pages = ([row for row in rows if row.pages == each] for each in pages)
    total = sum(row.commits for row in first)
    cells = (
        name, "" if name.startswith("*") else told, len(first), total, *map(_write_cell, by_pages),
    )  # fmt: skip
    return f"| {' | '.join(map(str, cells))} |"


def _write_cell(rows: Sequence[Row]) -> str:
    total = sum(row.commits for row in rows)
    if not total:
        return "-"
    finished, exact = sum(row.finished for row in rows), sum(row.exact_built for row in rows)
    stuck = sum(row.status != "complete" for row in rows)
    end = f", {stuck} stuck" if stuck else ""
    return f"{finished} ({finished / total:.1%}), {exact / total:.0%} exact{end}"


def _git(top: Path, *arguments: str, said: str | None = None) -> str:
    done = subprocess.run(
        ["git", "-C", top, *arguments], capture_output=True, check=True,
        input=None if said is None else os.fsencode(said),
    )  # fmt: skip
    return os.fsdecode(done.stdout).strip()


if __name__ == "__main__":
    main()
