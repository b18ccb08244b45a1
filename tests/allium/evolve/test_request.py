"""What evolve is asked for, and whether it is done."""

import pytest

from git_retcon.allium.evolve.request import Range, is_up_to_date, read_branch_name
from git_retcon.allium.history.spec_branch import SpecBranch
from git_retcon.errors import Fatal
from git_retcon.settings import Settings
from tests.allium.history_shapes import BRANCH, entity, evolve
from tests.allium.reconcile.test_offline_reconciler import edit
from tests.program import allium_here
from tests.repository import TestRepository


def test_the_branch_is_the_configured_one(repo: TestRepository) -> None:
    assert read_branch_name(repo.open(), Settings(repo.open().config, {})) == (
        f"refs/heads/{BRANCH}"
    )
    env = {"GIT_ALLIUM_BRANCH": "specs"}
    assert read_branch_name(repo.open(), Settings(repo.open().config, env)) == "refs/heads/specs"
    with pytest.raises(Fatal, match="not a valid branch name"):
        read_branch_name(repo.open(), Settings(repo.open().config, {"GIT_ALLIUM_BRANCH": "a..b"}))


@pytest.mark.parametrize("command", [["evolve"], ["reconcile"], ["check", "--drift"]])
def test_a_specification_is_no_source(repo: TestRepository, command: list[str]) -> None:
    """Its branch may be checked out, or just have been, behind a hook."""
    repo.commit("a", {"src/shop/order.py": entity("Order", "id")})
    evolve(repo)
    edit(repo, "shop", "id: Integer", "id: String")
    tip = repo.rev(BRANCH)
    repo.git("checkout", "-q", "--detach", BRANCH)
    done = allium_here(repo.path, *command)
    assert done.status == 128
    assert "fatal: 'HEAD' is a specification, not its source" in done.err
    assert repo.rev(BRANCH) == tip
    repo.git("checkout", "-q", "main")
    repo.commit("b", {"spec/_master.allium": "-- allium: 3\n", "allium-changelog.md": ""})
    evolve(repo)


def test_it_is_done_where_the_branch_tells_the_tip_and_has_its_notes(repo: TestRepository) -> None:
    def is_done(**asked: object) -> bool:
        repository = repo.open()
        branch = SpecBranch(repository, f"refs/heads/{BRANCH}")
        wanted = Range()._replace(**asked)  # type: ignore[arg-type]
        return is_up_to_date(repository, branch, wanted, repo.rev("HEAD"))

    repo.commit("a")
    assert not is_done()
    evolve(repo)
    assert is_done()
    assert is_done(last=3)
    assert not is_done(is_all=True)
    assert not is_done(since="HEAD")
    repo.git("update-ref", "-d", "refs/notes/allium")
    assert not is_done()
