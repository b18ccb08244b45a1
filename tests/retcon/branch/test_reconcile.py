"""The branch, the spec and the notes disagree: what is kept, rebuilt, adopted or refused."""

import json

import pytest

from tests.program import retcon
from tests.repository import TestRepository
from tests.retcon.scene import BUILD, SPEC, Scene, kill_at, messy_branch, recorded

SUBJECTS = ["Count money in cents", "Total a shop's rows", "Say what this is"]


@pytest.fixture
def scene(repo: TestRepository) -> Scene:
    return messy_branch(repo)


def finished(scene: Scene) -> None:
    """Everything is there once, recorded, and equal to the source."""
    scene.promise()
    assert scene.repo.subjects("main..clean") == SUBJECTS
    assert recorded(scene) == scene.repo.git("rev-list", "--reverse", "main..clean").splitlines()


def stuck(scene: Scene, build: str = "test ! -e price.py") -> None:
    """A branch that is stuck at its second commit, because the source itself fails."""
    scene.write_spec(SPEC.replace(BUILD, build))
    done = scene.run()
    assert done.status == 1
    assert done.err.endswith("\nStopped at commit 2/3. See history.toml for details.\n")


def test_a_persons_fix_on_the_branch_is_adopted(scene: Scene) -> None:
    stuck(scene)
    scene.repo.git("checkout", "-q", "clean")
    mine = scene.repo.commit("Help it along", {"help.txt": "by hand\n"})
    scene.repo.git("checkout", "-q", "main")
    done = scene.run("--build", BUILD).ok()
    assert f"Recording your commit {mine[:7]} in commit 2: Help it along" in done.err
    # The source has no such file, so that the branch may not end with it.
    assert (
        f"undoes the part of your commit {mine[:7]} 'Help it along' that 'feature' does" in done.err
    )
    assert f"'git cherry-pick {mine[:12]}' there" in done.err
    scene.promise()
    assert mine in recorded(scene)
    assert mine in scene.repo.git("rev-list", "main..clean").splitlines()


@pytest.mark.slow
def test_a_persons_last_commit_gets_its_verdict_and_stays_theirs(scene: Scene) -> None:
    stuck(scene)
    scene.repo.git("checkout", "-q", "clean")
    mine = scene.repo.commit("Help it along", {"help.txt": "by hand\n"})
    scene.repo.git("checkout", "-q", "main")
    scene.run("--build", BUILD, "--test", "true", "--leftover=stop")
    lines = scene.repo.git("notes", "--ref=retcon", "show", mine).splitlines()
    assert "Part: person" in lines and "Logical-Commit: 2/3 Total a shop's rows" in lines
    verdicts = [line.rsplit(" ", 2)[0] for line in lines if line.startswith("Verdict: ")]
    assert verdicts == ["Verdict: build pass", "Verdict: test pass"]
    # It is no commit of ours for that: a run does not drop it.
    scene.spec.write_text(scene.spec.read_text().replace("Total a shop", "Sum a shop"))
    done = scene.run("--build", BUILD)
    assert done.status == 128
    assert f"holds a commit of your own there: {mine[:7]} Help it along" in done.err


@pytest.mark.slow
def test_a_finished_branch_may_be_rewritten_by_hand(scene: Scene) -> None:
    scene.run().ok()
    tip = scene.repo.git("commit-tree", "clean^{tree}", "-p", "main", "-m", "all in one")
    scene.repo.git("update-ref", "refs/heads/clean", tip)
    assert scene.run().ok().out.startswith("Complete!")
    assert scene.repo.rev("clean") == tip


def test_an_unrelated_tip_is_refused_with_the_way_out(scene: Scene) -> None:
    stuck(scene)
    built = recorded(scene)[-1]
    scene.repo.git("branch", "-f", "clean", "main")
    done = scene.run()
    assert done.status == 128
    assert f"hint: 'git branch -f clean {built[:12]}' goes back to it; --restart" in done.err


@pytest.mark.slow
def test_a_branch_that_is_gone_is_named_with_the_way_back(scene: Scene) -> None:
    stuck(scene)
    built = recorded(scene)[-1]
    scene.repo.git("branch", "-D", "clean")
    done = scene.run()
    assert done.status == 128
    assert f"hint: 'git branch clean {built[:12]}' brings it back" in done.err
    scene.repo.git("branch", "clean", built)
    scene.run("--build", BUILD).ok()
    finished(scene)


@pytest.mark.slow
def test_a_branch_that_was_renamed_is_named(scene: Scene) -> None:
    scene.run().ok()
    scene.repo.git("branch", "-m", "clean", "tidy")
    done = scene.run()
    assert done.status == 128
    assert "hint: name 'tidy', which is there, as 'cleaned' in the spec; or 'git " in done.err
    scene.write_spec(scene.spec.read_text().replace('"clean"', '"tidy"'))
    assert "Rebuilding" not in scene.run().ok().err


def forget(scene: Scene) -> None:
    """Delete the branch and everything that only its reflog kept."""
    scene.repo.git("branch", "-D", "clean")
    scene.repo.git("reflog", "expire", "--expire=now", "--all")
    scene.repo.git("gc", "-q", "--prune=now")


@pytest.mark.slow
def test_a_branch_that_gc_took_is_not_brought_back_at_the_merge_base(scene: Scene) -> None:
    stuck(scene)
    forget(scene)
    done = scene.run()
    assert done.status == 128
    assert "records commits on 'clean', but that branch and all of those commits are gone" in (
        done.err
    )
    assert "hint: 'git fetch' it from where it was published, or --restart" in done.err
    scene.run("--restart", "--build", BUILD).ok()
    finished(scene)


@pytest.mark.slow
def test_what_gc_left_of_a_branch_is_brought_back(scene: Scene) -> None:
    scene.run().ok()
    first = recorded(scene)[0]
    scene.repo.git("tag", "kept", first)
    forget(scene)
    done = scene.run()
    assert "but that branch and some of those commits are gone" in done.err
    assert f"hint: 'git branch clean {first[:12]}' brings it back (what it lacks" in done.err
    scene.repo.git("branch", "clean", first)
    scene.run().ok()
    assert recorded(scene)[0] == first
    finished(scene)


def test_commits_before_an_edit_of_the_spec_stay(scene: Scene) -> None:
    scene.run().ok()
    first, second, _ = recorded(scene)
    edited = scene.spec.read_text().replace("Total a shop's rows", "Add up the rows")
    scene.write_spec(edited)
    done = scene.run().ok()
    assert (
        "Rebuilding from commit 2: its message, hints, files or pins changed in the spec"
        in done.err
    )
    assert recorded(scene)[0] == first
    assert second not in recorded(scene)
    assert scene.repo.subjects("main..clean")[1] == "Add up the rows"
    assert second in scene.repo.git("reflog", "--format=%H", "clean")
    scene.promise()


@pytest.mark.slow
def test_an_edit_of_hints_while_stuck_rebuilds_that_commit(scene: Scene) -> None:
    stuck(scene)
    first = recorded(scene)[0]
    scene.write_spec(scene.spec.read_text().replace('files = ["price.py"', 'files = ["price.*"'))
    done = scene.run("--build", BUILD).ok()
    assert "Rebuilding from commit 2: its message, hints, files or pins changed" in done.err
    assert recorded(scene)[0] == first
    finished(scene)


@pytest.mark.slow
def test_reordered_commits_are_rebuilt_from_the_first_that_moved(scene: Scene) -> None:
    scene.run().ok()
    head, *commits = scene.spec.read_text().split("[[commit]]")
    scene.write_spec("[[commit]]".join([head, commits[0], commits[2], commits[1]]))
    done = scene.run().ok()
    assert "Rebuilding from commit 2: the commits before it changed in the spec" in done.err
    assert scene.repo.subjects("main..clean") == [SUBJECTS[0], SUBJECTS[2], SUBJECTS[1]]
    scene.promise()


def test_two_commits_merged_into_one(scene: Scene) -> None:
    scene.run().ok()
    text = scene.spec.read_text()
    head, *commits = text.split("[[commit]]")
    merged = '\nmessage = "All the code"\nfiles = ["*.py"]\n\n'
    scene.write_spec("[[commit]]".join([head, merged, commits[2]]))
    scene.run().ok()
    assert scene.repo.subjects("main..clean") == ["All the code", SUBJECTS[2]]
    scene.promise()


@pytest.mark.slow
def test_one_commit_split_into_two(scene: Scene) -> None:
    scene.run().ok()
    scene.write_spec(
        scene.spec.read_text().replace(
            'files = ["price.py", "shop.py"]',
            'files = ["price.py"]\n\n[[commit]]\nmessage = "Shop"\nfiles = ["shop.py"]',
        )
    )
    scene.run().ok()
    assert scene.repo.subjects("main..clean") == [*SUBJECTS[:2], "Shop", SUBJECTS[2]]
    scene.promise()


@pytest.mark.slow
@pytest.mark.parametrize("position", [0, 1, 2])
def test_a_deleted_history_is_built_again(scene: Scene, position: int) -> None:
    scene.run().ok()
    before = recorded(scene)
    head, *commits = scene.spec.read_text().split("[[commit]]")
    start = commits[position].index("history = [")
    commits[position] = commits[position][:start] + "\n"
    scene.write_spec("[[commit]]".join([head, *commits]))
    done = scene.run().ok()
    assert "Rebuilding from commit" in done.err
    assert recorded(scene)[:position] == before[:position]
    finished(scene)


@pytest.mark.slow
def test_abbreviated_ids_are_read(scene: Scene) -> None:
    scene.run().ok()
    text = scene.spec.read_text()
    for oid in recorded(scene):
        text = text.replace(oid, oid[:7])
    scene.write_spec(text)
    assert "Rebuilding" not in scene.run().ok().err
    assert scene.spec.read_text() == text


UNBUILT = SPEC.replace("build =", "# build =")


def unhook(scene: Scene) -> None:
    (scene.repo.path / ".git/hooks/reference-transaction").unlink()


def test_equal_commits_are_distinguished_after_a_kill(scene: Scene) -> None:
    head = UNBUILT.partition("[[commit]]")[0]
    one = '[[commit]]\nmessage = "Same"\n'
    scene.write_spec(head + one + one)
    kill_at(scene, "committed", 3)
    scene.run()
    unhook(scene)
    scene.run().ok()
    scene.promise()
    shown = json.loads(retcon(scene.repo.path, "status", "history.toml", "--json").out)
    assert [len(commit["commits"]) for commit in shown["commits"]] == [1, 1]


@pytest.mark.slow
def test_a_kill_between_the_fold_and_the_save_is_recovered(scene: Scene) -> None:
    scene.run().ok()
    # what a WIP commit would have been: the second logical commit in two
    first, second, third = recorded(scene)
    assert first and second and third
    swapped = (
        UNBUILT.replace("# build", "build")
        .replace('files = ["money.py"]', 'files = ["x"]', 1)
        .replace('files = ["price.py", "shop.py"]', 'files = ["money.py"]', 1)
        .replace('files = ["x"]', 'files = ["price.py", "shop.py"]', 1)
    )
    scene.write_spec(swapped)
    scene.run("--restart").ok()
    assert "WIP: " in "".join(scene.repo.subjects("main..clean"))
    kill_at(scene, "committed", 1)
    assert scene.run("--squash-wip").status < 0
    unhook(scene)
    done = scene.run("--squash-wip").ok()
    assert "\n  0 WIP fix commits\n" in done.out
    assert recorded(scene) == scene.repo.git("rev-list", "--reverse", "main..clean").splitlines()


def start_and_kill(scene: Scene) -> None:
    """A branch of ours that holds nothing yet: the run was killed when it had made it."""
    kill_at(scene, "committed", 1)
    assert scene.run().status < 0
    unhook(scene)
    assert scene.repo.rev("clean") == scene.repo.rev("main")


@pytest.mark.slow
@pytest.mark.parametrize("start", ["main", "main~1"])
def test_a_branch_of_somebody_else_that_holds_nothing_is_refused(scene: Scene, start: str) -> None:
    scene.repo.commit("Meanwhile", {"other.txt": "main went on\n"})
    scene.repo.git("checkout", "-q", "feature")
    scene.repo.git("merge", "-q", "--no-edit", "main")
    scene.repo.git("checkout", "-q", "main")
    scene.repo.git("branch", "clean", start)
    at = scene.repo.rev("clean")
    for arguments in ((), ("-n",)):
        done = scene.run(*arguments)
        assert done.status == 128
        assert "'clean' exists already and this spec did not make it" in done.err
        assert "hint: 'git branch -d clean' if you do not need it, name another branch" in done.err
    assert scene.repo.rev("clean") == at
    scene.repo.git("branch", "-d", "clean")
    scene.run().ok()
    scene.promise()


def test_such_a_branch_is_refused_where_the_spec_records_another(scene: Scene) -> None:
    scene.run().ok()
    scene.repo.git("branch", "other", "main")
    text = scene.spec.read_text().replace('"clean"', '"other"')
    scene.write_spec(text.replace("Count money in cents", "Count in cents"))
    assert "'other' exists already and this spec did not make it" in scene.run().err
    assert scene.repo.rev("other") == scene.repo.rev("main")


@pytest.mark.slow
def test_a_branch_of_ours_that_holds_nothing_yet_or_again_is_gone_on_with(scene: Scene) -> None:
    start_and_kill(scene)
    scene.run().ok()
    retcon(scene.repo.path, "undo", "history.toml").ok()
    assert scene.repo.rev("clean") == scene.repo.rev("main")
    scene.run().ok()
    scene.promise()


@pytest.mark.slow
def test_without_a_reflog_nobody_can_tell_and_the_way_out_costs_nothing(scene: Scene) -> None:
    start_and_kill(scene)
    scene.repo.git("reflog", "expire", "--expire=now", "--all")
    assert "'clean' exists already and this spec did not make it" in scene.run().err
    scene.repo.git("branch", "-d", "clean")
    scene.run().ok()
    scene.promise()


@pytest.mark.slow
def test_a_branch_that_another_spec_made_is_refused(scene: Scene) -> None:
    scene.run().ok()
    tip = scene.repo.rev("clean")
    other = scene.repo.path / "other.toml"
    other.write_text(UNBUILT.partition("[[commit]]")[0] + '[[commit]]\nmessage = "All of it"\n')
    done = retcon(scene.repo.path, "other.toml")
    assert done.status == 128
    assert "'clean' exists already and this spec did not make it" in done.err
    assert scene.repo.rev("clean") == tip


@pytest.mark.slow
@pytest.mark.parametrize("count", [2, 3, 4])
def test_a_commit_whose_note_a_killed_git_did_not_write_is_made_again(
    scene: Scene, count: int
) -> None:
    kill_at(scene, "committed", count)  # the first move makes the branch
    assert scene.run().status < 0
    (scene.repo.path / ".git/hooks/reference-transaction").unlink()
    tip = scene.repo.rev("clean")
    scene.repo.git("notes", "--ref=retcon", "remove", tip)
    done = scene.run().ok()
    assert "a kill came before its note was written" in done.err
    assert f"it was at {tip[:7]}" in done.err
    finished(scene)


@pytest.mark.slow
def test_a_commit_of_a_persons_below_one_without_a_note_is_not_dropped(scene: Scene) -> None:
    stuck(scene)
    scene.repo.git("checkout", "-q", "clean")
    mine = scene.repo.commit("Help it along", {"help.txt": "by hand\n"})
    scene.repo.git("checkout", "-q", "main")
    kill_at(scene, "committed", 1)
    assert scene.run("--build", BUILD).status < 0
    (scene.repo.path / ".git/hooks/reference-transaction").unlink()
    scene.repo.git("notes", "--ref=retcon", "remove", "--ignore-missing", "clean")
    scene.run("--build", BUILD).ok()
    assert mine in recorded(scene)
    assert mine in scene.repo.git("rev-list", "main..clean").splitlines()
