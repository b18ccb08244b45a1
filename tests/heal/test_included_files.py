"""Ignored files that `heal.include` names."""

import dataclasses
from pathlib import Path

from git_retcon.heal.included_files import IncludedFiles
from tests.repository import TestRepository, new_repository


def include(repository: TestRepository, *patterns: str) -> IncludedFiles:
    git = dataclasses.replace(repository.open().git, work_tree=repository.path)
    return IncludedFiles(git, repository.path, patterns)


def test_patterns_name_ignored_files_alone(tmp_path: Path) -> None:
    repository = new_repository(tmp_path / "project")
    repository.commit("begin", {".gitignore": ".env*\nbig/\n", "sub/a": "a", "config": "tracked"})
    repository.write({".env": "1", "sub/.env.test": "2", "big/x/.env": "3", "big/y": "4"})
    (repository.path / "sub/.env.link").symlink_to("/etc/passwd")
    include(repository, ".env*", "config", "/big/y").copy_to(tmp_path / "copy")
    copied = sorted(
        str(path.relative_to(tmp_path / "copy"))
        for path in (tmp_path / "copy").rglob("*")
        if path.is_file()
    )
    assert copied == [".env", "big/x/.env", "big/y", "sub/.env.test"]


def test_the_digest_changes_with_names_and_contents(tmp_path: Path) -> None:
    repository = new_repository(tmp_path / "project")
    repository.commit("begin", {".gitignore": ".env*\n"})
    assert include(repository, ".env").digest() == include(repository).digest() == ""
    repository.write({".env": "1"})
    first = include(repository, ".env").digest()
    repository.write({".env": "2"})
    second = include(repository, ".env").digest()
    (repository.path / ".env").chmod(0o755)
    assert len({first, second, include(repository, ".env").digest()}) == 3
