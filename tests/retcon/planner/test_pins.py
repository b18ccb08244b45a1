"""Pins decide before all other evidence, and say what they cost."""

from git_retcon.files.patterns import Case
from git_retcon.git.atoms import Atom, Kind, Span
from git_retcon.retcon.planner.pins import Pin, resolve_pins
from git_retcon.retcon.planner.plan import Task, make_plan
from git_retcon.retcon.spec.model import LogicalCommit
from tests.repository import TestRepository
from tests.retcon.planner.building import Files, branch, placed, planned

BEFORE: Files = {"src/money.py": "", "docs/money.md": "Money\n"}
AFTER: Files = {
    "src/money.py": "def count_cents(text):\n    return int(text)\n",
    "docs/money.md": "Money\n\nCents are counted.\n",
    "src/shop.py": "from money import count_cents\n\nprint(count_cents('3'))\n",
}


def pin(commit: str, *hunks: str, files: tuple[str, ...] = ()) -> LogicalCommit:
    return LogicalCommit(commit, files=files, hunks=hunks)


def test_a_pin_beats_messages_hints_and_files(repo: TestRepository) -> None:
    whole = branch(repo, BEFORE, AFTER)
    docs = next(atom.id for atom in whole.atoms if atom.path == b"docs/money.md")
    commits = [
        LogicalCommit("Document money", hints="everything in docs/money.md", files=("docs/",)),
        pin("Count cents", docs),
    ]
    made = planned(whole, commits)
    assert made.placements[docs].commit == 1
    assert made.placements[docs].reason.why == "pinned by 'hunks' of the spec"
    assert made.placements[docs].reason.confidence == 1.0


def test_without_pins_the_same_hunk_goes_where_the_files_say(repo: TestRepository) -> None:
    whole = branch(repo, BEFORE, AFTER)
    made = planned(
        whole, [LogicalCommit("Document money", files=("docs/",)), LogicalCommit("Count cents")]
    )
    assert placed(whole, made)[b"\nCents are counted.\n"] == 0


def test_a_pin_wins_over_the_order_and_says_what_it_may_cost(repo: TestRepository) -> None:
    whole = branch(repo, BEFORE, AFTER)
    definition = next(atom for atom in whole.atoms if atom.path == b"src/money.py")
    use = next(atom for atom in whole.atoms if b"print(count_cents('3'))\n" in atom.added)
    made = planned(whole, [pin("Sell", use.id), pin("Count cents", definition.id)])
    assert made.placements[use.id].commit == 0
    assert made.placements[definition.id].commit == 1
    assert made.warnings[0][-1].startswith(f"{use.id} (src/shop.py:")
    assert made.warnings[0][-1].endswith(
        f"may need {definition.id} (src/money.py:1), which comes later, in commit 2"
    )


def test_pins_that_break_nothing_are_not_warned_of(repo: TestRepository) -> None:
    whole = branch(repo, BEFORE, AFTER)
    ids = [atom.id for atom in whole.atoms]
    made = planned(whole, [pin("Count cents", *ids), LogicalCommit("Sell")])
    assert not made.warnings


def test_a_pin_of_a_commit_that_is_not_pending_is_left_to_the_evidence(
    repo: TestRepository,
) -> None:
    whole = branch(repo, BEFORE, AFTER)
    commits = [pin("Count cents", whole.atoms[0].id), LogicalCommit("Sell")]
    made = make_plan(Task(whole, commits, [1], case=Case.MATTERS))
    assert made.placements[whole.atoms[0].id].commit == 1


def atoms(*ids: str) -> list[Atom]:
    """Hunks of three lines that are added, or of the lines that their ids name."""
    where = Span(0, 0)
    lines = (b"one\n", b"two\n", b"three\n")
    return [Atom(each, Kind.LINES, b"a.py", where, Span(0, 3), (), lines) for each in ids]


def test_any_beginning_that_no_other_id_has_is_enough() -> None:
    known = atoms("12ab34", "12cd00", "12cd0011")
    found = resolve_pins([pin("a", "12ab", "12cd00")], known)
    assert found.commits == {"12ab34": 0, "12cd00": 0}
    assert not (found.gone or found.ambiguous or found.doubled)


def test_pins_that_cannot_be_followed_are_named() -> None:
    known = atoms("12ab34", "12cd00", "12cd11")
    found = resolve_pins([pin("a", "12ab", "ffff"), pin("b", "12cd", "12ab34")], known)
    assert found.commits == {"12ab34": 0}
    assert found.gone == [Pin(0, "ffff")]
    assert found.ambiguous == [Pin(1, "12cd")]
    assert found.doubled == [Pin(1, "12ab34")]


def test_a_pin_of_a_part_goes_before_one_of_the_whole_hunk() -> None:
    known = atoms("12ab34:1", "12ab34:2-3")
    found = resolve_pins([pin("a", "12ab"), pin("b", "12ab:2-3")], known)
    assert found.commits == {"12ab34:1": 0, "12ab34:2-3": 1}
    both = resolve_pins([pin("a", "12ab:1-3"), pin("b", "12ab:2-3")], known)
    assert both.doubled == [Pin(1, "12ab:2-3")]
    assert resolve_pins([pin("a", "12ab:2")], known).gone == [Pin(0, "12ab:2")]
