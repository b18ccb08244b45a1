"""What git executes in a working tree is found by its settings, and in its submodules."""

from pathlib import Path

import pytest

from git_retcon.run.executed_files import find_executed
from tests.repository import TestRepository, new_repository


def executed(repo: TestRepository) -> list[str]:
    found = find_executed(repo.open(), repo.path)
    return [str(path.relative_to(repo.path)) for path in found]


@pytest.mark.parametrize(
    ("key", "value", "found"),
    [
        ("core.hooksPath", ".githooks", [".githooks"]),  # there or not
        ("core.hooksPath", "/usr/share/hooks", []),
        ("core.hooksPath", ".git/hooks", []),
        ("include.path", "../shared.gitconfig", ["shared.gitconfig"]),
        ("includeIf.onbranch:main.path", "../tools/git", ["tools/git"]),
        ("core.fsmonitor", "tools/watch.sh", ["tools/watch.sh"]),
        ("filter.tidy.clean", "sh -e tools/watch.sh %f", ["tools/watch.sh"]),
        ("diff.image.textconv", "./tools/watch.sh --text", ["tools/watch.sh"]),
        ("alias.watch", "!A=1 tools/watch.sh", ["tools/watch.sh"]),
        ("alias.last", "log -1 tools/watch.sh", []),
        ("tar.tgz.command", "tools/watch.sh -c", ["tools/watch.sh"]),
        ("remote.origin.uploadpack", "tools/watch.sh", ["tools/watch.sh"]),
        ("submodule.inner.update", "!tools/watch.sh", ["tools/watch.sh"]),
        ("remote.origin.url", "https://host.example/a", []),
        ("filter.lfs.clean", "git-lfs clean -- %f", []),
        ("core.editor", "vim", []),
    ],
)
def test_what_a_setting_names(repo: TestRepository, key: str, value: str, found: list[str]) -> None:
    repo.commit("begin", {"tools/watch.sh": "#!/bin/sh\n"})
    repo.git("config", key, value)
    assert executed(repo) == found


@pytest.mark.parametrize("is_absolute", [False, True])
def test_a_link_and_what_it_leads_to(repo: TestRepository, *, is_absolute: bool) -> None:
    repo.write({"tools/hooks/pre-push": "#!/bin/sh\n"})
    (repo.path / "ours").symlink_to(repo.path / "tools" if is_absolute else "tools")
    (repo.path / "top").symlink_to(".")
    repo.git("config", "core.hooksPath", "top/ours/hooks")
    assert executed(repo) == ["tools/hooks", "top/ours/hooks"]


def test_the_git_directories_of_submodules(repo: TestRepository, tmp_path: Path) -> None:
    who = ("-c", "user.name=A", "-c", "user.email=a@b.c", "-c", "protocol.file.allow=always")
    inner, outer = new_repository(tmp_path / "inner"), new_repository(tmp_path / "outer")
    inner.git(*who, "commit", "-q", "--allow-empty", "-m", "inner")
    outer.git(*who, "submodule", "add", "-q", str(inner.path), "in")
    outer.git(*who, "commit", "-qm", "outer")
    repo.git(*who, "submodule", "add", "-q", str(outer.path), "out")
    assert executed(repo) == ["out/.git"]
    repo.git(*who, "submodule", "update", "-q", "--init", "--recursive")
    assert executed(repo) == ["out/.git", "out/in/.git"]
    new_repository(repo.path / "nested")  # no submodule: git looks into it only when asked to
    assert executed(repo) == ["out/.git", "out/in/.git"]
