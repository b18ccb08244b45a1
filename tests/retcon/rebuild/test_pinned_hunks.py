"""Pins in the spec: what a run and a plan do with them, and what they say."""

import json

import pytest

from tests.program import Ran, retcon_here
from tests.repository import TestRepository

SPEC = """\
source = "feature"
remote = "main"
cleaned = "clean"

[[commit]]
message = "Write docs"
files = ["docs.md"]
{first}
[[commit]]
message = "Write code"
{second}"""


@pytest.fixture
def messy(repo: TestRepository) -> TestRepository:
    repo.commit("base", {"docs.md": "Docs\n", "code.py": "x = 1\n"})
    repo.git("checkout", "-qb", "feature")
    repo.commit("all", {"docs.md": "Docs\nmore\n", "code.py": "x = 2\n"})
    return repo


def run(repo: TestRepository, *words: str) -> Ran:
    return retcon_here(repo.path, *words, "s.toml")


def write_spec(repo: TestRepository, first: str = "", second: str = "") -> None:
    (repo.path / "s.toml").write_text(SPEC.format(first=first, second=second))


def hunk_of(repo: TestRepository, path: str) -> str:
    write_spec(repo)
    hunks = json.loads(retcon_here(repo.path, "hunks", "--json", "s.toml").ok().out)["hunks"]
    return str(next(hunk["id"] for hunk in hunks if hunk["path"] == path))


def test_a_pinned_hunk_goes_where_it_is_pinned(messy: TestRepository) -> None:
    docs = hunk_of(messy, "docs.md")
    code = hunk_of(messy, "code.py")
    write_spec(messy, first=f'hunks = ["{code[:6]}"]', second=f'hunks = ["{docs}"]')
    assert "docs.md" in run(messy, "-n").ok().out.partition("Commit 2/2")[2]
    run(messy).ok()
    assert messy.git("show", "--format=", "--name-only", "clean~").split() == ["code.py"]
    assert messy.git("show", "--format=", "--name-only", "clean").split() == ["docs.md"]
    assert messy.tree("clean") == messy.tree("feature")


def test_a_new_pin_rebuilds_from_its_commit(messy: TestRepository) -> None:
    docs = hunk_of(messy, "docs.md")
    run(messy).ok()
    before = (messy.path / "s.toml").read_text()
    (messy.path / "s.toml").write_text(
        before.replace('"Write code"', f'"Write code"\nhunks = ["{docs}"]')
    )
    run(messy).ok()
    assert "docs.md" in messy.git("show", "--format=", "--name-only", "clean")
    assert messy.tree("clean") == messy.tree("feature")


def test_a_hunk_that_is_gone_is_named_by_line_and_path(messy: TestRepository) -> None:
    write_spec(messy, second='hunks = [\n  "beef",  # docs.md:2\n]')
    for said in (run(messy, "-n").ok(), run(messy).ok()):
        assert "warning: s.toml:12: no hunk 'beef' is there any more (docs.md:2)\n" in said.err


def test_a_hunk_of_two_commits_is_an_error(messy: TestRepository) -> None:
    docs = hunk_of(messy, "docs.md")
    write_spec(messy, first=f'hunks = ["{docs}"]', second=f'hunks = ["{docs[:7]}"]')
    said = run(messy)
    assert said.status == 128
    assert f"s.toml:11: hunk '{docs[:7]}' is pinned by another [[commit]] too" in said.err
    assert "hint: keep one of the two" in said.err
    assert messy.git("for-each-ref", "--format=%(refname)", "refs/heads/clean") == ""


def test_pins_that_are_refused_rewind_nothing(messy: TestRepository) -> None:
    docs = hunk_of(messy, "docs.md")
    run(messy).ok()
    text = (messy.path / "s.toml").read_text()
    for subject in ("Write code", "Write docs"):
        assert f'"{subject}"' in text
        text = text.replace(f'"{subject}"', f'"{subject}"\nhunks = ["{docs}"]')
    (messy.path / "s.toml").write_text(text)
    before = messy.rev("clean")
    said = run(messy)
    assert "is pinned by another [[commit]] too" in said.err
    assert "Rebuilding" not in said.err
    assert messy.rev("clean") == before


def test_a_hunk_leaves_its_pin_without_another_that_equals_it(repo: TestRepository) -> None:
    repo.commit("base", {"code.py": "import os\nimport os\nx = 1\n"})
    repo.git("checkout", "-qb", "feature")
    repo.commit("all", {"code.py": "x = 1\n"})
    write_spec(repo)
    listed = json.loads(retcon_here(repo.path, "hunks", "--json", "s.toml").ok().out)["hunks"]
    first, second = (hunk["id"] for hunk in listed)
    assert second == f"{first}.2"
    write_spec(repo, first=f'hunks = ["{first}"]', second=f'hunks = ["{second}"]')
    drawn = f"commit 1 Write docs\ncommit 2 Write code\n  {first}\n  {second}\n"
    (repo.path / ".git/left").write_text(drawn)
    left = {"GIT_EDITOR": f"cp {repo.path}/.git/left"}
    retcon_here(repo.path, "edit", "s.toml", env=left).ok()
    assert "Commit 1/2: Write docs\n  nothing\n" in run(repo, "-n").ok().out


@pytest.mark.parametrize("pin", ["xyz1", "ab", "1F3A", ""])
def test_what_is_no_id_is_an_error(messy: TestRepository, pin: str) -> None:
    write_spec(messy, second=f'hunks = ["{pin}"]')
    said = run(messy, "-n")
    assert said.status == 128
    assert f"s.toml:11: not the id of a hunk: '{pin}'" in said.err


def test_a_pin_that_breaks_the_order_is_warned_of(repo: TestRepository) -> None:
    repo.commit("base", {"README": "x\n"})
    repo.git("checkout", "-qb", "feature")
    repo.commit("all", {"a.py": "def total():\n    return 3\n", "b.py": "from a import total\n"})
    definition, use = hunk_of(repo, "a.py"), hunk_of(repo, "b.py")
    write_spec(repo, first=f'hunks = ["{use}"]', second=f'hunks = ["{definition}"]')
    warning = f"{use} (b.py:1) may need {definition} (a.py:1), which comes later, in commit 2"
    assert warning in run(repo, "-n").ok().out
    assert f"warning: {warning}" in run(repo).ok().err
