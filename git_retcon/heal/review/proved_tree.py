"""Whether the proof of a heal says anything of the files that it was applied to.

A proof is of one tree: the state that was checked, with the fixes that were chosen. A fix that is
applied later or without the others, or while files changed, may be beside files that it was never
tried with.
"""

import contextlib
from collections.abc import Iterable, Sequence

from git_retcon.errors import Fatal
from git_retcon.git.graph import resolve_commit
from git_retcon.heal.check_situation import Checkout
from git_retcon.heal.records.database import Database
from git_retcon.heal.records.heals import (
    Decision,
    Heal,
    HealVerdict,
    decide_heal,
    read_heal,
    record_doubt,
)
from git_retcon.run.working_state import WorkingState, open_state

_DIFFERS = "the files around it are not those that it was proved with"
_NOT_PROVED = "it was not proved"


def record_applied(
    checkout: Checkout,
    database: Database,
    numbers: Sequence[int],
    who: str,
    state: WorkingState | None = None,
) -> dict[int, str]:
    """Record that heals are in the working files now; why each is unverified there, empty where
    its proof holds. ``state`` is that of the files before, if it is still open.
    """
    heals = {number: _require_heal(database, number) for number in numbers}
    doubts, tree = {}, _read_tree(checkout, heals.values(), state)
    with database.transaction():
        for number, heal in heals.items():
            doubts[number] = explain_doubt(heal, tree)
            record_doubt(database, number, doubts[number])
            decide_heal(database, number, Decision.APPLIED, who)
    return doubts


def explain_doubt(heal: Heal, tree: str = "") -> str:
    """Why a heal is not proved, empty where it is: in working files that are this tree, or, without
    one, in those that it was proved with.
    """
    is_proved = heal.verdict is HealVerdict.HEALED
    # What was in doubt for the files around it may be applied again where they are right.
    if not is_proved and (heal.reason != _DIFFERS or not tree):
        return heal.reason or _NOT_PROVED
    return "" if not tree or _list_proved(heal) == {tree} else _DIFFERS


def _require_heal(database: Database, number: int) -> Heal:
    stored = read_heal(database, number)
    assert stored is not None, "only what is recorded is applied"
    return stored.heal


def _list_proved(heal: Heal) -> set[str]:
    return {str(step.get("tree") or "") for step in heal.proof}


def _read_tree(checkout: Checkout, heals: Iterable[Heal], state: WorkingState | None) -> str:
    """The tree of the working files as they are now."""
    proved = {tree for heal in heals for tree in _list_proved(heal)}
    # Mostly it is what was proved: to see that takes less than to read all of it anew.
    if state is not None and len(proved) == 1:
        tree = proved.pop()
        with contextlib.suppress(Fatal):
            changes = checkout.repository.trees.changes(state.tree, tree)
            if state.has_become({change.path: change.new for change in changes}):
                return tree
    head = resolve_commit(checkout.repository, "HEAD") or ""
    with open_state(checkout.repository, checkout.top, head) as state:
        return state.tree
