"""A test that was planned too early leaves its commit, and comes with the code that it tests."""

import pytest

from tests.program import retcon_here
from tests.repository import TestRepository
from tests.retcon.scene import Scene, kill_at

ECHO = "def echo(data):\n    return data[0] + data[1:]\n"
TESTS = """\
import unittest

from echo import echo


class EchoTest(unittest.TestCase):
    def test_word(self):
        self.assertEqual(echo("word"), "word")
"""
MORE_TESTS = """
    def test_letter(self):
        self.assertEqual(echo("a"), "a")

    def test_nothing(self):
        self.assertEqual(echo(""), "")
"""
SPEC = """\
source = "feature"
remote = "main"
cleaned = "clean"
test = "python3 -B -m unittest -q test_echo"

[[commit]]
message = "Test echo with more words and letters"

[[commit]]
message = "Handle empty bytes in echo"
"""


@pytest.fixture
def scene(repo: TestRepository) -> Scene:
    """A squashed branch whose plan has both new tests in the first commit."""
    repo.commit("Start", {"echo.py": ECHO, "test_echo.py": TESTS, "CHANGES": "Changes\n"})
    repo.git("checkout", "-q", "-b", "feature")
    body = "    if not data:\n        return data\n"
    changed = {
        "echo.py": ECHO.replace("    return", f"{body}    return"),
        "test_echo.py": TESTS + MORE_TESTS,
        "CHANGES": "Changes\n\n- echo takes empty bytes\n",
    }
    repo.commit("all", changed)
    repo.git("checkout", "-q", "main")
    (repo.path / ".git/info/exclude").write_text("history.toml\n")
    made = Scene(repo)
    made.write_spec(SPEC)
    return made


def test_the_code_stays_with_the_commit_that_names_it(scene: Scene) -> None:
    done = retcon_here(scene.repo.path).ok()
    assert "Leaving test_nothing of test_echo.py for later..." in done.err
    scene.promise()
    assert scene.repo.subjects("main..clean") == [
        "Test echo with more words and letters",
        "WIP: leave test_nothing of test_echo.py for later",
        "Handle empty bytes in echo",
    ]
    paths = scene.repo.git("diff", "--name-only", "clean~1", "clean").split()
    assert paths == ["CHANGES", "echo.py", "test_echo.py"]
    note = scene.repo.git("notes", "--ref=retcon", "show", "clean~1")
    assert "\nReleased: " in note
    built = scene.repo.rev("clean")
    retcon_here(scene.repo.path).ok()
    assert scene.repo.rev("clean") == built


@pytest.mark.slow
def test_a_run_goes_on_after_a_release_and_folds_it(scene: Scene) -> None:
    kill_at(scene, "committed", 3)
    assert scene.run().status < 0
    assert scene.repo.subjects("main..clean")[-1].startswith("WIP: leave test_nothing")
    (scene.repo.path / ".git/hooks/reference-transaction").unlink()
    retcon_here(scene.repo.path, "--squash-wip", "--yes").ok()
    scene.promise()
    assert "test_nothing" not in scene.repo.git("show", "clean~1:test_echo.py")
    assert len(scene.repo.subjects("main..clean")) == 2
