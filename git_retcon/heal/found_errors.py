"""The errors that failed steps name, each at a place that exists in the state that was checked.

A failed step that names none is an error by itself: something has to be answered there too.
"""

import contextlib
import functools
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from git_retcon.code.lazy_pattern import LazyPattern
from git_retcon.heal.log_readings import Reading, read_once
from git_retcon.heal.results import (
    ACTION,
    Annotation,
    Blame,
    JobResult,
    StepResult,
    StepVerdict,
    name_job,
)
from git_retcon.heal.working_files import read_listed
from git_retcon.show.counting import count

if TYPE_CHECKING:
    from git_retcon.code.diagnostics.complaints import Complaints
    from git_retcon.code.diagnostics.diagnostic import Diagnostic
    from git_retcon.code.diagnostics.matchers import Matcher
    from git_retcon.run.places import Finding
    from git_retcon.run.places import Tree as PlacesTree

_BAD = (StepVerdict.FAILED, StepVerdict.FORGIVEN)
_BLOCK = 1 << 20
_NO_REPOSITORY = "not a git repository"
# They fail for all that they say; "" are those that print no name, as flake8 and ruff.
_STRICT_LINTERS = frozenset({"", "flake8", "pycodestyle", "pylint", "ruff"})
_STRICTLY_LINTED = b".go"  # as do those of Go, each of which golangci-lint calls by its own name
# Python 3.10, 3.11, 3.12 and 3.14 brought these.
_NEWER_PYTHON = LazyPattern(
    r"^\s*(?:match\b.+:|case\b.+:|except\s*\*|type\s+\w+.*=|(?:async\s+)?(?:def|class)\s+\w+\["
    r"|except\s+[\w.]+\s*,)|\b[tT][rR]?['\"]|\b[rR][tT]['\"]|^\s*(?:async\s+)?with\s*\("
)
Mask = Callable[[str], str]


class _StepFindings(NamedTuple):
    """What a step complains of gravely, and about how many more of that are in its output."""

    found: Sequence["Finding"]
    cut: int = 0


class FoundError(NamedTuple):
    """An error, and where it was found. ``path`` is None where the tool names no place.

    ``job`` is the id of the job, ``job_name`` as people read it; all are empty where no job of
    ours found it.
    """

    finding: "Finding"
    workflow: bytes
    job: str
    step: str
    job_name: str = ""

    @property
    def path(self) -> bytes | None:
        return self.finding.path

    @property
    def is_bare(self) -> bool:
        """Whether all that is known is that a step failed."""
        said = self.finding.diagnostic
        return self.path is None and not said.tool and said.message.startswith(f"{self.step}:")


class Tree(NamedTuple):
    """What lists the paths of the state, and the folder in which tools saw its files.

    ``read_state`` reads what is not in that folder: where nothing could run, there is none.
    ``suspect`` looks for faults of changed files, where a failed step says nothing that is read.
    """

    list_paths: Callable[[], frozenset[bytes]]
    top: Path
    read_state: Callable[[bytes], bytes | None] = lambda _: None
    suspect: Callable[[], Sequence["Diagnostic"]] = tuple


class StepErrors:
    """Reads the errors of steps. ``make_mask`` is asked for what masks the lines of files, where
    there are any: they may hold secrets that no log does. ``warn`` is told of what is too much.
    """

    def __init__(
        self,
        tree: Tree,
        make_mask: Callable[[], Mask] = lambda: str,
        warn: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._tree = tree
        self._warn = warn
        self._make_mask = functools.cache(make_mask)

    def read(self, step: StepResult) -> list[FoundError]:
        """The errors of one step that has no inner ones."""
        if step.inner or step.verdict not in _BAD:
            return []
        # What names a place that is none is not believed.
        read = _read_step(step, self._tree)
        if read.cut:
            self._warn(f"{step.name}: {describe_cut(read.cut)}")
        found: Sequence[Finding] = [one for one in read.found if not one.refused]
        if not found and step.verdict is StepVerdict.FAILED:
            found = [*_describe_failure(step, self._tree), *_suspect_files(step, self._tree)]
        mask = self._make_mask() if found else str
        return [FoundError(mask_lines(one, mask), b"", "", step.name) for one in found]


def list_errors(jobs: Sequence[JobResult], tree: Tree) -> list[FoundError]:
    """The errors of all jobs, each once, in the order in which they were printed."""
    errors = StepErrors(tree)
    found: dict[str, FoundError] = {}
    for job in jobs:
        for error in (one for step in list_failed(job.steps) for one in errors.read(step)):
            whole = error._replace(workflow=job.file, job=job.job, job_name=name_job(job))
            found.setdefault(error.finding.fingerprint, whole)
    return list(found.values())


def mask_lines(finding: "Finding", mask: Mask) -> "Finding":
    """A finding without what must not be shown in the lines around it, and in its edits."""
    snippet = tuple(one._replace(text=mask(one.text)) for one in finding.snippet)
    edits = tuple(one._replace(text=mask(one.text)) for one in finding.edits)
    return finding._replace(snippet=snippet, edits=edits)


def _describe_failure(step: StepResult, tree: Tree) -> Sequence["Finding"]:
    from git_retcon.code.diagnostics.diagnostic import Diagnostic
    from git_retcon.run.places import place_diagnostics

    said = Diagnostic(None, None, ": ".join(filter(None, (step.name, step.reason))))
    return place_diagnostics([said], _see_tree(tree, step))


def _suspect_files(step: StepResult, tree: Tree) -> Sequence["Finding"]:
    from git_retcon.run.places import place_diagnostics

    suspected = tree.suspect()
    # What is read in a folder of the step is of the top here.
    return place_diagnostics(suspected, _see_tree(tree, step._replace(folder="")))


def find_blame(step: StepResult, tree: Tree) -> Blame:
    """What a failed step puts the fault in. A header or a module that is not here is none of the
    files', though a line of them asks for it; nor is what a newer Python may read.
    """
    from git_retcon.code.diagnostics.diagnostic import Category, Kind

    found = [one for failed in list_failed((step,)) for one in _read_step(failed, tree).found]
    lacks = (Category.DEPENDENCY, Category.INFRASTRUCTURE)
    for one in found:
        seen = one.diagnostic
        if one.path is None or seen.category in lacks or seen.kind is Kind.FILE:
            continue
        if not (seen.kind is Kind.SYNTAX and _may_be_newer(one)):
            return Blame.FILES
    said = (one.diagnostic for one in found if one.diagnostic.category is Category.INFRASTRUCTURE)
    # Before a checkout there is no repository on GitHub either.
    is_bare = step.folder.startswith("/") and not step.copies
    machine = any(not (is_bare and _NO_REPOSITORY in one.message) for one in said)
    return Blame.MACHINE if machine else Blame.UNKNOWN


def _may_be_newer(finding: "Finding") -> bool:
    """Whether a Python that is newer than some may read what this one refuses."""
    line = next((one.text for one in finding.snippet if one.number == finding.line), "")
    is_string = finding.diagnostic.message.startswith("SyntaxError: f-string: ")
    is_python = finding.path is not None and finding.path.endswith(b".py")
    return is_python and (is_string or bool(_NEWER_PYTHON.search(line)))


def list_failed(steps: Iterable[StepResult]) -> Iterator[StepResult]:
    """The steps that failed, forgiven ones too; those of actions in place of the ones that use
    them.
    """
    for step in steps:
        if step.inner:
            yield from list_failed(step.inner)
        elif step.verdict in _BAD:
            yield step


def _read_step(step: StepResult, tree: Tree) -> _StepFindings:
    """What a step complains of gravely, at its places in the tree."""
    if not step.log:
        return _StepFindings(_place_grave(map(_read_annotation, step.annotations), step, tree))
    try:
        seen = os.stat(step.log)  # noqa: PTH116
    except OSError:  # the worktree was removed since
        return _StepFindings(())
    return _read_log_once(step, tree, (seen.st_mtime_ns, seen.st_size, seen.st_ino))


# A log is read for its errors, and again for what they put the fault in; it may be large.
@functools.lru_cache(maxsize=8)
def _read_log_once(step: StepResult, tree: Tree, _: tuple[int, ...]) -> _StepFindings:
    from git_retcon.heal.step_reports import join_findings, read_kept_reports
    from git_retcon.run.places import place_diagnostics

    reported = read_kept_reports(Path(step.log))
    printed, cut = _read_log(step)
    if not reported:
        return _StepFindings(_place_grave(printed, step, tree), cut)
    grave = {id(one) for one in choose_grave([*reported, *printed])}
    seen = _see_tree(tree, step)
    joined = join_findings(
        place_diagnostics([one for one in reported if id(one) in grave], seen),
        place_diagnostics([one for one in printed if id(one) in grave], seen),
    )
    return _StepFindings(joined, cut)


def _place_grave(said: Iterable["Diagnostic"], step: StepResult, tree: Tree) -> Sequence["Finding"]:
    from git_retcon.run.places import place_diagnostics

    return place_diagnostics(choose_grave(said), _see_tree(tree, step))


def choose_grave(said: Iterable["Diagnostic"]) -> list["Diagnostic"]:
    """What a run fails for.

    Linters fail for what they call a warning or a convention, too: that counts where nothing graver
    was said, and beside the errors of a linter that fails for everything it says. A compiler's
    warnings never do, since it does not fail for them.
    """
    from git_retcon.code.diagnostics.diagnostic import Category, Severity

    every = list(said)
    grave = [one for one in every if one.severity is Severity.ERROR]
    lint = [one for one in every if one.category is Category.LINT and one.path is not None]
    if not grave:
        return lint
    strict = {_name_linter(one) for one in grave if one.category is Category.LINT} - {None}
    return grave + [
        one for one in lint if one.severity is Severity.WARNING and _name_linter(one) in strict
    ]


def _name_linter(said: "Diagnostic") -> str | None:
    """What a strict linter is known by; None for one that may pass with warnings."""
    if said.path is not None and said.path.endswith(_STRICTLY_LINTED):
        return "go"
    return said.tool if said.tool in _STRICT_LINTERS else None


def describe_cut(number: int) -> str:
    """What is said of errors that are too many to keep."""
    return f"left out: about {count(number, 'more error')} than can be kept"


def _read_log(step: StepResult) -> Reading:
    def read() -> "Complaints":
        from git_retcon.code.diagnostics.complaints import extract_stream
        from git_retcon.code.diagnostics.step_tools import choose_families

        families = choose_families(step.command)
        return extract_stream(_read_blocks(Path(step.log)), families, _read_matchers(step))

    return read_once(Path(step.log), (step.command, *step.matchers), read)


def _read_blocks(log: Path) -> Iterator[bytes]:
    with contextlib.suppress(OSError), log.open("rb") as file:
        while block := file.read(_BLOCK):
            yield block


def _read_matchers(step: StepResult) -> list["Matcher"]:
    from git_retcon.code.diagnostics.matchers import BadMatcher, read_matchers
    from git_retcon.code.diagnostics.setup_matchers import find_setup_matchers

    found: list[Matcher] = []
    for text in step.matchers:
        try:
            if text.startswith(ACTION):
                found += find_setup_matchers(text.removeprefix(ACTION))
            else:
                found += read_matchers(text.encode())
        except BadMatcher:  # GitHub would not take it either
            continue
    return found


def _read_annotation(said: Annotation) -> "Diagnostic":
    from git_retcon.code.diagnostics.diagnostic import Category, Diagnostic

    return Diagnostic(
        said.file.encode("utf-8", "surrogateescape"), said.line or None, said.message,
        column=said.column or None, category=Category.CONFIG, tool="GitHub",
    )  # fmt: skip


def _see_tree(tree: Tree, step: StepResult) -> "PlacesTree":
    from git_retcon.run import places

    def read(path: bytes) -> bytes:
        try:
            return read_listed(tree.top, path, tree.list_paths())
        except FileNotFoundError:
            content = tree.read_state(path)
            if content is None:
                raise
            return content

    folder = step.folder.encode("utf-8", "surrogateescape")
    if folder.startswith(b"/"):
        copies = tuple(map(os.fsencode, step.copies))
        return places.Tree(tree.list_paths(), read, copies, folder, guesses=False)
    return places.Tree(tree.list_paths(), read, (bytes(tree.top),), folder)
