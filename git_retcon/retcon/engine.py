"""The protocol between the loop and an engine. Two engines exist: ``offline`` and ``claude``.

Only the loop touches the repository; an engine only *chooses*. It sees the spec, the difference
that is left, and after a failure what the build printed, and names atoms. The loop applies them.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import field
from typing import Protocol, Self

from git_retcon.files.patterns import Case
from git_retcon.git.atoms import Atom
from git_retcon.git.difference import Difference
from git_retcon.git.repository import Repository
from git_retcon.lazy_dataclass import dataclass
from git_retcon.retcon.spec.model import Spec
from git_retcon.run.failure import Failure

# A placement below this confidence is shown as unsure: to people, and to a model to judge first.
UNSURE = 0.6


@dataclass(frozen=True, slots=True)
class Bridge:
    """A file that must exist in between only; None removes it. Later commits undo bridges."""

    path: bytes
    content: bytes | None


@dataclass(frozen=True, slots=True)
class Reason:
    """Why an atom is in a commit. ``why`` is put into words only when it is read.

    ``confidence`` is a probability, 0 to 1.
    """

    explain: Callable[[], str] = field(compare=False, repr=False)
    confidence: float

    @classmethod
    def in_words(cls, why: str, confidence: float) -> Self:
        """A reason in words."""
        return cls(lambda: why, confidence)

    @property
    def why(self) -> str:
        return self.explain()


@dataclass(frozen=True, slots=True)
class Choice:
    """The atoms and bridges of one commit.

    ``remarks`` are what a plan says of the commit as a whole, ``warnings`` what pins may cost it.
    ``released`` are atoms of the commit in work that a later commit is to have; a first version
    has none.
    """

    atoms: frozenset[str]
    bridges: tuple[Bridge, ...] = ()
    remarks: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    reasons: Mapping[str, Reason] = field(default_factory=dict)
    released: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Progress:
    """A fix: more to take, and what it is for a reader ("add parse_token from src/token.py").

    ``warning``, where there is one, says what of the spec the fix goes against, ``remedy`` how
    the spec would have to read.
    """

    choice: Choice
    what: str
    warning: str = ""
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class Blocked:
    """No progress is possible; ``summary`` says what to merge, swap or change."""

    summary: str


class Trial(Protocol):
    """Builds and tests a choice of atoms without committing it. Bounded; see ``remaining``."""

    @property
    def remaining(self) -> int:
        """How many more trials this assessment may make."""

    def __call__(self, atoms: Collection[str], released: Collection[str] = ()) -> Failure | None:
        """The failure of the current tree plus some atoms, without those ``released``; None where
        everything passes."""


@dataclass(frozen=True)
class Situation:
    """What an engine needs to know to answer.

    ``difference`` runs from where it was last computed to the source. ``taken`` are its atoms
    that are on the cleaned branch already (with the index of their logical commit); ``left`` are
    the others, in path order. ``index`` is the logical commit in work. ``origin`` gives, for an
    atom's id, the positions of the source's own commits that its lines came from (0 is the
    oldest) with the number of lines; it is empty for a squashed source. ``subjects`` are the
    source commits' messages by position. ``note`` is the person's word after a stuck state.
    ``planned`` is the index of the logical commit that an atom is likely to go to, where known,
    and ``sure`` how likely that is, 0 to 1. ``released`` gives the last logical commit that a
    repair released an atom from: it goes to a later one.
    ``judged`` is the logical commit that a model named for an atom: evidence, and not the last
    word; ``confirmed`` are the atoms for which it said so twice. ``case`` is how ``files`` and
    ``exclude`` are read.
    """

    spec: Spec
    index: int
    difference: Difference
    taken: Mapping[str, int]
    origin: Mapping[str, Mapping[int, int]] = field(default_factory=dict)
    subjects: Sequence[str] = ()
    note: str = ""
    planned: Mapping[str, int] = field(default_factory=dict)
    sure: Mapping[str, float] = field(default_factory=dict)
    released: Mapping[str, int] = field(default_factory=dict)
    judged: Mapping[str, int] = field(default_factory=dict)
    confirmed: frozenset[str] = frozenset()
    case: Case = Case.MATTERS

    @property
    def left(self) -> tuple[Atom, ...]:
        return tuple(atom for atom in self.difference.atoms if atom.id not in self.taken)


@dataclass(frozen=True, slots=True)
class Spent:
    """What an engine has used so far: an amount (the account of a run is ``model.spending``)."""

    tokens: int = 0
    cost: float = 0.0


def read_case(repository: Repository) -> Case:
    """Read from ``core.ignoreCase`` whether the patterns of a spec regard case."""
    return Case.IGNORED if repository.config.boolean("core.ignorecase") else Case.MATTERS


class Engine(Protocol):
    """Chooses what goes into a commit."""

    @property
    def name(self) -> str:
        """As recorded: "offline" or "claude"."""

    def extract(self, situation: Situation) -> Choice:
        """Choose what belongs to the current logical commit, of the atoms that are left."""

    def assess(
        self, situation: Situation, failure: Failure, attempt: int, trial: Trial
    ) -> Progress | Blocked:
        """After a failure, choose more for the same logical commit, or say why none can help."""
