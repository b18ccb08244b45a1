"""The replay measures what it says: branches found, histories checked, lines compared."""

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.bench.placed import placed
from tests.bench.series import series_of
from tests.repository import TestRepository

CHECKOUT = Path(__file__).parents[2]
BUILD = "python3 -B -c 'import shop'"


def merged_branch(repo: TestRepository) -> Sequence[str]:
    """A branch of three commits, merged; its commits, oldest first."""
    repo.commit("Start", {"shop.py": "", "README.md": "# Shop\n"})
    repo.git("checkout", "-q", "-b", "topic")
    price = "def price(text):\n    return float(text)\n"
    commits = [
        repo.commit("Read a price in price.py", {"price.py": price}),
        repo.commit(
            "Sell at that price in shop.py", {"shop.py": "import price\n\nsell = price.price\n"}
        ),
        repo.commit("Say in README.md what the shop does", {"README.md": "# Shop\n\nSells.\n"}),
    ]
    repo.git("checkout", "-q", "main")
    repo.git("merge", "-q", "--no-ff", "--no-edit", "topic")
    return commits


def replayed(repo: TestRepository, folder: Path, *options: str) -> list[dict[str, Any]]:
    """The branches of a replay, from its JSON."""
    found = folder / "found.json"
    command = [
        sys.executable,
        "-m",
        "tests.bench.replay",
        str(repo.path),
        "--json",
        str(found),
        *options,
    ]
    subprocess.run(command, cwd=CHECKOUT, check=True, capture_output=True)
    return [
        each for result in json.loads(found.read_text())["results"] for each in result["branches"]
    ]


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["plain", "hinted", "messy"])
def test_a_merged_branch_is_rebuilt_and_checked(
    repo: TestRepository, tmp_path: Path, mode: str
) -> None:
    merged_branch(repo)
    refs = repo.git("for-each-ref")
    (branch,) = replayed(repo, tmp_path, "--build", BUILD, "--mode", mode)
    assert (branch["status"], branch["kind"], branch["commits"]) == ("complete", "merged", 3)
    assert branch["tree_equal"]
    assert branch["every_commit_builds"]
    assert 0 < branch["right"] <= branch["lines"]
    assert repo.git("for-each-ref") == refs


def test_a_branch_that_never_built_is_left_out(repo: TestRepository, tmp_path: Path) -> None:
    merged_branch(repo)
    assert replayed(repo, tmp_path, "--build", "false") == []


def test_a_squashing_project_gives_runs_of_its_trunk(repo: TestRepository) -> None:
    repo.commit("Start", {"a.py": ""})
    for number in range(9):
        repo.commit(f"Change {number}", {"a.py": f"x = {number}\n"})
    found = list(series_of(repo.open(), [".py"]))
    assert found
    assert {series.kind for series in found} == {"run"}
    assert all(3 <= len(series.commits) <= 8 for series in found)


def test_a_history_is_as_good_as_itself(repo: TestRepository) -> None:
    commits = merged_branch(repo)
    base = repo.rev(f"{commits[0]}^")
    same = placed(repo.open(), base, commits, {oid: at for at, oid in enumerate(commits)})
    assert (same.lines, same.right) == (7, 7)
    swapped = dict(zip(commits, (1, 0, 2), strict=True))
    assert placed(repo.open(), base, commits, swapped).right == 2


def test_one_commit_for_all_gets_the_lines_of_its_own(repo: TestRepository) -> None:
    commits = merged_branch(repo)
    base = repo.rev(f"{commits[0]}^")
    found = placed(
        repo.open(),
        base,
        commits,
        {repo.git("commit-tree", f"{commits[-1]}^{{tree}}", "-p", base, "-m", "all"): 1},
    )
    assert (found.right, found.largest) == (3, 3)
