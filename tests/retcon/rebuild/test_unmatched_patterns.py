"""A pattern of ``files`` or ``exclude`` that matches nothing is named, with what may be meant."""

import pytest

from tests.program import retcon_here
from tests.repository import TestRepository

SPEC = """\
source = "feature"
remote = "main"
cleaned = "clean"

[[commit]]
message = "Change the client"
files = ["src/", "*.md", "!src/notes.txt", "[ab].py"]

[[commit]]
message = "Change the rest"
exclude = [
{entries}
]
"""


@pytest.fixture
def messy(repo: TestRepository) -> TestRepository:
    old = {"src/_client.py": "x = 1\n", "Guide.md": "a\n", "src/notes.txt": "a\n", "a.py": "a\n"}
    repo.commit("base", {**old, "still.py": "y = 1\n"})
    repo.git("checkout", "-qb", "feature")
    repo.commit("all", {path: f"{text}more = 1\n" for path, text in old.items()})
    return repo


def warn(repo: TestRepository, entries: str, *words: str) -> list[str]:
    (repo.path / "s.toml").write_text(SPEC.format(entries=entries))
    return retcon_here(repo.path, *words, "s.toml").ok().err.splitlines()


def test_a_pattern_that_matches_no_changed_file_is_named(messy: TestRepository) -> None:
    entries = """\
  "src/_cleint.py",
  "/src/_cleint.py",
  "_cleint.py",
  "!guide.md",
  "srcs/",
  "no/such/",
  "still.py",
  "*.rst","""
    told = [
        "12: exclude: no changed file matches 'src/_cleint.py'; did you mean 'src/_client.py'?",
        "13: exclude: no changed file matches '/src/_cleint.py'; did you mean 'src/_client.py'?",
        "14: exclude: no changed file matches '_cleint.py'; did you mean '_client.py'?",
        "15: exclude: no changed file matches '!guide.md'; did you mean 'Guide.md'?",
        "16: exclude: no changed file matches 'srcs/'; did you mean 'src/'?",
        "17: exclude: no changed file matches 'no/such/'",
        "18: exclude: no changed file matches 'still.py'",
        "19: exclude: no changed file matches '*.rst'",
    ]
    told = [f"warning: s.toml:{line}" for line in told]
    assert warn(messy, entries, "-n") == told
    # A run says more than these.
    assert [line for line in warn(messy, entries) if "no changed file" in line] == told


def test_what_matches_or_is_no_pattern_is_not_named(messy: TestRepository) -> None:
    entries = '"src/_client.py", "# all", "", "**/notes.txt", "/a.py", "src", "!*.md"'
    assert warn(messy, entries, "-n") == []
