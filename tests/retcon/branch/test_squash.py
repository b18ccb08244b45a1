"""Folding keeps what people did: who wrote it, and what they merged."""

import pytest

from tests.repository import TestRepository
from tests.retcon.scene import BUILD, SPEC, Scene, messy_branch, recorded


@pytest.fixture
def scene(repo: TestRepository) -> Scene:
    """A finished branch whose second commit begins with a hunk too few."""
    made = messy_branch(repo)
    head, one, two, three = SPEC.split("[[commit]]")
    made.write_spec("[[commit]]".join([head, two, one, three]))
    made.run().ok()
    assert any(subject.startswith("WIP: ") for subject in repo.subjects("main..clean"))
    return made


def test_one_run_builds_and_folds(repo: TestRepository) -> None:
    made = messy_branch(repo)
    head, one, two, three = SPEC.split("[[commit]]")
    made.write_spec("[[commit]]".join([head, two, one, three]))
    done = made.run("--squash-wip").ok()
    assert "Creating WIP commit" in done.err
    assert "Folding 1 WIP fix commit\n" in done.err
    assert not any(subject.startswith("WIP: ") for subject in repo.subjects("main..clean"))
    assert recorded(made) == repo.git("rev-list", "--reverse", "main..clean").split()
    made.promise()


@pytest.mark.slow
def test_authors_of_folded_commits_are_named(scene: Scene) -> None:
    scene.run("--squash-wip").ok()
    first = recorded(scene)[0]
    assert scene.repo.git("log", "-1", "--format=%an", first) == "Ada Lovelace"
    assert scene.repo.git(
        "log", "-1", "--format=%(trailers:key=Co-authored-by)", first
    ).strip() == ("Co-authored-by: Grace Hopper <grace@example.com>")


@pytest.mark.slow
def test_a_merge_by_hand_stays_one(scene: Scene) -> None:
    repo = scene.repo
    repo.git("branch", "side", "main")
    repo.git("checkout", "-q", "clean")
    repo.git("merge", "-q", "-s", "ours", "--no-ff", "--no-edit", "-m", "Merge by hand", "feature")
    repo.git("checkout", "-q", "main")
    spec = scene.spec.read_text()
    at = spec.rindex('    "complete",\n')
    merge = repo.rev("clean")
    scene.write_spec(spec[:at] + f'    {{ commit_created = "{merge}" }},\n' + spec[at:])
    scene.run("--squash-wip", "--build", BUILD).ok()
    assert repo.git("merge-base", "--is-ancestor", "feature", "clean") == ""
    assert repo.rev("clean^2") == repo.rev("feature")
    scene.promise()
