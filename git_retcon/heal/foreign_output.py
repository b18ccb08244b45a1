"""The output of a run that failed elsewhere: read for its errors, which are placed in the files
here. Nothing is run.
"""

import json
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING, NamedTuple

from git_retcon.errors import Fatal, Reason
from git_retcon.git.graph import resolve_commit
from git_retcon.heal.check_events import CheckBegan, Warned
from git_retcon.heal.check_run import Findings
from git_retcon.heal.check_situation import Checkout, CheckRequest, Tell, make_redact, see_situation
from git_retcon.heal.found_errors import FoundError, choose_grave, describe_cut, mask_lines
from git_retcon.heal.records.database import database_path, open_database
from git_retcon.heal.records.recent_names import write_names
from git_retcon.heal.records.run_errors import record_errors
from git_retcon.heal.records.runs import RunBegin, end_run, record_run, settle_runs
from git_retcon.heal.results import CheckRun, Verdict
from git_retcon.heal.working_files import read_listed
from git_retcon.run.working_state import WorkingState, open_state
from git_retcon.show.counting import count

if TYPE_CHECKING:
    from git_retcon.code.diagnostics.complaints import Complaints
    from git_retcon.code.diagnostics.diagnostic import Diagnostic
    from git_retcon.run.places import Finding

_BLOCK = 1 << 20  # bytes
_LARGEST = 32 << 20  # bytes of a report; nothing here reads a document bit by bit
LOG, SARIF, JUNIT = "log", "sarif", "junit"
Redact = Callable[[bytes], bytes]
# Where GitHub, Azure, GitLab, CircleCI and Travis check out; without it nobody knows a file at the
# top of a tree from others of its name.
_WORKSPACE = re.compile(
    rb"(?:[A-Za-z]:)?(/(?:.*/)?(?:work|_work|__w|a)/(?:([^/]+)/\2|\d+/s)|/github/workspace"
    rb"|/builds/[^/]+/[^/]+|/home/circleci/project|/home/travis/build/[^/]+/[^/]+)/"
)


class ForeignOutput(NamedTuple):
    """What to read: its form is LOG, SARIF or JUNIT; ``path`` is "-" for standard input."""

    form: str
    path: str


def read_output(
    checkout: Checkout, output: ForeignOutput, request: CheckRequest, tell: Tell
) -> Findings:
    """Read it, record its errors as a run, and tell what of it is not believed.

    Raises Fatal where it cannot be read, or is not of its form.
    """
    started = time.time()
    head = resolve_commit(checkout.repository, "HEAD") or ""
    with open_state(checkout.repository, checkout.top, head) as state:
        situation = see_situation(checkout, state, {})
        branch = situation.branch.checkout.branch
        tell(CheckBegan(state.run_id, state.commit, branch))
        redact = make_redact({})
        said = _read_output(output, redact)
        errors, refused = _place_diagnostics(said.kept, state, checkout, redact)
    if said.cut:
        tell(Warned(describe_cut(said.cut)))
    if refused:
        left_out = count(refused, "error")
        tell(Warned(f"left out: {left_out} in files or at lines that do not exist here"))
    run = CheckRun(
        state.run_id, state.commit, state.tree, branch, started, time.time() - started, ()
    )
    _record_errors(checkout, run, output, errors, tell)
    if not request.changed:
        return Findings(run, errors, 0, said.cut)
    changed = {*(situation.branch.requested or ()), *(situation.branch.pushed or ())}
    own = [error for error in errors if error.path is None or error.path in changed]
    return Findings(run, own, len(errors) - len(own), said.cut)


def _read_output(output: ForeignOutput, redact: Redact) -> "Complaints":
    from git_retcon.code.diagnostics.reports.xml_reports import BadReport

    try:
        if output.path == "-":
            file: IO[bytes] = sys.stdin.buffer
            return _read_file(file, output, redact)
        with Path(output.path).open("rb") as file:
            return _read_file(file, output, redact)
    except OSError as error:
        raise Fatal(
            f"cannot read '{output.path}': {error.strerror or error}",
            hint="name a file, or - for standard input",
            reason=Reason.INVALID,
        ) from error
    except (BadReport, ValueError, RecursionError) as error:
        form = {SARIF: "a SARIF log", JUNIT: "a JUnit report"}[output.form]
        raise Fatal(
            f"'{output.path}' is not {form}: {error}",
            hint="--log reads any output, and reports of other forms in it",
            reason=Reason.INVALID,
        ) from error


def _read_file(file: IO[bytes], output: ForeignOutput, redact: Redact) -> "Complaints":
    from git_retcon.code.diagnostics.complaints import Complaints, extract_stream

    if output.form == LOG:
        return extract_stream(_mask_blocks(file, redact))
    content = file.read(_LARGEST + 1)
    if len(content) > _LARGEST:
        raise ValueError(f"it is larger than {_LARGEST >> 20} MB")
    masked = redact(content.removeprefix(b"\xef\xbb\xbf"))
    read = _read_sarif if output.form == SARIF else _read_junit
    return Complaints(tuple(read(masked)), 0)


def _mask_blocks(file: IO[bytes], redact: Redact) -> Iterator[bytes]:
    """The content in parts of whole lines, so that no secret is cut in two."""
    from git_retcon.code.diagnostics.output_parts import split_parts

    # What is cut off a line is not looked at for secrets either: that costs the most.
    return map(redact, split_parts(iter(lambda: file.read(_BLOCK), b"")))


def _read_sarif(content: bytes) -> Iterable["Diagnostic"]:
    from git_retcon.code.diagnostics.reports.sarif import is_sarif, read_sarif

    value = json.loads(content)
    if not is_sarif(value):
        raise ValueError("it has no runs")
    return list(read_sarif(value))


def _read_junit(content: bytes) -> Iterable["Diagnostic"]:
    from git_retcon.code.diagnostics.reports.xml_reports import read_elements, read_junit

    if not any(one.name in ("testsuite", "testsuites") for one in read_elements(content)):
        raise ValueError("it has no test suite")
    return list(read_junit(content))


def _place_diagnostics(
    said: Iterable["Diagnostic"], state: WorkingState, checkout: Checkout, redact: Redact
) -> tuple[list[FoundError], int]:
    """The errors at their places in the state, each once, and how many are at none of them."""
    from git_retcon.run.places import Tree, place_diagnostics

    def read(path: bytes) -> bytes:
        return read_listed(checkout.top, path, state.paths)

    def mask(text: str) -> str:
        return redact(text.encode("utf-8", "surrogateescape")).decode("utf-8", "replace")

    grave = choose_grave(said)
    tree = Tree(state.paths, read, (bytes(checkout.top), *_find_workspaces(grave)))
    placed: dict[str, Finding] = {}
    refused = 0
    for finding in place_diagnostics(grave, tree):
        refused += bool(finding.refused)
        if not finding.refused:
            placed.setdefault(finding.fingerprint, finding)
    return [FoundError(mask_lines(one, mask), b"", "", "") for one in placed.values()], refused


def _find_workspaces(said: Iterable["Diagnostic"]) -> list[bytes]:
    """Where the tree was on the machine of the run, as far as its paths tell."""
    named = {path for one in said for path in (one.path, one.base) if path}
    found = (_WORKSPACE.match(path.replace(b"\\", b"/") + b"/") for path in sorted(named))
    return list(dict.fromkeys(match[1] for match in found if match))


def _record_errors(
    checkout: Checkout,
    run: CheckRun,
    output: ForeignOutput,
    errors: Iterable[FoundError],
    tell: Tell,
) -> None:
    begin = RunBegin(
        run.run_id, run.commit, run.tree, run.branch, bytes(checkout.top), output.form, run.started
    )
    found = list(errors)
    path = database_path(checkout.repository.common_dir)
    with open_database(path, lambda *words: tell(Warned(*words))) as database:
        settle_runs(database)
        with record_run(database, begin) as number:
            record_errors(database, number, None, found)
            verdict = Verdict.FAILED if found else Verdict.NOT_RUN
            end_run(database, number, verdict, run.seconds)
        write_names(database)
