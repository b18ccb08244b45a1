"""Words speak for the commit that has them: the more, the rarer they are."""

import math

import pytest

from git_retcon.retcon.planner.descriptions import read_descriptions
from git_retcon.retcon.planner.facts import read_facts
from git_retcon.retcon.planner.word_scores import RAW_INDEX, score_words
from git_retcon.retcon.spec.model import LogicalCommit
from tests.repository import TestRepository
from tests.retcon.planner.building import Files, branch

Scores = dict[str, float]


def scored(
    repo: TestRepository, before: Files, after: Files, *messages: str
) -> dict[tuple[str, int], Scores]:
    """(the first line added or removed, commit) → the scores that are not zero."""
    facts = read_facts(branch(repo, before, after))
    rows = score_words(facts, read_descriptions([LogicalCommit(each) for each in messages]))
    return {
        ((one.added or one.removed).strip().partition("\n")[0], k): {
            name: scores[at] for name, at in RAW_INDEX.items() if scores[at]
        }
        for one, row in zip(facts, rows, strict=True)
        for k, scores in row.items()
    }


OLD = {"src/old.py": "x = 1\n"}
CACHE = {**OLD, "src/old.py": "x = 1\n\n\ndef load_cache(key):\n    return held\n"}


@pytest.mark.parametrize(
    ("message", "name"),
    [
        ("Cache what is loaded", "subject added"),
        ("Cache what is loaded", "subject names"),
        ("Cache what is loaded", "subject in definition"),
        ("Speed\n\nBy caching.", "body added"),
        ("Call `load_cache`", "name added"),
        ("Call `load_cache`", "name defined"),
        ("Call `load_cache`", "name around"),
        ("Call `load_cache`", "first mention"),
        ("Change old.py", "file"),
        ("Change old code", "file stem"),
        ("Change src/old.py", "path"),
        ("src: load", "area"),
        ("Work on src", "subject path"),
    ],
)
def test_what_message_and_atom_share_is_scored(
    repo: TestRepository, message: str, name: str
) -> None:
    found = scored(repo, OLD, CACHE, message, "Unrelated work")
    assert found["def load_cache(key):", 0][name] > 0
    assert name not in found.get(("def load_cache(key):", 1), {})


def test_what_is_removed_is_scored_as_removed(repo: TestRepository) -> None:
    found = scored(repo, CACHE, OLD, "Drop load_cache", "Else")["def load_cache(key):", 0]
    assert {"subject removed", "name removed"} <= found.keys()
    assert not {"subject added", "name added", "name defined", "first mention"} & found.keys()


def test_options_are_found_in_the_text(repo: TestRepository) -> None:
    after = {"src/old.py": "x = 1\ny = '--strict'\n"}
    found = scored(repo, OLD, after, "Add --strict", "Add --strictly")
    assert found["y = '--strict'", 0]["option"] == 1.0
    assert "option" not in found.get(("y = '--strict'", 1), {})


def test_a_word_of_one_message_says_more_than_a_word_of_all(repo: TestRepository) -> None:
    found = scored(repo, OLD, CACHE, "Cache keys", "Cache files", "Cache more")
    key, cache = (found["def load_cache(key):", k]["subject added"] for k in (0, 1))
    assert key > cache
    # (3 messages, 1 holder; 3 holders), both in the one atom; "cache" occurs once
    rarity = [math.log(1 + (3 - n + 0.5) / (n + 0.5)) * math.log1p(1 / 1.5) for n in (1, 3)]
    assert key == pytest.approx(sum(rarity))
    assert cache == pytest.approx(rarity[1])


def test_the_tenth_mention_says_little_more_than_the_third(repo: TestRepository) -> None:
    scores = [
        scored(repo, OLD, {"src/old.py": "x = 1\n" + "key " * times + "\n"}, "Key", "B")
        for times in (1, 3, 10)
    ]
    one, three, ten = (next(each.values().__iter__())["subject added"] for each in scores)
    assert three == pytest.approx(1.5 * one)
    assert ten == pytest.approx(20 / 11 * one)


def test_the_first_message_that_mentions_a_new_name_is_said_so(repo: TestRepository) -> None:
    found = scored(repo, OLD, CACHE, "Prepare", "Add load_cache()", "Use load_cache()")
    assert "first mention" in found["def load_cache(key):", 1]
    assert "first mention" not in found["def load_cache(key):", 2]


def test_the_stem_of_a_file_counts_half_outside_the_subject(repo: TestRepository) -> None:
    found = scored(repo, OLD, CACHE, "Change old code", "Change\n\nThe old code.", "Else")
    stems = [found["def load_cache(key):", k].get("file stem", 0) for k in (0, 1)]
    assert stems == [1.0, 0.5]


def test_the_longest_path_that_holds_the_file_counts_by_its_length(repo: TestRepository) -> None:
    found = scored(
        repo, {"x": "1\n"}, {"x": "1\n", "src/deep/a.py": "y = 1\n"}, "In src/deep/, src/x"
    )
    assert found["y = 1", 0]["path"] == pytest.approx(len("src/deep") / len("src/deep/a.py"))
