"""What the user can fix: a message, a hint on what to do next, and git's exit status.

Any other exception is a bug and shows as one.
"""

import contextlib
import enum
from collections.abc import Iterator, Sequence
from typing import ClassVar


class Reason(enum.Enum):
    """Why a command failed, for programs: ``reason`` in JSON (git-retcon(1), OUTPUT)."""

    STUCK = "stuck"
    NEEDS_ANSWER = "needs_answer"
    BUDGET = "budget"
    DECLINED = "declined"
    STALE_PLAN = "stale_plan"
    LOCKED = "locked"
    NOT_TRUSTED = "not_trusted"
    NO_SANDBOX = "no_sandbox"
    UNAVAILABLE = "unavailable"
    UNSAVED_WORK = "unsaved_work"
    NOT_BUILT = "not_built"
    ERRORS_FOUND = "errors_found"
    INVALID = "invalid"
    NOT_READY = "not_ready"
    REFUSED = "refused"
    USAGE = "usage"
    INTERRUPTED = "interrupted"
    BUG = "bug"

    @property
    def is_retryable(self) -> bool:
        """Whether the same command can succeed later though nobody changes anything."""
        return self in (
            Reason.LOCKED, Reason.UNAVAILABLE, Reason.STALE_PLAN, Reason.INTERRUPTED
        )  # fmt: skip


_DONE_WITH = "options_done_with"


@contextlib.contextmanager
def never_repeating(*options: str) -> Iterator[None]:
    """Mark what ends this block, an interrupt too: these options have had their effect.

    The commands that go on leave them out. Repeated, ``--restart`` would throw away what the run
    has built since.
    """
    try:
        yield
    except BaseException as error:
        vars(error)[_DONE_WITH] = options
        raise


def options_done_with(error: BaseException) -> Sequence[str]:
    """The options that ``never_repeating`` put on an error, or on one that it was raised from."""
    found: BaseException | None = error
    while found is not None:
        if _DONE_WITH in vars(found):
            options: Sequence[str] = vars(found)[_DONE_WITH]
            return options
        found = found.__cause__ or found.__context__
    return ()


_WROTE_NOTHING = "wrote_nothing"


@contextlib.contextmanager
def writing_nothing() -> Iterator[None]:
    """Mark an interrupt of this block: no later command goes on from it."""
    try:
        yield
    except KeyboardInterrupt as interrupt:
        vars(interrupt)[_WROTE_NOTHING] = True
        raise


def has_written_nothing(interrupt: BaseException) -> bool:
    """Whether ``writing_nothing`` has marked an interrupt."""
    return _WROTE_NOTHING in vars(interrupt)


class UserError(Exception):
    """Something the user can fix. ``str()`` is the message; ``hint`` says what to do next.

    ``again`` holds the options with which the same command goes on, () if it needs none, None if
    it cannot; ``commands`` holds other commands, as argument vectors, that go on.
    """

    label: ClassVar[str] = "error"
    status: ClassVar[int] = 1
    reason: Reason = Reason.REFUSED
    again: Sequence[str] | None = None

    def __init__(
        self,
        message: str,
        *,
        hint: str | None = None,
        reason: Reason | None = None,
        again: Sequence[str] | None = None,
        commands: Sequence[Sequence[str]] = (),
    ) -> None:
        super().__init__(message)
        self.hint = hint
        self.commands = commands
        if again is not None:
            self.again = again
        if reason is not None:
            self.reason = reason


class Fatal(UserError):
    """The command cannot go on (exit status 128)."""

    label = "fatal"
    status = 128
    reason = Reason.NOT_READY


class WrongUsage(UserError):
    """The command line itself is wrong (exit status 129)."""

    status = 129
    reason = Reason.USAGE


class Refused(UserError):
    """The answer is no: stuck, declined, budget spent (exit status 1)."""


def lower_first(text: str) -> str:
    """A message of another library as ours are written: in lower case, with no period."""
    return text[:1].lower() + text[1:].rstrip(".")
