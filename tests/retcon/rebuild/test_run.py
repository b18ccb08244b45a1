"""Any trees, any spec: a run ends with the source's tree, and loses nothing."""

import itertools
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from git_retcon.git.commits import write_commit
from git_retcon.git.repository import Repository
from git_retcon.retcon.engines.choose import ChosenEngine
from git_retcon.retcon.engines.offline import OfflineEngine
from git_retcon.retcon.events import Event
from git_retcon.retcon.rebuild.options import Decisions
from git_retcon.retcon.rebuild.run import Result, rebuild
from git_retcon.retcon.spec.history import Status
from git_retcon.retcon.spec.model import Spec
from git_retcon.run.commands import Commands
from tests.git.hostile import Pair, pairs
from tests.repository import TestRepository

pytestmark = pytest.mark.slow

words = st.sampled_from(["add", "parser", "a.txt", "b", "rename", "mode", "link", "ünï", "fix"])
messages = st.lists(words, min_size=1, max_size=5).map(" ".join)
globs = st.lists(st.sampled_from(["*.txt", "a", "b/*", "*", "dir/", "!a"]), max_size=2)


@st.composite
def specs(draw: st.DrawFn) -> str:
    """One to four commits that know little of what is in the branch."""
    text = 'source = "feature"\nremote = "main"\ncleaned = "clean"\n'
    for _ in range(draw(st.integers(1, 4))):
        text += f'\n[[commit]]\nmessage = "{draw(messages)}"\nhints = "{draw(messages)}"\n'
        text += f"files = {draw(globs)}\nexclude = {draw(globs)}\n"
    return text


def rebuilt(repository: Repository, spec: Path) -> Result:
    def quiet(_: Event) -> None:
        pass

    def offline() -> ChosenEngine:
        return ChosenEngine(OfflineEngine(), "offline")

    def unbuilt(_: Spec) -> Decisions:
        return Decisions(commands=Commands(), worktrees=spec.parent / "worktrees")

    return rebuild(repository, spec, unbuilt, offline, quiet)


@settings(max_examples=60)
@given(pair=pairs(), steps=st.lists(pairs(), max_size=2), text=specs())
def test_any_branch_by_any_spec_ends_as_the_source(
    pair: Pair, steps: list[Pair], text: str, repo: TestRepository
) -> None:
    repository = repo.open()
    base, source = pair.write(repository)
    if base == source:
        return
    main = write_commit(repository, base, [], "base\n")
    tip = main
    between = [step.write(repository)[1] for step in steps]
    for tree in [*between, source]:
        tip = write_commit(repository, tree, [tip], "wip\n")
    for name, oid in (("main", main), ("feature", tip)):
        repo.git("update-ref", f"refs/heads/{name}", oid)
    repo.git("update-ref", "-d", "refs/heads/clean")
    repo.git("update-ref", "-d", "refs/notes/retcon")
    spec = repo.path.parent / "history.toml"
    spec.write_text(text)

    result = rebuilt(repository, spec)

    assert result.stuck is None
    assert repo.tree("clean") == source
    assert repo.rev("feature") == tip
    assert all(commit.status is Status.COMPLETE for commit in result.specfile.spec.commits)
    trees = [base, *repo.git("log", "--reverse", "--format=%T", "main..clean").splitlines()]
    assert all(one != other for one, other in itertools.pairwise(trees))
