"""Answers to hunks, as ``git add -p`` takes them."""

from collections.abc import Callable

import pytest

from git_retcon.files.beneath import File
from git_retcon.heal.engine import Attempt, Item
from git_retcon.heal.healing.fix_proof import StepProof
from git_retcon.heal.healing.heal_flow import Outcome
from git_retcon.heal.healing.heal_run import Proposal
from git_retcon.heal.healing.work_items import StepIdentity
from git_retcon.heal.patches import FileChange
from git_retcon.heal.records.heals import HealVerdict
from git_retcon.heal.review.approval import Choice, Reviewer, describe_proposal
from git_retcon.show.style import Style
from tests.heal.records.databases import find_error

LINES = [b"%d\n" % number for number in range(30)]
OLD = b"".join(LINES)
FIRST = b"".join([b"first\n", *LINES[1:]])
LAST = b"".join([*LINES[:-1], b"last\n"])
BOTH = b"".join([b"first\n", *LINES[1:-1], b"last\n"])


def make_proposal(*contents: bytes, hides: tuple[str, ...] = ()) -> Proposal:
    changes = tuple(
        FileChange(b"src/%d.py" % at, File(OLD, 0o644), File(content, 0o644))
        for at, content in enumerate(contents)
    )
    item = Item(b"src/a.py", (find_error("src/a.py", 1, "unused"),))
    verdict = HealVerdict.UNVERIFIED if hides else HealVerdict.HEALED
    outcome = Outcome(item, verdict, "", (Attempt("ruff"),), changes, hides)
    return Proposal((outcome,), changes)


def answer(*answers: str) -> Callable[[str], str]:
    left = [f"{each}\n" if each else "" for each in answers]
    return lambda question: left.pop(0)


def review(answers: str, *proposals: Proposal) -> list[Choice]:
    return Reviewer(Style(on=False), answer(*answers.split())).review(proposals)


@pytest.mark.parametrize(
    ("answers", "contents", "whole"),
    [
        ("y y", [BOTH], True),
        ("a", [BOTH], True),
        ("y n", [FIRST], False),
        ("n y", [LAST], False),
        ("n a", [LAST], False),
        ("y d", [FIRST], False),
        ("n n", [], False),
        ("d", [], False),
        ("x ? y y", [BOTH], True),
    ],
)
def test_each_hunk_is_taken_or_left(answers: str, contents: list[bytes], whole: bool) -> None:
    (choice,) = review(answers, make_proposal(BOTH))
    assert [change.new and change.new.content for change in choice.changes] == contents
    assert (choice.whole, choice.undecided) == (whole, False)


def test_a_and_d_go_on_over_the_files_of_one_fix_and_no_further() -> None:
    one, other = review("n a y n", make_proposal(BOTH, BOTH), make_proposal(BOTH))
    assert [change.new and change.new.content for change in one.changes] == [LAST, BOTH]
    assert [change.new and change.new.content for change in other.changes] == [FIRST]


@pytest.mark.parametrize("answers", ["y q", "q"])
def test_q_leaves_this_fix_and_all_later_ones_open(answers: str) -> None:
    first, second, third = review(f"a {answers}", *[make_proposal(BOTH)] * 3)
    assert first.whole and first.changes
    assert all(one.undecided and not one.changes for one in (second, third))


def test_the_end_of_the_input_is_as_q() -> None:
    (choice,) = Reviewer(Style(on=False), answer("")).review([make_proposal(BOTH)])
    assert choice.undecided


def test_what_could_hide_the_error_has_a_question_of_its_own() -> None:
    hiding = make_proposal(BOTH, hides=("x = 1  # noqa",))
    (refused,) = review("n", hiding)
    assert (refused.changes, refused.undecided) == ((), False)
    (agreed,) = review("y a", hiding)
    assert agreed.changes == hiding.changes


def test_a_file_without_content_is_asked_about_as_a_whole() -> None:
    empty = FileChange(b"src/__init__.py", None, File(b"", 0o644))
    proposal = make_proposal(BOTH)._replace(changes=(empty,))
    assert review("y", proposal)[0].changes == (empty,)
    assert review("n", proposal)[0].changes == ()


def test_a_fix_is_shown_with_its_errors_and_its_proof() -> None:
    step = StepProof(StepIdentity(b"ci.yml", "test-1", 0), "test", "pytest", 1, 0, 2.25, True, 2)
    proposal = make_proposal(BOTH, hides=("x  # noqa",))._replace(proof=(step,))
    assert describe_proposal(proposal, Style(on=False)) == [
        "",
        "src/a.py:1: unused",
        "  unverified (by ruff)",
        "  'pytest' ended with 1, and now with 0 twice (2.2 s)",
        "  could hide the error: x  # noqa",
    ]


@pytest.mark.parametrize(
    ("answers", "content", "mode"),
    [
        ("y y", FIRST, 0o755),
        ("a", FIRST, 0o755),
        ("y n", OLD, 0o755),
        ("n y", FIRST, 0o644),
        ("n n", None, None),
        ("d", None, None),
    ],
)
def test_permissions_are_asked_about_by_themselves(
    answers: str, content: bytes | None, mode: int | None
) -> None:
    proposal = make_proposal(FIRST)
    change = proposal.changes[0]._replace(new=File(FIRST, 0o755))
    (choice,) = review(answers, proposal._replace(changes=(change,)))
    found = [one.new for one in choice.changes]
    assert found == ([] if content is None else [File(content, mode)])
