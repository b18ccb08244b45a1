"""What passes between a run of evolve and its engines: a step, and what it changes."""

import enum
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple, Protocol

from git_retcon.allium.store.declared_facts import FactName
from git_retcon.allium.store.merge_choice import Conflict
from git_retcon.allium.store.spec_store import SpecStore
from git_retcon.git.graph import Commit
from git_retcon.git.trees import Entry, EntryChange


class Earlier(NamedTuple):
    """A commit before the one to describe, and the source files that it changed."""

    commit: Commit
    changes: Sequence[EntryChange]


class Fork(NamedTuple):
    """Another parent of a merge: its source tree, and that from which it and the first come.

    ``moved`` are files that one of both moved and the other changed: old path → new path.
    ``commits`` are those that have the trees; of the base there may be none.
    """

    base: str
    side: str
    moved: Mapping[bytes, bytes] = {}
    commits: tuple[Sequence[str], Sequence[str]] = ((), ())


ListSources = Callable[[], Iterable[tuple[bytes, Entry]]]


class Step(NamedTuple):
    """One source commit to describe.

    ``store`` is the specification before it: that of its parent, with modules that already follow
    renamed files; for a merge, what both sides say together. ``base`` and ``tree`` are the source
    trees before and after; ``base`` is the empty tree where a history begins, so that all of the
    tree is new. ``changes`` are the source files that differ, in the order of their paths, without
    those that are ignored; of a merge, those that are not as ``store`` says. ``renames`` are new
    path → old path. ``context`` are the commits before, oldest first, and ``earlier`` the last of
    them, whose changes are to be seen too. ``conflicts`` are what the sides of a merge disagree
    about, by module, and ``forks`` its other parents. ``find_removed`` is asked what people took
    out of the specification, where it lacks something that the source had, and ``list_sources`` for
    all source files of ``tree``, where a change may reach files that it does not touch.
    """

    commit: Commit
    number: int
    store: SpecStore
    base: str
    tree: str
    changes: Sequence[EntryChange]
    renames: Mapping[bytes, bytes]
    context: Sequence[Commit] = ()
    earlier: Sequence[Earlier] = ()
    conflicts: Mapping[bytes, Sequence[Conflict]] = {}
    forks: Sequence[Fork] = ()
    find_removed: Callable[[], AbstractSet[FactName]] = frozenset
    list_sources: ListSources = tuple


class Update(NamedTuple):
    """What an engine makes of a step.

    ``modules`` are the changed ones by path, None for one that is gone; ``master`` is None where it
    stays. ``account`` says for people what changed and why. ``cost`` is US dollars. ``incomplete``
    says why the step could not be described; the old specification stays. ``model`` is who did it,
    where that is not always the engine's name; ``is_decided`` says that what the sides of a merge
    disagree about is decided, all of it; else ``settled`` is what of it is.
    """

    modules: Mapping[bytes, bytes | None] = {}
    master: bytes | None = None
    account: Sequence[str] = ()
    cost: float = 0.0
    incomplete: str = ""
    model: str = ""
    is_decided: bool = False
    settled: Collection[Conflict] = ()


class FindingType(enum.StrEnum):
    """What the source says of the specification. ``ADDITION``: the source has what this lacks;
    ``REMOVAL``: it says what no source does any more; ``MODIFICATION``: both, each otherwise.
    """

    ADDITION = "addition"
    REMOVAL = "removal"
    MODIFICATION = "modification"


class Finding(NamedTuple):
    """One difference between a specification and its source.

    ``section`` names the declaration and, behind a colon, what it is in it: "entity Order: field
    total". ``paths`` are source files. ``symbol`` is the definition in the first of them, and
    ``module`` holds the declaration or is to, both where that is known. ``question`` is what is
    asked where nobody but a person can decide; the specification stays then.
    """

    type: FindingType
    section: str
    description: str
    paths: Sequence[str]
    module: bytes = b""
    symbol: str = ""
    question: str = ""


class Checkpoint(NamedTuple):
    """A specification to compare with its source, which is that of ``commit``.

    ``base`` is the source commit that was reconciled last among its ancestors, None to compare all
    of the source. ``earlier`` are source commits that the specification described before. What
    people wrote themselves is in ``hand_edits``; it is never overwritten. ``accepted`` are the
    sections in which they differ as somebody wants it; they stay as they are.
    """

    commit: Commit
    store: SpecStore
    base: str | None
    earlier: Sequence[Commit] = ()
    hand_edits: AbstractSet[FactName] = frozenset()
    accepted: AbstractSet[str] = frozenset()


class Grounding(NamedTuple):
    """What a reconciliation made of a specification. ``skipped_files`` are those that could not be
    read, with the reason; ``skipped`` says why nothing was compared at all, ``failures`` what of
    it was not, or not corrected. ``account`` is for people, ``cost`` is US dollars.
    """

    store: SpecStore
    findings: Sequence[Finding] = ()
    model: str = ""
    cost: float = 0.0
    account: Sequence[str] = ()
    skipped_files: Sequence[tuple[bytes, str]] = ()
    skipped: str = ""
    failures: Sequence[str] = ()


class Reconciler(Protocol):
    """Compares specifications with their source. Safe to use from several threads where the
    engine is.
    """

    def reconcile(self, checkpoint: Checkpoint) -> Grounding:
        """Compare, and correct. The same checkpoint gives the same, as far as a model can."""


class Engine(Protocol):
    """Describes steps. Safe to use from several threads where ``is_slow``."""

    @property
    def name(self) -> str:
        """What the trailer ``Allium-Model`` says."""

    @property
    def is_slow(self) -> bool:
        """Whether a step takes seconds or money: each is saved at once, and steps that do not need
        each other are described side by side.
        """

    def update(self, step: Step) -> Update:
        """Describe one step. The same step gives the same update, as far as a model can."""

    def summarize(self) -> Sequence[str]:
        """Lines for the end of a run: what was read, and what could not be."""
