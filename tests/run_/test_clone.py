"""The clone takes over what decides how a checkout looks, exactly, and nothing else."""

import os
import subprocess
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from git_retcon.git.config import Config
from git_retcon.run.clone import checkout_settings
from git_retcon.run.worktree import open_worktree
from tests.repository import TestRepository

_TEXT = st.text(
    st.characters(blacklist_characters="\0\r", blacklist_categories=["Cs"]), max_size=12
)
_NAME = _TEXT.filter(lambda text: text != "" and "\n" not in text)


@settings(max_examples=40, deadline=None)
@given(st.dictionaries(_NAME, st.lists(_TEXT, min_size=1, max_size=2), max_size=3), _TEXT)
def test_settings_survive_being_written(filters: dict[str, list[str]], eol: str) -> None:
    values = {f"filter.{name}.smudge": tuple(commands) for name, commands in filters.items()}
    config = Config(values | {"core.eol": (eol,), "user.name": ("Ada",), "core.bare": ("true",)})
    done = subprocess.run(
        ["git", "config", "-z", "--list", "--file", "-"],
        input=checkout_settings(config),
        capture_output=True,
        check=True,
    )
    assert Config.parse(done.stdout).values == values | {"core.eol": (eol,)}


def test_the_users_remotes_branches_and_identity_stay_behind(
    repo: TestRepository, tmp_path: Path
) -> None:
    commit = repo.commit("one", {"a": "1\n"})
    repo.git("remote", "add", "origin", "https://me:token@example.com/x.git")
    repo.git("branch", "other")
    repo.git("tag", "v1")
    with open_worktree(tmp_path / "worktrees", repo.open(), "build") as worktree:
        worktree.checkout(commit)
        assert worktree.git.line("for-each-ref", "--format=%(refname)") == "refs/tags/v1"
        assert b"token" not in (worktree.git_dir / "config").read_bytes()
        assert worktree.git.line("remote") == ""


def test_a_filter_with_a_password_works_and_no_command_can_read_it(
    repo: TestRepository, tmp_path: Path
) -> None:
    repo.git("config", "filter.vault.smudge", "sed s/a/b/ # --password geheim")
    repo.git("config", "filter.vault.clean", "cat")
    repo.git("config", "filter.vault.required", "true")
    repo.git("config", "lfs.url", "https://ada:geheim@example.com/")
    repo.git("config", "lfs.https://ada:geheim@example.com/.access", "basic")
    repo.git("config", "core.eol", "lf")
    commit = repo.commit("one", {"a": "a\n", ".gitattributes": "a filter=vault\n"})
    with open_worktree(tmp_path / "worktrees", repo.open(), "build") as worktree:
        worktree.checkout(commit)
        assert (worktree.tree / "a").read_text() == "b\n"
        said = worktree.run("git config --list", env=dict(os.environ)).output.decode()
        assert "core.eol=lf\n" in said
        assert "geheim" not in said
        assert "filter.vault" not in said
        assert worktree.git.line("config", "lfs.url") == "https://ada:geheim@example.com/"


def test_ignored_by_the_users_own_list_is_ignored_here(
    repo: TestRepository, tmp_path: Path
) -> None:
    commit = repo.commit("one", {"a": "1\n"})
    (repo.path / ".git/info").mkdir(exist_ok=True)
    (repo.path / ".git/info/exclude").write_text("kept\n")
    with open_worktree(tmp_path / "worktrees", repo.open(), "build") as worktree:
        worktree.checkout(commit)
        (worktree.tree / "kept").write_text("")
        (worktree.tree / "not-kept").write_text("")
        worktree.checkout(commit)
        assert (worktree.tree / "kept").exists()
        assert not (worktree.tree / "not-kept").exists()


def test_a_new_tag_is_seen_at_the_next_checkout(repo: TestRepository, tmp_path: Path) -> None:
    commit = repo.commit("one", {"a": "1\n"})
    with open_worktree(tmp_path / "worktrees", repo.open(), "build") as worktree:
        worktree.checkout(commit)
        repo.git("tag", "v2")
        worktree.checkout(commit)
        assert worktree.git.line("describe", "--tags") == "v2"
