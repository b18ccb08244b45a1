"""What was found of a job in a state before, kept beside the worktree of that state.

A cache: losing it costs time, never a result. What cannot be read is as if it were not there.
"""

import hashlib
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from git_retcon.files.json_file import read_json, remember_json
from git_retcon.heal.results import (
    Annotation,
    JobResult,
    StepResult,
    StepVerdict,
    UsedTool,
    Verdict,
)
from git_retcon.heal.workflows.expressions.values import UNKNOWN, Value, is_primitive, to_text

VERDICTS = "verdicts"
T = TypeVar("T")
_VERSION = 5


class StoredVerdict(NamedTuple):
    """How a job ended, with the outputs that later jobs see."""

    verdict: Verdict
    reason: str
    steps: tuple[StepResult, ...]
    tools: tuple[UsedTool, ...]
    seconds: float
    outputs: tuple[tuple[str, Value], ...]


def make_digest(parts: Iterable[str | bytes]) -> str:
    """A key made of parts, each with its length, so that no two lists of parts are the same."""
    digest = hashlib.sha256()
    for part in parts:
        raw = part.encode("utf-8", "surrogateescape") if isinstance(part, str) else part
        digest.update(len(raw).to_bytes(8, "big") + raw)
    return digest.hexdigest()[:32]


class StoredVerdicts:
    """Verdicts by their keys, one file each."""

    def __init__(self, root: Path) -> None:
        self._folder = root / VERDICTS

    def find(self, key: str) -> StoredVerdict | None:
        """How a job ended."""
        return self._load_verdict(key, _read_verdict)

    def keep(self, key: str, found: StoredVerdict) -> None:
        self._save_verdict(key, _write_verdict(found))

    def find_all(self, key: str) -> tuple[JobResult, ...] | None:
        """The jobs of a whole check."""
        return self._load_verdict(key, lambda said: tuple(_read_job(job) for job in said["jobs"]))

    def keep_all(self, key: str, jobs: Sequence[JobResult]) -> None:
        self._save_verdict(key, {"jobs": [_write_job(job) for job in jobs]})

    def _load_verdict(self, key: str, read: Callable[[Mapping[str, Any]], T]) -> T | None:
        try:
            said = read_json(self._folder / f"{key}.json")
            return read(said) if said["version"] == _VERSION else None
        except (KeyError, ValueError, TypeError):
            return None

    def _save_verdict(self, key: str, said: Mapping[str, object]) -> None:
        remember_json(self._folder / f"{key}.json", {"version": _VERSION, **said}, 0o600)


def _write_verdict(found: StoredVerdict) -> dict[str, object]:
    outputs = [
        [name, to_text(value) if is_primitive(value) else None] for name, value in found.outputs
    ]
    return {
        "verdict": found.verdict.value,
        "reason": found.reason,
        "steps": [_write_step(step) for step in found.steps],
        "tools": [list(tool) for tool in found.tools],
        "seconds": found.seconds,
        "outputs": outputs,
    }


def _write_job(job: JobResult) -> dict[str, object]:
    return {
        **job._asdict(),
        "file": os.fsdecode(job.file),
        "verdict": job.verdict.value,
        "steps": [_write_step(step) for step in job.steps],
        "tools": [list(tool) for tool in job.tools],
    }


def _read_job(said: Mapping[str, Any]) -> JobResult:
    return JobResult(
        **{
            **said,
            "file": os.fsencode(said["file"]),
            "verdict": Verdict(said["verdict"]),
            "steps": tuple(_read_step(step) for step in said["steps"]),
            "tools": tuple(UsedTool(*tool) for tool in said["tools"]),
            "callers": tuple(said["callers"]),
        }
    )


def _write_step(step: StepResult) -> dict[str, object]:
    return {
        **step._asdict(),
        "verdict": step.verdict.value,
        "annotations": [list(one) for one in step.annotations],
        "inner": [_write_step(one) for one in step.inner],
    }


def _read_verdict(said: Mapping[str, Any]) -> StoredVerdict:
    return StoredVerdict(
        Verdict(said["verdict"]),
        said["reason"],
        tuple(_read_step(step) for step in said["steps"]),
        tuple(UsedTool(*tool) for tool in said["tools"]),
        said["seconds"],
        tuple((name, UNKNOWN if text is None else text) for name, text in said["outputs"]),
    )


def _read_step(said: Mapping[str, Any]) -> StepResult:
    return StepResult(
        **{
            **said,
            "verdict": StepVerdict(said["verdict"]),
            "annotations": tuple(Annotation(*one) for one in said["annotations"]),
            "matchers": tuple(said["matchers"]),
            "inner": tuple(_read_step(one) for one in said["inner"]),
            "copies": tuple(said["copies"]),
        }
    )
