"""Notes that lead from a source commit to its spec commit."""

from collections.abc import Mapping

from git_retcon.allium.history.source_notes import (
    SpecRecord,
    format_note,
    parse_note,
    rebuild_records,
)
from tests.allium.history_shapes import BRANCH, entity, evolve, make_branchy
from tests.allium.reconcile.test_offline_reconciler import edit
from tests.program import allium_here
from tests.repository import TestRepository

ONE, TWO = "1" * 40, "2" * 40
MAIN, OTHER = "refs/heads/main", "refs/heads/other"


def test_a_note_says_which_commit_tells_it_and_what_followed() -> None:
    note = format_note(None, MAIN, SpecRecord(ONE, TWO, 7))
    assert note == f"Version: 1\nSpec: {ONE} step 7 of {MAIN}\nLast: {TWO} of {MAIN}\n"
    assert parse_note(note, MAIN) == SpecRecord(ONE, TWO, 7)
    assert parse_note(note, OTHER) is None
    assert parse_note("Spec: nonsense", MAIN) is None


def test_what_it_says_of_other_branches_stays() -> None:
    note = format_note(None, MAIN, SpecRecord(ONE, ONE, 0))
    both = format_note(note, OTHER, SpecRecord(TWO, TWO, 1))
    assert parse_note(both, MAIN) == SpecRecord(ONE, ONE, 0)
    again = format_note(both, MAIN, SpecRecord(TWO, TWO, 3))
    assert parse_note(again, MAIN) == SpecRecord(TWO, TWO, 3)
    assert parse_note(again, OTHER) == SpecRecord(TWO, TWO, 1)


def expect_the_notes_again(repo: TestRepository) -> Mapping[str, SpecRecord]:
    """What the trailers say, which is what the notes say."""
    rebuilt = rebuild_records(repo.open(), [repo.rev(BRANCH)])
    for source, told in rebuilt.items():
        found = parse_note(
            repo.git("notes", "--ref=allium", "show", source), f"refs/heads/{BRANCH}"
        )
        assert found is not None
        assert (found.spec, found.last) == (told.spec, told.last)
    return rebuilt


def test_the_trailers_say_the_same_as_the_notes(repo: TestRepository) -> None:
    make_branchy(repo)
    evolve(repo)
    assert len(expect_the_notes_again(repo)) == 15


def test_they_say_the_same_of_reconciliations_one_upon_another(repo: TestRepository) -> None:
    described = repo.commit("a", {"src/shop/order.py": entity("Order", "total")})
    evolve(repo)
    allium_here(repo.path, "reconcile", "--offline").ok()
    further = repo.commit("b", {"src/shop/order.py": entity("Order", "total", "paid")})
    allium_here(repo.path, "reconcile", "--offline").ok()
    edit(repo, "shop", "entity Order {\n", "-- Agreed.\nentity Order {\n")
    allium_here(repo.path, "reconcile", "--offline").ok()
    commits = repo.git("rev-list", "--reverse", BRANCH).split()
    assert len(commits) == 5
    assert expect_the_notes_again(repo) == {
        described: SpecRecord(commits[0], commits[1], 0),
        further: SpecRecord(commits[2], commits[4], 1),
    }


def test_commits_without_a_source_follow_the_one_below(repo: TestRepository) -> None:
    source = repo.commit("a", {"src/shop/order.py": entity("Order", "total")})
    evolve(repo)
    spec = repo.rev(BRANCH)
    edited = repo.git("commit-tree", "-p", spec, "-m", "by hand", repo.tree(BRANCH))
    assert rebuild_records(repo.open(), [edited]) == {source: SpecRecord(spec, edited, 0)}


def test_a_branch_has_one_line_however_often_it_is_written() -> None:
    one, two = SpecRecord("1" * 40, "2" * 40, 3), SpecRecord("4" * 40, "4" * 40, 5)
    note = format_note(format_note(None, "refs/heads/a", one), "refs/heads/a", two)
    assert note == format_note(None, "refs/heads/a", two)
