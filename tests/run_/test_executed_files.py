"""What git executes or obeys in a tree, because its settings or submodules say so."""

from git_retcon.run.executed_files import find_executed
from tests.repository import TestRepository, new_repository


def found(repo: TestRepository) -> set[str]:
    return {str(each.relative_to(repo.path)) for each in find_executed(repo.open(), repo.path)}


def test_hooks_includes_and_scripts_of_settings_are_found(repo: TestRepository) -> None:
    repo.write({"tools/clean.sh": "cat\n", "tools/notes.txt": "x\n"})
    repo.git("config", "core.hooksPath", "tools/hooks")
    repo.git("config", "include.path", "../shared.config")
    repo.git("config", "filter.clean.clean", "sh tools/clean.sh")
    repo.git("config", "alias.go", "!tools/clean.sh --all")
    assert found(repo) == {"tools/hooks", "shared.config", "tools/clean.sh"}


def test_what_is_outside_the_tree_or_in_git_is_not_of_the_tree(repo: TestRepository) -> None:
    repo.git("config", "core.hooksPath", "/usr/share/hooks")
    repo.git("config", "include.path", "more.config")
    repo.git("config", "core.editor", "vi")
    assert found(repo) == set()


def test_a_submodule_names_its_settings_by_its_git_file(repo: TestRepository) -> None:
    other = new_repository(repo.path.parent / "other")
    other.commit("Start", {"a": "1\n"})
    repo.git(
        "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(other.path), "sub"
    )
    assert found(repo) == {"sub/.git"}
