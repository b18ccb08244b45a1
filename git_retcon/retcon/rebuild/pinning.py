"""Pins until a spec plans what is wished, as few as that takes."""

from collections.abc import Mapping

from git_retcon.git.difference import Difference
from git_retcon.git.repository import Repository
from git_retcon.retcon.rebuild.dry_run import Planning
from git_retcon.retcon.rebuild.given_plan import (
    GivenPlan,
    divide_given,
    expand_given,
    place_given,
)
from git_retcon.retcon.rebuild.pinned_hunks import merge_pins
from git_retcon.retcon.rebuild.whole_difference import read_whole_difference
from git_retcon.retcon.spec.file import SpecFile

# Each pin may move hunks that nobody moved; what these rounds leave, is pinned as a whole.
_ROUNDS = 3


def pin_until_planned(
    repository: Repository,
    specfile: SpecFile,
    wished: Mapping[str, int],
    pinned: Mapping[str, int],
    difference: Difference,
    *,
    restart: bool = False,
) -> tuple[SpecFile, Planning]:
    """A spec, unsaved, whose plan has hunks where they are ``wished``; and its planning.

    ``pinned`` are pinned in any case; with ``restart`` all commits are planned. Raises Fatal where
    the plan would drop a person's commits.
    """
    placed = dict(pinned)
    for _ in range(_ROUNDS):
        settled = specfile.write_pins(merge_pins(specfile.spec, placed, difference))
        planning = Planning(repository, settled, restart=restart)
        made = planning.make_plan(settled)
        wrong = {atom: at for atom, at in wished.items() if made.place(atom)[0] != at}
        if not wrong:
            return settled, planning
        placed |= wrong
    settled = specfile.write_pins(merge_pins(specfile.spec, wished, difference))
    return settled, Planning(repository, settled, restart=restart)


def settle_given_plan(
    repository: Repository, specfile: SpecFile, given: GivenPlan, *, restart: bool
) -> SpecFile:
    """A spec, unsaved, that plans what is given. Raises Fatal where that does not fit.

    What the planner places so by itself is not pinned: a repair may take no pin elsewhere.
    """
    whole = read_whole_difference(repository, specfile)
    given = expand_given(given, whole)
    difference = divide_given(given, whole)
    wished = place_given(given, specfile.spec, difference)
    return pin_until_planned(repository, specfile, wished, {}, difference, restart=restart)[0]
