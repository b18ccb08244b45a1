"""Only the last change of a checkout can be under way."""

import json
from pathlib import Path

import pytest

from git_retcon.heal.review.change_phases import has_change_under_way
from tests.repository import new_repository


@pytest.mark.parametrize(
    ("phases", "is_under_way"),
    [
        ([], False),
        (["done"], False),
        (["begun"], True),
        (["done"] * 9 + ["undoing"], True),
        (["begun", "undone"], False),
    ],
)
def test_the_last_journal_says_it(phases: list[str], is_under_way: bool, tmp_path: Path) -> None:
    repository = new_repository(tmp_path / "project").open()
    folder = repository.git_dir / "heal/applied"
    folder.mkdir(parents=True)
    for number, phase in enumerate(phases, 1):
        (folder / f"{number}.json").write_text(json.dumps({"phase": phase}))
    (folder / "notes.json").write_text('{"phase": "begun"}')
    assert has_change_under_way(repository) == is_under_way
