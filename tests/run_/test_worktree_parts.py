"""What a command puts in the place of our parts of a worktree stops nobody, and leads nowhere."""

import os
from pathlib import Path

import pytest

from git_retcon.run.environment import command_environment
from git_retcon.run.kept_worktrees import list_worktrees
from git_retcon.run.worktree import open_worktree
from tests.repository import TestRepository

PARTS = (
    "config", "index", "repository", "state", "git/HEAD", "git/config", "git/index", "git/info",
    "git/info/attributes", "git/info/exclude", "git/objects/info", "git/objects/pack/pack-1.idx",
    "git/packed-refs", "git/refs/heads", "git/refs/tags", "git/shallow", "jobs",
)  # fmt: skip
HARMS = {"pipe": "mkfifo {}", "folder": "mkdir -p {}/inner", "link": "ln -s {victim} {}"}


@pytest.mark.parametrize("harm", HARMS)
@pytest.mark.parametrize("part", PARTS)
def test_what_is_in_the_place_of_a_part_goes(
    repo: TestRepository, tmp_path: Path, part: str, harm: str
) -> None:
    one, two = repo.commit("one", {"a": "1\n"}), repo.commit("two", {"a": "2\n"})
    victim = tmp_path / "victim"
    victim.mkdir()
    (victim / "mine").write_text("mine\n")
    with open_worktree(tmp_path / "base", repo.open(), "w") as worktree:
        worktree.checkout(one)
        place = worktree.root / part
        make = HARMS[harm].format(place, victim=victim)
        command = f"mkdir -p {place.parent}; rm -rf {place}; {make}"
        assert worktree.run(command, env=command_environment()).passed
        worktree.checkout(two)
        assert worktree.run(command, env=command_environment()).passed
    with open_worktree(tmp_path / "base", repo.open(), "w") as worktree:
        worktree.checkout(one)
        assert (worktree.tree / "a").read_text() == "1\n"
        seen = "git status --short && git checkout -q -b mine && git log -1 --format=%H"
        said = worktree.run(seen, env=command_environment())
        assert (said.output, said.status) == (f"{one}\n".encode(), 0)
    assert [path.name for path in victim.iterdir()] == ["mine"]
    assert [each.root for each in list_worktrees(tmp_path / "base")] == [worktree.root]


def test_a_worktree_without_its_signature_is_signed_again(
    repo: TestRepository, tmp_path: Path
) -> None:
    commit = repo.commit("one", {"a": "1\n"})
    with open_worktree(tmp_path / "base", repo.open(), "w") as worktree:
        worktree.checkout(commit)
        for harm in ("rm ../repository", "rm -r ../git"):
            assert worktree.run(harm, env=command_environment()).passed
        assert list_worktrees(tmp_path / "base")[0].repository == repo.path / ".git"


def test_a_list_of_worktrees_waits_for_no_pipe(repo: TestRepository, tmp_path: Path) -> None:
    with open_worktree(tmp_path / "base", repo.open(), "w") as worktree:
        (worktree.root / "repository").unlink()
        os.mkfifo(worktree.root / "repository")
    assert list_worktrees(tmp_path / "base")[0].repository is None
