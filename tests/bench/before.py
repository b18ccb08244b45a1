"""What a run costs beside the same run by the code of an earlier commit.

    python -m tests.bench.before CHECKOUT [--repeat 5]

CHECKOUT is a working tree of that commit, such as ``git worktree add`` makes. Whole processes,
start-up included, in alternation; processor seconds of each and all it started.
"""

import argparse
import tempfile
from pathlib import Path

from tests.bench.speed import Size, make_bench

_SIZES = (
    ("1 commit, 1 hunk", Size(hunks=1, commits=1, lines=0)),
    ("500 commits, 2,000 hunks", Size(hunks=2_000, commits=500, lines=0)),
)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkout", type=Path)
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args()
    print("| Processor s, least | before | now | ratio |")
    print("| --- | --: | --: | --: |")
    for name, size in _SIZES:
        before, now = _compare(options.checkout.resolve(), size, options.repeat)
        print(f"| {name} | {before:.2f} | {now:.2f} | {now / before:.2f} |", flush=True)


def _compare(checkout: Path, size: Size, repeat: int) -> tuple[float, float]:
    """The least of each: what else the machine does only adds."""
    with tempfile.TemporaryDirectory(prefix="speed-") as folder:
        folders = (Path(folder) / "before", Path(folder) / "now")
        for each in folders:
            each.mkdir()
        places = zip(folders, (checkout, Path(__file__).parents[2]), strict=True)
        benches = [make_bench(each, size, tree) for each, tree in places]
        runs = [[bench.retcon("source").processor for bench in benches] for _ in range(repeat)]
    before, now = (min(costs) for costs in zip(*runs, strict=True))
    return before, now


if __name__ == "__main__":
    main()
