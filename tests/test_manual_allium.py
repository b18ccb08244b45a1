"""git-allium(1) says what the code does: options, commands, JSON, exit statuses."""

from git_retcon.commands.allium import cli
from tests.allium.history_shapes import evolve
from tests.allium.specs import BROKEN, UNKNOWN_TYPE
from tests.manual import ENVELOPE, Page, reported_members
from tests.model.loopback import LOOPBACK_KEY
from tests.program import allium_here
from tests.repository import TestRepository

PAGE = Page("git-allium", cli)


def test_the_members_of_a_report_are_listed_and_no_others(repo: TestRepository) -> None:
    repo.write({"a.allium": UNKNOWN_TYPE, "b.allium": BROKEN})
    (repo.path / "link.allium").symlink_to("a.allium")
    repo.commit("a", {"a.py": "class A:\n    n: int\n"})
    # Something to find, and something that cannot be read.
    changes = {"a.py": "class A:\n    n: int\n    m: int\n", "bad.py": "class (:\n"}
    for title, *arguments in (
        ("evolve --estimate --json", "evolve", "--estimate"),
        ("evolve --dry-run --json", "evolve", "--offline", "-n"),
        ("evolve --json", "evolve", "--offline", "--reconciliation-interval", "1"),
        ("reconcile --json", "reconcile", "--offline"),
        ("check --drift --json", "check", "--drift"),
        ("accept --json", "accept", "--all"),
        ("diff --json", "diff", "HEAD~..HEAD"),
        ("blame --json", "blame", "A"),
        ("map --json", "map"),
        ("status --json", "status"),
        ("log --json", "log"),
        ("check --json", "check"),
        ("format --json", "format"),
        ("graph --json", "graph"),
        ("report --json", "report"),
        ("install-hook --json", "install-hook"),
        ("install-drivers --json", "install-drivers"),
        ("merge-file --json", "merge-file", "a.allium", "a.allium", "a.allium"),
        ("completion --json", "completion", "zsh"),
        ("help --json", "help"),
    ):
        if title == "reconcile --json":
            repo.commit("b", changes)
        if title == "check --drift --json":
            repo.commit("c", {"a.py": "class A:\n    n: int\n"})
        if title == "diff --json":
            evolve(repo)
        done = allium_here(repo.path, *arguments, "--json", env={"ANTHROPIC_API_KEY": LOOPBACK_KEY})
        assert reported_members(done) == PAGE.members(title) | ENVELOPE, title
