"""``git retcon undo``: as it was before the last run, and what was taken back can be had again."""

import pytest

from tests.program import retcon
from tests.repository import TestRepository
from tests.retcon.scene import BUILD, SPEC, Scene, messy_branch

UNBUILT = SPEC.replace("build =", "# build =")


@pytest.fixture
def scene(repo: TestRepository) -> Scene:
    """A scene without builds."""
    made = messy_branch(repo)
    made.write_spec(UNBUILT)
    return made


def stuck(scene: Scene) -> None:
    """A branch that is stuck at its second commit, because the source itself fails."""
    scene.write_spec(SPEC.replace(BUILD, "test ! -e price.py"))
    assert scene.run().status == 1


def hinted(said: str) -> str:
    """The git command that a hint names."""
    (hint,) = (line for line in said.splitlines() if line.startswith("hint: 'git branch "))
    return hint.split("'", 1)[1].rsplit("'", 1)[0].removeprefix("git ")


def test_undo_takes_the_last_run_back(scene: Scene) -> None:
    before = scene.spec.read_bytes()
    scene.run().ok()
    tip = scene.repo.rev("clean")
    done = retcon(scene.repo.path, "undo", "history.toml").ok()
    assert "'clean' is deleted: the run had made it" in done.err
    assert scene.spec.read_bytes() == before
    assert scene.repo.git("branch", "--list", "clean") == ""
    kept = scene.repo.git("for-each-ref", "--format=%(objectname)", "refs/retcon/undone/**/clean")
    assert kept == tip
    assert retcon(scene.repo.path, "undo", "history.toml").status == 128


def test_undo_says_what_brings_the_undone_commits_back(scene: Scene) -> None:
    stuck(scene)
    scene.run("--build", BUILD).ok()
    tip = scene.repo.rev("clean")
    scene.repo.git(*hinted(retcon(scene.repo.path, "undo", "history.toml").ok().err).split())
    assert scene.repo.rev("clean") == tip


def test_a_second_undo_names_what_a_deleted_branch_left(scene: Scene) -> None:
    scene.run().ok()
    tip = scene.repo.rev("clean")
    retcon(scene.repo.path, "undo", "history.toml").ok()
    again = retcon(scene.repo.path, "undo", "history.toml")
    assert again.status == 128 and "reflog" not in again.err
    scene.repo.git(*hinted(again.err).split())
    assert scene.repo.rev("clean") == tip
    assert "'git reflog clean' lists" in retcon(scene.repo.path, "undo", "history.toml").err


def test_what_an_older_version_kept_is_found(scene: Scene) -> None:
    tip = scene.repo.rev("feature")
    scene.repo.git("update-ref", "refs/retcon/undone/clean", tip)
    said = retcon(scene.repo.path, "undo", "history.toml").err
    assert hinted(said) == "branch clean refs/retcon/undone/clean"


@pytest.mark.slow
def test_a_branch_and_one_below_its_name_are_both_kept(scene: Scene) -> None:
    kept = []
    for name in ("clean", "clean/up", "clean"):
        scene.write_spec(UNBUILT.replace('"clean"', f'"{name}"'))
        scene.run().ok()
        tip = scene.repo.rev(name)
        said = retcon(scene.repo.path, "undo", "history.toml").ok().err
        kept.append((hinted(said).split()[-1], tip))
    # the third run made the commits of the first again, which are kept already
    assert len(dict(kept)) == 2
    assert all(scene.repo.rev(ref) == tip for ref, tip in kept)


def add_mine(scene: Scene) -> str:
    """A person's commit on the cleaned branch, after everything was complete."""
    scene.repo.git("checkout", "-q", "clean")
    mine = scene.repo.commit("mine", {"mine.txt": "my own\n"})
    scene.repo.git("checkout", "-q", "main")
    return mine


def add_another(scene: Scene) -> str:
    """A merge, as a person makes it: both its parents are commits of theirs."""
    tree, tip = scene.repo.tree("clean"), scene.repo.rev("clean")
    mine = scene.repo.git("commit-tree", tree, "-p", tip, "-p", "main", "-m", "another")
    scene.repo.git("update-ref", "refs/heads/clean", mine)
    return mine


def test_undo_refuses_to_drop_a_persons_commit(scene: Scene) -> None:
    scene.run().ok()
    mine = add_mine(scene)
    spec = scene.spec.read_bytes()
    done = retcon(scene.repo.path, "undo", "history.toml")
    assert done.status == 1
    assert done.err.startswith(
        f"error: 'clean' holds a commit of your own: {mine[:7]} mine\nhint: 'git branch NAME clean'"
    )
    assert (scene.repo.rev("clean"), scene.spec.read_bytes()) == (mine, spec)
    scene.repo.git("branch", "mine", "clean")
    retcon(scene.repo.path, "undo", "history.toml").ok()
    assert scene.repo.git("branch", "--list", "clean") == ""


@pytest.mark.slow
def test_undo_refuses_too_where_the_branch_was_there_before(scene: Scene) -> None:
    stuck(scene)
    scene.run("--build", BUILD).ok()
    add_mine(scene)
    mine = add_another(scene)
    done = retcon(scene.repo.path, "undo", "history.toml")
    assert done.status == 1
    assert f"'clean' holds 2 commits of your own, the last {mine[:7]} another" in done.err


def test_a_commit_of_ours_that_a_person_amended_is_theirs(scene: Scene) -> None:
    scene.run().ok()
    tip = scene.repo.git("commit-tree", "clean^{tree}", "-p", "clean~1", "-m", "better said")
    scene.repo.git("update-ref", "refs/heads/clean", tip)
    done = retcon(scene.repo.path, "undo", "history.toml")
    assert (done.status, f"{tip[:7]} better said" in done.err) == (1, True)


@pytest.mark.slow
def test_a_fix_that_a_later_run_adopted_survives_its_undo(scene: Scene) -> None:
    stuck(scene)
    mine = add_mine(scene)
    scene.run("--build", BUILD).ok()
    retcon(scene.repo.path, "undo", "history.toml").ok()
    assert scene.repo.rev("clean") == mine


def test_without_notes_the_histories_tell_our_commits(scene: Scene) -> None:
    scene.run().ok()
    scene.repo.git("update-ref", "-d", "refs/notes/retcon")
    retcon(scene.repo.path, "undo", "history.toml").ok()


def test_a_source_and_a_remote_that_are_gone_are_not_taken_for_a_persons(scene: Scene) -> None:
    scene.write_spec(UNBUILT.replace('"main"', f'"{scene.repo.rev("main")}"'))
    scene.run().ok()
    scene.repo.git("checkout", "-q", "--orphan", "other")
    scene.repo.git("branch", "-D", "-q", "main", "feature")
    retcon(scene.repo.path, "undo", "history.toml").ok()


@pytest.mark.slow
def test_each_way_back_stays_true_after_any_later_undo(scene: Scene) -> None:
    kept = []
    for _ in range(3):
        scene.run().ok()
        mine = add_mine(scene)
        said = retcon(scene.repo.path, "undo", "--force", "history.toml").ok().err
        kept.append((hinted(said), mine))
    for way, mine in kept:
        scene.repo.git(*way.split())
        assert scene.repo.rev("clean") == mine
        scene.repo.git("branch", "-D", "clean")
    last = retcon(scene.repo.path, "undo", "history.toml").err
    assert hinted(last) == kept[-1][0]


def test_what_older_versions_kept_is_in_no_ones_way(scene: Scene) -> None:
    scene.write_spec(UNBUILT.replace('"clean"', '"1"'))
    scene.run().ok()
    undone = hinted(retcon(scene.repo.path, "undo", "history.toml").ok().err).split()[-1]
    digest = undone.split("/")[3].partition("-")[0]
    scene.repo.git("update-ref", "-d", undone)
    older = f"refs/retcon/undone/{digest}/1"
    scene.repo.git("update-ref", older, "feature")
    assert hinted(retcon(scene.repo.path, "undo", "history.toml").err) == f"branch 1 {older}"
    scene.run().ok()
    retcon(scene.repo.path, "undo", "history.toml").ok()
    assert scene.repo.rev(older) == scene.repo.rev("feature")


def test_undo_makes_a_deleted_branch_again_as_it_was(scene: Scene) -> None:
    stuck(scene)
    before = scene.repo.rev("clean")
    scene.run("--build", BUILD).ok()
    scene.repo.git("branch", "-D", "clean")
    retcon(scene.repo.path, "undo", "history.toml").ok()
    assert scene.repo.rev("clean") == before


@pytest.mark.slow
def test_undo_to_a_commit_that_gc_took_changes_nothing(scene: Scene) -> None:
    stuck(scene)
    scene.run("--build", BUILD).ok()
    spec = scene.spec.read_bytes()
    scene.repo.git("branch", "-D", "clean")
    scene.repo.git("reflog", "expire", "--expire=now", "--all")
    scene.repo.git("gc", "-q", "--prune=now")
    done = retcon(scene.repo.path, "undo", "history.toml")
    assert done.status == 128
    assert "and that commit is gone\nhint: 'git retcon --restart'" in done.err
    assert scene.spec.read_bytes() == spec


@pytest.mark.slow
def test_undo_keeps_edits_of_the_spec_that_came_later(scene: Scene) -> None:
    stuck(scene)
    scene.run("--build", BUILD).ok()
    scene.write_spec("# a later thought\n" + scene.spec.read_text())
    retcon(scene.repo.path, "undo", "history.toml").ok()
    text = scene.spec.read_text()
    assert text.startswith("# a later thought\n")
    assert text.count("commit_created") == 2
    assert "stuck = " in text
    scene.run("--build", BUILD).ok()
    scene.promise()


@pytest.mark.parametrize(
    "empty", ["history = []  # mine", "history = [ ]", "history=[\n# on it\n]"]
)
@pytest.mark.parametrize("edit", ["", "# a later thought\n"])
def test_undo_keeps_the_line_of_an_empty_history(scene: Scene, empty: str, edit: str) -> None:
    before = UNBUILT.replace('files = ["money.py"]', f'{empty}\nfiles = ["money.py"] # all of it')
    scene.write_spec(before)
    scene.run().ok()
    scene.write_spec(edit + scene.spec.read_text())
    retcon(scene.repo.path, "undo", "history.toml").ok()
    after = scene.spec.read_text()
    if edit and "#" not in empty:
        before = before.replace(f"{empty}\n", "")  # an empty history is as good as none
    assert after == edit + before


def test_undo_of_what_was_left_over_keeps_a_comment_that_came_later(scene: Scene) -> None:
    before = UNBUILT.replace('files = ["README.md"]', 'files = ["NEWS"]')
    scene.write_spec(before)
    scene.run().ok()
    assert "WIP: remaining changes from feature" in scene.spec.read_text()
    run = scene.spec.read_text()
    retcon(scene.repo.path, "undo", "history.toml").ok()
    assert scene.spec.read_text() == before
    scene.run().ok()
    scene.write_spec("# a later thought\n" + run)
    retcon(scene.repo.path, "undo", "history.toml").ok()
    assert scene.spec.read_text().startswith("# a later thought\n" + before.rstrip())
    assert "commit_created" not in scene.spec.read_text()
    scene.run().ok()
    scene.promise()


def test_a_run_with_nothing_to_do_leaves_undo_to_the_one_before(scene: Scene) -> None:
    before = scene.spec.read_bytes()
    scene.run().ok()
    scene.run().ok()
    retcon(scene.repo.path, "undo", "history.toml").ok()
    assert scene.spec.read_bytes() == before


def test_an_undo_that_remembers_nothing_says_so(scene: Scene) -> None:
    scene.run().ok()
    (memory,) = (scene.repo.path / ".git/retcon/undo").iterdir()
    tip = scene.repo.rev("clean")
    for damaged in ("{}", "[1]", "", '{"ref": 1, "tip": 2, "spec": "*"}'):
        memory.write_text(damaged)
        done = retcon(scene.repo.path, "undo", "history.toml")
        assert (done.status, "no run of 'history.toml' to undo" in done.err) == (128, True)
    assert scene.repo.rev("clean") == tip
