"""The errors that failed steps named, each at a place that exists in the state that was checked."""

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from git_retcon.heal.results import Annotation, JobResult, StepResult, StepVerdict

_MOST_BYTES = 4 << 20  # of one log, from its end: there tools sum up what they found
_LACK = "something is not here"
_BAD = (StepVerdict.FAILED, StepVerdict.FORGIVEN)


class FoundError(NamedTuple):
    """An error at a place; line and column count from 1, 0 where they were not said."""

    file: bytes
    line: int
    column: int
    message: str
    workflow: bytes
    job: str
    step: str


class Tree(NamedTuple):
    """The paths of the state, and where its files lay when tools named them."""

    paths: Collection[bytes]
    top: Path


def list_errors(jobs: Sequence[JobResult], tree: Tree) -> list[FoundError]:
    """The errors of all jobs, each place and message once, in the order they were printed."""
    found: dict[tuple[bytes, int, str], FoundError] = {}
    for job in jobs:
        for step in _list_failed(job.steps):
            for error in _read_step(job, step, tree):
                found.setdefault((error.file, error.line, error.message), error)
    return list(found.values())


def names_fault(step: StepResult, tree: Tree) -> bool:
    """Whether the output of a failed step names a fault in a file of the state, rather than
    something that this machine lacks, such as a header or a module.
    """
    return any(
        _resolve(one.file, tree) in tree.paths
        for failed in _list_failed((step,))
        for one in _list_said(failed)
        if one.file and not _is_lack(one)
    )


def _is_lack(said: Annotation) -> bool:
    return said.title == _LACK


def _list_failed(steps: Sequence[StepResult]) -> Iterator[StepResult]:
    for step in steps:
        if step.inner:
            yield from _list_failed(step.inner)
        elif step.verdict in _BAD:
            yield step


def _read_step(job: JobResult, step: StepResult, tree: Tree) -> Iterator[FoundError]:
    for said in _list_said(step):
        yield from _place(said, job, step, tree)


def _list_said(step: StepResult) -> Iterator[Annotation]:
    """What a step says of places, with commands to the runner and as its tools print it."""
    for annotation in step.annotations:
        if annotation.level == "error" and annotation.file:
            yield annotation
    if step.log:
        from git_retcon.code.diagnostics.diagnostic import Kind
        from git_retcon.code.diagnostics.read import read

        for one in read(_read_end(Path(step.log))):
            path = one.path.decode("utf-8", "surrogateescape") if one.path else ""
            title = _LACK if one.kind is Kind.FILE else ""
            yield Annotation("error", one.message, title, path, one.line or 0)


def _place(said: Annotation, job: JobResult, step: StepResult, tree: Tree) -> Iterator[FoundError]:
    path = _resolve(said.file, tree)
    if path in tree.paths:
        yield FoundError(path, said.line, said.column, said.message, job.file, job.job, step.name)


def _resolve(name: str, tree: Tree) -> bytes:
    """The path in the tree of what a tool named; tools that work elsewhere name whole paths."""
    given = Path(name)
    if given.is_absolute():
        if not given.is_relative_to(tree.top):
            return b""
        given = given.relative_to(tree.top)
    return str(given).encode("utf-8", "surrogateescape")


def _read_end(log: Path) -> bytes:
    try:
        with log.open("rb") as file:
            size = file.seek(0, 2)
            file.seek(max(0, size - _MOST_BYTES))
            return file.read()
    except OSError:  # the worktree was removed since
        return b""
