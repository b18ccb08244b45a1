"""What is noted of each file: how its step ended, and what of it is left."""

from typing import Any, cast

from git_retcon.heal.engine import Item
from git_retcon.heal.healing.item_work import begin_work, note_end
from tests.heal.records.databases import find_error

OWN = Item(b"src/a.py", (find_error("src/a.py", 1, "x"),))
OTHER = Item(b"src/b.py", (find_error("src/b.py", 1, "y"),))
NO_JOB = cast("Any", None)


def test_only_the_errors_of_its_own_file_are_left() -> None:
    work = begin_work(OWN, NO_JOB)
    note_end(work, (OTHER, OWN), passed=False)
    assert (work.left, work.ends) == ([OWN], [False])
    note_end(work, (OTHER,), passed=False)
    assert (work.left, work.ends) == ([], [False, False])


def test_a_step_that_passes_leaves_nothing_whatever_it_printed() -> None:
    work = begin_work(OWN, NO_JOB)
    note_end(work, (OWN,), passed=True)
    assert (work.left, work.ends) == ([], [True])


def test_two_works_share_nothing() -> None:
    one, other = begin_work(OWN, NO_JOB), begin_work(OWN, NO_JOB)
    one.notes.append("tried")
    one.paths.add(b"src/a.py")
    assert (other.notes, other.paths) == ([], set())
