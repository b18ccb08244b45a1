"""Words are found in source files, sooner where the same blobs are searched again."""

import pytest

from git_retcon.allium.engines.source_words import SourceWords
from git_retcon.git.repository import open_repository
from tests.repository import TestRepository

FILES = {
    "a.py": "class Order(Base): pass\n",
    "b.py": "# a Border\nREBASE = Base_\n",
    "c.py": "Größe = GrößeUndBase\n",
    "d.py": "import base\nx = base.Base\n",
}


def find_files(repo: TestRepository, *searches: set[str]) -> list[list[str]]:
    tree = repo.git("rev-parse", f"{repo.commit('files', FILES)}^{{tree}}")
    repository = open_repository(repo.path)
    words = SourceWords(repository.objects)
    sources = [*repository.trees.files(tree)]
    return [[path.decode() for path in words.find_files(sources, each)] for each in searches]


SEARCHES = [
    ({"Base"}, ["a.py", "d.py"]),
    ({"Order", "Base_"}, ["a.py", "b.py"]),
    ({"Größe"}, ["c.py"]),
    ({"Gr"}, ["c.py"]),
    ({"Bas"}, []),
    ({f"No{n}" for n in range(20)} | {"base"}, ["d.py"]),
    (set[str](), []),
]


@pytest.mark.parametrize(("names", "found"), SEARCHES)
def test_the_first_search(repo: TestRepository, names: set[str], found: list[str]) -> None:
    assert find_files(repo, names) == [found]


def test_searches_after_it_find_the_same(repo: TestRepository) -> None:
    names = [each for each, _ in SEARCHES]
    assert find_files(repo, *names, *names) == [found for _, found in SEARCHES] * 2


def test_a_blob_without_the_word_is_read_once(
    repo: TestRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree = repo.git("rev-parse", f"{repo.commit('files', FILES)}^{{tree}}")
    repository = open_repository(repo.path)
    words = SourceWords(repository.objects)
    sources = [*repository.trees.files(tree)]
    words.find_files(sources, {"Nothing"})
    words.find_files(sources, {"Nothing"})
    monkeypatch.setattr("git_retcon.allium.engines.source_words.find_object", None)
    assert words.find_files(sources, {"Nothing", "Neither"}) == []
