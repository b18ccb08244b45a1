"""What git ignores is what ``git check-ignore`` says, from one process for many questions."""

import os
import signal
from pathlib import Path

import pytest

from git_retcon.git.checkout import find_ignored
from git_retcon.git.ignore_rules import IgnoreRules
from git_retcon.git.process import Git, GitError
from tests.repository import TestRepository


def bind(repo: TestRepository) -> Git:
    opened = repo.open()
    return Git(opened.git_dir, opened.work_tree, opened.git.env)


def test_patterns_negations_folders_and_odd_names(repo: TestRepository) -> None:
    repo.write(
        {
            ".gitignore": "*.o\n!keep.o\nout/\n\\!bang\n:colon\n",
            "sub/.gitignore": "x\n",
            "sub/deep/x": "",
            "out/x": "",
            "b.o": "",
            "keep.o": "",
            "!bang": "",
            ":colon": "",
            ":(glob)*": "",
            b"\xff\n.o": "",
            "a": "",
        }
    )
    (repo.path / "out.o").symlink_to("out")
    paths = [
        b"b.o", b"keep.o", b"out", b"out/x", b"sub", b"sub/deep", b"sub/deep/x", b"!bang",
        b":colon", b":(glob)*", b"\xff\n.o", b"a", b"out.o", b"missing.o",
    ]  # fmt: skip
    rules = IgnoreRules(bind(repo))
    assert rules.find_ignored(paths) == {
        b"b.o", b"out", b"out/x", b"sub/deep/x", b"!bang", b":colon", b"\xff\n.o", b"out.o",
        b"missing.o",
    }  # fmt: skip
    rules.close()


def test_thousands_of_long_paths_are_answered_by_one_process(
    repo: TestRepository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_TRACE2", str(tmp_path / "trace"))
    monkeypatch.setenv("GIT_FLUSH", "0")
    repo.write({".gitignore": "*7\n" + "x" * 3000 + "\n"})
    git = bind(repo)
    (tmp_path / "trace").write_text("")
    paths = [b"%s/%d" % (b"d" * (number % 250 + 1), number) for number in range(6000)]
    rules = IgnoreRules(git)
    assert rules.find_ignored(paths) == {path for path in paths if path.endswith(b"7")}
    assert rules.find_ignored([b"x" * 3000, b"1" * 4090]) == {b"x" * 3000}
    assert rules.find_ignored([]) == frozenset()
    rules.close()
    assert (tmp_path / "trace").read_text().count(" start ") == 1


def test_rules_that_change_are_read_again_after_it_was_closed(repo: TestRepository) -> None:
    rules = IgnoreRules(bind(repo))
    repo.write({".gitignore": "a\n"})
    assert rules.find_ignored([b"a", b"b"]) == {b"a"}
    repo.write({".gitignore": "b\n"})
    rules.close()
    assert rules.find_ignored([b"a", b"b"]) == {b"b"}
    rules.close()
    assert find_ignored(bind(repo), [b"a", b"b"]) == {b"b"}


def test_a_process_that_was_ended_is_an_error_and_the_next_question_is_answered(
    repo: TestRepository,
) -> None:
    repo.write({".gitignore": "a\n"})
    rules = IgnoreRules(bind(repo))
    rules.find_ignored([b"a"])
    assert rules._process is not None
    os.kill(rules._process.pid, signal.SIGKILL)
    rules._process.wait()
    with pytest.raises(GitError, match="check-ignore ended"):
        rules.find_ignored([b"a"])
    assert rules.find_ignored([b"a"]) == {b"a"}
    rules.close()
