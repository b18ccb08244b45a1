"""Time and memory of finding and applying atoms, against their number.

Builds a repository with a tree of FILES files and a branch that changes N places in them. For each
N it prints the processor seconds of ``difference()`` and of twenty cumulative ``tree()`` calls,
and the peak memory of the process. Both are printed per 1,000 atoms too: level means linear.
``git rebase`` of the same twenty commits runs beside it with ``--peer``.

    python -m tests.bench.atoms [--files 20000] [--atoms 1000,5000,10000,50000] [--peer]
"""

import argparse
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

LINES = 60
COMMITS = 20


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--files", type=int, default=20_000)
    options.add_argument("--atoms", default="1000,5000,10000,50000")
    options.add_argument("--peer", action="store_true", help="run git rebase of the same commits")
    options.add_argument("--measure", nargs=3, help=argparse.SUPPRESS)
    chosen = options.parse_args()
    if chosen.measure:
        measure(*chosen.measure)
        return
    print(f"{chosen.files} files of {LINES} lines; {COMMITS} cumulative tree() calls")
    print("   atoms  found s  trees s  peak MB  s per 1000  rebase s")
    for count in map(int, chosen.atoms.split(",")):
        with tempfile.TemporaryDirectory() as folder:
            build(Path(folder), chosen.files, count)
            row = measured(Path(folder))
            rebased = f"{rebase(Path(folder)):8.2f}" if chosen.peer else "       -"
        total = row["found"] + row["trees"]
        print(
            f"{row['atoms']:8.0f} {row['found']:8.2f} {row['trees']:8.2f} {row['peak']:8.0f} "
            f"{1000 * total / row['atoms']:11.3f}  {rebased}",
            flush=True,
        )


def build(folder: Path, files: int, count: int) -> None:
    """``main`` holds the base; ``source`` changes ``count`` places, all in one commit."""
    git(folder, "init", "-q", "-b", "main")
    command = ["git", "-C", str(folder), "fast-import", "--quiet"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, text=True) as importer:
        assert importer.stdin is not None
        importer.stdin.writelines(_stream(files, count))
    assert importer.returncode == 0


def _stream(files: int, count: int) -> Iterator[str]:
    yield _commit("main", "base")
    for number in range(files):
        yield _file(number, set())
    chance = random.Random(1)
    # Every third line at most, so that no two changes touch.
    places = chance.sample(range(files * (LINES // 3)), count)
    changed: dict[int, set[int]] = {}
    for place in places:
        changed.setdefault(place % files, set()).add(place // files * 3)
    yield _commit("source", "all") + "from refs/heads/main\n"
    for number, lines in changed.items():
        yield _file(number, lines)
    # The same changes as twenty commits, for git rebase.
    done: dict[int, set[int]] = {}
    for part in range(COMMITS):
        yield _commit("topic", f"part {part}") + ("from refs/heads/main\n" if not part else "")
        for place in places[part::COMMITS]:
            done.setdefault(place % files, set()).add(place // files * 3)
        for number in {place % files for place in places[part::COMMITS]}:
            yield _file(number, done[number])
    yield (
        _commit("upstream", "elsewhere") + "from refs/heads/main\nM 100644 inline NEWS\ndata 1\nx\n"
    )


def _commit(branch: str, message: str) -> str:
    return (
        f"commit refs/heads/{branch}\ncommitter A <a@b> 1500000000 +0000\n"
        f"data {len(message)}\n{message}\n"
    )


def _file(number: int, changed: set[int]) -> str:
    lines = [
        f"    value_{line} = compute({number}, {line}, {'new' if line in changed else 'old'!r})\n"
        for line in range(LINES)
    ]
    body = "".join(lines)
    return f"M 100644 inline src/d{number % 200}/f{number}.py\ndata {len(body)}\n{body}\n"


def measured(folder: Path) -> dict[str, float]:
    """Measure in a process of its own, so that the peak is its own."""
    trees = [git(folder, "rev-parse", f"{name}^{{tree}}").strip() for name in ("main", "source")]
    done = subprocess.run(
        [sys.executable, "-m", "tests.bench.atoms", "--measure", str(folder), *trees],
        capture_output=True,
        check=True,
        cwd=Path(__file__).parents[2],
    )
    row: dict[str, float] = json.loads(done.stdout)
    return row


def measure(folder: str, base: str, target: str) -> None:
    from git_retcon.git.difference import compare_trees
    from git_retcon.git.repository import open_repository

    started = time.process_time()
    found = compare_trees(open_repository(Path(folder)), base, target)
    between = time.process_time()
    ids = [atom.id for atom in found.atoms]
    random.Random(2).shuffle(ids)
    for part in range(1, COMMITS + 1):
        tree = found.tree(ids[: len(ids) * part // COMMITS])
    assert tree == target
    ended = time.process_time()
    print(
        json.dumps(
            {
                "atoms": len(ids),
                "found": between - started,
                "trees": ended - between,
                "peak": peak_megabytes(),
            }
        )
    )


def peak_megabytes() -> float:
    status = Path("/proc/self/status")
    if status.exists():
        # getrusage would count what the process was before exec, which is this script's parent.
        fields = dict(line.split(":", 1) for line in status.read_text().splitlines())
        return int(fields["VmHWM"].split()[0]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1024 * 1024)


def rebase(folder: Path) -> float:
    git(folder, "checkout", "-q", "topic")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    git(folder, "rebase", "-q", "upstream")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def git(folder: Path, *arguments: str) -> str:
    return subprocess.run(
        ["git", "-C", str(folder), "-c", "user.name=a", "-c", "user.email=a@b", *arguments],
        capture_output=True,
        check=True,
        text=True,
        env={**os.environ, "GIT_CONFIG_NOSYSTEM": "1"},
    ).stdout


if __name__ == "__main__":
    main()
