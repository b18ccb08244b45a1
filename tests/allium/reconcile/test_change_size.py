"""The tokens that a commit changed."""

from git_retcon.allium.evolve.source_files import SourceFiles
from git_retcon.allium.reconcile.change_size import count_change_tokens, count_tokens_between
from tests.allium.history_shapes import merge
from tests.repository import TestRepository


def test_a_merge_counts_what_no_parent_has(repo: TestRepository) -> None:
    base = repo.commit("a", {"a.py": "x = 1\n" * 100, "uv.lock": "y\n" * 1000})
    repo.git("checkout", "-q", "-b", "side")
    repo.commit("s", {"s.py": "x = 1\n" * 100})
    repo.git("checkout", "-q", "main")
    repo.commit("b", {"b.py": "x = 1\n" * 10})
    merge(repo, "m", "side")
    repository = repo.open()
    select = SourceFiles(repository, ()).select
    sizes = [count_change_tokens(repository, select, repo.rev(r)) for r in (base, "side", "main")]
    assert 170 < sizes[0] < 200, "without the lock file"
    assert 170 < sizes[1] < 200
    assert sizes[2] == 0
    between = count_tokens_between(repository, select, base, repo.rev("main"))
    alone = count_change_tokens(repository, select, repo.rev("main^"))
    assert between == sizes[1] + alone
    assert count_tokens_between(repository, select, None, base) == sizes[0]
