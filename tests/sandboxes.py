"""Which of the sandboxes this machine has, for tests that are of one of them."""

import pytest

from git_retcon.run.sandbox.bubblewrap import Bubblewrap, Missing, find_bubblewrap
from git_retcon.run.sandbox.landlock import find_landlock
from git_retcon.run.sandbox.level import Level, Policy, Sandbox, best_of, choose

needs_bubblewrap = pytest.mark.skipif(
    not isinstance(find_bubblewrap(), Bubblewrap), reason="bubblewrap does not work here"
)

needs_sandbox = pytest.mark.skipif(
    choose(Policy.AUTO).level is Level.NONE, reason="no sandbox works here"
)


@pytest.fixture(params=["bubblewrap", "landlock"])
def sandbox(request: pytest.FixtureRequest) -> Sandbox:
    """Each sandbox that works here, whichever is the strongest."""
    absent = Missing("left out here")
    bubblewrap = find_bubblewrap() if request.param == "bubblewrap" else absent
    landlock = find_landlock() if request.param == "landlock" else absent
    found = best_of(Policy.AUTO, bubblewrap, landlock)
    if found.level is Level.NONE:
        pytest.skip(found.description)
    return found
