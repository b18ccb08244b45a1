"""With ``--source=worktree``, a branch moves to commits made of its files, and those stay."""

import json
import os
from pathlib import Path

import pytest

from git_retcon.errors import Fatal
from git_retcon.git.ref_updates import update_refs
from tests.program import Ran, retcon, retcon_here
from tests.repository import TestRepository

SPEC = """\
source = "main"
remote = "main"
cleaned = "clean"

[[commit]]
message = "Take what is named"
files = ["*.py", "run.sh", "link", "gone.txt", "part.txt", "data.bin"]
hunks = [PINS]

[[commit]]
message = "Say it"
files = ["README.md"]
"""
LINES = "".join(f"{number}\n" for number in range(1, 41))


@pytest.fixture
def repo(repo: TestRepository) -> TestRepository:
    """Uncommitted work of every kind: two commits take most of it, and leave the rest."""
    files = {"README.md": "# ?\n", "run.sh": "run\n", "gone.txt": "gone\n", "part.txt": LINES}
    repo.commit("Start", {**files, "left.txt": "1\n", ".gitignore": "ignored\nhistory.toml\n"})
    repo.write(
        {
            "README.md": "# Named\n",
            "new.py": "NEW = 1\n",
            "data.bin": b"\0\1\r\n",
            "gone.txt": None,
            "part.txt": LINES.replace("2\n", "two\n", 1).replace("38\n", "thirty-eight\n"),
            "left.txt": "2\n",
            "notes/left.md": "left\r\nas it is\n",
            "ignored": "ignored\n",
        }
    )
    (repo.path / "run.sh").chmod(0o755)
    (repo.path / "link").symlink_to("new.py")
    (repo.path / "left-link").symlink_to("nowhere")
    repo.git("add", "left.txt")
    (repo.path / "history.toml").write_text(SPEC.replace("hunks = [PINS]\n", ""))
    return repo


def run(repo: TestRepository, *words: str) -> Ran:
    return retcon_here(repo.path, *words, "history.toml")


def leave_second_change(repo: TestRepository) -> None:
    """Have the first change of part.txt pinned; the second is in no commit."""
    shown = json.loads(run(repo, "hunks", "--json").ok().out)["hunks"]
    first = next(each["id"] for each in shown if each["path"] == "part.txt")
    text = SPEC.replace("PINS", f'"{first}"').replace('"part.txt", ', "")
    (repo.path / "history.toml").write_text(
        text.replace("[[commit]]", "worktree = true\n\n[[commit]]", 1)
    )


def list_files(top: Path) -> dict[str, tuple[bytes, int]]:
    """Every file of a worktree with its content and its mode."""
    found = {}
    for path in sorted(top.rglob("*")):
        if ".git" not in path.relative_to(top).parts and (path.is_symlink() or path.is_file()):
            content = os.fsencode(path.readlink()) if path.is_symlink() else path.read_bytes()
            found[str(path.relative_to(top))] = (content, path.lstat().st_mode)
    return found


def test_commits_take_what_they_name_and_the_rest_stays(repo: TestRepository) -> None:
    done = run(repo, "--source=worktree").ok()
    assert "  Source: main, with what is not committed there\n" in done.err
    assert "Leaving 3 hunks uncommitted: left-link, left.txt and notes/left.md\n" in done.err
    assert (
        "  git diff clean    (what is left uncommitted, and data.bin, link and new.py: "
        "git does not track them yet)\n"
    ) in done.out
    assert '\nworktree = true\nremote = "main"\n' in (repo.path / "history.toml").read_text()
    leave_second_change(repo)
    files, again = list_files(repo.path), json.loads(run(repo, "--restart", "--json").ok().out)
    assert again["left"] == ["left-link", "left.txt", "notes/left.md", "part.txt"]
    assert again["tree_equal"] is False
    files["history.toml"] = list_files(repo.path)["history.toml"]
    assert (
        "left uncommitted: left-link, left.txt, notes/left.md and part.txt\n"
        in run(repo, "adopt").ok().err
    )
    assert list_files(repo.path) == files
    assert repo.git("symbolic-ref", "--short", "HEAD") == "main"
    assert repo.rev("main") == repo.rev("clean")
    assert repo.subjects("main") == ["Start", "Take what is named", "Say it"]
    assert repo.git("status", "--porcelain", "--untracked-files=all").splitlines() == [
        "M  left.txt",
        " M part.txt",
        "?? left-link",
        "?? notes/left.md",
    ]
    assert "+thirty-eight" in repo.git("diff", "part.txt")
    assert "+two" not in repo.git("diff", "part.txt")
    assert repo.git("ls-tree", "main", "run.sh", "link").split()[::4] == ["120000", "100755"]
    repo.git("fsck", "--strict")
    # Nothing is left to do, and the same commands say so.
    after = repo.git("for-each-ref")
    assert "has changed since" not in run(repo).ok().err
    assert "'main' is the result already" in run(repo, "adopt").ok().err
    assert repo.git("for-each-ref") == after


def test_what_changed_since_the_run_is_said_and_then_left(repo: TestRepository) -> None:
    run(repo, "--source=worktree").ok()
    repo.write({"new.py": "NEW = 2\n"})
    refused = run(repo, "adopt")
    assert refused.status == 128
    assert "the working state of 'main' has changed since the last run\n" in refused.err
    assert "'git retcon history.toml' says what is new" in refused.err
    done = run(repo).ok()
    assert (
        "warning: the working state of 'main' has changed since the last run: new.py\n" in done.err
    )
    assert "uncommitted: left-link, left.txt, new.py and notes/left.md\n" in done.err
    run(repo, "adopt").ok()
    assert repo.show("main:new.py") == b"NEW = 1\n"
    assert (repo.path / "new.py").read_text() == "NEW = 2\n"


def test_leftovers_become_a_commit_where_that_is_asked_for(repo: TestRepository) -> None:
    run(repo, "--source=worktree", "--leftover=commit").ok()
    assert repo.subjects("main..clean")[-1] == "WIP: remaining changes from main"
    run(repo, "adopt").ok()
    assert repo.git("status", "--porcelain") == ""


def test_what_is_committed_stays_committed(repo: TestRepository) -> None:
    repo.write({"left.txt": "1\n"})
    repo.git("add", "left.txt")
    start = repo.rev("HEAD")
    repo.write({"theirs.txt": "theirs\n"})
    repo.git("add", "theirs.txt")
    repo.git("commit", "-qm", "From a colleague")
    text = SPEC.replace("hunks = [PINS]\n", "").replace('remote = "main"', f'remote = "{start}"')
    (repo.path / "history.toml").write_text(text)
    done = run(repo, "--source=worktree").ok()
    assert "they go into 'WIP: remaining changes from main'\n" in done.err
    assert "Leaving 2 hunks uncommitted: left-link and notes/left.md\n" in done.err
    run(repo, "adopt").ok()
    assert repo.show("main:theirs.txt") == b"theirs\n"
    assert "left-link" not in repo.git("ls-tree", "-r", "--name-only", "main")
    # The same again, where all is built anew.
    run(repo, "--restart").ok()
    assert repo.show("clean:theirs.txt") == b"theirs\n"


@pytest.mark.parametrize("flag", ["--skip-worktree", "--assume-unchanged"])
def test_what_git_is_asked_to_overlook_is_left_out(repo: TestRepository, flag: str) -> None:
    repo.write({"settings.py": "password = ''\n"})
    repo.git("add", "settings.py")
    repo.git("commit", "-qm", "Settings", "settings.py")
    repo.git("update-index", flag, "settings.py")
    (repo.path / "settings.py").write_text("password = 'mine'\n")
    run(repo, "--source=worktree").ok()
    run(repo, "adopt").ok()
    assert repo.show("main:settings.py") == b"password = ''\n"
    assert (repo.path / "settings.py").read_text() == "password = 'mine'\n"
    assert repo.git("ls-files", "-v", "settings.py")[:1] in ("S", "h")


def test_what_is_staged_in_a_version_of_its_own_refuses_it(repo: TestRepository) -> None:
    run(repo, "--source=worktree").ok()
    repo.git("update-index", "--add", "--cacheinfo", f"100644,{repo.rev('main:README.md')},new.py")
    before = (repo.git("ls-files", "--stage"), repo.git("for-each-ref"))
    for words in (["adopt", "-n"], ["adopt"]):
        refused = run(repo, *words)
        assert refused.status == 128
        assert "neither what is in the file nor what was committed: new.py\n" in refused.err
    assert (repo.git("ls-files", "--stage"), repo.git("for-each-ref")) == before


def test_the_index_follows_a_branch_that_moved_before_git_failed(
    repo: TestRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where the disk is full when git writes the log of the other ref."""
    run(repo, "--source=worktree").ok()

    def move_and_fail(*arguments: object) -> None:
        update_refs(*arguments)  # type: ignore[arg-type]
        raise Fatal("not every ref was moved")

    monkeypatch.setattr("git_retcon.retcon.subcommands.adopt.update_refs", move_and_fail)
    assert "not every ref was moved" in run(repo, "adopt").err
    monkeypatch.undo()
    assert "'main' is the result already" in run(repo, "adopt").ok().err
    assert repo.git("diff", "--cached", "--name-only") == "left.txt"


def test_a_dry_run_touches_no_index(repo: TestRepository) -> None:
    run(repo, "--source=worktree").ok()
    before = (repo.git("ls-files", "--stage"), repo.git("for-each-ref"))
    done = run(repo, "adopt", "-n").ok()
    assert "left uncommitted: left-link, left.txt and notes/left.md\n" in done.err
    assert (repo.git("ls-files", "--stage"), repo.git("for-each-ref")) == before


def test_another_checkout_with_changes_refuses_it(repo: TestRepository, tmp_path: Path) -> None:
    run(repo, "--source=worktree").ok()
    other = tmp_path / "other"
    repo.git("worktree", "add", "-q", "--force", str(other), "main")
    (other / "README.md").write_text("edited\n")
    refused = run(repo, "adopt")
    assert f"checked out at '{other}' with uncommitted changes: README.md\n" in refused.err


def test_source_branch_takes_what_is_committed_alone(repo: TestRepository) -> None:
    repo.git("branch", "trunk")
    repo.commit("mine", {"mine.py": "MINE = 1\n", "left.txt": "1\n"})
    repo.write({"more.py": "MORE = 1\n"})
    text = (repo.path / "history.toml").read_text()
    text = text.replace('remote = "main"', 'remote = "trunk"\nworktree = true')
    (repo.path / "history.toml").write_text(text)
    done = run(repo, "--source=branch").ok()
    assert "worktree = false\n" in (repo.path / "history.toml").read_text()
    assert "uncommitted changes of 'main' are not included: more.py" in done.err
    assert "--source=worktree takes them along" in done.err
    assert repo.tree("clean") == repo.tree("main")


def test_source_branch_takes_nothing_back_that_was_uncommitted(repo: TestRepository) -> None:
    run(repo, "--source=worktree", "--leftover=commit").ok()
    made = repo.rev("clean")
    for words in (["--source=branch"], ["--source=branch", "-n"]):
        refused = run(repo, *words)
        assert (refused.status, repo.rev("clean")) == (1, made)
        assert (
            "error: commits of 'clean' may hold what is not committed on 'main', and the branch "
            "alone would take it back\nhint: 'git retcon --restart --source=branch history.toml' "
        ) in refused.err
    # Once the branch has it all, there is nothing to lose.
    run(repo, "adopt").ok()
    assert "would take it back" not in run(repo, "--source=branch").err


HOOK = """#!/bin/sh
[ "$1" = MOMENT ] && grep -q refs/heads/BRANCH && [ ! -e "$GIT_DIR/killed" ] || exit 0
touch "$GIT_DIR/killed"
kill -9 $(ps -o ppid= -p "$PPID" | tr -d ' ') $PPID
"""


def run_killed(repo: TestRepository, moment: str, branch: str, *words: str) -> None:
    hook = repo.path / ".git/hooks/reference-transaction"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(HOOK.replace("MOMENT", moment).replace("BRANCH", branch))
    hook.chmod(0o755)
    assert retcon(repo.path, *words, "history.toml").status == -9
    hook.unlink()
    (repo.path / ".git/killed").unlink()


@pytest.mark.slow
@pytest.mark.parametrize("moment", ["prepared", "committed"])
def test_a_killed_run_goes_on_and_says_what_changed(repo: TestRepository, moment: str) -> None:
    run(repo, "--source=worktree", "-n").ok()
    run_killed(repo, moment, "clean", "--source=worktree")
    index = repo.git("ls-files", "--stage")
    repo.write({"README.md": "# Named again\n"})
    run(repo).ok()
    files = list_files(repo.path)
    run_killed(repo, moment, "main", "adopt")
    # The index goes first: what was committed is staged at worst, and never its opposite.
    assert "D  new.py" not in repo.git("status", "--porcelain").splitlines()
    run(repo, "adopt").ok()
    assert repo.show("main:README.md") == b"# Named again\n"
    assert list_files(repo.path) == files
    assert repo.git("ls-files", "--stage") != index
    assert repo.git("status", "--porcelain").splitlines() == [
        "M  left.txt",
        "?? left-link",
        "?? notes/",
    ]
