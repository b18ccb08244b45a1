"""The session of a question: how far it has come, and how every file was before it.

It is one JSON file, replaced as a whole after every step. Contents are blobs beside it, named by
their sha256 and written before anything refers to them.
"""

import contextlib
import json
import secrets
from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple

from git_retcon.code_commit.seal import Seal
from git_retcon.errors import Fatal
from git_retcon.files.atomic import remove_unfinished_in, save
from git_retcon.files.lock import hold_lock
from git_retcon.files.transaction import Blobs, Journal, State, Step
from git_retcon.lazy_dataclass import dataclass


class Phase(StrEnum):
    """The next step of a session."""

    ASKING = "asking"  # an answer is due
    ANSWERED = "answered"  # an answer is there, and not applied
    APPLYING = "applying"  # its files are being written
    BUILDING = "building"  # all is written, and not built
    COMMITTING = "committing"  # the build passed, and the commit that was asked for is not made
    PASSED = "passed"
    FAILED = "failed"
    ENDED = "ended"  # by --abort

    @property
    def is_open(self) -> bool:
        return self not in (Phase.PASSED, Phase.FAILED, Phase.ENDED)


class KeptWork(NamedTuple):
    """Uncommitted work that was forced, kept as a commit at a ref."""

    ref: str
    commit: str


@dataclass(frozen=True, slots=True)
class Session:
    """One question and all that was done for it.

    ``attempt`` counts from 1. ``before`` is how each file it touched was at the start, ``latest``
    how its answers left it, ``built`` how a build did that changed it since; ``products`` are
    other paths whose changes are none of the user's: a build made them, or they were forced;
    ``folders`` are those it made. ``head`` is where HEAD was, ``index`` (a blob) what the index
    had of its files before ``commit``. ``unconfined`` is the build command that the user agreed
    to run without a sandbox. ``pending`` are the steps of an application in progress.
    ``feedback`` goes into the next prompt, ``rejected`` says that the last answer was unusable.
    Contents are named by blobs. ``kept`` is the
    uncommitted work that was forced; ``earlier`` are the sessions before this one that forced
    some too, oldest first, so that ``undo`` can go on to them.
    """

    query: str
    codebase: str
    build: str
    repairs: int
    logs: str
    attempt: int = 1
    phase: Phase = Phase.ASKING
    answer: str | None = None
    feedback: str | None = None
    rejected: bool = False
    message: str | None = None
    before: Mapping[bytes, State | None] = field(default_factory=dict)
    latest: Mapping[bytes, State | None] = field(default_factory=dict)
    built: Mapping[bytes, State | None] = field(default_factory=dict)
    products: tuple[bytes, ...] = ()
    folders: tuple[bytes, ...] = ()
    pending: tuple[Step, ...] = ()
    head: str | None = None
    commit: str | None = None
    index: str | None = None
    unconfined: str | None = None
    kept: tuple[KeptWork, ...] = ()
    earlier: "tuple[Session, ...]" = ()
    id: str = field(default_factory=lambda: secrets.token_hex(8))  # by which it is sealed

    @property
    def last_attempt(self) -> int:
        return 1 + self.repairs

    @property
    def current(self) -> Mapping[bytes, State | None]:
        """The state of each file it touched, as the run last saw it."""
        return dict(self.latest) | dict(self.built)

    @property
    def pending_journal(self) -> Journal:
        """The application in progress."""
        folders = (
            folder
            for folder in self.folders
            if not any(path.startswith(folder + b"/") for path in self.latest)
        )
        return Journal(self.pending, tuple(folders))

    @property
    def whole_journal(self) -> Journal:
        """Everything that the session has written."""
        steps = (Step(path, state, self.current.get(path)) for path, state in self.before.items())
        return Journal(tuple(steps), self.folders)

    @property
    def parent(self) -> "Session":
        """The last of the earlier sessions."""
        return replace(self.earlier[-1], earlier=self.earlier[:-1])

    @property
    def blobs(self) -> frozenset[str]:
        """The names of all contents that this session and the earlier ones need."""
        states = (
            *self.before.values(),
            *self.latest.values(),
            *self.built.values(),
            *(state for step in self.pending for state in (step.before, step.after)),
        )
        named = (self.query, self.codebase, self.answer, self.feedback, self.index)
        own = (*named, *(state.blob for state in states if state is not None))
        return frozenset(name for name in own if name is not None).union(
            *(session.blobs for session in self.earlier)
        )

    def cancel_pending(self) -> "Session":
        """After the pending steps were taken back."""
        return replace(self, phase=Phase.ANSWERED, pending=())

    def confirm_pending(self) -> "Session":
        """After the pending steps were all taken."""
        before = {step.path: step.before for step in self.pending} | dict(self.before)
        latest = dict(self.latest) | {step.path: step.after for step in self.pending}
        written = {step.path for step in self.pending}
        built = {path: state for path, state in self.built.items() if path not in written}
        return replace(
            self, before=before, latest=latest, built=built, pending=(), phase=Phase.BUILDING
        )


class ForeignSession(Fatal):
    """The session that is kept is not as a run of this user's left it."""


class Store:
    """The folder that keeps the session, and the blobs of its contents."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.blobs = Blobs(folder / "blobs")

    def load(self) -> Session | None:
        """The session kept here, open or not. Raises Fatal where it cannot be read."""
        path = self.folder / "session.json"
        try:
            content = path.read_bytes()
            session = _read_session(json.loads(content))
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise Fatal(
                f"cannot read '{path}': {error}",
                hint="it was written by another version or damaged; its 'blobs' folder holds the "
                "contents that it saved",
            ) from error
        if not Seal(session.id, self.folder).allows(content):
            raise ForeignSession(
                f"'{path}' is not as 'git code-commit' left it, so it is not believed",
                hint="a build may have changed it, or it came from another machine or user; "
                "'git code-commit --abort' drops it, and leaves all files as they are",
                commands=[["git", "code-commit", "--abort"]],
            )
        return session

    def tidy(self) -> None:
        """Remove what a killed run left of files that it was writing here."""
        for folder in (self.folder, self.folder / "blobs"):
            remove_unfinished_in(folder)
        Seal(self._read_id(), self.folder).remove_others()

    def save(self, session: Session) -> None:
        """Replace the session kept here."""
        content = json.dumps(_to_json(session), indent=1).encode()
        self.folder.mkdir(parents=True, exist_ok=True)
        Seal(session.id, self.folder).allow(content)
        save(self.folder / "session.json", content)

    def begin(self, session: Session) -> None:
        """Replace the session kept here by another, and drop the blobs that neither needs."""
        # The session first: a blob that nobody names is litter, a name without its blob is a loss.
        self.save(session)
        self.blobs.forget_all_but(session.blobs)
        Seal(session.id, self.folder).remove_others()

    def end(self, session: Session) -> None:
        """Drop the session kept here; the one before it takes its place."""
        if not session.earlier:
            self.forget()
            return
        self.begin(session.parent)

    def forget(self) -> None:
        """Remove the session and every blob, the session first."""
        (self.folder / "session.json").unlink(missing_ok=True)
        self.blobs.forget()
        Seal("", self.folder).remove_others()

    def _read_id(self) -> str:
        """The identity of the session kept here, believed or not; "" if there is none."""
        with contextlib.suppress(OSError, ValueError, AttributeError):
            return str(json.loads((self.folder / "session.json").read_bytes()).get("id"))
        return ""


@contextlib.contextmanager
def hold_store(folder: Path) -> Iterator[Store]:
    """The store of a working tree, for one process at a time, without what a kill left in it.

    Raises Fatal where a part of it is a link.
    """
    _refuse_links(folder)
    with hold_lock(folder / "lock", "changing this working tree"):
        store = Store(folder)
        store.tidy()
        yield store


def _refuse_links(folder: Path) -> None:
    """What lies in the store is overwritten and removed, so behind a link it would be lost."""
    for place in (folder, *(folder / name for name in ("session.json", "blobs"))):
        if place.is_symlink():
            raise Fatal(
                f"'{place}' is a symbolic link, so nothing there is believed, written or removed",
                hint="see where it leads, and remove the link; a build may have made it",
            )


def _to_json(session: Session) -> dict[str, Any]:
    return {
        "version": 1,
        "id": session.id,
        "query": session.query,
        "codebase": session.codebase,
        "build": session.build,
        "repairs": session.repairs,
        "logs": session.logs,
        "attempt": session.attempt,
        "phase": session.phase.value,
        "answer": session.answer,
        "feedback": session.feedback,
        "rejected": session.rejected,
        "message": session.message,
        "before": {
            _write_path(path): _write_state(state) for path, state in session.before.items()
        },
        "latest": {
            _write_path(path): _write_state(state) for path, state in session.latest.items()
        },
        "built": {_write_path(path): _write_state(state) for path, state in session.built.items()},
        "products": [_write_path(path) for path in session.products],
        "folders": [_write_path(path) for path in session.folders],
        "pending": [
            [_write_path(s.path), _write_state(s.before), _write_state(s.after)]
            for s in session.pending
        ],
        "head": session.head,
        "commit": session.commit,
        "index": session.index,
        "unconfined": session.unconfined,
        "kept": [list(kept) for kept in session.kept],
        "earlier": [_to_json(earlier) for earlier in session.earlier],
    }


def _read_session(found: Mapping[str, Any]) -> Session:
    if found["version"] != 1:
        raise ValueError(f"version {found['version']}")
    plain = ("id", "query", "codebase", "build", "repairs", "logs", "attempt", "answer", "feedback",
             "rejected", "message", "head", "commit", "index", "unconfined")  # fmt: skip
    return Session(
        **{name: found[name] for name in plain},
        phase=Phase(found["phase"]),
        before={_read_path(path): _read_state(state) for path, state in found["before"].items()},
        latest={_read_path(path): _read_state(state) for path, state in found["latest"].items()},
        built={_read_path(path): _read_state(state) for path, state in found["built"].items()},
        products=tuple(_read_path(path) for path in found["products"]),
        folders=tuple(_read_path(path) for path in found["folders"]),
        pending=tuple(
            Step(_read_path(p), _read_state(b), _read_state(a)) for p, b, a in found["pending"]
        ),
        kept=tuple(KeptWork(ref, commit) for ref, commit in found["kept"]),
        earlier=tuple(map(_read_session, found["earlier"])),
    )


def _write_state(state: State | None) -> list[str | int | None] | None:
    return None if state is None else [state.blob, state.mode]


def _read_state(value: Any) -> State | None:
    return None if value is None else State(str(value[0]), value[1])


def _write_path(path: bytes) -> str:
    return path.decode("utf-8", "surrogateescape")


def _read_path(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")
