"""Parts of hunks, pinned by their lines: built, listed, given back, and kept after a rebase."""

import json

import pytest

from tests.program import Ran, retcon_here
from tests.repository import TestRepository
from tests.retcon.scene import Scene

RATES = "FULL = 20\nHALF = 10\nNONE = 0\n"
HEAD = """\
source = "feature"
remote = "main"
cleaned = "clean"

"""


@pytest.fixture
def scene(repo: TestRepository) -> Scene:
    """One squashed hunk of three statements, and two commits that share it."""
    repo.commit("Start", {"shop.py": "def total(rows):\n    return sum(rows)\n"})
    repo.git("checkout", "-q", "-b", "feature")
    repo.commit("rates", {"rates.py": RATES})
    repo.git("checkout", "-q", "main")
    (repo.path / ".git/info/exclude").write_text("history.toml\nplan.json\n")
    return Scene(repo)


def run(scene: Scene, *words: str) -> Ran:
    return retcon_here(scene.repo.path, *words)


def list_ids(scene: Scene) -> list[str]:
    return [hunk["id"] for hunk in json.loads(run(scene, "hunks", "--json").ok().out)["hunks"]]


def write_commits(scene: Scene, *commits: tuple[str, str]) -> None:
    tables = (f'[[commit]]\nmessage = "{name}"\nhunks = [{pins}]\n' for name, pins in commits)
    scene.write_spec(HEAD + "\n".join(tables))


def find_hunk(scene: Scene) -> str:
    write_commits(scene, ("Full rate", ""), ("Other rates", ""))
    (hunk,) = list_ids(scene)
    return hunk


def rates(scene: Scene, commit: str) -> str:
    return scene.repo.git("show", f"{commit}:rates.py") + "\n"


def test_a_part_goes_to_its_commit_and_the_rest_to_another(scene: Scene) -> None:
    hunk = find_hunk(scene)
    write_commits(scene, ("Middle rate", f'"{hunk[:6]}:2"'), ("Other rates", f'"{hunk}"'))
    assert list_ids(scene) == [f"{hunk}:1", f"{hunk}:2", f"{hunk}:3"]
    plan = json.loads(run(scene, "-n", "--json").ok().out)
    assert [list(each["hunks"]) for each in plan["commits"]] == [
        [f"{hunk}:2"],
        [f"{hunk}:1", f"{hunk}:3"],
    ]
    run(scene).ok()
    scene.promise()
    assert rates(scene, "clean~1") == "HALF = 10\n"
    built = scene.repo.rev("clean")
    run(scene).ok()
    assert scene.repo.rev("clean") == built


def test_a_part_keeps_its_id_when_the_branch_is_rebased(scene: Scene) -> None:
    hunk = find_hunk(scene)
    write_commits(scene, ("Middle rate", f'"{hunk}:2"'), ("Other rates", ""))
    scene.repo.commit("Elsewhere", {"other.py": "x = 1\n"})
    scene.repo.git("rebase", "-q", "main", "feature")
    assert list_ids(scene) == [f"{hunk}:1", f"{hunk}:2", f"{hunk}:3"]


def test_a_plan_that_divides_a_hunk_is_taken(scene: Scene) -> None:
    hunk = find_hunk(scene)
    plan = json.loads(run(scene, "-n", "--json").ok().out)
    plan["commits"] = [
        {"position": 1, "hunks": [f"{hunk}:1"]},
        {"position": 2, "hunks": [f"{hunk}:2-3"]},
    ]
    (scene.repo.path / "plan.json").write_text(json.dumps(plan))
    run(scene, "--plan", "plan.json").ok()
    scene.promise()
    assert rates(scene, "clean~1") == "FULL = 20\n"
    assert f'"{hunk}:1", # rates.py:1' in scene.spec.read_text()
    plan["commits"][0]["hunks"] = [f"{hunk}:1-9"]
    (scene.repo.path / "plan.json").write_text(json.dumps(plan))
    done = run(scene, "--plan", "plan.json", "-n")
    assert f"fatal: '{hunk}:1-9' names lines that are not there" in done.err


def test_a_pin_that_would_break_a_statement_is_an_error_with_its_line(scene: Scene) -> None:
    scene.repo.git("checkout", "-q", "feature")
    scene.repo.write({"rates.py": "RATES = [\n    1,\n    2,\n]\nNONE = 0\n"})
    scene.repo.git("commit", "-qa", "--amend", "-m", "rates")
    scene.repo.git("checkout", "-q", "main")
    hunk = find_hunk(scene)
    write_commits(scene, ("One", f'"{hunk}:1-2"'), ("Two", ""))
    done = run(scene, "-n")
    assert done.err.splitlines() == [
        f"fatal: history.toml:7: '{hunk}:1-2' would break the statement 'RATES = [' (lines 1 to 4)",
        f"hint: hunk {hunk} can be cut behind line 4",
    ]


@pytest.mark.parametrize("lines", ["1,3", "3-99"])
def test_a_part_that_cannot_be_is_an_error_beside_others_too(scene: Scene, lines: str) -> None:
    hunk = find_hunk(scene)
    write_commits(scene, ("One", f'"{hunk}:2"'), ("Two", f'"{hunk}:{lines}"'))
    assert f"fatal: history.toml:11: '{hunk}:{lines}' " in run(scene, "-n").err


def test_the_same_lines_in_two_commits_are_an_error(scene: Scene) -> None:
    hunk = find_hunk(scene)
    write_commits(scene, ("One", f'"{hunk}:1-2"'), ("Two", f'"{hunk}:2-3"'))
    assert f"'{hunk}:2-3' is pinned by another [[commit]] too" in run(scene, "-n").err
