"""Databases with a few runs in them, and errors that tools could have named."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

from git_retcon.code.diagnostics.diagnostic import Category, Diagnostic
from git_retcon.heal.found_errors import FoundError
from git_retcon.heal.records.database import Database, open_database
from git_retcon.heal.records.runs import RunBegin
from git_retcon.heal.results import StepResult, StepVerdict
from git_retcon.run.places import Tree, place_diagnostics

BEGIN = RunBegin("0123456789abcdef", "c" * 40, "t" * 40, "main", b"/home/me/project", started=1.0)
FILES = {b"src/a.py": b"import os\nprint(1)\n", b"src/b.py": b"x = y\n", b"\xff.py": b"?\n"}


def refuse_warning(message: str, hint: str) -> None:
    raise AssertionError(message)


@contextlib.contextmanager
def new_database(folder: Path) -> Iterator[Database]:
    """The database of a repository's common directory, from which no warning may come."""
    with open_database(folder / "heal" / "heal.db", refuse_warning) as database:
        yield database


def find_error(
    path: str, line: int, message: str, category: Category = Category.LINT, **fields: object
) -> FoundError:
    """An error at its place in FILES, as a step of the job `lint` found it."""
    said = Diagnostic(path.encode("latin-1") or None, line or None, message, category=category)
    said = said._replace(**fields)  # type: ignore[arg-type]
    tree = Tree(frozenset(FILES), FILES.__getitem__)
    (finding,) = place_diagnostics([said], tree)
    return FoundError(finding, b".github/workflows/ci.yml", "lint", "ruff", "lint (3.11)")


def end_step(name: str, verdict: StepVerdict = StepVerdict.PASSED, **fields: object) -> StepResult:
    return StepResult(1, name, 7, verdict)._replace(**fields)  # type: ignore[arg-type]
