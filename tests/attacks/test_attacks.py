"""No attack escapes a strong sandbox; a weak one says beforehand what it cannot stop."""

import pytest

from git_retcon.run.sandbox.level import Level, Policy, choose
from tests.attacks.arena import Command
from tests.attacks.attacks import ATTACKS, HONEST, Attack, Honest
from tests.attacks.public_lists import PUBLIC_ATTACKS, PUBLIC_HONEST
from tests.attacks.rounds import Result, attack_in, try_honest
from tests.sandboxes import sandbox_of

LEVELS = (Level.BUBBLEWRAP, Level.NAMESPACES, Level.LANDLOCK)

pytestmark = pytest.mark.slow


SANDBOXED = [command for command in Command if command.is_sandboxed]


@pytest.mark.parametrize("command", SANDBOXED)
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("attack", ATTACKS + PUBLIC_ATTACKS, ids=lambda attack: attack.name)
def test_an_attack_is_held_or_named(attack: Attack, level: Level, command: Command) -> None:
    result = attack_in(sandbox_of(level), attack, command)
    assert result is Result.HELD or (not level.is_strong and result is Result.NAMED)


AMBIENT = [attack for attack in ATTACKS if attack.needs_no_path]


@pytest.mark.parametrize("attack", AMBIENT, ids=lambda attack: attack.name)
def test_nothing_around_a_step_of_a_workflow_leads_out_of_it(attack: Attack) -> None:
    assert attack_in(choose(Policy.OFF), attack, Command.HEAL) is Result.HELD


DAEMONS = [attack for attack in ATTACKS if attack.name.startswith("a daemon")]


@pytest.mark.parametrize("attack", DAEMONS, ids=lambda attack: attack.name)
def test_a_daemon_does_not_even_escape_where_there_is_no_sandbox(attack: Attack) -> None:
    assert attack_in(choose(Policy.OFF), attack) is Result.HELD


@pytest.mark.parametrize("command", SANDBOXED)
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("honest", HONEST + PUBLIC_HONEST, ids=lambda honest: honest.name)
def test_what_honest_tests_do_works(honest: Honest, level: Level, command: Command) -> None:
    if not level.is_strong and not honest.works_weakly:
        pytest.skip("a weak sandbox refuses it")
    assert try_honest(sandbox_of(level), honest, command) is Result.WORKS
