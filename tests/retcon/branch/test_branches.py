"""The branches that a spec names: found by any name git allows, or refused with the way out."""

import shutil

import pytest

from tests.program import retcon
from tests.repository import TestRepository
from tests.retcon.scene import SPEC, Scene, messy_branch

UNBUILT = SPEC.replace("build =", "# build =")


@pytest.fixture
def scene(repo: TestRepository) -> Scene:
    """A scene without builds: they take most of the time and matter little here."""
    made = messy_branch(repo)
    made.write_spec(UNBUILT)
    return made


def test_a_symbolic_cleaned_is_refused_for_it_would_move_another_branch(scene: Scene) -> None:
    scene.repo.git("symbolic-ref", "refs/heads/clean", "refs/heads/feature")
    before = scene.repo.rev("feature")
    done = scene.run("--restart")
    assert done.status == 128
    assert "'clean' is a symbolic ref to 'refs/heads/feature'" in done.err
    assert scene.repo.rev("feature") == before


@pytest.mark.parametrize(
    ("taken", "cleaned"), [("feature", "feature/clean"), ("clean/up", "clean")]
)
def test_a_name_that_cannot_stand_beside_another_is_refused(
    scene: Scene, taken: str, cleaned: str
) -> None:
    if taken != "feature":
        scene.repo.git("branch", taken, "main")
    scene.write_spec(UNBUILT.replace('"clean"', f'"{cleaned}"'))
    done = scene.run()
    assert done.status == 128
    assert f"'{cleaned}' cannot be a branch while there is '{taken}'" in done.err
    assert "name another branch as 'cleaned'" in done.err


@pytest.mark.parametrize("key", ["source", "remote"])
def test_a_name_of_both_a_branch_and_a_tag_is_refused(scene: Scene, key: str) -> None:
    name = {"source": "feature", "remote": "main"}[key]
    scene.repo.git("tag", name, "feature~2")
    done = scene.run()
    assert done.status == 128
    assert f"{key}: '{name}' is both a branch and a tag" in done.err
    assert f"hint: write 'refs/heads/{name}' or 'refs/tags/{name}'" in done.err
    full = UNBUILT.replace(f'{key} = "{name}"', f'{key} = "refs/heads/{name}"')
    scene.write_spec(full)
    scene.run().ok()
    assert scene.repo.tree("clean") == scene.repo.tree("refs/heads/feature")


@pytest.mark.parametrize("source", ["HEAD", "v1", "@{-1}", "feature@{upstream}", "oid"])
def test_the_source_may_be_any_commit(scene: Scene, source: str) -> None:
    repo = scene.repo
    wanted = repo.tree("feature")
    repo.git("tag", "-a", "-m", "one", "v1", "feature")
    repo.git("branch", "upstream", "feature")
    repo.git("branch", "--set-upstream-to=upstream", "feature")
    if source == "HEAD":
        repo.git("checkout", "-q", "--detach", "feature")
    name = repo.rev("feature") if source == "oid" else source
    scene.write_spec(UNBUILT.replace('"feature"', f'"{name}"', 1))
    scene.run().ok()
    assert repo.tree("clean") == wanted


@pytest.mark.parametrize("name", ["ätsch/ßü", "100%s/%d", "it's;$(touch${IFS}x)&", "\u009b31m"])
def test_any_name_git_allows_is_a_branch(scene: Scene, name: str) -> None:
    scene.repo.git("branch", f"src-{name}", "feature")
    text = UNBUILT.replace('"feature"', f'"src-{name}"', 1).replace('"clean"', f'"{name}"')
    scene.write_spec(text)
    done = scene.run().ok()
    assert scene.repo.tree(f"refs/heads/{name}") == scene.repo.tree("feature")
    assert "\u009b" not in done.out + done.err
    undone = retcon(scene.repo.path, "undo", "history.toml").ok()
    assert "\u009b" not in undone.out + undone.err


def shallow_clone(scene: Scene, depth: int) -> TestRepository:
    """A clone of all branches, each so deep, with the spec in it as h.toml."""
    path = scene.repo.path.parent / "shallow"
    options = (f"--depth={depth}", "--no-single-branch")
    scene.repo.git("clone", "-q", *options, f"file://{scene.repo.path}", str(path))
    (path / "h.toml").write_text(
        UNBUILT.replace('"feature"', '"origin/feature"', 1).replace('"main"', '"origin/main"')
    )
    return TestRepository(path)


def test_a_clone_too_shallow_for_a_merge_base_learns_what_brings_it(scene: Scene) -> None:
    there = shallow_clone(scene, 2)
    done = retcon(there.path, "h.toml")
    assert done.status == 128
    assert done.err.endswith(
        "fatal: h.toml:2: 'origin/feature' and 'origin/main' have no commit in common in this "
        "clone, which is shallow\nhint: 'git fetch --unshallow' brings what it lacks; or name as "
        "'remote' the branch that the source was started from\n"
    )
    there.git("fetch", "-q", "--unshallow")
    retcon(there.path, "h.toml").ok()
    assert there.tree("clean") == there.tree("origin/feature")


def test_unrelated_histories_of_a_whole_clone_are_not_called_shallow(scene: Scene) -> None:
    scene.repo.git("checkout", "-q", "--orphan", "alone")
    scene.repo.commit("Another start")
    scene.write_spec(UNBUILT.replace('"main"', '"alone"'))
    done = scene.run()
    assert (done.status, "have no commit in common\n" in done.err) == (128, True)
    assert "shallow" not in done.err


def test_a_long_branch_in_the_way_is_refused_at_once(scene: Scene) -> None:
    stream = "".join(
        f"commit refs/heads/clean\ncommitter a <a@b> {n} +0000\ndata 1\nx\n" for n in range(1, 2000)
    )
    scene.repo.git("fast-import", "--quiet", stdin=stream.encode())
    done = scene.run()
    assert done.status == 128
    assert "'clean' " in done.err


def test_a_worktree_whose_folder_is_gone_learns_how_to_let_go(scene: Scene) -> None:
    scene.run().ok()
    linked = scene.repo.path.parent / "linked"
    scene.repo.git("worktree", "add", "-q", str(linked), "clean")
    shutil.rmtree(linked)
    for arguments in (("history.toml", "--restart"), ("undo", "history.toml")):
        done = retcon(scene.repo.path, *arguments)
        assert (done.status, "'git worktree prune' forgets it" in done.err) == (128, True)
    scene.repo.git("worktree", "prune")
    scene.run("--restart").ok()


def test_a_branch_that_is_being_rebased_learns_how_to_end_that(scene: Scene) -> None:
    scene.run().ok()
    scene.repo.git("checkout", "-q", "clean")
    todo = ["-c", "sequence.editor=sed -i 1ibreak"]
    scene.repo.git(*todo, "rebase", "-q", "-i", "HEAD~2")
    for arguments in (("history.toml", "--restart"), ("undo", "history.toml")):
        done = retcon(scene.repo.path, *arguments)
        assert done.status == 128
        assert "'clean' is being rebased in" in done.err
        assert "hint: finish that ('git rebase --continue')" in done.err


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
