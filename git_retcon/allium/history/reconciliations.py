"""What is kept of reconciliations: a record on each commit that has one, and the repository's
counters, as notes (``refs/notes/allium-state``) on spec commits.

A note has ``Key: value`` lines. The record is a fact about the commit, and is in its trailers too.
The counters belong to a spec branch, whose name ends the line::

    Version: 1
    Reconciled: step 50, trunk step 41, 3 findings, $0.0000, offline
    At: 90ab… 2026-11-22T04:12:31Z
    State: steps 61, trunk 50, last 50, last trunk 41, tokens 0, done 1 of refs/heads/allium/e…
    Known: 5c1f… of refs/heads/allium/evolution
    Planned: 77e0… of refs/heads/allium/evolution

``Known`` and ``Planned`` are there while a run is not finished: the source commits that were
described when it began, and those that it goes to. From them and the counters of then, the same
plan is made again.
"""

import functools
import re
from collections.abc import Sequence
from typing import NamedTuple

NOTES = "refs/notes/allium-state"
RECONCILED = "Allium-Reconciled"
SKIPPED = "Allium-Skipped"


class Reconciliation(NamedTuple):
    """One reconciliation, or one that was skipped because the source was too large.

    ``at_step`` counts from 1. ``time`` is UTC in ISO 8601, "" where only the commit tells of it.
    ``failed`` is how many parts were not compared, or not corrected.
    """

    at_step: int
    at_trunk_step: int
    at_sha: str
    model: str
    cost: float
    findings: int
    is_skipped: bool = False
    time: str = ""
    failed: int = 0

    @property
    def trailer(self) -> str:
        """The line of the commit's message."""
        return f"{SKIPPED if self.is_skipped else RECONCILED}: {self._summary}"

    @property
    def _summary(self) -> str:
        failed = f"{self.failed} failed, " if self.failed else ""
        return (
            f"step {self.at_step}, trunk step {self.at_trunk_step}, {self.findings} findings, "
            f"{failed}${self.cost:.4f}, {' '.join(self.model.split())}"
        )

    def format(self) -> Sequence[str]:
        """The lines of the note."""
        key = "Skipped" if self.is_skipped else "Reconciled"
        return f"{key}: {self._summary}", f"At: {self.at_sha} {self.time}".rstrip()


class Counters(NamedTuple):
    """The steps of a repository, merges included, and the counts at the last reconciliation.

    ``tokens`` are those of the changes since then, ``done`` is how many reconciliations there were.
    """

    steps: int = 0
    trunk_steps: int = 0
    last_step: int = 0
    last_trunk_step: int = 0
    tokens: int = 0
    done: int = 0

    def advance(self, *, is_trunk: bool, tokens: int) -> "Counters":
        """After one more step."""
        return self._replace(
            steps=self.steps + 1,
            trunk_steps=self.trunk_steps + is_trunk,
            tokens=self.tokens + tokens,
        )

    def reset(self) -> "Counters":
        """After a reconciliation, or one that was skipped."""
        return self._replace(
            last_step=self.steps,
            last_trunk_step=self.trunk_steps,
            tokens=0,
            done=self.done + 1,
        )


class State(NamedTuple):
    """Counters, and the stages of a run that is not finished: see the module. In each stage, the
    first commit is the tip of its trunk.
    """

    counters: Counters = Counters()
    known: tuple[str, ...] = ()
    stages: tuple[tuple[str, ...], ...] = ()


class StateNote(NamedTuple):
    """What one note says of a branch."""

    record: Reconciliation | None
    state: State | None


def parse_note(note: str, branch: str) -> StateNote:
    """What a note says."""
    state = None
    known: tuple[str, ...] = ()
    stages: list[tuple[str, ...]] = []
    for key, value, name in _line_pattern().findall(note):
        # Two spec branches may share a commit, and each has counters of its own.
        if name != branch:
            continue
        if key == "State":
            state = Counters(*map(int, re.findall(r"\d+", value)))
        elif key == "Known":
            known = tuple(value.split())
        else:
            stages.append(tuple(value.split()))
    return StateNote(
        _parse_record(note), None if state is None else State(state, known, tuple(stages))
    )


def format_note(
    before: str | None, branch: str, record: Reconciliation | None, state: State | None
) -> str:
    """The note with this record and this state of a branch; the rest of it stays."""
    lines = (before or "").splitlines()
    own = [line for line in lines if line.startswith(("Reconciled: ", "Skipped: ", "At: "))]
    states = [line for line in lines if _line_pattern().fullmatch(line)]
    if state is not None:
        states = [line for line in states if not line.endswith(f" of {branch}")]
        states += [f"{line} of {branch}" for line in _format_state(state)]
    return "\n".join(["Version: 1", *(record.format() if record else own), *states]) + "\n"


def read_reconciliation(message: str, source: str) -> Reconciliation | None:
    """The record in the trailers of a spec commit that describes ``source``, or None."""
    paragraph = message.rstrip().rpartition("\n\n")[2]
    for line in paragraph.splitlines():
        key, _, value = line.partition(": ")
        if key in (RECONCILED, SKIPPED) and (found := _summary_pattern().fullmatch(value)):
            return _make_record(found, source, is_skipped=key == SKIPPED, time="")
    return None


def _format_state(state: State) -> Sequence[str]:
    steps, trunk, last, last_trunk, tokens, done = state.counters
    lines = [
        f"State: steps {steps}, trunk {trunk}, last {last}, last trunk {last_trunk}, "
        f"tokens {tokens}, done {done}"
    ]
    if state.stages:
        lines.append(f"Known: {' '.join(state.known)}")
        lines += [f"Planned: {' '.join(tips)}" for tips in state.stages]
    return lines


def _parse_record(note: str) -> Reconciliation | None:
    found = _record_pattern().search(note)
    if found is None:
        return None
    summary = _summary_pattern().fullmatch(found["summary"])
    if summary is None:
        return None
    is_skipped = found["key"] == "Skipped"
    return _make_record(summary, found["sha"], is_skipped=is_skipped, time=found["time"])


def _make_record(
    found: "re.Match[str]", source: str, *, is_skipped: bool, time: str
) -> Reconciliation:
    step, trunk, findings, failed, cost, model = found.groups()
    return Reconciliation(
        int(step), int(trunk), source, model, float(cost), int(findings), is_skipped, time,
        int(failed or 0),
    )  # fmt: skip


@functools.cache
def _line_pattern() -> "re.Pattern[str]":
    return re.compile(r"(?m)^(State|Known|Planned): (.*) of (\S+)$")


@functools.cache
def _summary_pattern() -> "re.Pattern[str]":
    return re.compile(
        r"step (\d+), trunk step (\d+), (\d+) findings, (?:(\d+) failed, )?\$([\d.]+), (.+)"
    )


@functools.cache
def _record_pattern() -> "re.Pattern[str]":
    return re.compile(
        r"(?m)^(?P<key>Reconciled|Skipped): (?P<summary>.*)\n"
        r"At: (?P<sha>[0-9a-f]{40}) ?(?P<time>.*)$"
    )
