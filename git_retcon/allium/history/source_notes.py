"""Which spec commit describes which source commit: notes, made again from the trailers.

A note has ``Key: value`` lines. A source may have many spec branches, so each line names its own::

    Version: 1
    Spec: 5c1f… step 12 of refs/heads/allium/evolution
    Last: 90ab… of refs/heads/allium/evolution

``Last`` is there where commits of people, or reconciliations, follow the spec commit.
"""

import functools
import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from git_retcon.allium.history.spec_commit import read_trailers
from git_retcon.git.graph import read_commit
from git_retcon.git.repository import Repository

NOTES = "refs/notes/allium"


class SpecRecord(NamedTuple):
    """The spec commit of a source commit, the last one on top of it without a source of its own,
    and the number of the step, from 0.
    """

    spec: str
    last: str
    step: int


def parse_note(note: str, branch: str) -> SpecRecord | None:
    """What a note says of a branch, or None."""
    spec = last = None
    step = 0
    for key, oid, number, name in _line_pattern().findall(note):
        # Another spec branch's line: both may describe the same source.
        if name != branch:
            continue
        if key == "Spec":
            spec, step = oid, int(number or 0)
        else:
            last = oid
    return None if spec is None else SpecRecord(spec, last or spec, step)


def format_note(before: str | None, branch: str, record: SpecRecord) -> str:
    """The note that says this of a branch, and of others what it said before."""
    kept = [
        line
        for line in (before or "").splitlines()
        if (found := _line_pattern().fullmatch(line)) and found[4] != branch
    ]
    lines = ["Version: 1", *kept, f"Spec: {record.spec} step {record.step} of {branch}"]
    if record.last != record.spec:
        lines.append(f"Last: {record.last} of {branch}")
    return "".join(f"{line}\n" for line in lines)


def rebuild_records(repository: Repository, specs: Iterable[str]) -> Mapping[str, SpecRecord]:
    """The same from the trailers of all spec commits that these reach. Steps are numbered again."""
    from git_retcon.allium.history.commit_graph import read_graph  # late: seldom needed

    records: dict[str, SpecRecord] = {}
    source_of: dict[str, str] = {}
    for oid, parents in read_graph(repository.git, specs).parents.items():
        trailers = read_trailers(read_commit(repository, oid))
        above = source_of.get(parents[0]) if parents else None
        source = trailers.describes
        if source is not None and (trailers.source is not None or source != above):
            records[source] = SpecRecord(oid, oid, len(records))
            source_of[oid] = source
        # A person's commit, or a reconciliation, on top of a spec commit.
        elif parents and parents[0] in source_of:
            followed = source_of[oid] = source_of[parents[0]]
            records[followed] = records[followed]._replace(last=oid)
    return records


@functools.cache
def _line_pattern() -> re.Pattern[str]:
    return re.compile(r"(?m)^(Spec|Last): ([0-9a-f]{40})(?: step (\d+))? of (\S+)$")
