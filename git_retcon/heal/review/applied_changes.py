"""Changes of the checkout that heals made: all or nothing, whenever they are killed, and undone.

``<git dir>/heal/applied`` has one journal for each time, ``blobs`` the contents before and after.
"""

import contextlib
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from git_retcon.errors import Fatal
from git_retcon.files.atomic import save
from git_retcon.files.beneath import Beneath
from git_retcon.files.lock import hold_lock
from git_retcon.files.transaction import (
    Blobs,
    EditedSince,
    Journal,
    State,
    Step,
    change_files,
    find_edited,
    is_in,
    remove_staged,
    take_back,
)
from git_retcon.git.refs import read_symbolic_ref
from git_retcon.git.repository import Repository
from git_retcon.heal.patches import FileChange
from git_retcon.heal.review.change_phases import BEGUN, DONE, UNDOING, UNDONE, is_under_way
from git_retcon.lazy_named_tuple import NamedTuple
from git_retcon.run.edited_files import refusing_edited

if TYPE_CHECKING:
    from git_retcon.heal.review.fix_commit import FixCommit


class Application(NamedTuple):
    """One time that heals were applied: which, what that changed, the commit that was asked for, if
    any, and the ref that was checked out, empty where HEAD was detached.
    """

    number: int
    heals: tuple[int, ...]
    phase: str
    journal: Journal
    commit: "FixCommit | None" = None
    branch: str = ""

    @property
    def is_done(self) -> bool:
        """Whether the files have it, and no undo has begun."""
        return self.phase == DONE

    @property
    def paths(self) -> tuple[bytes, ...]:
        return tuple(step.path for step in self.journal.steps)


class AppliedChanges:
    """The journals of one checkout, held by this process. Made by ``hold_applied_changes``."""

    def __init__(self, folder: Path, files: Beneath, branch: str) -> None:
        self._branch = branch
        self._folder = folder / "applied"
        self._blobs = Blobs(folder / "blobs")
        self._files = files

    def recover(self, *, force: bool = False) -> list[Application]:
        """Take back what a kill left half-way; the applications that are done.

        Raises Refused where somebody changed a file since.
        """
        done = []
        for one in self._list_applications():
            if one.phase == BEGUN:
                with refusing_edited(["git", "heal", "undo"]):
                    take_back(one.journal, self._files, self._blobs, force=force)
                self._find_path(one.number).unlink()
            elif one.phase != UNDONE:
                done.append(one)
        return done

    def remove_staged(self) -> Sequence[bytes]:
        """Remove the temporary files that a kill left; their paths. What it changed stays."""
        under_way = [one for one in self._list_applications() if is_under_way(one.phase)]
        return [path for one in under_way for path in remove_staged(one.journal, self._files)]

    def apply(
        self,
        heals: Sequence[int],
        changes: Sequence[FileChange],
        commit: "FixCommit | None" = None,
    ) -> Application:
        """Make the changes. ``commit`` is asked for, and made by the caller.

        Raises Fatal where a file is not as it was when they were made.
        """
        number = max((one.number for one in self._list_applications()), default=0) + 1
        record = _Record(self._find_path(number), tuple(heals), commit, self._branch)
        with refusing_edited(["git", "heal", "undo"]):
            change_files(changes, self._files, self._blobs, record)
        return _load_application(self._find_path(number))

    def note_commit(self, one: Application, commit: "FixCommit | None") -> None:
        """Keep the commit that was made; None: it was not, and is not asked for any more."""
        _save_application(self._find_path(one.number), one._replace(commit=commit))

    def find_last(self, *, force: bool = False) -> Application:
        """The application that is undone first. Raises Fatal where there is none."""
        done = self.recover(force=force)
        if not done:
            hint = "'git heal' looks for fixes"
            raise Fatal("there is nothing that a heal applied here", hint=hint)
        return done[-1]

    def find_overwritten(self) -> Sequence[bytes]:
        """The files that an undo by force would take from somebody who changed them since."""
        left = [one for one in self._list_applications() if one.phase != UNDONE]
        return find_edited(left[-1].journal.steps, self._files) if left else ()

    def has_none_of(self, one: Application) -> bool:
        """Whether every file is as it was before, though nothing was taken back: somebody did it,
        or another branch is checked out.
        """
        steps = one.journal.steps
        if one.phase == UNDOING or find_edited(steps, self._files):
            return False
        return not any(is_in(step.after, self._files.read(step.path)) for step in steps)

    def undo(self, one: Application, *, force: bool = False) -> Sequence[bytes]:
        """Take an application back; the paths that differed.

        Raises Refused where somebody changed a file since.
        """
        with refusing_edited():
            foreign = find_edited(one.journal.steps, self._files)
            if foreign and not force:
                raise EditedSince(foreign)
            _save_application(self._find_path(one.number), one._replace(phase=UNDOING))
            return take_back(one.journal, self._files, self._blobs, force=force)

    def forget(self, one: Application) -> None:
        """An application is undone, its commit too."""
        _save_application(self._find_path(one.number), one._replace(phase=UNDONE))

    def _find_path(self, number: int) -> Path:
        return self._folder / f"{number}.json"

    def _list_applications(self) -> list[Application]:
        found = []
        with contextlib.suppress(FileNotFoundError):
            for path in self._folder.iterdir():
                if path.suffix == ".json" and path.stem.isdigit():
                    found.append(_load_application(path))
        return sorted(found)


@contextlib.contextmanager
def hold_applied_changes(repository: Repository, top: Path) -> Iterator[AppliedChanges]:
    """Hold them for the length of the block. Raises Fatal while another process does."""
    folder = repository.git_dir / "heal"
    with hold_lock(folder / "applied.lock", "applying heals to this checkout"):
        branch = read_symbolic_ref(repository, "HEAD") or ""
        yield AppliedChanges(folder, Beneath(top), branch)


class _Record:
    """Keeps how far one application is, as ``transaction.Record`` asks."""

    def __init__(
        self, path: Path, heals: tuple[int, ...], commit: "FixCommit | None", branch: str
    ) -> None:
        self._path = path
        self._heals = heals
        self._commit = commit
        self._branch = branch
        self._journal = Journal()

    def begin(self, journal: Journal) -> None:
        self._journal = journal
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._save_phase(BEGUN)

    def finish(self) -> None:
        self._save_phase(DONE)

    def cancel(self) -> None:
        self._path.unlink(missing_ok=True)

    def _save_phase(self, phase: str) -> None:
        number = int(self._path.stem)
        one = Application(number, self._heals, phase, self._journal, self._commit, self._branch)
        _save_application(self._path, one)


def _save_application(path: Path, application: Application) -> None:
    journal = application.journal
    said = {
        "heals": list(application.heals),
        "phase": application.phase,
        "steps": [
            [step.path.decode("utf-8", "surrogateescape"), step.before, step.after]
            for step in journal.steps
        ],
        "folders": [one.decode("utf-8", "surrogateescape") for one in journal.folders],
        "commit": list(application.commit) if application.commit else None,
        "branch": application.branch,
    }
    save(path, json.dumps(said).encode(), 0o600)


def _load_application(path: Path) -> Application:
    try:
        said: dict[str, Any] = json.loads(path.read_bytes())
        steps = tuple(
            Step(_as_path(name), _as_state(before), _as_state(after))
            for name, before, after in said["steps"]
        )
        journal = Journal(steps, tuple(map(_as_path, said["folders"])))
        commit = _as_commit(said["commit"]) if said.get("commit") else None
        heals, branch = tuple(said["heals"]), str(said.get("branch", ""))
        return Application(int(path.stem), heals, said["phase"], journal, commit, branch)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise Fatal(f"cannot read '{path}': {error}", hint="move it away") from error


def _as_commit(said: Sequence[Any]) -> "FixCommit":
    from git_retcon.heal.review.fix_commit import FixCommit  # late: few fixes are committed

    return FixCommit._make(said)


def _as_path(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _as_state(said: Sequence[Any] | None) -> State | None:
    return None if said is None else State(said[0], said[1])
