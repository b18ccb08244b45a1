"""Which files are source."""

import pytest

from git_retcon.allium.evolve.source_files import SourceFiles
from git_retcon.git.trees import EMPTY_TREE
from tests.repository import TestRepository


def select(repo: TestRepository, *ignored: str) -> list[str]:
    repository = repo.open()
    tree = repo.tree("HEAD")
    changes = repository.trees.changes(EMPTY_TREE, tree)
    return [each.path.decode() for each in SourceFiles(repository, ignored).select(changes, tree)]


def test_tests_locks_vendored_and_generated_files_are_left_out(repo: TestRepository) -> None:
    names = [
        "src/a.py", "src/a.test.ts", "tests/b.py", "test_c.py", "package-lock.json", "Cargo.lock",
        "x.min.js", "vendor/d.go", "node_modules/e/f.js", "web.config.js", "db/migrations/1.py",
        "g.gen.go", "third/h.c", ".gitattributes", "cacert.pem", "ca/root.crt",
    ]  # fmt: skip
    files = dict.fromkeys(names, "x\n")
    files[".gitattributes"] = (
        "# linguist-generated\n*.gen.go linguist-generated\n/third/ linguist-vendored=true\n"
    )
    repo.commit("all", files)
    assert select(repo) == ["src/a.py"]


def test_the_user_adds_patterns_and_takes_some_back(repo: TestRepository) -> None:
    repo.commit("all", {"a.py": "", "b.py": "", "webpack.config.js": ""})
    assert select(repo, "b.py", "!webpack.config.js") == ["a.py", "webpack.config.js"]


def test_links_and_submodules_are_no_source(repo: TestRepository) -> None:
    (repo.path / "link.py").symlink_to("a.py")
    repo.write({"a.py": ""})
    repo.git("update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},sub.py")
    repo.git("add", "a.py", "link.py")
    repo.git("commit", "-qm", "x")
    assert select(repo) == ["a.py"]


def test_locks_of_any_name_are_no_source_and_marks_can_be_taken_back(
    repo: TestRepository,
) -> None:
    files = dict.fromkeys(["go.sum", "npm-shrinkwrap.json", "a.py", "third/b.c", "third/c.c"], "x")
    marks = "third/** linguist-vendored\nthird/b.c linguist-vendored=false\n"
    repo.commit("all", files | {".gitattributes": marks})
    assert select(repo) == ["a.py", "third/b.c"]


def test_the_files_of_trees_are_listed_as_they_are_in_each(repo: TestRepository) -> None:
    repo.commit("a", {"src/a.py": "x\n", "src/deep/b.py": "x\n", "lib/c.py": "x\n"})
    trees = [repo.tree("HEAD")]
    repo.commit("b", {"src/deep/b.py": "y\n", "src/d.py": "x\n"})
    trees.append(repo.tree("HEAD"))
    repo.commit("c", {".gitattributes": "lib/* linguist-vendored\n"})
    trees.append(repo.tree("HEAD"))
    repo.commit("d", {"lib/c.py": None, "src/a.py": None, "other/e.py": "x\n"})
    trees.append(repo.tree("HEAD"))
    files = SourceFiles(repo.open(), ())
    for _ in range(2):
        found = [[path.decode() for path, _ in files.list_paths(each)] for each in trees]
        assert found == [
            ["lib/c.py", "src/a.py", "src/deep/b.py"],
            ["lib/c.py", "src/a.py", "src/d.py", "src/deep/b.py"],
            ["src/a.py", "src/d.py", "src/deep/b.py"],
            ["other/e.py", "src/d.py", "src/deep/b.py"],
        ]
    entries = [dict(files.list_paths(each))[b"src/deep/b.py"].oid for each in trees[:2]]
    assert entries[0] != entries[1]


def test_only_so_many_files_are_remembered(
    repo: TestRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("git_retcon.allium.evolve.source_files._MOST_LISTED", 3)
    repo.commit("a", {f"src/{name}/a.py": "x\n" for name in "abcdef"})
    files = SourceFiles(repo.open(), ())
    tree = repo.tree("HEAD")
    assert len([*files.list_paths(tree)]) == len([*files.list_paths(tree)]) == 6
    assert len(files._listed) <= 3
