"""Amended and rebased commits are not described again where nothing in them is new."""

from git_retcon.allium.engine import Step, Update
from git_retcon.allium.evolve.agenda import make_agenda
from git_retcon.allium.evolve.request import Range
from git_retcon.allium.evolve.run import Limits, lock_branch, run
from git_retcon.allium.history.spec_branch import SpecBranch
from tests.allium.history_shapes import BRANCH, entity, shape, told
from tests.repository import TestRepository


class Counting:
    """An engine that describes nothing but the subject, and remembers what it was asked."""

    name = "counting"
    is_slow = True

    def __init__(self) -> None:
        self.asked: list[str] = []

    def update(self, step: Step) -> Update:
        self.asked.append(step.commit.subject)
        files = " ".join(change.path.decode() for change in step.changes)
        text = f"-- allium: 3\n-- {files} {step.tree[:8]}\n"
        why = "no answer" if "!" in step.commit.subject else ""
        return Update({b"x.allium": text.encode()}, None, ["It is so."], 0.5, why, "the model")

    def summarize(self) -> list[str]:
        return []


def tell(repo: TestRepository) -> list[str]:
    engine = Counting()
    repository = repo.open()
    with lock_branch(repository, SpecBranch(repository, f"refs/heads/{BRANCH}")) as branch:
        agenda = make_agenda(repository, branch, Range(), repo.rev("HEAD"))
        run(repository, branch, agenda, engine, Limits(None, (), 1, 1, 8000), lambda _: None)
    return engine.asked


def rewrite(repo: TestRepository, *subjects: str) -> None:
    """The last commits again, with other subjects and the same trees."""
    trees = [repo.tree(f"HEAD~{at}") for at in reversed(range(len(subjects)))]
    tip = repo.rev(f"HEAD~{len(subjects)}")
    for subject, tree in zip(subjects, trees, strict=True):
        tip = repo.git("commit-tree", "-p", tip, "-m", subject, tree)
    repo.git("reset", "-q", "--hard", tip)


def test_what_is_the_same_is_reused(repo: TestRepository) -> None:
    for name in "abc":
        repo.commit(name, {f"src/{name}.py": entity(name, "n")})
    assert tell(repo) == ["a", "b", "c"]
    spec = repo.rev(f"{BRANCH}:spec")
    rewrite(repo, "b, said better", "c")
    assert tell(repo) == []
    assert told(repo) == shape(repo)
    assert repo.rev(f"{BRANCH}:spec") == spec
    body = repo.git("log", "-1", "--format=%B", BRANCH)
    assert "\nIt is so.\n\nChanged: x.allium\n" in body
    assert "Allium-Model: the model\nAllium-Cost: $0.0000" in body


def test_what_differs_is_asked_again_from_there(repo: TestRepository) -> None:
    for name in "abc":
        repo.commit(name, {f"src/{name}.py": entity(name, "n")})
    tell(repo)
    repo.git("reset", "-q", "--hard", "HEAD~2")
    repo.commit("b", {"src/b.py": entity("b", "other")})
    repo.commit("c", {"src/c.py": entity("c", "n")})
    assert tell(repo) == ["b", "c"]


def test_what_could_not_be_described_is_tried_again(repo: TestRepository) -> None:
    repo.commit("a", {"src/a.py": entity("a", "n")})
    repo.commit("b!", {"src/b.py": entity("b", "n")})
    tell(repo)
    rewrite(repo, "b")
    assert tell(repo) == ["b"]
