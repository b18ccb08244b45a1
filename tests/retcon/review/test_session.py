"""A session plans again after each page, and spares what is answered."""

from pathlib import Path

import pytest

from git_retcon.retcon.planner.pages import Page
from git_retcon.retcon.review.replies import Accept
from git_retcon.retcon.review.session import Review
from git_retcon.retcon.spec.file import SpecFile
from tests.repository import TestRepository
from tests.retcon.scene import messy_branch


@pytest.fixture
def session(repo: TestRepository, monkeypatch: pytest.MonkeyPatch) -> Review:
    """A squashed branch with vague messages: all is in doubt."""
    scene = messy_branch(repo)
    monkeypatch.chdir(repo.path)
    squashed = repo.git("commit-tree", "feature^{tree}", "-p", "main", "-m", "squashed")
    repo.git("branch", "-f", "feature", squashed)
    head = scene.spec.read_text().partition("[[commit]]")[0]
    scene.write_spec(f'{head}[[commit]]\nmessage = "One"\n\n[[commit]]\nmessage = "Two"\n')
    return Review(repo.open(), SpecFile.load(Path("history.toml")))


def first_page(session: Review) -> Page:
    page = session.page
    assert page is not None
    return page


def test_an_answer_decides_and_is_not_asked_again(session: Review) -> None:
    page = first_page(session)
    session.answer(page, Accept({0: 1}))
    asked = page.questions[0].atom.id
    assert session.answers[asked] == 1
    assert asked in session.plan.choices[1].atoms
    again = session.page
    stakes = {each.atom.id: each.stake for each in (again.questions if again else ())}
    assert stakes.get(asked, 0) == 0


def test_accepting_a_page_answers_all_of_it(session: Review) -> None:
    page = first_page(session)
    session.answer(page, Accept({}))
    assert session.answers == {each.atom.id: each.placement.commit for each in page.questions}


def test_a_hunk_that_is_left_open_gets_no_pin(session: Review) -> None:
    page = first_page(session)
    session.answer(page, Accept({0: None}))
    assert page.questions[0].atom.id not in session.answers


def test_what_moves_besides_is_named(session: Review) -> None:
    before = {atom: at for at, choice in session.plan.choices.items() for atom in choice.atoms}
    page = first_page(session)
    moved = session.answer(page, Accept(dict.fromkeys(range(len(page.questions)), 1)))
    after = {atom: at for at, choice in session.plan.choices.items() for atom in choice.atoms}
    asked = {each.atom.id for each in page.questions}
    changed = {atom for atom in before if before[atom] != after[atom]} - asked
    assert {each.atom.id for each in moved} == changed
    assert all((before[each.atom.id], after[each.atom.id]) == each[1:] for each in moved)


def test_a_session_ends(session: Review) -> None:
    for _ in range(20):
        page = session.page
        if page is None:
            break
        session.skip(page)
    assert session.page is None
    assert session.pages_left == 0


def test_undo_goes_back_page_by_page(session: Review) -> None:
    page = first_page(session)
    session.answer(page, Accept({}))
    assert session.undo()
    assert session.page == page
    assert not session.answers
    assert not session.undo()
