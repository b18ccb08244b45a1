"""Which of the sandboxes this machine has, for tests that are of one of them."""

import pytest

from git_retcon.run.sandbox.bubblewrap import Missing, find_bubblewrap
from git_retcon.run.sandbox.landlock import find_landlock
from git_retcon.run.sandbox.level import Level, Policy, Sandbox, best_of, choose
from git_retcon.run.sandbox.namespaces import find_namespaces

needs_strong_sandbox = pytest.mark.skipif(
    not choose(Policy.AUTO).level.is_strong, reason="no strong sandbox works here"
)


def sandbox_of(level: Level) -> Sandbox:
    """One kind of sandbox, whichever is the strongest here; skips where it does not work."""
    absent = Missing("left out here")
    found = best_of(
        Policy.AUTO,
        find_bubblewrap() if level is Level.BUBBLEWRAP else absent,
        find_namespaces() if level is Level.NAMESPACES else absent,
        find_landlock() if level is Level.LANDLOCK else absent,
    )
    if found.level is Level.NONE:
        pytest.skip(found.description)
    return found


@pytest.fixture(params=[Level.BUBBLEWRAP, Level.NAMESPACES, Level.LANDLOCK])
def sandbox(request: pytest.FixtureRequest) -> Sandbox:
    """Each sandbox that works here."""
    return sandbox_of(request.param)


@pytest.fixture(params=[Level.BUBBLEWRAP, Level.NAMESPACES])
def strong_sandbox(request: pytest.FixtureRequest) -> Sandbox:
    """Each sandbox that works here and holds all that one promises."""
    return sandbox_of(request.param)


@pytest.fixture(params=[Level.BUBBLEWRAP, Level.NAMESPACES])
def strong_machine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Level:
    """The best sandbox that a machine has, each in turn, for commands in this process."""
    level: Level = request.param
    if level is Level.NAMESPACES:
        missing = Missing("left out here")
        place = "git_retcon.run.sandbox.bubblewrap.find_bubblewrap"
        monkeypatch.setattr(place, lambda: missing)
    found = choose(Policy.AUTO)
    if found.level is not level:
        pytest.skip(found.description)
    return level
