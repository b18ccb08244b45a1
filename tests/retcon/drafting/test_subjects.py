"""Subjects in a project's own style."""

import pytest

from git_retcon.retcon.drafting.subjects import (
    SubjectStyle,
    make_unique,
    read_style,
    says_something,
    write_subject,
)
from git_retcon.retcon.planner.facts import Facts, read_facts
from tests.repository import TestRepository
from tests.retcon.planner.building import branch

PLAIN = SubjectStyle(has_types=False, has_areas=False, has_capital=True)


def facts_of(repo: TestRepository, before: dict[str, str], after: dict[str, str]) -> list[Facts]:
    return read_facts(branch(repo, before, after))


@pytest.mark.parametrize(
    ("subjects", "style"),
    [
        ([], PLAIN),
        (["Add a thing", "Remove another", "Fix it"], PLAIN),
        (["feat: add a thing", "fix(api)!: mend", "docs: say"], SubjectStyle(True, True, False)),
        (["net: Add a thing", "lib/io: Fix it", "Other"], SubjectStyle(False, True, True)),
        (["add a thing", "remove another"], SubjectStyle(False, False, False)),
    ],
)
def test_the_style_of_most_subjects_is_read(subjects: list[str], style: SubjectStyle) -> None:
    assert read_style(subjects) == style


def test_new_definitions_are_named_in_each_style(repo: TestRepository) -> None:
    facts = facts_of(
        repo, {}, {"net/wire.py": "def scan():\n    pass\n\n\ndef read():\n    pass\n"}
    )
    assert write_subject(facts, PLAIN) == "Add scan and read"
    assert write_subject(facts, SubjectStyle(True, True, False)) == "feat: add scan and read"
    assert write_subject(facts, SubjectStyle(False, True, True)) == "wire: Add scan and read"


def test_tests_documents_and_removals_are_called_that(repo: TestRepository) -> None:
    before = {
        "a.py": "x = 1\n",
        "README.md": "# A\n",
        "tests/test_a.py": "def test_a():\n    f()\n",
    }
    after = {"a.py": "", "README.md": "# B\n", "tests/test_a.py": "def test_a():\n    g()\n"}
    by_path = {one.atom.path: one for one in facts_of(repo, before, after)}
    assert write_subject([by_path[b"tests/test_a.py"]], PLAIN) == "Test test_a"
    assert write_subject([by_path[b"README.md"]], PLAIN).startswith("Document ")
    assert write_subject([by_path[b"a.py"]], PLAIN) == "Remove x"


def test_a_source_commits_subject_is_kept_only_where_it_says_something() -> None:
    assert says_something("Count money in cents")
    assert not says_something("wip")
    assert not says_something("fixup! Count money in cents")
    assert not says_something("oops, forgot money again")


def test_equal_subjects_get_numbers() -> None:
    assert make_unique(["Add a", "Add b", "Add a"]) == ["Add a", "Add b", "Add a (2)"]


def test_a_subject_is_one_line_whatever_a_file_is_called(repo: TestRepository) -> None:
    facts = facts_of(repo, {"a.txt": "x\n"}, {"a.txt": "x\n", "two\nlines.txt": "y\n"})
    assert write_subject(facts, PLAIN) == "Add two\\nlines.txt"
