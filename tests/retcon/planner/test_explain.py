"""Reasons name the strongest evidence first, in words that can be checked."""

import pytest

from git_retcon.retcon.planner.descriptions import read_descriptions
from git_retcon.retcon.planner.explain import Explainer, Step
from git_retcon.retcon.planner.facts import read_facts
from git_retcon.retcon.spec.model import LogicalCommit
from tests.repository import TestRepository
from tests.retcon.planner.building import branch


def explain(
    repo: TestRepository, commit: LogicalCommit, step: Step = Step.EVIDENCE, subject: str = ""
) -> str:
    """Why a function is in a commit; ``subject`` is that of the source commit it came with."""
    whole = branch(
        repo, {"old": "1\n"}, {"old": "1\n", "src/cache.py": "def load_cache():\n    x\n"}
    )
    facts = read_facts(whole)
    origins = [{0: 1, 1: 5} if subject else {} for _ in facts]
    explainer = Explainer(facts, read_descriptions([commit]), origins, ("first", subject), [commit])
    return explainer.explain(0, 0, step)


@pytest.mark.parametrize(
    ("commit", "why"),
    [
        (
            LogicalCommit("x", hints="load_cache"),
            "hints name load_cache; message or hints say load_cache",
        ),
        (
            LogicalCommit("x", hints="src/cache.py"),
            "hints name src/cache.py; message or hints say cache, src, py",
        ),
        (LogicalCommit("x", files=("*.md", "src/")), "named by files = 'src/'"),
        (
            LogicalCommit("x", files=("src/", "!src/cache.py")),
            "named by files = 'src/'",  # as in git, what is in a named folder cannot be taken out
        ),
        (
            LogicalCommit("x", files=("*.py", "!cache.py")),
            "nothing names it; it resembles this kind of commit most",
        ),
        (LogicalCommit("Cache what is loaded"), "message or hints say loaded, cache"),
        (LogicalCommit("Use `load_cache`"), "message or hints say load_cache"),
        (LogicalCommit("x"), "nothing names it; it resembles this kind of commit most"),
    ],
)
def test_what_names_the_atom_is_the_reason(
    repo: TestRepository, commit: LogicalCommit, why: str
) -> None:
    assert explain(repo, commit) == why


def test_the_source_commit_of_most_lines_is_named_after_hints_and_before_words(
    repo: TestRepository,
) -> None:
    commit = LogicalCommit("Cache what is loaded", hints="load_cache")
    assert explain(repo, commit, subject="wip cache") == (
        'hints name load_cache; came with source commit 2 "wip cache"'
    )
    assert explain(repo, LogicalCommit("Cache"), subject="wip") == (
        'came with source commit 2 "wip"; message or hints say cache'
    )


def test_what_moved_is_explained_by_its_move_and_a_unit_by_its_definition(
    repo: TestRepository,
) -> None:
    named = LogicalCommit("x", hints="load_cache")
    assert "not empty" in explain(repo, named, Step.FILLING)
    assert "before their uses" in explain(repo, named, Step.ORDER)
    cache = LogicalCommit("Cache")
    assert explain(repo, cache, Step.UNIT) == (
        "message or hints say cache; kept with the rest of its definition"
    )
