"""All hunks of a branch, at the base as after a run."""

import pytest

from git_retcon.retcon.rebuild.whole_difference import read_whole_difference
from git_retcon.retcon.spec.file import SpecFile
from tests.repository import TestRepository
from tests.retcon.scene import messy_branch


@pytest.mark.slow
def test_a_run_takes_no_hunk_away(repo: TestRepository) -> None:
    scene = messy_branch(repo)
    before = read_whole_difference(repo.open(), SpecFile.load(scene.spec))
    assert (before.base, before.target) == (repo.tree("main"), repo.tree("feature"))
    scene.run().ok()
    after = read_whole_difference(repo.open(), SpecFile.load(scene.spec))
    assert [atom.id for atom in after.atoms] == [atom.id for atom in before.atoms]
