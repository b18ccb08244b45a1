"""Which files are source."""

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
