"""A heal that is killed at any time is finished by the same command; the bench has many more."""

import pytest

from tests.bench.heal_kills import kill_at_random, list_settling, make_program


@pytest.mark.slow
@pytest.mark.usefixtures("kept_environment")
@pytest.mark.parametrize("options", [(), ("--commit",)])
def test_nothing_is_lost_and_nothing_is_applied_twice(options: tuple[str, ...]) -> None:
    assert kill_at_random(make_program(*options), 3, seed=7) == ["", "", ""]


@pytest.mark.slow
@pytest.mark.usefixtures("kept_environment")
def test_of_two_fixes_that_are_rejected_none_is_rejected_alone() -> None:
    (reject,) = (one for one in list_settling() if one.name == "git heal reject")
    assert kill_at_random(reject, 3, seed=7) == ["", "", ""]
