"""The verdict of a commit's check, noted in ``refs/notes/heal`` so that a team can share it.

A note has a part for each person: lines of ``Key: value``, ``Version: 1`` first, parts apart by an
empty line, so that ``git notes merge -s union`` joins them. What others noted is shown and counts
for nothing here.
"""

import time
from collections.abc import Mapping
from typing import NamedTuple

import git_retcon
from git_retcon.git.notes import Notes
from git_retcon.git.ref_updates import RefUpdater
from git_retcon.git.repository import Repository
from git_retcon.heal.results import CheckRun, Verdict

NOTES_REF = "refs/notes/heal"
_VERSION = "1"
_WHY = "git heal: note the verdict of a check"
_FORMAT = "%Y-%m-%dT%H:%M:%SZ"


class VerdictNote(NamedTuple):
    """What one person noted of a commit. ``checked`` is a time in UTC, as ISO 8601 has it."""

    verdict: str
    jobs: str
    run_id: str
    checked: str
    by: str
    program: str

    def describe(self) -> str:
        """One line for people."""
        facts = filter(None, (self.jobs, self.checked))
        return f"{self.verdict} ({', '.join(facts)}) by {self.by or 'somebody'}"

    def members(self) -> dict[str, object]:
        """What ``--json`` prints."""
        return {name: value or None for name, value in self._asdict().items()}


def note_verdict(repository: Repository, run: CheckRun) -> None:
    """Note the verdict of a run on its commit, in place of what the same person noted before.

    Raises Fatal where the ref cannot be written.
    """
    note = _make_note(run, _name_person(repository))
    with RefUpdater(repository) as updater:
        notes = Notes.read(repository, NOTES_REF)
        others = [part for part in _split_list(notes.get(run.commit)) if not _is_by(part, note.by)]
        text = "\n\n".join([*others, _write_note(note)]) + "\n"
        notes.write(updater, {run.commit: text}, "Notes added by 'git heal check'", _WHY)


def read_notes(repository: Repository, commit: str) -> list[VerdictNote]:
    """What people noted of a commit; a version that we do not know is left out."""
    if not commit:
        return []
    text = Notes.read(repository, NOTES_REF).get(commit)
    return [_parse_note(_read_fields(part)) for part in _split_list(text) if _is_ours(part)]


def join_parts(ours: str | None, theirs: str | None) -> str:
    """The note of a commit with the parts of both; of each person the later one. Parts of other
    versions all stay.
    """
    found: dict[tuple[str, str], str] = {}
    for part in (*_split_list(ours), *_split_list(theirs)):
        if not _is_ours(part):
            found.setdefault(("", part), part)
            continue
        person = ("By", _read_fields(part)["By"])
        if person not in found or _read_time(part) > _read_time(found[person]):
            found[person] = part
    return "\n\n".join(found.values()) + "\n"


def _read_time(part: str) -> str:
    """When it was checked, in a form that sorts; empty where it says no time."""
    said = _read_fields(part).get("Checked", "")
    try:
        time.strptime(said, _FORMAT)
    except ValueError:
        return ""
    return said


def _make_note(run: CheckRun, by: str) -> VerdictNote:
    counts = ((run.count(verdict), verdict.value) for verdict in Verdict)
    jobs = ", ".join(f"{number} {verdict}" for number, verdict in counts if number)
    checked = time.strftime(_FORMAT, time.gmtime(run.started))
    program = f"git-heal {git_retcon.__version__}"
    return VerdictNote(run.verdict.value, jobs, run.run_id, checked, by, program)


def _name_person(repository: Repository) -> str:
    """The committer, without the time."""
    committer = repository.committer
    return committer.rpartition(">")[0] + ">" if committer else ""


def _write_note(note: VerdictNote) -> str:
    lines = (
        f"Version: {_VERSION}",
        f"Verdict: {note.verdict}",
        f"Jobs: {note.jobs}",
        f"Run: {note.run_id}",
        f"Checked: {note.checked}",
        f"By: {note.by}",
        f"With: {note.program}",
    )
    return "\n".join(lines)


def _split_list(text: str | None) -> list[str]:
    return [part.strip("\n") for part in (text or "").split("\n\n") if part.strip("\n")]


def _is_ours(part: str) -> bool:
    """Whether a part is of the version that we write; we leave others as they are."""
    return part.partition("\n")[0] == f"Version: {_VERSION}"


def _is_by(part: str, person: str) -> bool:
    return _is_ours(part) and _read_fields(part)["By"] == person


def _read_fields(part: str) -> Mapping[str, str]:
    pairs = (line.partition(": ") for line in part.split("\n"))
    return {"By": "", **{key: value for key, _, value in pairs}}


def _parse_note(fields: Mapping[str, str]) -> VerdictNote:
    names = ("Verdict", "Jobs", "Run", "Checked", "By", "With")
    return VerdictNote._make(fields.get(name, "") for name in names)
