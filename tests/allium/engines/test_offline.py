"""The offline engine: a step merges what the source changed into what is there."""

from git_retcon.allium.engine import Step, Update
from git_retcon.allium.engines.offline import OfflineEngine
from git_retcon.allium.engines.plain_classes import extract_classes
from git_retcon.allium.store.spec_store import SpecStore
from git_retcon.git.graph import read_commit
from git_retcon.git.trees import EMPTY_TREE
from tests.allium.history_shapes import entity
from tests.repository import TestRepository


def tell(repo: TestRepository, store: SpecStore, base: str = EMPTY_TREE) -> Update:
    repository = repo.open()
    commit = read_commit(repository, repo.rev("HEAD"))
    changes = repository.trees.changes(base, commit.tree)
    engine = OfflineEngine(repository, extract_classes)
    update = engine.update(Step(commit, 0, store, base, commit.tree, changes, {}))
    return update._replace(account=[*update.account, *engine.summarize()])


def test_each_file_is_told_in_its_module(repo: TestRepository) -> None:
    repo.commit("a", {"src/x/a.py": entity("A", "n"), "src/x/b.py": entity("B", "n"), "c.py": "("})
    update = tell(repo, SpecStore())
    assert list(update.modules) == [b"x.allium"]
    text = update.modules[b"x.allium"] or b""
    assert text.index(b"entity A") < text.index(b"entity B")
    assert update.account == ["Not read: c.py", "3 files read", "1 file could not be read"]


def test_a_file_whose_name_no_module_may_have_is_named(repo: TestRepository) -> None:
    repo.commit("a", {"src/x\x1b[31m/a.py": entity("A", "n"), "src/y/b.py": entity("B", "n")})
    update = tell(repo, SpecStore())
    assert list(update.modules) == [b"y.allium"]
    assert update.account == [
        r"Left out: src/x\x1b[31m/a.py: no module may have its name",
        "2 files read",
        "1 file left out: bad name for a module",
    ]


def test_what_somebody_else_wrote_stays(repo: TestRepository) -> None:
    repo.commit("a", {"src/x/a.py": entity("A", "n")})
    told = tell(repo, SpecStore()).modules[b"x.allium"] or b""
    store = SpecStore().set_module_spec(b"x.allium", told + b"\nrule R {\n    when: Go()\n}\n")
    base = repo.tree("HEAD")
    repo.commit("b", {"src/x/a.py": None})
    text = tell(repo, store, base).modules[b"x.allium"] or b""
    assert b"rule R" in text
    assert b"entity A" not in text


def test_two_files_may_declare_the_same_name(repo: TestRepository) -> None:
    repo.commit("a", {"src/x/a.py": entity("A", "n"), "src/x/b.py": entity("A", "m")})
    text = tell(repo, SpecStore()).modules[b"x.allium"] or b""
    assert text.count(b"entity A {") == 2
