"""The events of a run, as values: for people (``terminal``) and for ``--events``."""

from collections.abc import Callable, Mapping, Sequence

from git_retcon.lazy_dataclass import dataclass
from git_retcon.run.events import Confined as Confined
from git_retcon.run.events import Outcome as Outcome
from git_retcon.run.events import Output as Output
from git_retcon.run.events import StepEnded as StepEnded
from git_retcon.run.events import StepStarted as StepStarted
from git_retcon.show.events import EngineChosen as EngineChosen
from git_retcon.show.events import Failed as Failed
from git_retcon.show.events import Warned as Warned


@dataclass(frozen=True, slots=True)
class SpecLoaded:
    path: str
    source: str
    remote: str
    cleaned: str
    worktree: bool = False  # whether what is not committed on the source counts


@dataclass(frozen=True, slots=True)
class BranchCreated:
    branch: str
    base: str


@dataclass(frozen=True, slots=True)
class Resuming:
    """A run goes on at a commit; ``previously`` is its status."""

    index: int
    total: int
    previously: str
    summary: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Adopted:
    """A commit on the branch that was not recorded is recorded now."""

    index: int
    commit: str
    subject: str
    by_person: bool


@dataclass(frozen=True, slots=True)
class Rewound:
    """Commits from ``index`` on are rebuilt, because the spec changed there."""

    index: int
    to: str
    previous: str
    why: str


@dataclass(frozen=True, slots=True)
class CommitStarted:
    index: int
    total: int
    subject: str


@dataclass(frozen=True, slots=True)
class DiffComputed:
    lines: int
    atoms: int


@dataclass(frozen=True, slots=True)
class Extracting:
    pass


@dataclass(frozen=True, slots=True)
class Extracted:
    """What was chosen, and how much of it the engine was unsure of."""

    atoms: int
    unsure: int
    left: int


@dataclass(frozen=True, slots=True)
class PlacedHunk:
    """A hunk in a commit. ``line`` is of the new file, None where the hunk is a whole entry.

    ``change`` says in words what a whole entry changes; "" for lines.

    ``why`` and ``confidence`` (0 to 1) are None where the engine gave no reason.
    """

    id: str
    kind: str
    change: str
    path: str
    line: int | None
    scope: str
    removed: int
    added: int
    why: str | None
    confidence: float | None


@dataclass(frozen=True, slots=True)
class Explained:
    """Why a commit takes what it takes (``--explain``)."""

    index: int
    remarks: tuple[str, ...]
    atoms: tuple[PlacedHunk, ...]


@dataclass(frozen=True, slots=True)
class ProvedAgain:
    """A commit that other commands proved, or none, is checked again before the run goes on."""

    index: int
    total: int
    commit: str
    subject: str


@dataclass(frozen=True, slots=True)
class NothingLeft:
    """The commit is complete without a commit of its own. ``left`` hunks are for later ones."""

    subject: str
    left: int = 0


@dataclass(frozen=True, slots=True)
class CommitCreating:
    wip: bool


@dataclass(frozen=True, slots=True)
class CommitMade:
    index: int
    commit: str
    subject: str
    wip: bool


@dataclass(frozen=True, slots=True)
class Assessing:
    attempt: int


@dataclass(frozen=True, slots=True)
class Trying:
    """A candidate is built, not committed."""

    atoms: int
    left: int


@dataclass(frozen=True, slots=True)
class Fixing:
    attempt: int
    what: str


@dataclass(frozen=True, slots=True)
class GaveUp:
    index: int
    engine: str
    summary: str
    path: str


@dataclass(frozen=True, slots=True)
class CommitDone:
    index: int
    wips: int


@dataclass(frozen=True, slots=True)
class Stopped:
    index: int
    total: int
    path: str


@dataclass(frozen=True, slots=True)
class Folded:
    """How many fixes went into their logical commits."""

    wips: int


@dataclass(frozen=True, slots=True)
class NothingToDo:
    """Every commit of the spec is on the branch already."""

    branch: str


@dataclass(frozen=True, slots=True)
class LeftUncommitted:
    """Hunks of a working state that no commit takes; they stay there as they are."""

    hunks: int
    paths: Sequence[str]


@dataclass(frozen=True, slots=True)
class Finished:
    """Everything is complete, and the branch has the source's files, but for what was left.

    ``empty`` are the numbers, from 1, of the commits for which nothing was left.
    """

    logical: int
    wips: int
    branch: str
    base: str
    tip: str
    empty: Sequence[int] = ()


@dataclass(frozen=True, slots=True)
class Planned:
    """The plan of ``--dry-run``, as in its JSON."""

    tree: str
    commits: Sequence[Mapping[str, object]]
    leftover: Sequence[str]
    folds: Sequence[Mapping[str, int]]


Event = (
    EngineChosen
    | SpecLoaded
    | BranchCreated
    | Resuming
    | Adopted
    | Rewound
    | Folded
    | NothingToDo
    | CommitStarted
    | DiffComputed
    | Extracting
    | LeftUncommitted
    | Extracted
    | Explained
    | ProvedAgain
    | NothingLeft
    | CommitCreating
    | CommitMade
    | StepStarted
    | StepEnded
    | Assessing
    | Trying
    | Fixing
    | GaveUp
    | CommitDone
    | Confined
    | Warned
    | Output
    | Stopped
    | Finished
    | Planned
    | Failed
)


Listener = Callable[[Event], None]
