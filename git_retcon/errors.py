"""What the user can mend: a message, a hint on what to do next, and git's exit status.

Any other exception is a bug and shows as one.
"""

from typing import ClassVar


class UserError(Exception):
    """Something the user can mend. ``str()`` is the message; ``hint`` says what to do next."""

    label: ClassVar[str] = "error"
    status: ClassVar[int] = 1

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.hint = hint


class Fatal(UserError):
    """The command cannot go on (exit status 128)."""

    label = "fatal"
    status = 128


class WrongUsage(UserError):
    """The command line itself is wrong (exit status 129)."""

    status = 129


class Refused(UserError):
    """A truthful "no": stuck, declined, budget spent (exit status 1)."""
