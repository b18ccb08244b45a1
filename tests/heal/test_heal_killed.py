"""A heal that is killed at any time is finished by the same command; the bench has many more."""

import pytest

from tests.bench.heal_kills import kill_at_random, make_program


@pytest.mark.slow
@pytest.mark.parametrize("options", [(), ("--commit",)])
def test_nothing_is_lost_and_nothing_is_applied_twice(options: tuple[str, ...]) -> None:
    assert kill_at_random(make_program(*options), 3, seed=7) == ["", "", ""]
