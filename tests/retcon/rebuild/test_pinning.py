"""As few pins as it takes until a plan is what is wished."""

from pathlib import Path

import pytest

from git_retcon.retcon.rebuild.dry_run import Planning
from git_retcon.retcon.rebuild.pinning import pin_until_planned
from git_retcon.retcon.spec.file import SpecFile
from tests.repository import TestRepository
from tests.retcon.scene import messy_branch


def test_only_what_the_plan_has_elsewhere_is_pinned(
    repo: TestRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    messy_branch(repo)
    monkeypatch.chdir(repo.path)
    specfile = SpecFile.load(Path("history.toml"))
    planning = Planning(repo.open(), specfile)
    plan = planning.make_plan(specfile)
    wished = {a: at for at, choice in plan.choices.items() for a in choice.atoms}
    for change in ({}, dict.fromkeys(plan.choices[2].atoms, 0)):
        wanted = {**wished, **change}
        pinned, after = pin_until_planned(repo.open(), specfile, wanted, {}, planning.difference)
        made = after.make_plan(pinned)
        assert {atom: made.place(atom)[0] for atom in wanted} == wanted
        assert {pin for commit in pinned.spec.commits for pin in commit.hunks} == set(change)
