"""A tree is distrusted while it holds what a model wrote, and no longer."""

import pytest

from git_retcon.files.protected import is_judge
from git_retcon.git.trees import Entry
from git_retcon.run.quarantine import Quarantine
from tests.repository import TestRepository


def test_a_tree_is_distrusted_for_what_a_model_wrote_in_it(repo: TestRepository) -> None:
    base = repo.tree(repo.commit("base", {"a": "1\n", "b": "1\n"}))
    source = repo.tree(repo.commit("source", {"a": "2\n", "b": "2\n", "new": "n\n"}))
    bridged = repo.tree(repo.commit("bridged", {"a": "model's\n"}))
    other = repo.tree(repo.commit("other", {"a": "2\n", "b": "also odd\n"}))
    quarantine = Quarantine(repo.open().trees, base, source)
    assert not quarantine.holds(bridged)
    quarantine.add([b"a", b"made/by/model"])
    assert quarantine.holds(bridged)
    assert not quarantine.holds(base)
    assert not quarantine.holds(source)
    assert not quarantine.holds(other)  # b is odd, but no model wrote it


def test_a_file_that_is_gone_or_is_the_users_again_is_trusted(repo: TestRepository) -> None:
    base = repo.tree(repo.commit("base", {"a": "1\n"}))
    source = repo.tree(repo.commit("source", {"a": "2\n"}))
    quarantine = Quarantine(repo.open().trees, base, source, {b"a"})
    gone = repo.tree(repo.commit("gone", {"a": None, "x": ""}))
    assert not quarantine.holds(gone)
    assert not quarantine.holds(repo.tree(repo.commit("as the source", {"a": "2\n"})))


def test_another_mode_of_the_users_bytes_is_distrusted(repo: TestRepository) -> None:
    base = repo.tree(repo.commit("base", {"a": "#!/bin/sh\n"}))
    repo.git("update-index", "--chmod=+x", "a")
    executable = repo.git("write-tree")
    assert Quarantine(repo.open().trees, base, base, {b"a"}).holds(executable)


def test_a_folder_in_its_place_is_no_file_of_a_models(repo: TestRepository) -> None:
    base = repo.tree(repo.commit("base", {"b": "1\n"}))
    folder = repo.tree(repo.commit("folder", {"a/x": "1\n"}))
    assert not Quarantine(repo.open().trees, base, base, {b"a"}).holds(folder)


MAKEFILE = "all:\n\tcc a.c\n\ntest:\n\t./check\n"
SOURCE = "all:\n\tcc a.c b.c\n\ntest:\n\t./check --all\n\nclean:\n\trm a.out\n"


@pytest.mark.parametrize(
    ("content", "is_bridged"),
    [
        (MAKEFILE, False),
        (SOURCE, False),
        (SOURCE.replace(" --all", ""), False),  # some hunks of the source, not all
        (MAKEFILE + "\nclean:\n\trm a.out\n", False),
        (MAKEFILE.replace("./check", "true"), True),
        (MAKEFILE.replace("test:\n", ""), True),
        (MAKEFILE + "\t./check\n", True),
        ("test:\n\t./check\n\nall:\n\tcc a.c\n", True),  # the same lines in another order
        ("", True),
    ],
)
def test_a_line_that_the_source_does_not_bring_is_a_models(
    content: str, is_bridged: bool, repo: TestRepository
) -> None:
    base = repo.tree(repo.commit("base", {"Makefile": MAKEFILE, "a.c": "1"}))
    source = repo.tree(repo.commit("source", {"Makefile": SOURCE}))
    tree = repo.tree(repo.commit("between", {"Makefile": content, "a.c": "0"}))
    repository = repo.open()
    quarantine = Quarantine(repository.trees, base, source, {b"Makefile", b"a.c"})
    found = quarantine.find_bridged(tree, is_judge, repository.objects.odb)
    assert found == ((b"Makefile",) if is_bridged else ())


def test_a_judge_that_is_no_file_of_the_users_is_a_models(repo: TestRepository) -> None:
    base = repo.tree(repo.commit("base", {"a": "1\n"}))
    tree = repo.tree(repo.commit("new", {"conftest.py": "import os; os._exit(0)\n"}))
    repository = repo.open()
    quarantine = Quarantine(repository.trees, base, base, {b"conftest.py"})
    assert quarantine.find_bridged(tree, is_judge, repository.objects.odb) == (b"conftest.py",)


@pytest.mark.parametrize("mode", [b"100755", b"120000", b"160000"])
def test_a_judge_of_another_mode_or_kind_is_a_models(repo: TestRepository, mode: bytes) -> None:
    base = repo.tree(repo.commit("base", {"Makefile": MAKEFILE}))
    repository = repo.open()
    trees, odb = repository.trees, repository.objects.odb
    (blob,) = (entry.oid for _, entry in trees.files(base))
    tree = trees.edit(base, {b"Makefile": Entry(mode, blob)})
    assert Quarantine(trees, base, base, {b"Makefile"}).find_bridged(tree, is_judge, odb)
    # One of three commits of a submodule, none of which is an object here.
    old, new, here = (
        trees.edit(base, {b"Makefile": Entry(b"160000", digit * 40)}) for digit in "123"
    )
    assert Quarantine(trees, old, new, {b"Makefile"}).find_bridged(here, is_judge, odb)
