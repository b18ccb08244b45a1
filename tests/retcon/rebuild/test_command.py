"""``git retcon SPEC`` end to end: what it prints, what it makes, and what it leaves alone."""

import json

import pytest

from tests.program import retcon
from tests.repository import TestRepository
from tests.retcon.scene import SPEC, Scene, messy_branch


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


@pytest.mark.slow
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


@pytest.mark.slow
def test_a_finished_spec_has_nothing_to_do(scene: Scene) -> None:
    scene.run().ok()
    before = scene.spec.read_bytes(), scene.repo.rev("clean")
    again = scene.run().ok()
    assert "Creating commit" not in again.err
    assert again.out.startswith("Complete!\n")
    assert (scene.spec.read_bytes(), scene.repo.rev("clean")) == before


def test_a_dry_run_prints_the_plan_and_changes_nothing(scene: Scene) -> None:
    before = scene.repo.git("for-each-ref"), scene.spec.read_bytes()
    done = scene.run("-n").ok()
    assert done.out.startswith("Commit 1/3: Count money in cents  +2 -0\n")
    assert "  money.py  +2 -0     cents\n" in done.out
    assert (scene.repo.git("for-each-ref"), scene.spec.read_bytes()) == before
    plan = json.loads(scene.run("-n", "--json").ok().out)
    assert plan["commits"][0]["subject"] == "Count money in cents"
    assert plan["leftover"] == []


def test_a_dry_run_with_events_prints_the_plan_as_one_event(scene: Scene) -> None:
    plan = json.loads(scene.run("-n", "--json").ok().out)
    (line,) = scene.run("-n", "--events").ok().out.splitlines()
    members = {name: plan[name] for name in ("tree", "commits", "leftover", "folds")}
    assert json.loads(line) == {"event": "planned", **members}


def test_a_dry_run_of_a_complete_spec_says_that_nothing_is_left(scene: Scene) -> None:
    scene.run("--build", "").ok()
    assert scene.run("-n").ok().out == "Nothing is left to plan.\n"


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
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


def test_a_pattern_that_git_takes_for_empty_matches_nothing_and_fails_nothing(scene: Scene) -> None:
    scene.write_spec(SPEC + 'exclude = ["[z-a]*.py"]\n')
    assert "Say what this is" in scene.run("-n").ok().out


@pytest.mark.parametrize(("ignored", "placed"), [("false", False), ("true", True)])
def test_files_regard_case_as_git_does_here(scene: Scene, ignored: str, placed: bool) -> None:
    scene.repo.git("config", "core.ignoreCase", ignored)
    scene.write_spec(SPEC.replace('"money.py"', '"Money.PY"'))
    plan = json.loads(scene.run("-n", "--explain", "--json").ok().out)
    paths = {hunk["path"] for hunk in plan["commits"][0]["atoms"]}
    assert (paths == {"money.py"}) is placed


def test_a_run_with_nothing_to_do_says_so(repo: TestRepository) -> None:
    scene = messy_branch(repo)
    done = scene.run("--build", "true").ok()
    assert "Nothing to do" not in done.err
    again = scene.run("--build", "true").ok()
    assert again.err.endswith("\nNothing to do: 'clean' has every commit already\n\n")
    assert again.out == done.out
