"""Reports that a failed step wrote to files: SARIF, JUnit's XML, Checkstyle's.

They are kept beside the step's log, masked as it is, since the next step may overwrite them, and
are believed before what the step printed. Who wrote them is not trusted: they are bounded in size
and number, no link is followed, and a document type is refused (``reports``).
"""

import os
import re
import stat
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from git_retcon.lazy_named_tuple import NamedTuple

if TYPE_CHECKING:
    from git_retcon.code.diagnostics.diagnostic import Diagnostic
    from git_retcon.run.places import Finding

_NAMED = r"[^\s'\"=,:;|&<>()$`]+\.(?:sarif|xml|json)\b"  # on the command line
# Nobody's own report is in these, and they hold most of the files.
_PASSED_OVER = frozenset({".git", "node_modules", ".venv", "venv", ".tox", ".nox", "__pycache__"})
_DEEPEST = 8
_MOST_FOLDERS = 5_000
_MOST_REPORTS = 50
_LARGEST = 8 << 20  # bytes
_SLACK = 2.0  # seconds by which clocks of file systems are coarser than ours


class RanScript(NamedTuple):
    """A script that has ended: its tree, the folder in it where it ran, its text, and when it began
    (in seconds of the epoch).
    """

    workspace: Path
    folder: str
    text: str
    since: float


def keep_reports(log: Path, ran: RanScript, mask: Callable[[bytes], bytes]) -> bool:
    """Keep copies of the reports that a script wrote, and say whether there are any."""
    workspace, since = ran.workspace.resolve(), ran.since - _SLACK
    found = dict.fromkeys([*_find_named(workspace, ran), *_find_usual(workspace)])
    kept = 0
    for path in found:
        content = _read_new(path, workspace, since) if kept < _MOST_REPORTS else None
        if content is None:
            continue
        kept += 1
        target = _kept_folder(log) / f"{kept:02}-{path.name}"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(mask(content))
    return kept > 0


def read_kept_reports(log: Path) -> list["Diagnostic"]:
    """What the reports beside a log say; one that is broken says nothing."""
    folder = _kept_folder(log)
    if not folder.is_dir():
        return []
    from git_retcon.code.diagnostics.reports.report import read_report
    from git_retcon.code.diagnostics.reports.xml_reports import BadReport

    found: list[Diagnostic] = []
    for path in sorted(folder.iterdir()):
        try:
            found += read_report(path.read_bytes())
        except (BadReport, OSError):
            continue
    return found


def join_findings(reported: Sequence["Finding"], printed: Sequence["Finding"]) -> list["Finding"]:
    """Both, without what they say twice: that of the report, unless only the other has a line."""
    kept = [one for one in reported if one.line or not any(_is_same(one, two) for two in printed)]
    return kept + [two for two in printed if not any(_is_same(one, two) for one in kept)]


def _is_same(one: "Finding", two: "Finding") -> bool:
    """Whether two records are of one complaint: tools say it in other words in a report."""
    said, also = one.diagnostic, two.diagnostic
    places_agree = one.line == two.line or None in (one.line, two.line)
    if one.path != two.path or not places_agree:
        return False
    if said.rule and said.rule.rpartition("/")[2] == also.rule.rpartition("/")[2]:
        return True
    if one.line is not None and one.line == two.line and said.category is also.category:
        return said.message[:20].casefold() == also.message[:20].casefold() or (
            said.category.value == "test"
        )
    return said.message == also.message


def _kept_folder(log: Path) -> Path:
    return log.with_name(f"{log.name}.reports")


def _is_report(name: str) -> bool:
    if name.endswith(".xml"):
        return name.startswith(("junit", "TEST-", "checkstyle")) or name.endswith("-junit.xml")
    return name.endswith(".sarif")


def _find_named(workspace: Path, ran: RanScript) -> Iterator[Path]:
    for name in re.findall(_NAMED, ran.text):
        yield Path(os.path.normpath(workspace / ran.folder / name))


def _find_usual(workspace: Path) -> Iterator[Path]:
    """The files of the tree with a name that reports have."""
    folders = [(workspace, 0)]
    for number, (folder, depth) in enumerate(folders):
        if number >= _MOST_FOLDERS:
            return
        try:
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except OSError:
            continue
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                if entry.name not in _PASSED_OVER and depth < _DEEPEST:
                    folders.append((Path(entry.path), depth + 1))
            elif _is_report(entry.name):
                yield Path(entry.path)


def _read_new(path: Path, workspace: Path, since: float) -> bytes | None:
    """A file of the tree that was written since, and is neither too large nor a link."""
    try:
        if not path.resolve().is_relative_to(workspace):
            return None
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return None
    with os.fdopen(descriptor, "rb") as file:
        seen = os.fstat(descriptor)
        if not stat.S_ISREG(seen.st_mode) or seen.st_size > _LARGEST or seen.st_mtime < since:
            return None
        return file.read(_LARGEST)
