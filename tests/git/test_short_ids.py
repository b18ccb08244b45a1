"""What people read of an id names one object for git too."""

import pytest

from git_retcon.git.short_ids import IN_A_RECORD, TO_READ, shorten_id
from tests.repository import TestRepository


@pytest.mark.parametrize("digits", [TO_READ, IN_A_RECORD, None])
def test_git_finds_the_object_again(repo: TestRepository, digits: int | None) -> None:
    oid = repo.commit("one", {"a": "1\n"})
    short = shorten_id(oid) if digits is None else shorten_id(oid, digits)
    assert len(short) == (digits or 12)
    assert repo.rev(short) == oid
