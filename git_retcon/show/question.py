"""A question that only a person can answer, on the terminal or beforehand."""

import sys
from collections.abc import Callable
from typing import TypeAlias

from git_retcon.errors import Reason
from git_retcon.options import SharedOptions
from git_retcon.show.style import printable

Asker: TypeAlias = Callable[[str], bool]


def ask_person(question: str) -> bool:
    """Ask on the terminal. What is not yes is no, and so is having no terminal."""
    if not is_anybody_there():
        return False
    sys.stderr.write(f"\n{printable(question)} [y/N] ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def reason_of_no() -> Reason:
    """Why ``ask_person`` said no: somebody did, or there was nobody to ask."""
    return Reason.DECLINED if is_anybody_there() else Reason.NEEDS_ANSWER


def is_anybody_there() -> bool:
    """Whether a person can be asked, and can answer."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def say_yes(question: str) -> bool:
    """The answer that ``--yes`` gave beforehand."""
    return True


def choose_asker(shared: SharedOptions) -> Asker:
    """Who answers the questions of a run: a person, or ``--yes``."""
    return say_yes if shared.yes else ask_person
