"""A question that only a person can answer, on the terminal or beforehand."""

import sys
from collections.abc import Callable
from typing import TypeAlias

from git_retcon.show.style import printable

Asker: TypeAlias = Callable[[str], bool]


def ask_person(question: str) -> bool:
    """Ask on the terminal. Whatever is no yes is a no, and so is having no terminal."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return False
    sys.stderr.write(f"\n{printable(question)} [y/N] ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def agree(question: str) -> bool:
    """The answer that ``--yes`` gave beforehand."""
    return True
