"""A sheet becomes a spec that plans just that, with as few pins as it takes."""

from pathlib import Path

import pytest

from git_retcon.retcon.editing.settling import has_changes, settle_sheet
from git_retcon.retcon.editing.sheet import Heading, Sheet
from git_retcon.retcon.rebuild.dry_run import Plan, Planning
from git_retcon.retcon.spec.file import SpecFile
from tests.repository import TestRepository
from tests.retcon.scene import messy_branch


@pytest.fixture
def planning(repo: TestRepository, monkeypatch: pytest.MonkeyPatch) -> Planning:
    messy_branch(repo)
    monkeypatch.chdir(repo.path)
    return Planning(repo.open(), specfile())


def specfile() -> SpecFile:
    return SpecFile.load(Path("history.toml"))


def sheet_of(plan: Plan) -> Sheet:
    headings = [Heading(at, commit.subject) for at, commit in enumerate(plan.spec.commits)]
    places = {atom: at for at, choice in plan.choices.items() for atom in choice.atoms}
    return Sheet(headings, places)


def test_a_plan_as_it_is_has_no_changes(planning: Planning) -> None:
    plan = planning.make_plan(specfile())
    assert not has_changes(sheet_of(plan), plan)


def test_the_reverse_order_is_planned_at_any_cost(planning: Planning, repo: TestRepository) -> None:
    plan = planning.make_plan(specfile())
    drawn = sheet_of(plan)
    reverse = Sheet(drawn.headings[::-1], {atom: 2 - at for atom, at in drawn.places.items()})
    settled, after = settle_sheet(repo.open(), specfile(), reverse, plan, planning.difference)
    made = after.make_plan(settled)
    assert {atom: made.place(atom)[0] for atom in reverse.places} == reverse.places
    assert specfile().spec == plan.spec  # nothing is saved


def test_a_released_hunk_loses_its_pin(planning: Planning, repo: TestRepository) -> None:
    plan = planning.make_plan(specfile())
    drawn = sheet_of(plan)
    readme = next(a.id for a in planning.difference.atoms if a.path == b"README.md")
    moved = Sheet(drawn.headings, {**drawn.places, readme: 0})
    pinned, after = settle_sheet(repo.open(), specfile(), moved, plan, planning.difference)
    assert [commit.hunks for commit in pinned.spec.commits] == [(readme,), (), ()]
    now = after.make_plan(pinned)
    less = {atom: at for atom, at in moved.places.items() if atom != readme}
    specfile().restore(pinned.render())
    free, _ = settle_sheet(
        repo.open(), specfile(), Sheet(moved.headings, less), now, planning.difference
    )
    assert not any(commit.hunks for commit in free.spec.commits)
