"""What a healing engine is asked and answers."""

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Protocol

from git_retcon.lazy_named_tuple import NamedTuple

if TYPE_CHECKING:
    from git_retcon.heal.found_errors import FoundError
    from git_retcon.heal.healing.failing_job import FailingJob, FixPlace, StepRun
    from git_retcon.heal.patches import FileChange


class Item(NamedTuple):
    """The errors of one file that a step named, worst first; ``path`` is None for those that
    name no file.
    """

    path: bytes | None
    errors: tuple["FoundError", ...]

    @property
    def fingerprints(self) -> tuple[str, ...]:
        return tuple(error.finding.fingerprint for error in self.errors)


class Attempt(NamedTuple):
    """What an engine tried about an item: ``how`` in words, empty where it had nothing to try,
    then ``reason`` says why. ``said`` is a model's own account of it, ``requests`` are the numbers
    under which its cost is recorded.
    """

    how: str
    reason: str = ""
    tokens: int = 0
    dollars: float = 0.0
    model: str = ""
    said: str = ""
    requests: tuple[int, ...] = ()


class Engine(Protocol):
    """Finds fixes. It writes them through the job that it is given, and nothing else."""

    @property
    def name(self) -> str:
        """As recorded."""

    @property
    def is_trusted(self) -> bool:
        """Whether all that it writes is the user's own bytes, changed by the user's own tools."""

    def attempt(self, item: Item, job: "FailingJob", earlier: Sequence[str]) -> Attempt:
        """Try to answer an item's errors. ``earlier`` says what was tried, and what happened."""

    def fix_by_message(self, item: Item, place: "FixPlace") -> Iterable[str]:
        """Fix a file by what messages alone say, where no step can be asked; how, in words."""


class PastAttempt(NamedTuple):
    """A model's attempt that is over: what it changed, as a diff, and what happened then."""

    patch: bytes
    ended: str


class ModelTask(NamedTuple):
    """What a model is asked: an item of a job whose step ended as in ``run``.

    ``explain_frozen`` says why a change is not allowed; empty where it is.
    """

    item: Item
    job: "FailingJob"
    run: "StepRun"
    past: tuple[PastAttempt, ...]
    explain_frozen: Callable[["FileChange"], str]


class ModelEngine(Protocol):
    """Asks a model for fixes. It writes through the job of its task, which is confined."""

    @property
    def name(self) -> str:
        """As recorded."""

    def attempt(self, task: ModelTask) -> Attempt:
        """Try to answer the errors of an item. Raises nothing that a model can cause."""
