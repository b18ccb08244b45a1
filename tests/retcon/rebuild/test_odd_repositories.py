"""Runs in repositories of every shape: a law over ``rebuild``, ``branch`` and ``git``."""

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


def shallow_clone(scene: Scene, depth: int) -> TestRepository:
    """A clone of all branches, each so deep, with the spec in it as h.toml."""
    path = scene.repo.path.parent / "shallow"
    options = (f"--depth={depth}", "--no-single-branch")
    scene.repo.git("clone", "-q", *options, f"file://{scene.repo.path}", str(path))
    (path / "h.toml").write_text(
        UNBUILT.replace('"feature"', '"origin/feature"', 1).replace('"main"', '"origin/main"')
    )
    return TestRepository(path)


def test_a_shallow_clone(scene: Scene) -> None:
    scene.repo.git("commit-graph", "write", "--reachable")
    there = shallow_clone(scene, 8)
    retcon(there.path, "h.toml").ok()
    assert there.tree("clean") == there.tree("origin/feature")
    retcon(there.path, "h.toml").ok()


def test_grafts_deceive_nobody(scene: Scene) -> None:
    repo = scene.repo
    grafts = repo.path / ".git/info/grafts"
    grafts.write_text(f"{repo.rev('feature')}\n")  # says that the source has no parent
    scene.run().ok()
    grafts.unlink()
    scene.promise()


def test_merges_in_the_source(scene: Scene) -> None:
    repo = scene.repo
    repo.commit("Meanwhile", {"other.txt": "main went on\n"})
    repo.git("checkout", "-q", "feature")
    repo.git("merge", "-q", "--no-edit", "main")
    repo.git("checkout", "-q", "-b", "side", "feature~3")
    repo.commit("aside", {"side.txt": "aside\n"})
    repo.git("checkout", "-q", "-b", "third", "feature~4")
    repo.commit("third", {"third.txt": "third\n"})
    repo.git("checkout", "-q", "feature")
    repo.git("merge", "-q", "--no-edit", "side", "third")
    repo.git("commit", "-q", "--allow-empty", "-m", "nothing at all")
    repo.git("checkout", "-q", "main")
    scene.run().ok()
    assert repo.tree("clean") == repo.tree("feature")
    assert repo.git("merge-base", "clean", "main") == repo.rev("main")


@pytest.mark.slow
def test_from_a_submodule_and_a_separate_git_directory(scene: Scene) -> None:
    outer = TestRepository(scene.repo.path.parent / "outer")
    outer.path.mkdir()
    outer.git("init", "-q")
    outer.git(
        "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(scene.repo.path), "sub"
    )
    there = TestRepository(outer.path / "sub")
    there.git("sparse-checkout", "set", "--cone", "nowhere")
    (there.path / "h.toml").write_text(
        SPEC.replace('"feature"', '"origin/feature"', 1).replace('"main"', '"origin/main"')
    )
    before = (
        (outer.path / ".git/modules/sub/index").read_bytes(),
        outer.git("status", "--porcelain"),
    )
    retcon(there.path, "h.toml").ok()
    assert there.tree("clean") == there.tree("origin/feature")
    assert (
        (outer.path / ".git/modules/sub/index").read_bytes(),
        outer.git("status", "--porcelain"),
    ) == before


def test_a_folder_is_no_spec(scene: Scene) -> None:
    done = retcon(scene.repo.path, ".git")
    assert (done.status, done.err.splitlines()[1]) == (
        128,
        "hint: name the spec file itself, and correct its permissions",
    )
