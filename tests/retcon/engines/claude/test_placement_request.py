"""What one request shows of a branch, and what it leaves out."""

from git_retcon.git.difference import Difference
from git_retcon.model.never_send import NeverSend
from git_retcon.model.redaction import Redactor
from git_retcon.model.token_count import count_tokens
from git_retcon.retcon.engine import Reason, Situation
from git_retcon.retcon.engines.claude.display import Display
from git_retcon.retcon.engines.claude.placement_request import (
    MOST_TOKENS,
    PlacementRequest,
    make_request,
)
from git_retcon.retcon.planner.plan import PINNED, Placement
from git_retcon.retcon.spec.model import LogicalCommit, Spec
from tests.git.differences import find, plain
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
    doubtful: frozenset[bytes] = frozenset(),
) -> PlacementRequest | None:
    situation = Situation(SPEC, 0, whole, {})
    reason = Reason.in_words("a guess", confidence)
    doubt = Reason.in_words("a bad guess", confidence / 2)
    placements = {
        atom.id: Placement(0, doubt if atom.path in doubtful else reason) for atom in whole.atoms
    }
    placements |= {atom.id: Placement(0, PINNED) for atom in whole.atoms if atom.path == pinned}
    never = NeverSend((withheld,) if withheld else ())
    return make_request(situation, Display(situation, Redactor(), never), placements)


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


def test_what_has_no_lines_is_said_in_words(repo: TestRepository) -> None:
    text = plain(b"one\ntwo\nthree\n")
    whole = find(
        repo,
        {b"old": text, b"run": text, b"link": (b"120000", b"a")},
        {b"new": text, b"run": (b"100755", text[1]), b"link": (b"120000", b"b")},
    )
    asked = ask(whole)
    assert asked is not None
    assert asked.prompt[asked.prompt.index("=== ") :].splitlines()[:9] == [
        "=== link",
        "1) symlink",
        "-a",
        "+b",
        "=== new",
        "2) rename from old",
        "=== run",
        "3) mode 100644 to 100755",
        "",
    ]


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


def test_a_large_branch_is_asked_about_in_part(repo: TestRepository) -> None:
    files = {
        f"m{n}.py": "".join(f"def f{n}_{k}():\n    return '{k:090}'\n\n\n" for k in range(30))
        for n in range(40)
    }
    whole = branch(repo, {"a.py": ""}, {"a.py": "", **files})
    doubtful = frozenset({b"m7.py", b"m39.py"})
    asked = ask(whole, confidence=0.9, doubtful=doubtful)
    assert asked is not None
    assert 0 < len(asked.atoms) < len(whole.atoms)
    assert asked.left_out == len(whole.atoms) - len(asked.atoms)
    # Where the plan is most in doubt, all is asked.
    assert {atom.id for atom in whole.atoms if atom.path in doubtful} <= set(asked.atoms)
    assert count_tokens(asked.prompt.encode()) < MOST_TOKENS * 1.2
