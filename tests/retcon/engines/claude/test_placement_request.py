"""What one request shows of a branch, and what it leaves out."""

import json
import math
from collections import Counter

import pytest

from git_retcon.git.difference import Difference
from git_retcon.model.never_send import NeverSend
from git_retcon.model.redaction import Redactor
from git_retcon.model.token_count import count_tokens
from git_retcon.prompts import read_prompt
from git_retcon.retcon.engine import Reason, Situation
from git_retcon.retcon.engines.claude.display import Display
from git_retcon.retcon.engines.claude.placement_request import (
    MOST_TOKENS,
    PlacementRequest,
    make_request,
)
from git_retcon.retcon.planner.plan import PINNED, Placement
from git_retcon.retcon.spec.model import LogicalCommit, Spec
from tests.repository import TestRepository
from tests.retcon.planner.building import branch

SPEC = Spec("messy", "main", "clean", (LogicalCommit("one"), LogicalCommit("two")))
BEFORE = {"a.py": "def a():\n    return 1\n"}
AFTER = {
    "a.py": "def a():\n    return 2\n",
    "b.py": "def b():\n    return 1\n",
    "keys/c.txt": "secret thing\n",
}


def ask(
    whole: Difference,
    confidence: float = 0.5,
    pinned: bytes = b"",
    withheld: str = "",
    doubtful: bytes = b"",
    room: float = math.inf,
) -> PlacementRequest | None:
    situation = Situation(SPEC, 0, whole, {})
    reason, doubt = (Reason.in_words("a guess", sure) for sure in (confidence, 0.1))
    reasons = {pinned: PINNED, doubtful: doubt}
    placements = {atom.id: Placement(0, reasons.get(atom.path, reason)) for atom in whole.atoms}
    never = NeverSend((withheld,) if withheld else ())
    return make_request(situation, Display(situation, Redactor(), never), placements, room)


def test_hunks_are_numbered_below_their_files(repo: TestRepository) -> None:
    asked = ask(branch(repo, BEFORE, AFTER))
    assert asked is not None
    shown = asked.prompt[asked.prompt.index("=== ") :]
    assert shown.splitlines()[:5] == [
        "=== a.py",
        "1) line 2, now 2, in a",
        " def a():",
        "-    return 1",
        "+    return 2",
    ]
    assert len(asked.atoms) == len(set(asked.atoms)) == shown.count(") ")


def test_neither_withheld_nor_pinned_hunks_are_asked_about(repo: TestRepository) -> None:
    whole = branch(repo, BEFORE, AFTER)
    asked = ask(whole, pinned=b"b.py", withheld="keys/")
    assert asked is not None
    assert {whole[atom].path for atom in asked.atoms} == {b"a.py"}
    assert "secret thing" not in asked.prompt and "def b" not in asked.prompt


def test_a_plan_without_doubt_is_not_asked_about(repo: TestRepository) -> None:
    assert ask(branch(repo, BEFORE, AFTER), confidence=0.999) is None


def test_a_long_hunk_is_cut_in_its_middle(repo: TestRepository) -> None:
    text = "TABLE = '''\n" + "".join(f"row {n}\n" for n in range(200)) + "'''\n"
    asked = ask(branch(repo, {"a.py": "x = 1\n"}, {"a.py": "x = 1\n" + text}))
    assert asked is not None
    assert "lines are not shown]" in asked.prompt
    assert "+row 0\n" in asked.prompt and "+row 199\n" in asked.prompt
    assert "+row 100\n" not in asked.prompt
    assert asked.prompt.count("\n+") == 30


def test_lines_are_numbered_as_they_were_and_as_they_are(repo: TestRepository) -> None:
    before = "".join(f"x{n} = {n}\n" for n in range(9))
    after = before.replace("x1 = 1\n", "").replace("x7 = 7\n", "x7 = 70\n")
    asked = ask(branch(repo, {"a.py": before}, {"a.py": after}))
    assert asked is not None
    assert "line 2, now 2\n" in asked.prompt.replace(", in x1", "")
    assert "line 8, now 7\n" in asked.prompt.replace(", in x7", "")


@pytest.fixture
def large(repo: TestRepository) -> Difference:
    files = {
        f"m{n}.py": "".join(f"def f{n}_{k}():\n    return '{k:090}'\n\n\n" for k in range(30))
        for n in range(40)
    }
    return branch(repo, {"a.py": ""}, {"a.py": "", **files})


def test_what_is_most_in_doubt_is_asked_about_first(large: Difference) -> None:
    for path in (b"m0.py", b"m21.py", b"m9.py"):
        asked = ask(large, doubtful=path)
        assert asked is not None
        of_file = [atom.id for atom in large.atoms if atom.path == path]
        # All but the last page of the file, which is short.
        assert len(set(of_file) & set(asked.atoms)) > 0.8 * len(of_file)


def test_a_small_budget_has_fewer_pages_asked_about(large: Difference) -> None:
    counts = []
    for room in (8_000, 11_000, 14_000):
        asked = ask(large, doubtful=b"m9.py", room=room)
        assert asked is not None
        paths = Counter(large[atom].path for atom in asked.atoms)
        assert paths[b"m9.py"] == max(paths.values())
        text = [read_prompt("retcon-place"), asked.prompt]
        assert len(json.dumps(text, ensure_ascii=False).encode()) < room
        counts.append(len(asked.atoms))
    assert 0 < counts[0] < counts[1] < counts[2] < len(large.atoms)


def test_a_large_branch_is_asked_about_in_part(large: Difference) -> None:
    asked = ask(large)
    assert asked is not None
    assert 0 < len(asked.atoms) < len(large.atoms)
    assert count_tokens(asked.prompt.encode()) < MOST_TOKENS * 1.2
