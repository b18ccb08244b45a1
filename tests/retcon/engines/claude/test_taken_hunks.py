"""What ``take_atoms`` takes, and what it leaves to other commits."""

from types import SimpleNamespace
from typing import cast

import pytest

from git_retcon.git.difference import Difference
from git_retcon.model.messages import Json
from git_retcon.model.never_send import NeverSend
from git_retcon.model.redaction import Redactor
from git_retcon.model.toolloop import ToolFault
from git_retcon.retcon.engine import Reason, Situation
from git_retcon.retcon.engines.claude.bench import Bench
from git_retcon.retcon.engines.claude.display import Display
from git_retcon.retcon.engines.claude.session import Session
from git_retcon.retcon.engines.claude.tools import make_tools
from git_retcon.retcon.engines.claude.workspace import Ground, Workspace
from git_retcon.retcon.planner.plan import Placement
from git_retcon.retcon.spec.model import LogicalCommit, Spec
from tests.repository import TestRepository
from tests.retcon.planner.building import branch

FILES = ("early.md", "excluded.md", "foreign.md", "late.md")
SPEC = Spec(
    "messy", "main", "clean",
    (LogicalCommit("one"), LogicalCommit("two", exclude=("excluded.md",)), LogicalCommit("three")),
)  # fmt: skip


@pytest.fixture
def whole(repo: TestRepository) -> Difference:
    return branch(repo, {"a.md": "a\n"}, {"a.md": "a\n", **{name: f"{name}\n" for name in FILES}})


@pytest.fixture
def session(repo: TestRepository, whole: Difference) -> Session:
    """Of the second commit: what is late is planned for the third, the rest for the first."""
    situation = Situation(SPEC, 1, whole, {})
    reason = Reason.in_words("planned", 1.0)
    placements = {
        atom.id: Placement(2 if atom.path == b"late.md" else 0, reason) for atom in whole.atoms
    }
    workspace = Workspace(Ground(repo.open(), Redactor()), situation)
    workspace.foreign = [atom.id for atom in whole.atoms if atom.path == b"foreign.md"]
    display = Display(situation, Redactor(), NeverSend(()), placements)
    # Only what runs commands looks at the bench further.
    bench = SimpleNamespace(checks=SimpleNamespace(commands=SimpleNamespace(steps=())))
    return Session(workspace, display, cast("Bench", bench))


def take(session: Session, given: Json) -> str:
    tool = next(tool for tool in make_tools(session) if tool.name == "take_atoms")
    return tool.run(given)


def list_taken(session: Session) -> set[bytes]:
    taken = session.workspace.taken
    return {atom.path for atom in session.workspace.situation.difference.atoms if atom.id in taken}


def test_what_is_proposed_is_what_no_later_commit_has_and_the_spec_lets_in(
    session: Session,
) -> None:
    assert take(session, {"proposed": True}) == "1 taken, 0 put back; 1 in all, 3 left"
    assert list_taken(session) == {b"early.md"}


def test_a_path_without_hunks_keeps_the_other_paths_from_nothing(session: Session) -> None:
    with pytest.raises(ToolFault, match=r"1 taken.*no hunk of 'none.md' is left"):
        take(session, {"paths": ["none.md", "late.md"]})
    assert list_taken(session) == {b"late.md"}


def test_what_the_spec_bars_is_named_and_the_rest_is_taken(session: Session) -> None:
    with pytest.raises(ToolFault, match=r"1 taken.*excludes excluded.md.*give foreign.md to"):
        take(session, {"paths": ["excluded.md", "foreign.md", "late.md"]})
    assert list_taken(session) == {b"late.md"}
