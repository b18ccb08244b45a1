"""``git retcon doctor``: check that all the commands need is installed."""

import enum
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from git_retcon.errors import Reason, UserError
from git_retcon.files.xdg import data_folder, shared_data_folders, state_folder
from git_retcon.git.current_config import CurrentConfig
from git_retcon.git.repository import open_repository
from git_retcon.options import Output
from git_retcon.show.counting import all_of
from git_retcon.show.envelope import FAILED, Ending, Failure
from git_retcon.show.installed import (
    PROGRAMS,
    find_script_in,
    manual_folder,
    share_folder,
)
from git_retcon.show.style import Style, printable, style_of, write_line

_OLDEST_GIT = (2, 34)


class Mark(enum.Enum):
    """The result of a check: fine, worth knowing, or in the way."""

    OK = "ok"
    NOTE = "note"
    BAD = "bad"


class Finding(NamedTuple):
    """The result of one check. ``hint`` says how to improve it."""

    what: str
    mark: Mark
    detail: str
    hint: str = ""


def examine_machine(output: Output) -> Ending:
    """Print every finding. A failure names what is missing."""
    findings = list(_check_all())
    if not output.json:
        style = style_of(sys.stdout, output, CurrentConfig().get)
        for line in _format_findings(findings, style):
            write_line(sys.stdout, line)
    data = {
        "findings": [
            {"what": f.what, "mark": f.mark.value, "detail": f.detail, "hint": f.hint}
            for f in findings
        ]
    }
    for bad in findings:
        if bad.mark is Mark.BAD:
            problem = f"{bad.what}: {bad.detail}"
            failure = Failure(Reason.NOT_READY, problem, bad.hint or None, again=())
            return Ending(FAILED, data, failure)
    return Ending(data=data)


def _format_findings(findings: Sequence[Finding], style: Style) -> Iterator[str]:
    paint = {Mark.OK: style.good, Mark.NOTE: style.warn, Mark.BAD: style.bad}
    for finding in findings:
        mark = paint[finding.mark](f"{finding.mark.value:>4}")
        yield f"{mark}  {finding.what}: {printable(finding.detail)}"
        if finding.hint and finding.mark is not Mark.OK:
            yield f"      {printable(finding.hint)}"


def _check_all() -> Iterator[Finding]:
    yield _check_git()
    yield _check_repository()
    yield from _check_folders()
    yield _check_sandbox()
    yield _check_key()
    yield _check_manual()
    yield _check_completion()


def _check_git() -> Finding:
    found = shutil.which("git")
    if found is None:
        return Finding("git", Mark.BAD, "not found", "install git 2.34 or newer")
    said = subprocess.run(["git", "--version"], capture_output=True, text=True, check=False).stdout
    version = said.removeprefix("git version ").split()[0] if said else "unknown"
    numbers = tuple(int(part) for part in version.split(".")[:2] if part.isdigit())
    if numbers < _OLDEST_GIT:
        return Finding("git", Mark.BAD, f"version {version}", "install git 2.34 or newer")
    return Finding("git", Mark.OK, f"version {version}")


def _check_repository() -> Finding:
    try:
        repository = open_repository(Path.cwd())
    except UserError as error:  # being outside of a repository is no fault
        return Finding("repository", Mark.NOTE, str(error), error.hint or "")
    try:
        _ = repository.objects
    except UserError as error:
        return Finding("repository", Mark.BAD, str(error), error.hint or "")
    return Finding("repository", Mark.OK, str(repository.work_tree or repository.git_dir))


def _check_folders() -> Iterator[Finding]:
    try:
        data_folder(os.environ)
        state_folder(os.environ)
    except UserError as error:
        yield Finding("folders", Mark.BAD, str(error), error.hint or "")


def _check_sandbox() -> Finding:
    from git_retcon.run.sandbox.level import INSTALL, Policy, choose

    sandbox = choose(Policy.AUTO)
    if sandbox.level.is_strong:
        return Finding("sandbox", Mark.OK, f"{sandbox.description} ({sandbox.record})")
    return Finding("sandbox", Mark.NOTE, sandbox.description, f"{INSTALL} for the full one")


def _check_key() -> Finding:
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"):
        value = os.environ.get(name)
        if value:
            # Two characters tell two keys apart, and help nobody to guess one.
            return Finding("key", Mark.OK, f"{name} is set (…{value[-2:]})")
    return Finding(
        "key", Mark.NOTE, "none: the offline engine is used", "set ANTHROPIC_API_KEY to use Claude"
    )


def _check_manual() -> Finding:
    if shutil.which("man") is None:
        return Finding("manual pages", Mark.NOTE, "there is no 'man' here", "'git retcon help'")
    missing = [program for program in PROGRAMS if not _is_in_manual(program)]
    if not missing:
        return Finding("manual pages", Mark.OK, f"of {all_of(PROGRAMS)}")
    pages = all_of([f"{program}(1)" for program in missing])
    return Finding(
        "manual pages",
        Mark.NOTE,
        f"'man' does not find {pages}, so '{missing[0].replace('-', ' ', 1)} --help' fails",
        f'add them to MANPATH: export MANPATH="{manual_folder()}:"',
    )


def _is_in_manual(program: str) -> bool:
    return subprocess.run(["man", "-w", program], capture_output=True, check=False).returncode == 0


def _check_completion() -> Finding:
    folders = (*shared_data_folders(os.environ), share_folder())
    missing = [
        program
        for program in PROGRAMS
        if not any(find_script_in(folder, program) for folder in folders)
    ]
    if not missing:
        return Finding("completion", Mark.OK, f"of {all_of(PROGRAMS)}")
    command = missing[0].replace("-", " ", 1)
    return Finding(
        "completion",
        Mark.NOTE,
        f"not installed for any shell: {all_of(missing)}",
        f"'{command} completion bash' (or zsh, fish) prints it, with how to install it",
    )
