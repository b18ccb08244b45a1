"""``actions/cache`` on folders of this machine.

They belong to the worktree of one state: what is restored may hold paths, and those of another
worktree would lead a job to test other files than its own.
"""

import hashlib
import os
from collections.abc import Mapping
from pathlib import Path

from git_retcon.files.json_file import read_json, save_json
from git_retcon.heal.execution.job_session import JobSession
from git_retcon.heal.execution.own_places import NotOurs, find_own_entry
from git_retcon.heal.execution.stored_files import StorageResult, copy_one, find_paths
from git_retcon.heal.results import StepVerdict
from git_retcon.run.removal import remove


class LocalCaches:
    """Caches by their keys, each a folder below ``root``. Those of a job are saved at its end."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._to_save: list[tuple[str, str]] = []

    def obey(self, action: str, inputs: Mapping[str, str], session: JobSession) -> StorageResult:
        """Restore or save, as the action asks."""
        key, paths = inputs.get("key", ""), inputs.get("path", "")
        if not action.startswith("actions/cache"):
            return StorageResult(StepVerdict.SATISFIED, "HOME is kept for this job")
        missing = next((name for name in ("path", "key") if not inputs.get(name, "").strip()), "")
        if missing:
            return StorageResult(StepVerdict.FAILED, f"its '{missing}' is missing")
        if action.endswith("/save"):
            self._save_cache(key, paths, session)
            return StorageResult(StepVerdict.SATISFIED, f"saved as '{key}'")
        return self._restore_cache(action, inputs, session)

    def finish(self, session: JobSession) -> None:
        """Save what the job's own steps asked for, if it went well."""
        for key, paths in self._to_save:
            if not session.failed:
                self._save_cache(key, paths, session)
        self._to_save.clear()

    def _restore_cache(
        self, action: str, inputs: Mapping[str, str], session: JobSession
    ) -> StorageResult:
        key, paths = inputs.get("key", ""), inputs.get("path", "")
        prefixes = [line.strip() for line in inputs.get("restore-keys", "").splitlines()]
        found = self._find_cache(key, [one for one in prefixes if one], paths)
        is_exact = found == key
        if not is_exact and not action.endswith("/restore"):
            # GitHub saves at the end of the job too, so that the cache holds what the job added.
            self._to_save.append((key, paths))
        outputs = {
            "cache-hit": "" if found is None else str(is_exact).lower(),
            "cache-matched-key": found or "",
            "cache-primary-key": key,
        }
        if found is None:
            if inputs.get("fail-on-cache-miss") == "true":
                return StorageResult(StepVerdict.FAILED, f"there is no cache '{key}'", outputs)
            return StorageResult(StepVerdict.SATISFIED, f"no cache '{key}' yet", outputs)
        try:
            if inputs.get("lookup-only") != "true":
                self._copy_back(found, paths, session)
        except NotOurs as error:
            return StorageResult(StepVerdict.SKIPPED, str(error))
        return StorageResult(StepVerdict.SATISFIED, f"restored '{found}'", outputs)

    def _find_cache(self, key: str, prefixes: list[str], paths: str) -> str | None:
        """The key itself, else the newest of those that begin with the first prefix that any has.

        Caches of other paths are others, as on GitHub.
        """
        known = self._list_caches(paths)
        if key in known:
            return key
        # The key itself counts as a prefix, as in GitHub's own search.
        for prefix in (key, *prefixes):
            fitting = [one for one in known if one.startswith(prefix)]
            if fitting:
                return max(fitting, key=lambda one: known[one])
        return None

    def _list_caches(self, paths: str) -> dict[str, float]:
        found = {}
        for folder in self._root.iterdir() if self._root.is_dir() else ():
            try:
                said = read_json(folder / "key.json")
                if said["paths"] == paths:
                    found[str(said["key"])] = (folder / "key.json").stat().st_mtime
            except (OSError, ValueError, KeyError, TypeError):
                continue
        return found

    def _save_cache(self, key: str, paths: str, session: JobSession) -> None:
        """Caches never change: one that is there stays as it is."""
        place = self._find_folder(key, paths)
        # The key is written last: a folder without it is half a cache.
        if (place / "key.json").exists():
            return
        remove(place)
        roots = self._list_roots(session)
        for path in find_paths(paths, session.workspace, session.folders.home):
            for name, root in roots.items():
                if path.is_relative_to(root) and _is_own(path, session):
                    copy_one(path, place / name / path.relative_to(root))
                    break
        save_json(place / "key.json", {"key": key, "paths": paths})

    def _copy_back(self, key: str, paths: str, session: JobSession) -> None:
        place = self._find_folder(key, paths)
        for name, root in self._list_roots(session).items():
            if (place / name).is_dir():
                find_own_entry(root, session)
                for entry in os.scandir(place / name):
                    copy_one(Path(entry.path), root / entry.name)

    def _list_roots(self, session: JobSession) -> dict[str, Path]:
        """Only what lies in these folders is kept."""
        return {"workspace": session.workspace, "home": session.folders.home}

    def _find_folder(self, key: str, paths: str) -> Path:
        # Keys hold slashes, and paths several lines; neither fits a file name.
        return self._root / hashlib.sha256(f"{key}\0{paths}".encode()).hexdigest()[:24]


def _is_own(path: Path, session: JobSession) -> bool:
    try:
        find_own_entry(path, session)
    except NotOurs:
        return False
    return True
