"""What a step's source was and is."""

from collections.abc import Sequence

from git_retcon.allium.engines.step_sources import StepSources
from git_retcon.allium.extract.source_tree import FactsReader, GitTree
from tests.repository import TestRepository

PATH = "src/order.py"


TEXTS = ["class A:\n    x: int\n", "class A:\n    x: int  # y\n", "class (\n", "", "x = len\n"]


def open_sources(repo: TestRepository) -> Sequence[Sequence[StepSources]]:
    repository = repo.open()
    reader = FactsReader(repository)
    trees: list[GitTree] = []
    for number, text in enumerate(TEXTS):
        repo.commit(str(number), {PATH: text})
        trees.append(GitTree(repository, reader, repo.tree("HEAD")))
    return [[StepSources(b, t, b, b, (), (), frozenset) for t in trees] for b in trees]


def test_a_file_says_the_same_where_it_can_be_read_and_only_a_comment_is_another(
    repo: TestRepository,
) -> None:
    found = open_sources(repo)
    assert found[0][1].says_same(PATH.encode())
    assert not found[0][3].says_same(PATH.encode())
    assert not found[2][2].says_same(PATH.encode())


def test_what_never_said_anything_is_not_described(repo: TestRepository) -> None:
    path = PATH.encode()
    found = open_sources(repo)
    pairs = [(0, 3), (3, 0), (2, 3)]
    assert [found[was][now].list_described([path]) for was, now in pairs] == [[path]] * 3
    assert found[3][4].list_described([path, b"none.py"]) == []
