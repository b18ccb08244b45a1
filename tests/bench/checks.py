"""``git heal check`` over public repositories: what it says beside what their commands say.

    python -m tests.bench.checks CLONE... [--static] [--only NAME] [--json] [--work FOLDER]

The static part counts the jobs that a push or a pull request starts, and why not all of their
steps run here. Then each job of which nothing is skipped and whose tools are here is checked, and
its commands are run by hand in a plain clone: a "passed" that they do not confirm is wrong. Then
one line more breaks the tree (``breakages``); where the commands by hand fail, the error must be
found in that file, at that line.

Results are kept in the work folder, also of what was interrupted, and the next run goes on from
there; a repository that is all there is not measured again (``--again`` begins anew).
Clones are bare or not; nothing is written to them.
"""

import argparse
import json
import os
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from git_retcon.heal.local_tools import LocalTools, read_local_machine
from git_retcon.heal.workflows.happenings import Checkout, Happening, PullRequest, Push
from git_retcon.heal.workflows.reader import read_workflow
from git_retcon.heal.workflows.triggers import decide_any
from git_retcon.heal.workflows.workflow_plan import Planner
from git_retcon.run.tool_versions import ToolFinder
from tests.bench import checks_tables
from tests.bench.breakages import KINDS, LANGUAGES, Breakage, list_breakages
from tests.bench.by_hand import Ended, HandJob, find_lack, list_jobs, run_job
from tests.bench.clones import (
    clean_clone,
    clone_repository,
    list_files,
    restore_files,
    run_heal,
)
from tests.bench.workflows import HeadTree, name_clone, survey

_MOST_CELLS = 2  # of one job
_MOST_FILES = 2  # broken in one way: a job may not read the first
_MOST_TAIL = 4000  # characters of an output that is kept


class Limits(NamedTuple):
    """Seconds that a job may take by hand, jobs of a repository, and those broken of them."""

    seconds: float
    jobs: int
    broken: int


class Places(NamedTuple):
    """The folders of one repository: plain clones are made in ``hand``, ours is ``ours``."""

    source: Path
    work: Path

    @property
    def ours(self) -> Path:
        return self.work / "ours"


def measure(
    source: Path, work: Path, limits: Limits, earlier: dict[str, Any] | None
) -> Iterator[dict[str, Any]]:
    """Check one repository as it is and broken: what is known of it, after each check.

    ``earlier`` is what an interrupted run knew of it; its clones are still there.
    """
    places = Places(source, work)
    if earlier is None:
        shutil.rmtree(work, ignore_errors=True)
        clone_repository(places.source, places.ours)
    else:
        restore_files(places.ours)
    found: dict[str, Any] = earlier or {
        "name": name_clone(source), "complete": False, "jobs": [], "breakages": [],
    }  # fmt: skip
    usable: list[tuple[HandJob, Path, str]] = []
    for number, job in enumerate(choose_jobs(places, limits)):
        hand = places.work / f"hand-{number}"
        if number == len(found["jobs"]):
            row = _compare(job, places, hand, limits)
            found["jobs"].append(row)
            _say(found["name"], row)
            yield found
        row = found["jobs"][number]
        if row["by hand"] == 0 and row["verdict"] in ("passed", "incomplete"):
            usable.append((job, hand, row["python"]))
    usable.sort(key=lambda each: len(each[0].commands))
    language = find_language(places.ours)
    noticed = dict.fromkeys(KINDS, 0)
    for breakage in _list_breakages(places.ours, language):
        for job, hand, python in usable:
            if noticed[breakage.kind] < limits.broken:
                known = _find_row(found["breakages"], breakage, job)
                row = known or _break(breakage, job, places, hand, python, limits)
                if known is None:
                    found["breakages"].append({"language": language, **row})
                    _say(found["name"], row)
                    yield found
                noticed[breakage.kind] += row["noticed"]
    shutil.rmtree(work / "data", ignore_errors=True)
    yield {**found, "complete": True}


def _find_row(
    rows: Sequence[dict[str, Any]], breakage: Breakage, job: HandJob
) -> dict[str, Any] | None:
    """What is known already of a job of the broken tree."""
    key = (breakage.kind, breakage.path, job.workflow, job.cell)
    names = ("kind", "file", "workflow", "job")
    return next((row for row in rows if tuple(row[name] for name in names) == key), None)


def _say(name: str, row: dict[str, Any]) -> None:
    shown = {key: value for key, value in row.items() if key not in ("errors", "output")}
    print(name, json.dumps(shown), file=sys.stderr, flush=True)


def choose_jobs(places: Places, limits: Limits) -> list[HandJob]:
    """Jobs of which something runs here: the whole ones first, one cell of each before another."""
    tree = HeadTree(places.ours)
    tools = LocalTools(ToolFinder(os.environ, without=places.ours), tree)
    planner = Planner(tree, tools, read_local_machine())
    checkout = Checkout(name_clone(places.source), tree.branch(), tree.branch(), tree.commit())
    events: list[Happening] = [
        Push(f"refs/heads/{checkout.branch}", None),
        PullRequest(checkout.base, None),
    ]
    found: list[HandJob] = []
    for path in tree.workflows():
        workflow = read_workflow(path, tree.read(path) or b"").workflow
        event = decide_any(workflow, events)[0] if workflow else None
        if workflow is not None and event is not None:
            found += list_jobs(workflow, event, checkout, planner, tools)
    names = [(job.workflow, job.job) for job in found]
    earlier = [names[:at].count(name) for at, name in enumerate(names)]
    chosen = [at for at in range(len(found)) if earlier[at] < _MOST_CELLS]
    chosen.sort(key=lambda at: (bool(found[at].skipped), earlier[at], at))
    return [found[at] for at in chosen[: limits.jobs]]


def _compare(job: HandJob, places: Places, hand: Path, limits: Limits) -> dict[str, Any]:
    """One job as it is: our verdict, and how it ends by hand in the new clone ``hand``."""
    told, seconds = _check(places, job, limits.seconds * 2)
    ours = _find_job(told, job)
    shutil.rmtree(hand, ignore_errors=True)
    clone_repository(places.source, hand)
    python = _find_python(ours, job)
    ended = run_job(job, hand, python, limits.seconds) if job.commands else None
    steps = _list_ran(ours)
    # A check of a job runs all of its cells.
    others = [step for each in (told or {}).get("jobs", []) for step in _list_ran(each)]
    return {
        "workflow": job.workflow,
        "job": job.cell,
        "python": python,
        "whole": not job.skipped,
        "skipped": list(job.skipped),
        "verdict": ours.get("verdict", "out of time" if told is None else "absent"),
        "reason": ours.get("reason"),
        "by hand": ended.status if ended else "unknown",
        "lack": _find_lack(ended, ours),
        "seconds": seconds,
        "steps": [step["seconds"] for step in steps],
        "own": seconds - sum(step["seconds"] for step in others),
        "own steps": len(others),
        "hand steps": list(ended.seconds) if ended else [],
        "errors": (told or {}).get("errors", []),
        "output": ended.output[-_MOST_TAIL:] if ended and ended.status else "",
    }


def _find_lack(ended: Ended | None, ours: dict[str, Any]) -> str | None:
    status, output = (ended.status, ended.output) if ended else (None, "")
    lack = find_lack(status, output, ours.get("reason") or "")
    return lack.value if lack else None


def _list_ran(job: dict[str, Any]) -> list[dict[str, Any]]:
    return [step for step in job.get("steps", []) if step["verdict"] in ("passed", "failed")]


def _find_python(ours: dict[str, Any], job: HandJob) -> str:
    """The interpreter that our run used, so that the other one is no reason to differ."""
    tools = ours.get("tools") or []
    named = next((tool["path"] for tool in tools if tool["tool"] == "python"), "")
    return named or (shutil.which("python3") or "" if job.uses_python else "")


def _break(
    breakage: Breakage, job: HandJob, places: Places, hand: Path, python: str, limits: Limits
) -> dict[str, Any]:
    """One job of the broken tree."""
    row: dict[str, Any] = {
        "kind": breakage.kind, "workflow": job.workflow, "job": job.cell, "file": breakage.path,
        "line": breakage.line, "noticed": False,
    }  # fmt: skip
    ended = _run_broken(breakage, job, hand, python, limits)
    if not ended.status:
        return row
    file = places.ours / breakage.path
    whole = file.read_text("utf-8")
    file.write_text(breakage.content, "utf-8")
    try:
        told, _ = _check(places, job, limits.seconds * 2)
    finally:
        file.write_text(whole, "utf-8")
    ours = _find_job(told, job)
    errors = (told or {}).get("errors", [])
    found = [error for error in errors if error["file"] == breakage.path]
    lines = [error["line"] for error in found]
    row |= {
        "noticed": True,
        "verdict": ours.get("verdict", "out of time"),
        "reason": ours.get("reason"),
        "right file": bool(found),
        # What follows the line is where a parser notices it; a formatter may name the file alone,
        # also where the line is no breakage of the format but is laid out in another one.
        "right line": any(line in (breakage.line, breakage.line + 1) for line in lines)
        or (breakage.kind == "format" and None in lines)
        or any(error["message"] == "not formatted" for error in found),
        "errors": [{key: error[key] for key in _SHOWN} for error in errors[:40]],
        "named": _names(breakage, ended.output),
        "output": ended.output[-_MOST_TAIL:],
    }
    return row


def _names(breakage: Breakage, output: str) -> bool:
    """Whether an output names the file and, within a few words, the line or the one after it."""
    # Two names of the path are enough: what is installed lies elsewhere.
    file = re.escape("/".join(breakage.path.split("/")[-2:]))
    line = rf"\D{{1,40}}(?:{breakage.line}|{breakage.line + 1})(?!\d)"
    needs_line = "" if breakage.kind == "format" else line
    return re.search(file + needs_line, output) is not None


_SHOWN = ("file", "line", "message", "category", "tool", "rule")


def _run_broken(breakage: Breakage, job: HandJob, hand: Path, python: str, limits: Limits) -> Ended:
    clean_clone(hand)
    (hand / breakage.path).write_text(breakage.content, "utf-8")
    try:
        return run_job(job, hand, python, limits.seconds)
    finally:
        restore_files(hand)


def find_language(top: Path) -> str:
    """The language that most of the tree's code is in."""
    paths = list_files(top)
    sizes = {
        name: sum((top / path).lstat().st_size for path in paths if path.endswith(one.endings))
        for name, one in LANGUAGES.items()
    }
    return max(sizes, key=lambda name: sizes[name])


def _list_breakages(top: Path, language: str) -> Iterator[Breakage]:
    return list_breakages(top, list_files(top), language, _MOST_FILES)


def _check(places: Places, job: HandJob, seconds: float) -> tuple[dict[str, Any] | None, float]:
    """What ``git heal check --json`` says of one job, and how long it took; None: out of time."""
    arguments = ["check", "--json", "--trust", "--workflow", job.workflow, "--job", job.job]
    log = places.work / "check.log"
    objects, took = run_heal(places.ours, arguments, places.work / "data", log, seconds)
    return (None if objects is None else next(iter(objects), {})), took


def _find_job(told: dict[str, Any] | None, job: HandJob) -> dict[str, Any]:
    """What was said of a cell, itself or by the one that is run for it."""
    jobs = [each for each in (told or {}).get("jobs", []) if each["job"] == job.job]
    named = [each for each in jobs if each["name"] == job.cell]
    return next(iter(named or jobs), {})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("clones", nargs="+", type=Path, metavar="CLONE")
    parser.add_argument("--static", action="store_true", help="run nothing")
    parser.add_argument("--submodules", action="store_true", help="as if every clone had its own")
    parser.add_argument("--only", action="append", default=[], metavar="NAME")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--again", action="store_true", help="measure what is measured already")
    parser.add_argument("--tables", action="store_true", help="measure nothing more")
    parser.add_argument("--seconds", type=float, default=240.0, help="of a job by hand")
    parser.add_argument("--jobs", type=int, default=5, help="of a repository")
    parser.add_argument("--broken", type=int, default=2, help="jobs for each breakage")
    parser.add_argument("--pause", type=float, default=1e9, help="stop after so many seconds")
    parser.add_argument("--held-out", action="append", default=[], metavar="NAME")
    default = Path(tempfile.gettempdir()) / "git-retcon-checks"
    parser.add_argument("--work", type=Path, default=default, metavar="FOLDER")
    options = parser.parse_args()
    clones = [one for one in options.clones if _is_chosen(one, options.only)]
    results: dict[str, Any] = {
        "static": survey(clones, has_submodules=options.submodules)._asdict()
    }
    if not options.static:
        limits = Limits(options.seconds, options.jobs, options.broken)
        results["repositories"] = list(_measure_all(clones, options, limits))
    if options.json:
        print(json.dumps(results, indent=2))
    else:
        print(checks_tables.write_tables(results, options.held_out))


def _is_chosen(clone: Path, names: Sequence[str]) -> bool:
    return not names or any(name in name_clone(clone) for name in names)


def _measure_all(
    clones: Sequence[Path], options: argparse.Namespace, limits: Limits
) -> Iterator[dict[str, Any]]:
    end = time.monotonic() + options.pause
    for clone in clones:
        name = name_clone(clone).replace("/", "+")
        kept = options.work / f"{name}.json"
        known = json.loads(kept.read_text("utf-8")) if kept.exists() else None
        earlier = None if options.again else known
        if not options.tables and not (earlier and earlier["complete"]):
            for measured in measure(clone.resolve(), options.work / name, limits, earlier):
                kept.write_text(json.dumps(measured, indent=1), "utf-8")
                known = measured
                if time.monotonic() > end:
                    break
        if known:
            yield known


if __name__ == "__main__":
    main()
