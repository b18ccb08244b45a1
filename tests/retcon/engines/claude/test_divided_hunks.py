"""A model may divide a hunk between commits; the parts are hunks then, and come from its place."""

from git_retcon.git.difference import Difference, compare_trees
from git_retcon.model.budget import Budget
from git_retcon.model.client import Client
from git_retcon.model.credentials import required_credentials
from git_retcon.model.never_send import NeverSend
from git_retcon.model.prices import load_prices
from git_retcon.model.redaction import Redactor
from git_retcon.model.service import AnthropicService
from git_retcon.model.spending import Spending
from git_retcon.retcon.branch.hunk_division import divide_hunks
from git_retcon.retcon.engine import Situation
from git_retcon.retcon.engines.claude.display import Display
from git_retcon.retcon.engines.claude.placer import Placer
from git_retcon.retcon.engines.offline import OfflineEngine
from git_retcon.retcon.spec.model import LogicalCommit, Spec
from tests.model.loopback import LoopbackApi, answers
from tests.repository import TestRepository
from tests.retcon.planner.building import branch

# Prose is divided between any paragraphs.
NOTES = "".join(f"Part {n} says something.\n\n" for n in range(4))
SPEC = Spec("messy", "main", "clean", tuple(map(LogicalCommit, ("one", "two", "three"))))


def one_hunk(repo: TestRepository) -> Difference:
    """A difference that is not cut at all."""
    branch(repo, {"a.md": "# Title\n"}, {"a.md": f"# Title\n\n{NOTES}"})
    return compare_trees(repo.open(), repo.tree("HEAD~"), repo.tree("HEAD"))


def judge(
    api: LoopbackApi, situation: Situation, *answer: tuple[int, str]
) -> tuple[Situation, list[str]]:
    """What a placer makes of an answer, the hunks of each commit, and its warnings."""
    placements = [{"commit": commit, "hunks": hunks} for commit, hunks in answer]
    api.responder = lambda body: answers({"placements": placements, "unsure": ""})
    client = Client(
        service=AnthropicService(required_credentials(api.env)),
        spending=Spending(Budget(), load_prices()),
    )
    warnings: list[str] = []
    placer = Placer(client, "claude-opus-4-5", warnings.append, OfflineEngine())
    display = Display(situation, Redactor(), NeverSend(()))
    return placer.judge(situation, display), warnings


def test_parts_come_from_where_their_hunk_did(api: LoopbackApi, repo: TestRepository) -> None:
    whole = one_hunk(repo)
    [atom] = whole.atoms
    situation = Situation(SPEC, 0, whole, {}, origin={atom.id: {0: 8}}, subjects=("wip",))
    judged, warnings = judge(api, situation, (1, "1:1-4"), (2, "1:5-9"))
    assert warnings == []
    assert {each.id: each.size for each in judged.difference.atoms} == {
        f"{atom.id}:1-4": 4,
        f"{atom.id}:5-9": 5,
    }
    assert judged.judged == {f"{atom.id}:1-4": 0, f"{atom.id}:5-9": 1}
    assert judged.origin == {part: {0: 8} for part in judged.judged}


def test_a_part_is_not_divided_again(api: LoopbackApi, repo: TestRepository) -> None:
    whole = one_hunk(repo)
    divided = divide_hunks(whole, [f"{whole.atoms[0].id}:1-4"])
    judged, warnings = judge(api, Situation(SPEC, 0, divided, {}), (1, "1:1-2"), (2, "1:3-4, 2"))
    assert judged.difference.atoms == divided.atoms
    assert judged.judged == {divided.atoms[1].id: 1}
    assert warnings == ["the model divides 1 part of a hunk again: placed without it"]


def test_of_a_hunk_that_would_be_cut_in_a_statement_no_part_counts(
    api: LoopbackApi, repo: TestRepository
) -> None:
    """Who miscounts one line of a hunk says nothing about the others."""
    code = "\n\ndef f():\n    a = (\n        1\n    )\n    return a\n"
    branch(repo, {"a.py": "x = 1\n"}, {"a.py": f"x = 1\n{code}"})
    whole = compare_trees(repo.open(), repo.tree("HEAD~"), repo.tree("HEAD"))
    situation = Situation(SPEC, 0, whole, {})
    judged, warnings = judge(api, situation, (1, "1:7"), (2, "1:1-5"))
    assert (judged.difference.atoms, judged.judged) == (whole.atoms, {})
    assert warnings == ["the model divides 1 hunk within a statement: placed without it"]
    judged, warnings = judge(api, situation, (1, "1:7"), (2, "1:1-6"))
    assert (sorted(judged.judged.values()), warnings) == ([0, 1], [])
