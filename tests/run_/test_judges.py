"""Which files judge: what commands name and read, and what scripts among that call."""

import pytest

from git_retcon.run.judges import Judges, find_judges, sources_of_trees
from tests.repository import TestRepository

FILES = {
    "build.sh": '. ./lib/env.sh\nsh "$(dirname "$0")/tools/check.sh"\ncc src/main.c\n',
    "lib/env.sh": "X=1\n",
    "tools/check.sh": "exec $HERE/deep.sh\n",
    "tools/deep.sh": "true\n",
    "tools/other.sh": "true\n",
    "src/main.c": "int main() {}\n",
    "src/part.c": "int part;\n",
    "checks/one.py": "def test_one(): pass\n",
    "checks/test_two.py": "def test_two(): pass\n",
    "package.json": '{"scripts": {"test": "sh scripts/test.sh --all"}}\n',
    "scripts/test.sh": "node x.js\n",
    "shop/run.py": "import sys\n",
}


def judges(repo: TestRepository, *commands: str) -> Judges:
    tree = repo.tree(repo.commit("files", FILES))
    return find_judges(commands, sources_of_trees(repo.open(), tree))


@pytest.mark.parametrize(
    ("command", "held", "free"),
    [
        ("./build.sh", "build.sh", "src/main.c"),
        ("sh build.sh", "lib/env.sh", "src/part.c"),
        ("sh build.sh", "tools/check.sh", "tools/other.sh"),
        ("sh build.sh", "tools/deep.sh", "lib/new.sh"),
        ("npm test", "scripts/test.sh", "tools/other.sh"),
        ("cc src/main.c", "src/main.c", "src/part.c"),
        ("cp -r src out && python3 -m compileall src", "compileall.py", "src/part.c"),
        ("python3 -m shop.run", "shop/run.py", "shop/new.py"),
        ("pytest checks/", "checks/one.py", "shop/run.py"),
        ("sh later.sh", "later.sh", "sooner.sh"),
        ("ls later/", "later/any.py", "src/part.c"),
        ("true", "Makefile", "src/main.c"),
        ("true", "web/conftest.py", "web/contest.py"),
        ("true", ".GitHub/workflows/ci.yml", "github/x.yml"),
        ("BUILD.SH", "build.sh", "src/part.c"),
    ],
)
def test_what_a_command_names_and_reads_judges(
    command: str, held: str, free: str, repo: TestRepository
) -> None:
    found = judges(repo, command)
    assert found.holds(held.encode())
    assert not found.holds(free.encode())


def test_a_test_is_no_judge_by_itself_and_yet_no_place_for_a_bridge(repo: TestRepository) -> None:
    found = judges(repo, "pytest")
    assert not found.holds(b"shop/test_run.py")
    assert found.bars_bridge(b"shop/test_run.py")
    assert not found.bars_bridge(b"shop/run.py")


def test_scripts_that_call_each_other_are_read_once(repo: TestRepository) -> None:
    tree = repo.tree(repo.commit("loop", {"a.sh": "./b.sh\n", "b.sh": "./a.sh ../../etc/c.sh\n"}))
    found = find_judges(["./a.sh"], sources_of_trees(repo.open(), tree))
    assert found.holds(b"b.sh") and not found.holds(b"etc/c.sh")


def test_each_of_several_trees_counts(repo: TestRepository) -> None:
    old = repo.tree(repo.commit("old", {"build.sh": "sh old.sh\n", "old.sh": "", "new.sh": ""}))
    new = repo.tree(repo.commit("new", {"build.sh": "sh new.sh\n"}))
    found = find_judges(["./build.sh"], sources_of_trees(repo.open(), old, new))
    assert found.holds(b"old.sh") and found.holds(b"new.sh")
