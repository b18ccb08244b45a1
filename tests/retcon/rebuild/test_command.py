"""``git retcon SPEC`` end to end: what it prints, what it makes, and what it leaves alone."""

import json
import os
import shutil
import sys
from pathlib import Path

import pytest

from tests.program import retcon
from tests.repository import TestRepository
from tests.retcon.scene import BUILD, SPEC, Scene, messy_branch


@pytest.fixture
def scene(repo: TestRepository) -> Scene:
    return messy_branch(repo)


def test_a_messy_branch_becomes_the_commits_of_the_spec(scene: Scene) -> None:
    done = scene.run().ok()
    scene.promise()
    assert scene.repo.subjects("main..clean") == [
        "Count money in cents",
        "Total a shop's rows",
        "Say what this is",
    ]
    base = scene.repo.rev("main")
    assert (
        done.err
        == f"""\
Engine: offline (no model is asked)
hint: no API key, so offline; set ANTHROPIC_API_KEY to use Claude
Loading spec: history.toml
  Source: feature
  Remote: main
  Cleaned: clean

Creating cleaned branch from merge-base...
  Base commit: {base[:7]}

Commit 1/3: Count money in cents
  Computing diff (14 lines)...
  Extracting relevant changes...
  Creating commit...
  Building... PASS
  Tests... SKIPPED
  ✓ Commit created

Commit 2/3: Total a shop's rows
  Computing diff (12 lines)...
  Extracting relevant changes...
  Creating commit...
  Building... PASS
  Tests... SKIPPED
  ✓ Commit created

Commit 3/3: Say what this is
  Computing diff (2 lines)...
  Extracting relevant changes...
  Creating commit...
  Building... PASS
  Tests... SKIPPED
  ✓ Commit created

"""
    )
    assert (
        done.out
        == f"""\
Complete!
  3 logical commits created
  0 WIP fix commits
  Branch: clean

To look at it:
  git range-diff {base[:12]} feature clean
  git diff feature clean    (is empty)
  git log --notes=retcon {base[:12]}..clean
To publish it:
  git push origin clean
"""
    )


def test_a_missing_piece_is_pulled_in_as_a_wip_commit(scene: Scene) -> None:
    scene.write_spec(
        SPEC.replace('files = ["money.py"]', 'files = ["price.py", "shop.py"]', 1).replace(
            'files = ["price.py", "shop.py"]\n\n[[commit]]\nmessage = "Say',
            'files = ["money.py"]\n\n[[commit]]\nmessage = "Say',
        )
    )
    done = scene.run().ok()
    scene.promise()
    assert "Building... FAIL (" in done.err
    assert "  Fix attempt 1:\n    Consulting diff for missing pieces...\n    Adding" in done.err
    subjects = scene.repo.subjects("main..clean")
    assert subjects[1].startswith("WIP: add ")
    assert "To squash WIP commits:\n  git checkout clean\n  git rebase -i HEAD~" in done.out


def test_squash_wip_folds_them(scene: Scene) -> None:
    test_a_missing_piece_is_pulled_in_as_a_wip_commit(scene)
    tree = scene.repo.tree("clean")
    scene.run("--squash-wip").ok()
    assert scene.repo.tree("clean") == tree
    assert not any(s.startswith("WIP") for s in scene.repo.subjects("main..clean"))
    recorded = [line for line in scene.spec.read_text().splitlines() if "commit_created" in line]
    assert [line.split('"')[1] for line in recorded] == scene.repo.git(
        "rev-list", "--reverse", "main..clean"
    ).splitlines()
    assert "\n  0 WIP fix commits\n" in scene.run().ok().out


def test_a_finished_spec_has_nothing_to_do(scene: Scene) -> None:
    scene.run().ok()
    before = scene.spec.read_bytes(), scene.repo.rev("clean")
    again = scene.run().ok()
    assert "Creating commit" not in again.err
    assert again.out.startswith("Complete!\n")
    assert (scene.spec.read_bytes(), scene.repo.rev("clean")) == before


def test_the_authors_of_the_source_are_kept(scene: Scene) -> None:
    scene.run().ok()
    assert scene.repo.git("log", "-1", "--format=%an <%ae>%n%(trailers)", "clean~2").strip() == (
        "Grace Hopper <grace@example.com>"
    )
    assert scene.repo.git("log", "-1", "--format=%an", "clean") == "Ada Lovelace"


def test_notes_are_readable_by_git(scene: Scene) -> None:
    scene.run().ok()
    note = scene.repo.git("log", "-1", "--notes=retcon", "--format=%N", "clean~2")
    lines = dict(line.split(": ", 1) for line in note.strip().splitlines())
    assert note.startswith("Version: 1\n")
    assert lines["Logical-Commit"] == "1/3 Count money in cents"
    assert lines["Engine"] == "offline"
    assert lines["Verdict"].startswith("build pass")


def test_json_is_one_object_on_standard_output(scene: Scene) -> None:
    done = scene.run("--json", "-q").ok()
    result = json.loads(done.out)
    assert done.err == ""
    assert (result["version"], result["status"], result["tree_equal"]) == (1, "complete", True)
    assert [commit["status"] for commit in result["commits"]] == ["complete"] * 3


def test_events_are_one_json_object_a_line(scene: Scene) -> None:
    done = scene.run("--events", "-q").ok()
    names = [json.loads(line)["event"] for line in done.out.splitlines()]
    assert names[:3] == ["engine_chosen", "spec_loaded", "branch_created"]
    assert names.count("commit_made") == 3


def test_a_dry_run_prints_the_plan_and_changes_nothing(scene: Scene) -> None:
    before = scene.repo.git("for-each-ref"), scene.spec.read_bytes()
    done = scene.run("-n").ok()
    assert done.out.startswith("Commit 1/3: Count money in cents\n  ")
    assert "money.py:1  +2 -0" in done.out
    assert (scene.repo.git("for-each-ref"), scene.spec.read_bytes()) == before
    plan = json.loads(scene.run("-n", "--json").ok().out)
    assert plan["commits"][0]["subject"] == "Count money in cents"
    assert plan["leftover"] == []


def test_a_dry_run_of_a_complete_spec_says_that_nothing_is_left(scene: Scene) -> None:
    scene.run("--build", "").ok()
    assert scene.run("-n").ok().out == "Nothing is left to plan.\n"


def test_the_users_own_state_is_untouched(scene: Scene) -> None:
    repo = scene.repo
    repo.write({"shop.py": "dirty\n", "new.txt": "untracked\n"})
    repo.write({"README.md": "staged\n"})
    repo.git("add", "README.md")
    seen = ("HEAD", "index", "refs/heads/main", "refs/heads/feature", "logs/HEAD", "config")

    def state() -> list[object]:
        files = [(repo.path / ".git" / name).read_bytes() for name in seen]
        return [*files, repo.git("status", "--porcelain", "-z"), repo.git("stash", "list")]

    before = state()
    scene.run().ok()
    assert state() == before
    assert repo.tree("clean") == repo.tree("feature")


def test_it_works_from_a_subdirectory_and_a_linked_worktree(scene: Scene) -> None:
    below = scene.repo.path / "deep" / "er"
    below.mkdir(parents=True)
    retcon(below, "../../history.toml").ok()
    scene.promise()
    other = scene.repo.path.parent / "linked"
    scene.repo.git("worktree", "add", "-q", "--detach", str(other))
    scene.repo.git("branch", "-D", "clean")
    (other / "h.toml").write_text(SPEC)
    retcon(other, "h.toml").ok()
    scene.promise()


def test_it_works_in_a_bare_repository_without_builds(scene: Scene) -> None:
    bare = scene.repo.path.parent / "bare.git"
    scene.repo.git("clone", "-q", "--bare", str(scene.repo.path), str(bare))
    (bare / "h.toml").write_text(SPEC.replace("build =", "# build ="))
    done = retcon(bare, "h.toml").ok()
    assert "warning: no build command: these commits were not tested" in done.err
    there = TestRepository(bare)
    assert there.tree("clean") == there.tree("feature")


@pytest.mark.parametrize(
    "setting",
    [
        ("diff.noprefix", "true"),
        ("core.quotePath", "false"),
        ("diff.external", "false"),
        ("core.autocrlf", "true"),
        ("diff.renames", "copies"),
        ("core.hooksPath", "/nonexistent"),
        ("status.showUntrackedFiles", "no"),
    ],
)
def test_settings_of_the_user_change_nothing(scene: Scene, setting: tuple[str, str]) -> None:
    scene.repo.git("config", *setting)
    scene.run().ok()
    assert scene.repo.tree("clean") == scene.repo.tree("feature")


def test_replace_refs_and_a_hooks_environment_change_nothing(scene: Scene) -> None:
    repo = scene.repo
    repo.git("replace", repo.rev("feature"), repo.rev("feature~2"))
    hook = {
        "GIT_DIR": str(repo.path / ".git"),
        "GIT_INDEX_FILE": ".git/next-index-17.lock",
        "GIT_PREFIX": "",
        "GIT_EDITOR": ":",
    }
    retcon(repo.path, "history.toml", env=hook).ok()
    repo.git("replace", "-d", repo.rev("feature"))
    scene.promise()


@pytest.mark.parametrize(
    ("edit", "said", "remedy"),
    [
        (
            ('"feature"', '"nowhere"'),
            "1: source: there is no branch or commit 'nowhere'",
            "correct",
        ),
        (('"main"', '"origin/main"'), "2: remote: there is no branch or commit 'origin/", "fetch"),
        (('"clean"', '"a..b"'), "3: 'a..b' is not a valid branch name", "feature-clean"),
        (
            ('"clean"', '"refs/heads/feature"'),
            "3: 'cleaned' and 'source' are the same",
            "new branch",
        ),
        (
            ('"feature"', '"main"'),
            "1: nothing to rebuild: 'main' has the same files",
            "is 'source'",
        ),
        (
            ('"main"', '"other"'),
            "2: 'feature' and 'other' have no commit in common",
            "started from",
        ),
    ],
)
def test_bad_branches_are_refused_with_the_way_out(
    scene: Scene, edit: tuple[str, str], said: str, remedy: str | None
) -> None:
    scene.repo.git("checkout", "-q", "--orphan", "other")
    scene.repo.git("commit", "-q", "-m", "unrelated")
    scene.repo.git("checkout", "-q", "main")
    text = SPEC.replace(*edit, 1)
    if edit == ('"feature"', '"main"'):
        text = text.replace('remote = "main"', 'remote = "feature"')
    scene.write_spec(text)
    done = scene.run()
    assert done.status == 128
    assert f"fatal: history.toml:{said}" in done.err
    if remedy:
        assert remedy in done.err.partition("hint: ")[2]
    assert "refs/heads/clean" not in scene.repo.git("for-each-ref")


def test_a_checked_out_cleaned_branch_is_refused(scene: Scene) -> None:
    scene.run().ok()
    scene.repo.git("checkout", "-q", "clean")
    done = scene.run("--restart")
    assert done.status == 128
    assert f"'clean' is checked out at '{scene.repo.path}'" in done.err


def test_a_branch_this_spec_did_not_make_is_refused(scene: Scene) -> None:
    scene.repo.git("branch", "clean", "feature~1")
    done = scene.run()
    assert done.status == 128
    assert "'clean' exists already and this spec did not make it" in done.err
    assert scene.repo.rev("clean") == scene.repo.rev("feature~1")
    old = scene.repo.rev("clean")
    scene.run("--restart").ok()
    scene.promise()
    assert old in scene.repo.git("reflog", "--format=%H", "clean")


def test_a_second_run_at_the_same_time_is_told_who_holds_it(scene: Scene) -> None:
    scene.repo.git("config", "user.name", "Ada")
    scene.repo.git("config", "user.email", "ada@example.com")
    inner = f"{sys.executable} -P -m git_retcon.commands.retcon history.toml"
    nested = scene.repo.path / ".git/nested.sh"
    nested.write_text(f"cd {scene.repo.path} && {inner} > .git/nested.log 2>&1; true\n")
    scene.write_spec(SPEC.replace(BUILD, f"sh {nested}"))
    scene.run().ok()
    said = (scene.repo.path / ".git/nested.log").read_text()
    assert "fatal: another process is rebuilding from 'history.toml' (pid " in said


def test_usage_errors_exit_129(scene: Scene) -> None:
    assert scene.run("--no-such-option").status == 129
    assert retcon(scene.repo.path, "--engine", "oracle", "history.toml").status == 129
    assert retcon(scene.repo.path, "a.toml", "b.toml").status == 129
    assert retcon(scene.repo.path.parent, "history.toml").status == 128


def test_the_only_spec_here_is_found(scene: Scene) -> None:
    retcon(scene.repo.path).ok()
    scene.promise()
    (scene.repo.path / "second.toml").write_text(SPEC)
    done = retcon(scene.repo.path)
    assert done.status == 129
    assert "which spec? there are 2 here: history.toml, second.toml" in done.err


def test_what_no_commit_takes_becomes_a_commit_of_its_own(scene: Scene) -> None:
    scene.write_spec(SPEC.replace("README.md", "nothing.md").replace("shop.py", "shop.*"))
    excluded = '\nexclude = ["README.md"]\n'
    scene.write_spec(scene.spec.read_text().replace("\nfiles", excluded + "files"))
    done = scene.run().ok()
    assert "WIP: remaining changes from feature" in done.err
    assert scene.repo.subjects("main..clean")[-1] == "WIP: remaining changes from feature"
    scene.promise()


def test_what_no_list_of_files_claims_is_left_over(scene: Scene) -> None:
    scene.write_spec(SPEC.replace("README.md", "nothing.md"))
    plan = json.loads(scene.run("-n", "--json").ok().out)
    assert len(plan["leftover"]) == 1
    scene.run().ok()
    assert scene.repo.subjects("main..clean")[-1] == "WIP: remaining changes from feature"
    scene.promise()


def test_leftover_stop_is_stuck_instead(scene: Scene) -> None:
    scene.write_spec(SPEC.replace("files", 'exclude = ["README.md"]\nfiles'))
    done = scene.run("--leftover=stop")
    assert done.status == 1
    assert "1 hunk fits no commit: README.md" in done.err


def test_what_a_kill_left_of_a_save_is_removed(scene: Scene) -> None:
    left = scene.repo.path / ".history.toml.a1b2c_d4.tmp"
    mine = scene.repo.path / ".history.toml.mine.tmp"
    left.write_text("half a sp")
    mine.write_text("a person's\n")
    scene.run("--build", "").ok()
    assert not left.exists() and mine.exists()


def test_a_pattern_that_git_takes_for_empty_matches_nothing_and_fails_nothing(scene: Scene) -> None:
    scene.write_spec(SPEC + 'exclude = ["[z-a]*.py"]\n')
    assert "Say what this is" in scene.run("-n").ok().out


@pytest.mark.parametrize(("ignored", "placed"), [("false", False), ("true", True)])
def test_files_regard_case_as_git_does_here(scene: Scene, ignored: str, placed: bool) -> None:
    scene.repo.git("config", "core.ignoreCase", ignored)
    scene.write_spec(SPEC.replace('"money.py"', '"Money.PY"'))
    plan = json.loads(scene.run("-n", "--json").ok().out)
    paths = {hunk["path"] for hunk in plan["commits"][0]["atoms"]}
    assert (paths == {"money.py"}) is placed


def test_a_spec_edited_while_the_run_starts_is_read_once(scene: Scene, tmp_path: Path) -> None:
    """git is asked for the committer before the locks are taken; the edit comes just then."""
    git, seen = shutil.which("git"), tmp_path / "seen"
    scene.write_spec(SPEC.replace(BUILD, f"echo old >>{seen}"))
    edited = tmp_path / "edited.toml"
    edited.write_text(SPEC.replace(BUILD, f"echo new >>{seen}"))
    folder = tmp_path / "bin"
    folder.mkdir()
    script = f'case "$*" in *GIT_COMMITTER_IDENT*) cp {edited} {scene.spec} ;; esac\n'
    (folder / "git").write_text(f'#!/bin/sh\n{script}exec {git} "$@"\n')
    (folder / "git").chmod(0o755)
    env = {"PATH": f"{folder}:{os.environ['PATH']}"}
    retcon(scene.repo.path, "history.toml", env=env).ok()
    assert scene.spec.read_text().startswith(edited.read_text().partition("[[")[0])
    assert set(seen.read_text().split()) == {"new"}
