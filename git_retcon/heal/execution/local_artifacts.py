"""``actions/upload-artifact`` and ``download-artifact`` on folders of this machine."""

import os
from collections.abc import Collection, Mapping
from pathlib import Path
from urllib.parse import quote, unquote

from git_retcon.heal.execution.job_session import JobSession
from git_retcon.heal.execution.own_places import NotOurs, find_own_entry, find_own_place
from git_retcon.heal.execution.stored_files import (
    StorageResult,
    copy_all,
    copy_one,
    find_common_folder,
    find_paths,
    find_starts,
    list_below,
)
from git_retcon.heal.results import StepVerdict
from git_retcon.heal.workflows.filters import matches_last
from git_retcon.run.removal import remove
from git_retcon.show.counting import count

# GitHub refuses names that hold one of these.
_FORBIDDEN = '":<>|*?\\/\r\n'


class LocalArtifacts:
    """The artifacts of one run of a workflow, as one of its jobs sees them.

    Each is a folder below the one of the job that made it, in ``root``. What the job made when it
    ran before is gone; what jobs made that are not among those that ``ended`` is of another run.
    """

    def __init__(self, root: Path, job: str, ended: Collection[str] = ()) -> None:
        self._own = root / job
        self._folders = [root / each for each in {*ended, job}]
        self._made: set[str] = set()
        remove(self._own)

    def allow_again(self) -> None:
        """Let steps that run once more make their artifacts once more."""
        self._made.clear()

    def obey(self, action: str, inputs: Mapping[str, str], session: JobSession) -> StorageResult:
        """Put files aside, or bring them back, as the action asks."""
        try:
            return self._obey(action, inputs, session)
        except NotOurs as error:
            # On GitHub any file of the machine may go there.
            return StorageResult(StepVerdict.SKIPPED, str(error))

    def _obey(self, action: str, inputs: Mapping[str, str], session: JobSession) -> StorageResult:
        if action.endswith("/merge"):
            return self._merge_artifacts(inputs)
        if action.endswith("download-artifact"):
            return self._download_files(inputs, session)
        default, patterns = "artifact", inputs.get("path", "")
        if action.endswith("upload-pages-artifact"):
            default, patterns = "github-pages", patterns or "_site/"
        name = inputs.get("name") or default
        if fault := _find_fault(name, patterns):
            return StorageResult(StepVerdict.FAILED, fault)
        return self._upload_files(name, patterns, inputs, session)

    def _upload_files(
        self, name: str, patterns: str, inputs: Mapping[str, str], session: JobSession
    ) -> StorageResult:
        for start in find_starts(patterns, session.workspace, session.folders.home):
            find_own_entry(start, session)
        found = find_paths(patterns, session.workspace, session.folders.home)
        for path in found:
            find_own_entry(path, session)
        # Left out by default since upload-artifact v4.4: they often hold credentials.
        with_hidden = inputs.get("include-hidden-files") == "true"
        base = find_common_folder(found) if found else session.workspace
        files = [
            file
            for path in found
            for file in list_below(path)
            if file.is_file() and (with_hidden or not _is_hidden(file, base))
        ]
        if not files:
            reason = f"no files were found for '{name}'"
            asked = inputs.get("if-no-files-found", "warn")
            verdict = StepVerdict.FAILED if asked == "error" else StepVerdict.SATISFIED
            return StorageResult(verdict, reason)
        if not self._make_room(name, inputs):
            reason = f"an artifact '{name}' is there already (without 'overwrite: true')"
            return StorageResult(StepVerdict.FAILED, reason)
        number = copy_all(dict.fromkeys(files), base, self._own / _spell_name(name))
        return StorageResult(StepVerdict.SATISFIED, f"kept as '{name}': {count(number, 'file')}")

    def _make_room(self, name: str, inputs: Mapping[str, str]) -> bool:
        """Remove what is replaced; False where GitHub keeps the first of a name, and fails."""
        others = [one for one in self._find_places(name) if one.parent != self._own]
        if (others or name in self._made) and inputs.get("overwrite") != "true":
            return False
        for place in (*others, self._own / _spell_name(name)):
            remove(place)
        self._made.add(name)
        return True

    def _download_files(self, inputs: Mapping[str, str], session: JobSession) -> StorageResult:
        """An artifact that is not here was made by a job that did not run here, or by none."""
        path = inputs.get("path", "")
        if path == "~" or path.startswith("~/"):
            path = f"{session.folders.home}{path[1:]}"
        target = find_own_place(session.workspace / path, session)
        if "run-id" in inputs or inputs.get("repository"):
            return StorageResult(StepVerdict.SKIPPED, "downloads from another run")
        name = inputs.get("name", "")
        known = self._list_artifacts()
        if name:
            if name not in known:
                return StorageResult(
                    StepVerdict.SKIPPED, f"the artifact '{name}' was not made here"
                )
            _copy_content(known[name], target)
            return StorageResult(
                StepVerdict.SATISFIED, f"brought back '{name}'", _make_outputs(target)
            )
        pattern = inputs.get("pattern", "")
        chosen = [one for one in known if not pattern or matches_last([pattern], one)]
        if not chosen:
            return StorageResult(StepVerdict.SKIPPED, "no such artifact was made here")
        for one in chosen:
            together = inputs.get("merge-multiple") == "true"
            place = target if together else find_own_place(target / one, session)
            _copy_content(known[one], place)
        return StorageResult(
            StepVerdict.SATISFIED, f"brought back {', '.join(chosen)}", _make_outputs(target)
        )

    def _merge_artifacts(self, inputs: Mapping[str, str]) -> StorageResult:
        pattern = inputs.get("pattern", "*")
        apart = inputs.get("separate-directories") == "true"
        place = self._own / _spell_name(inputs.get("name") or "merged-artifacts")
        for one, folder in self._list_artifacts().items():
            if folder != place and matches_last([pattern], one):
                _copy_content(folder, place / one if apart else place)
        return StorageResult(StepVerdict.SATISFIED, "merged")

    def _list_artifacts(self) -> dict[str, Path]:
        """The folder of each artifact, in the order of their names."""
        found = {unquote(place.name): place for place in self._list_places()}
        return dict(sorted(found.items()))

    def _find_places(self, name: str) -> list[Path]:
        return [place for place in self._list_places() if place.name == _spell_name(name)]

    def _list_places(self) -> list[Path]:
        return [place for folder in self._folders for place in folder.glob("*")]


def _spell_name(name: str) -> str:
    """A name as one part of a path; it may have any characters."""
    return quote(name, safe=" ").replace(".", "%2E")


def _find_fault(name: str, patterns: str) -> str:
    """Why the action itself refuses to upload; "" where it does not."""
    forbidden = next((char for char in name if char in _FORBIDDEN), None)
    if forbidden is not None:
        return f"the name of an artifact has no {forbidden!r} ('{name}')"
    return "" if patterns.strip() else "its 'path' is missing"


def _make_outputs(target: Path) -> dict[str, str]:
    return {"download-path": str(target)}


def _copy_content(source: Path, target: Path) -> None:
    target.mkdir(parents=True, exist_ok=True)
    for entry in os.scandir(source):
        copy_one(Path(entry.path), target / entry.name)


def _is_hidden(file: Path, base: Path) -> bool:
    return any(part.startswith(".") for part in file.relative_to(base).parts)
