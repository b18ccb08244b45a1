"""What has been tried for the errors of one file, and what came of it."""

from git_retcon.heal.engine import Attempt, Item, PastAttempt
from git_retcon.heal.healing.work_items import FailedJob
from git_retcon.lazy_named_tuple import NamedTuple


class Work(NamedTuple):
    """An item of a job, and what has been tried for it. ``paths`` are those of its changes,
    ``ends`` says of each run of the step whether it passed, ``past`` are a model's attempts.
    """

    item: Item
    failed: FailedJob
    attempts: list[Attempt]
    paths: set[bytes]
    notes: list[str]
    left: list[Item]
    ends: list[bool]
    past: list[PastAttempt]


def begin_work(item: Item, failed: FailedJob) -> Work:
    """Nothing has been tried yet."""
    return Work(item, failed, [], set(), [], [], [], [])


def note_end(work: Work, left: tuple[Item, ...], *, passed: bool) -> None:
    """Note how the step ended last; ``left`` are the items that it still names."""
    work.ends.append(passed)
    work.left[:] = [] if passed else [one for one in left if one.path == work.item.path]
