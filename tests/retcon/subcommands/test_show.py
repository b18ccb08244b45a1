"""``git retcon show``: a commit of the plan, or one hunk, wherever its id was printed."""

import json

import pytest

from tests.program import Ran, retcon_here
from tests.repository import TestRepository
from tests.retcon.scene import Scene, messy_branch


@pytest.fixture
def scene(repo: TestRepository) -> Scene:
    return messy_branch(repo)


def show(scene: Scene, *words: str) -> Ran:
    return retcon_here(scene.repo.path, "show", *words)


def readme_hunk(scene: Scene) -> str:
    hunks = json.loads(retcon_here(scene.repo.path, "hunks", "--json").ok().out)["hunks"]
    return str(next(hunk["id"] for hunk in hunks if hunk["path"] == "README.md"))


def test_one_commit_is_shown_with_text_and_reasons(scene: Scene) -> None:
    out = show(scene, "history.toml:3").ok().out
    assert out.startswith("Commit 3/3: Say what this is  +1 -1\n")
    assert "      -# ?\n      +# Shop\n" in out
    assert "Commit 1/3" not in out
    shown = json.loads(show(scene, "history.toml:3", "--json").ok().out)
    assert [commit["position"] for commit in shown["commits"]] == [3]


def test_the_only_spec_need_not_be_named(scene: Scene) -> None:
    assert show(scene, ":3").ok().out == show(scene, "history.toml:3").ok().out


def test_a_hunk_is_shown_in_its_place_with_its_commit(scene: Scene) -> None:
    scene.write_spec(scene.spec.read_text().replace('files = ["README.md"]', 'hints = "README.md"'))
    hunk = readme_hunk(scene)
    lines = show(scene, hunk[:5]).ok().out.splitlines()
    assert lines[0] == f"{hunk}  README.md:1  +1 -1  Shop"
    assert lines[1].startswith("commit 3: Say what this is  ")
    assert lines[-2:] == ["    1  -# ?", "    2  +# Shop"]
    assert json.loads(show(scene, hunk, "--json").ok().out)["commit"] == 3


def test_a_hunk_without_lines_is_shown(scene: Scene) -> None:
    scene.repo.git("checkout", "-q", "feature")
    (scene.repo.path / "shop.py").chmod(0o755)
    scene.repo.commit("mode")
    scene.repo.git("checkout", "-q", "main")
    hunks = json.loads(retcon_here(scene.repo.path, "hunks", "--json").ok().out)["hunks"]
    mode = next(hunk["id"] for hunk in hunks if hunk["kind"] == "mode")
    shown = show(scene, mode).ok().out.splitlines()
    assert shown[0].startswith(f"{mode}  shop.py mode")
    assert shown[1].startswith("commit 2: Total a shop's rows")


@pytest.mark.parametrize("part", ["0", "x"])
def test_what_is_no_part_of_a_hunk_is_named(scene: Scene, part: str) -> None:
    hunk = readme_hunk(scene)[:5]
    done = show(scene, f"{hunk}:{part}")
    assert done.status == 128
    assert f"fatal: no part of hunk '{hunk}' is called '{part}'\n" in done.err
    assert f"hint: 'git retcon show {hunk}' shows its lines, which are numbered from 1" in done.err


def test_a_part_of_a_hunk_is_shown_by_its_lines(scene: Scene) -> None:
    hunk = readme_hunk(scene)
    lines = show(scene, f"{hunk[:5]}:2").ok().out.splitlines()
    assert lines[0] == f"{hunk}:2  README.md:1  +1 -0  Shop"
    assert lines[-1] == "    2  +# Shop"
    shown = json.loads(show(scene, f"{hunk}:2", "--json").ok().out)
    assert (shown["id"], shown["removed"], shown["added"]) == (f"{hunk}:2", [], ["# Shop\n"])
    assert shown["commit"] == 3


def test_lines_that_a_hunk_does_not_have_are_an_error(scene: Scene) -> None:
    hunk = readme_hunk(scene)
    done = show(scene, f"{hunk}:3-4")
    assert done.err.splitlines() == [
        f"fatal: '{hunk}:3-4' names lines that are not there",
        f"hint: hunk {hunk} has 2 lines",
    ]


@pytest.mark.slow
def test_a_hunk_that_is_built_says_where_it_is(scene: Scene) -> None:
    hunk = readme_hunk(scene)
    scene.run().ok()
    assert "commit 3: Say what this is" in show(scene, hunk).ok().out


def test_an_id_that_nothing_has_is_an_error(scene: Scene) -> None:
    done = show(scene, "ffffffffff")
    assert (done.status, done.err.splitlines()[0]) == (
        128,
        "fatal: no hunk begins with 'ffffffffff'",
    )


@pytest.mark.slow
def test_a_commit_that_is_built_is_shown_and_one_that_is_not_there_is_an_error(
    scene: Scene,
) -> None:
    assert "fatal: no commit 4: the spec has 3" in show(scene, "history.toml:4").err
    hunk = readme_hunk(scene)
    before = show(scene, "history.toml:3").ok().out
    scene.run().ok()
    built = scene.repo.rev("clean")
    shown = show(scene, "history.toml:3").ok().out.splitlines()
    assert shown[0] == before.splitlines()[0]
    assert any(hunk in line for line in shown)
    assert shown[-1] == f"Built already: 'git show {built[:12]}'"
    told = json.loads(show(scene, "--json", "history.toml:3").ok().out)
    (commit,) = told["commits"]
    assert (commit["position"], commit["built"], hunk in commit["hunks"]) == (3, [built], True)


def test_an_empty_name_is_wrong_usage(scene: Scene) -> None:
    done = show(scene, "")
    assert done.status == 129
    assert "an empty name for the spec\n" in done.err
    assert "hint: give its path" in done.err
