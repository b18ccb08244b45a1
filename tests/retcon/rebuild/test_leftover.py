"""What no commit takes becomes a commit of its own, or the run is stuck."""

import json
import re

import pytest

from tests.repository import TestRepository
from tests.retcon.scene import SPEC, Scene, messy_branch

UNBUILT = SPEC.replace("build =", "# build =")


@pytest.fixture
def scene(repo: TestRepository) -> Scene:
    made = messy_branch(repo)
    made.write_spec(UNBUILT)
    return made


SINCE = "'feature' has changed since the commits were completed"


@pytest.mark.slow
def test_a_source_that_grew_when_all_was_complete_is_named_as_the_reason(scene: Scene) -> None:
    scene.run().ok()
    scene.repo.git("checkout", "-q", "feature")
    scene.repo.commit("one more thing", {"money.py": "def cents(text):\n    return 100\n"})
    scene.repo.git("checkout", "-q", "main")
    stopped = scene.run("--leftover=stop")
    assert stopped.status == 1
    told = " ".join(stopped.err.split())
    assert f"{SINCE}; 1 hunk is in none of them: money.py. A commit whose 'history' is" in told
    done = scene.run().ok()
    assert f"{SINCE}; what is new goes into 'WIP: remaining changes from feature'" in done.err
    assert "delete that commit's 'history', or --restart: it is built again" in done.err
    assert "fit no commit" not in stopped.err + done.err
    scene.write_spec(re.sub(r"(?s)history = \[.*?\n\]\n", "", scene.spec.read_text(), count=1))
    scene.run().ok()
    assert len(scene.repo.subjects("main..clean")) == 3
    scene.promise()


def test_what_fits_no_commit_is_said_so_where_the_source_has_not_changed(scene: Scene) -> None:
    scene.write_spec(UNBUILT.replace("README.md", "nothing.md"))
    assert "1 hunk fits no commit: README.md" in scene.run("--leftover=stop").err
    done = scene.run().ok()
    assert "some changes fit no commit" in done.err and "has changed since" not in done.err


def test_what_no_commit_takes_becomes_a_commit_of_its_own(scene: Scene) -> None:
    scene.write_spec(SPEC.replace("README.md", "nothing.md").replace("shop.py", "shop.*"))
    excluded = '\nexclude = ["README.md"]\n'
    scene.write_spec(scene.spec.read_text().replace("\nfiles", excluded + "files"))
    done = scene.run().ok()
    assert "WIP: remaining changes from feature" in done.err
    assert scene.repo.subjects("main..clean")[-1] == "WIP: remaining changes from feature"
    scene.promise()


@pytest.mark.slow
def test_what_no_list_of_files_claims_is_left_over(scene: Scene) -> None:
    scene.write_spec(SPEC.replace("README.md", "nothing.md"))
    plan = json.loads(scene.run("-n", "--json").ok().out)
    assert len(plan["leftover"]) == 1
    scene.run().ok()
    assert scene.repo.subjects("main..clean")[-1] == "WIP: remaining changes from feature"
    scene.promise()


@pytest.mark.slow
def test_leftover_stop_is_stuck_instead(scene: Scene) -> None:
    scene.write_spec(SPEC.replace("files", 'exclude = ["README.md"]\nfiles'))
    done = scene.run("--leftover=stop")
    assert done.status == 1
    assert "1 hunk fits no commit: README.md" in done.err
    quiet = scene.run("--leftover=stop", "-q")
    assert quiet.err.startswith("error: commit 3 is stuck: 1 hunk fits no commit: README.md")
    assert "hint: change the hints" in quiet.err
