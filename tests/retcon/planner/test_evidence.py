"""What the source's own commits say: which logical commit each one worked on."""

import itertools
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from git_retcon.code.languages.known import language_of
from git_retcon.git.atoms import Atom, Kind, Span
from git_retcon.retcon.planner.descriptions import read_descriptions
from git_retcon.retcon.planner.evidence import FEATURES, evidence_features
from git_retcon.retcon.planner.facts import Facts, Origin, read_facts
from git_retcon.retcon.spec.model import LogicalCommit
from tests.repository import TestRepository
from tests.retcon.planner.building import branch

COMMITS = [LogicalCommit("Parse tokens"), LogicalCommit("Cache values")]
UNSURE = [0.5, 0.5]


def read(
    repo: TestRepository, origins: list[Origin], subjects: list[str], chances: list[list[float]]
) -> list[list[dict[str, float]]]:
    """The features by atom and commit, for one new file each."""
    files = {f"f{at}.txt": f"line {at}\n" for at in range(len(origins))}
    facts = read_facts(branch(repo, {"x": "1\n"}, {"x": "1\n", **files}))
    found = evidence_features(facts, read_descriptions(COMMITS), origins, subjects, chances)
    return [[dict(zip(FEATURES, line, strict=True)) for line in lines] for lines in found]


def test_an_atom_from_nowhere_has_its_words_only(repo: TestRepository) -> None:
    ((first, second), _) = read(repo, [{}, {0: 1}], ["wip"], [[0.8, 0.2], UNSURE])
    assert first["ln words"] == pytest.approx(math.log(0.8))
    assert not any(value for name, value in first.items() if name != "ln words")
    assert second["ln words"] == pytest.approx(math.log(0.2))


def test_what_came_together_shares_its_words(repo: TestRepository) -> None:
    """One atom is sure; the other came with the same source commit, and follows it."""
    found = read(repo, [{0: 1}, {1: 1}, {1: 1}], ["wip", "wip"], [[0.9, 0.1], [0.1, 0.9], UNSURE])
    for name in ("source posterior", "source mean", "source mixture"):
        assert found[2][1][name] > 0.5 > found[2][0][name]


def test_source_commits_follow_the_logical_ones_in_order(repo: TestRepository) -> None:
    found = read(repo, [{0: 1}, {1: 1}, {2: 1}], ["wip"] * 3, [[0.9, 0.1], UNSURE, [0.1, 0.9]])
    assert found[0][0]["source posterior"] > 0.9
    assert found[2][1]["source posterior"] > 0.9
    assert found[0][0]["distance"] == 0
    assert found[0][1]["distance"] == 1
    assert found[2][1]["distance"] == 0
    assert found[1][0]["distance"] == pytest.approx(0.5)
    assert found[1][0]["distance squared"] == pytest.approx(0.25)


MOVES = {"stay": 0.42, "next": 0.4, "later": 0.06, "earlier": 0.12}


def likelihood(path: tuple[int, ...], chances: list[list[float]]) -> float:
    """Of one way of source commits through the logical ones, by the definition of the chain."""
    count = len(chances[0])
    found = 0.9 if path[0] == 0 else 0.1 / count
    for before, after in itertools.pairwise(path):
        found *= (
            MOVES["stay"] * (after == before)
            + MOVES["next"] * (after == before + 1)
            + MOVES["later"] / count * (after > before)
            + MOVES["earlier"] / count * (after < before)
        )
    for k, line in zip(path, chances, strict=True):
        found *= (line[k] + 0.01) ** 1.5
    return found


CHANCES = st.lists(
    st.lists(st.floats(0.05, 1), min_size=3, max_size=3).map(
        lambda line: [value / sum(line) for value in line]
    ),
    min_size=1,
    max_size=4,
)


@given(CHANCES)
@settings(max_examples=25, deadline=None)
def test_the_posterior_is_that_of_all_ways_through_the_chain(chances: list[list[float]]) -> None:
    """Forward and backward together are the sum over every way, which is simple and slow."""
    facts = [plain_facts(f"f{at}") for at in range(len(chances))]
    descriptions = read_descriptions([LogicalCommit(subject) for subject in ("Aa", "Bb", "Cc")])
    origins = [{at: 1} for at in range(len(chances))]
    found = evidence_features(facts, descriptions, origins, ["wip"] * len(chances), chances)
    posterior = FEATURES.index("source posterior")
    ways = list(itertools.product(range(3), repeat=len(chances)))
    weights = {way: likelihood(way, chances) for way in ways}
    for at, lines in enumerate(found):
        for k, line in enumerate(lines):
            share = sum(weight for way, weight in weights.items() if way[at] == k)
            assert line[posterior] == pytest.approx(share / sum(weights.values()))


def plain_facts(path: str) -> Facts:
    """Those of an atom of one line."""
    span = Span(0, 0)
    atom = Atom(path, Kind.LINES, path.encode(), span, Span(0, 1), (), (b"x",))
    empty: frozenset[str] = frozenset()
    return Facts(
        atom, language_of(b""), frozenset(), "x", "", "", "", (), path, empty, empty, (), 1, 1,
        empty, empty,
    )  # fmt: skip


def test_the_subject_of_a_logical_commit_decides(repo: TestRepository) -> None:
    for subject in ("Cache values", "fixup! Cache values"):
        ((first, second),) = read(repo, [{0: 1}], [subject], [[0.99, 0.01]])
        assert (first["same subject"], second["same subject"]) == (0, 1)
        assert (second["source posterior"], second["source mixture"]) == (1, 1)
        assert first["source mean"] == 0


def test_a_reworded_subject_is_alike_and_no_proof(repo: TestRepository) -> None:
    ((first, second),) = read(repo, [{0: 1}], ["Cache values quickly elsewhere"], [UNSURE])
    assert second["like subject"] > first["like subject"] == 0
    assert second["same subject"] == 0
    ((_, unnamed),) = read(repo, [{0: 1}], ["wip"], [UNSURE])
    assert unnamed["source posterior"] < second["source posterior"] < 1


def test_an_atom_of_two_source_commits_is_between_them(repo: TestRepository) -> None:
    origins: list[Origin] = [{0: 3, 1: 1}, {0: 1}, {1: 1}]
    subjects = ["Parse tokens", "Cache values"]
    found = read(repo, origins, subjects, [UNSURE] * 3)
    assert found[0][0]["source posterior"] == pytest.approx(0.75)
    assert found[0][1]["same subject"] == pytest.approx(0.25)
