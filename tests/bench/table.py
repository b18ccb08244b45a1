"""The results of a replay as a Markdown table: one row for each repository, and a total."""

from collections.abc import Iterable, Sequence
from typing import Any

_HEAD = (
    "Repository", "Input", "Branches", "Trees equal", "Every commit builds", "Commits with a WIP",
    "Stuck", "Crashes", "Lines placed", "(mean of branches)", "All in the largest", "Seconds in us",
    "in builds",
)  # fmt: skip

Row = dict[str, Any]


def table(results: Sequence[Row]) -> str:
    """Markdown. Shares of lines are of the finished histories."""
    rows = [_row(each["name"], each["mode"], each["branches"]) for each in results]
    for mode in dict.fromkeys(each["mode"] for each in results):
        same = [each for each in results if each["mode"] == mode]
        if len(same) > 1:
            everything = [branch for each in same for branch in each["branches"]]
            rows.append(_row("**all**", mode, everything))
    lines = [_line(_HEAD), _line(["---", "---", *["--:"] * (len(_HEAD) - 2)])]
    return "\n".join([*lines, *map(_line, rows)])


def _row(name: str, mode: str, branches: Sequence[Row]) -> list[str]:
    done = [each for each in branches if each["status"] == "complete"]
    measured = [each for each in done if each["lines"]]
    lines = sum(each["lines"] for each in measured)
    return [
        name,
        mode,
        f"{len(branches)} ({sum(each['kind'] == 'merged' for each in branches)} merged, "
        f"{sum(each['tested'] for each in branches)} tested)",
        f"{sum(each['tree_equal'] for each in branches)}",
        f"{sum(each['every_commit_builds'] for each in branches)}",
        f"{sum(each['with_wip'] for each in branches)} of {sum(each['made'] for each in branches)}",
        f"{sum(each['status'] == 'stuck' for each in branches)}",
        f"{sum(each['status'] == 'crash' for each in branches)}",
        _share(sum(each["right"] for each in measured), lines),
        _share(sum(each["right"] / each["lines"] for each in measured), len(measured)),
        _share(sum(each["largest"] for each in measured), lines),
        f"{sum(each['own_seconds'] for each in branches):.0f}",
        f"{sum(each['build_seconds'] for each in branches):.0f}",
    ]


def _share(part: float, whole: float) -> str:
    return f"{100 * part / whole:.0f} %" if whole else "-"


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"
