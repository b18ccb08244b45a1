"""What ``checks`` measured, as Markdown for the README."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from tests.bench.breakages import KINDS
from tests.bench.by_hand import Lack
from tests.bench.workflows import PlannedJob, Survey

_OTHER_MACHINES = ("needs Windows", "needs macOS", "needs a machine with arm64")
_SETTLED = ("passed", "failed")
Row = dict[str, Any]


def write_tables(results: Row, held_out: Sequence[str]) -> str:
    """All tables; those of repositories that were kept apart come twice, alone and in the sum."""
    parts = [*_write_static(results["static"])]
    found = results.get("repositories", [])
    if found:
        apart = [one for one in found if any(name in one["name"] for name in held_out)]
        parts += _write_verdicts(found)
        parts += _write_places(found, "all")
        if apart:
            parts += _write_places(apart, "kept apart")
    return "\n".join(parts)


def _write_static(static: Row) -> Iterator[str]:
    jobs = tuple(PlannedJob(*job) for job in static["jobs"])
    survey = Survey(static["repositories"], static["workflows"], static["refused"], jobs)
    yield f"{survey.repositories} repositories, {survey.workflows} workflows\n"
    titles = ("Jobs that a push or a pull request starts", "", "whole", "share", "at most")
    yield _line(titles)
    yield _line(("---", *["--:"] * (len(titles) - 1)))
    running = [job for job in jobs if job.runs]
    here = [job for job in running if not set(job.reasons) & set(_OTHER_MACHINES)]
    for name, chosen in (
        ("all", jobs),
        ("with a `run` step", running),
        ("of these, not for Windows, macOS or another processor alone", here),
    ):
        whole = sum(not job.reasons for job in chosen)
        most = _share(sum(job.may_be_whole for job in chosen), len(chosen))
        yield _line((name, len(chosen), whole, _share(whole, len(chosen)), most))
    yield ""
    yield _line(("Why the others are not (a job may have several)", "Jobs"))
    yield _line(("---", "--:"))
    for reason, count in survey.count_reasons():
        yield _line((reason, count))
    yield ""


def _write_verdicts(found: Sequence[Row]) -> Iterator[str]:
    yield _line(
        ("Repository", "Jobs", "no such host", "tool not here", "passed", "failed", "no verdict",
         'Wrong "passed"', 'Wrong "failed"', "Run by hand", "Step s, ours / by hand",
         "Own s a step")
    )  # fmt: skip
    yield _line(("---", *["--:"] * 11))
    for one in found:
        yield _line(_count_verdicts(one["name"], one["jobs"], one["breakages"]))
    jobs = [job for one in found for job in one["jobs"]]
    broken = [each for one in found for each in one["breakages"]]
    yield _line(_count_verdicts("**all**", jobs, broken))
    yield ""
    whole = _list_whole(jobs)
    here = [job for job in whole if not job.get("lack")]
    for name, chosen in (("whose tools are here", here), ("all", whole)):
        settled = sum(job["verdict"] in _SETTLED for job in chosen)
        share = _share(settled, len(chosen))
        yield f"A verdict, of jobs {name}: {settled} of {len(chosen)} ({share})\n"


def _list_whole(jobs: Sequence[Row]) -> list[Row]:
    return [job for job in jobs if job["whole"] and job["verdict"] != "out of time"]


def _count_verdicts(name: str, jobs: Sequence[Row], broken: Sequence[Row]) -> Iterable[object]:
    whole = _list_whole(jobs)
    here = [job for job in whole if not job.get("lack")]
    by_hand = [job for job in jobs if job["by hand"] in (0,) or _failed(job["by hand"])]
    wrong = [job for job in by_hand if job["verdict"] == "passed" and job["by hand"] != 0]
    wrong += [each for each in broken if each["noticed"] and each["verdict"] == "passed"]
    unfair = [job for job in by_hand if job["verdict"] == "failed" and job["by hand"] == 0]
    # A job that the check before has run already says nothing of what running it costs.
    timed = [
        job
        for job in by_hand
        if job["verdict"] == "passed" and not job["by hand"] and job.get("own", -1) >= 0
    ]
    ours = sum(sum(job["steps"]) for job in timed)
    theirs = sum(sum(job["hand steps"]) for job in timed)
    steps = sum(job.get("own steps", 0) for job in timed)
    own = sum(job.get("own", 0.0) for job in timed)
    return (
        name,
        len(whole),
        sum(job.get("lack") == Lack.HOST.value for job in whole),
        sum(job.get("lack") == Lack.TOOL.value for job in whole),
        _count(here, "passed"),
        _count(here, "failed"),
        sum(job["verdict"] not in _SETTLED for job in here),
        len(wrong),
        len(unfair),
        len(by_hand) + sum(each["noticed"] for each in broken),
        f"{ours:.0f} / {theirs:.0f}",
        f"{own / steps:.1f}" if steps else "-",
    )


def _failed(status: object) -> bool:
    return isinstance(status, int) and status != 0


def _count(jobs: Sequence[Row], verdict: str) -> int:
    return sum(job["verdict"] == verdict for job in jobs)


def _write_places(found: Sequence[Row], name: str) -> Iterator[str]:
    rows = [
        each
        for one in found
        for each in one["breakages"]
        if each["noticed"] and each["verdict"] != "out of time"
    ]
    languages = list(dict.fromkeys(row["language"] for row in rows))
    yield _line((f"Located ({name})", *languages, "all"))
    yield _line(("---", *["--:"] * (len(languages) + 1)))
    for kind in (*KINDS, "**all**"):
        chosen = [row for row in rows if kind in (row["kind"], "**all**")]
        by_language = [[row for row in chosen if row["language"] == one] for one in languages]
        yield _line((kind, *map(_locate, [*by_language, chosen])))
    yield ""


def _locate(rows: Sequence[Row]) -> str:
    """How many were found at their places; how many outputs do not say the place is beside it."""
    right = sum(row["right line"] for row in rows)
    silent = sum(not row.get("named", True) and not row["right line"] for row in rows)
    beside = f" ({silent} not named)" if silent else ""
    return f"{right} of {len(rows)}{beside}" if rows else "-"


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "-"


def _line(cells: Iterable[object]) -> str:
    return f"| {' | '.join(map(str, cells))} |"
