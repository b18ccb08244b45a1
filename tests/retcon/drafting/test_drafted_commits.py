"""The commits of a draft: their order, their subjects, their hints."""

from git_retcon.retcon.drafting.drafted_commits import (
    draft_commits,
    keep_order,
    order_clusters,
    write_hints,
)
from git_retcon.retcon.drafting.subjects import read_style
from git_retcon.retcon.planner.facts import read_facts
from git_retcon.retcon.planner.plan import Task
from git_retcon.retcon.planner.planner import Planner
from git_retcon.retcon.spec.model import LogicalCommit
from tests.repository import TestRepository
from tests.retcon.planner.building import branch

FILES = {
    "README.md": "# Money\n",
    "money.py": "def cents(text):\n    return text\n",
    "wire.py": "def scan(line):\n    return line\n",
}


def test_source_commits_that_say_something_are_kept(repo: TestRepository) -> None:
    whole = branch(repo, {}, FILES)
    origin = {
        atom.id: {{b"money.py": 1, b"wire.py": 0}.get(atom.path, 2): len(atom.added)}
        for atom in whole.atoms
    }
    subjects = ("Scan lines of the wire", "wip", "Say what this is")
    task = Task(whole, [LogicalCommit("All")], [0], {}, origin, subjects)
    drafted = draft_commits(task, read_style([]))
    assert [commit.subject for commit in drafted] == [
        "Scan lines of the wire", "Add cents", "Say what this is",
    ]  # fmt: skip
    assert frozenset().union(*(commit.atoms for commit in drafted)) == set(origin)


def test_what_others_need_comes_first_and_documents_last(repo: TestRepository) -> None:
    facts = read_facts(branch(repo, {}, FILES))
    at = {one.atom.path: number for number, one in enumerate(facts)}
    readme, money, wire = at[b"README.md"], at[b"money.py"], at[b"wire.py"]
    clusters = [[readme], [money], [wire]]
    origins: list[dict[int, int]] = [{} for _ in facts]
    assert order_clusters(clusters, facts, [], origins) == [[money], [wire], [readme]]
    assert order_clusters(clusters, facts, [(wire, money)], origins) == [[wire], [money], [readme]]


def test_clusters_that_need_each_other_are_ordered_all_the_same(repo: TestRepository) -> None:
    facts = read_facts(branch(repo, {}, FILES))
    circle = [(0, 1), (1, 2), (2, 0)]
    found = order_clusters([[0], [1], [2]], facts, circle, [{} for _ in facts])
    assert sorted(map(list, found)) == [[0], [1], [2]]


def test_a_rename_takes_its_uses_along(repo: TestRepository) -> None:
    cart, test = "def {}(name):\n    return name\n", "from cart import {}\n\nassert {}('a')\n"
    names = ("make_line", "make_item")
    before, after = (
        {"cart.py": cart.format(name), "test_cart.py": test.format(name, name)} for name in names
    )
    whole = branch(repo, {**before, "a.md": "a\n"}, {**after, "a.md": "b\n"})
    planner = Planner(Task(whole, [LogicalCommit("All")], [0]))
    at = {
        path: [n for n, one in enumerate(planner.facts) if one.atom.path == path]
        for path in (b"cart.py", b"test_cart.py", b"a.md")
    }
    clusters = [at[b"cart.py"], at[b"test_cart.py"], at[b"a.md"]]
    kept = keep_order(clusters, planner)
    # Its use can come neither before the new name nor after the old one.
    assert kept == [sorted(clusters[0] + clusters[1]), at[b"a.md"]]


def test_hints_name_files_and_definitions(repo: TestRepository) -> None:
    facts = read_facts(branch(repo, {}, FILES))
    lines = write_hints(facts).splitlines()
    assert "money.py: cents" in lines
    assert "README.md" in lines
