"""What was told step by step, beside a fresh reading of the last commit."""

from git_retcon.allium.store.module_text import cut_module
from tests.allium.history_shapes import BRANCH, evolve
from tests.repository import TestRepository


def read_spec(repo: TestRepository, branch: str = BRANCH) -> dict[str, str]:
    listed = repo.git("ls-tree", "-r", "--name-only", branch, "spec").splitlines()
    return {path: repo.show(f"{branch}:{path}").decode() for path in listed}


def expect_a_fresh_reading(repo: TestRepository) -> dict[str, str]:
    """The specification, which a reading of the last commit alone gives too."""
    stepwise, once = read_spec(repo), _read_afresh(repo)
    assert stepwise == once, (stepwise, once)
    return stepwise


def expect_the_same_declarations(repo: TestRepository) -> None:
    """The same in any order: what moves goes behind what is there."""
    stepwise, once = (
        {path: sorted(each.text for each in cut_module(text.encode()).declarations)
         for path, text in spec.items()}
        for spec in (read_spec(repo), _read_afresh(repo))
    )  # fmt: skip
    assert stepwise == once, (stepwise, once)


def _read_afresh(repo: TestRepository) -> dict[str, str]:
    repo.git("config", "allium.branch", "once")
    evolve(repo, "--last=1")
    return read_spec(repo, "once")
