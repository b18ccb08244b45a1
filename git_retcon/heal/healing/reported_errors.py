"""Errors that a run elsewhere reported (``check --log``) and that no step here reproduces.

A fix of one that a step here names is proved by that step. For the others nothing here can say
whether a fix helps: it is made from the message alone, and offered as unverified.
"""

from collections.abc import Iterable, Mapping, Sequence

from git_retcon.files.beneath import File
from git_retcon.heal.engine import Attempt, Engine
from git_retcon.heal.found_errors import FoundError
from git_retcon.heal.healing.draft import Draft
from git_retcon.heal.healing.heal_bench import HealBench
from git_retcon.heal.healing.heal_flow import Outcome
from git_retcon.heal.healing.tampering import explain_frozen
from git_retcon.heal.healing.work_items import Aim, FailedJob, is_of_machine, make_items
from git_retcon.heal.records.database import Database
from git_retcon.heal.records.heals import HealVerdict
from git_retcon.heal.records.run_errors import read_errors
from git_retcon.heal.records.runs import StoredRun, find_reported_run
from git_retcon.lazy_named_tuple import NamedTuple
from git_retcon.run.judges import Judges


class Reported(NamedTuple):
    """The errors of a run elsewhere that nothing here names."""

    run: StoredRun
    errors: tuple[FoundError, ...]


class Desk(NamedTuple):
    """Where files are fixed with no step to ask."""

    draft: Draft
    bench: HealBench

    def has_changed(self, path: bytes) -> bool:
        """Whether a file is not as it was when the error was reported."""
        return self.draft.read(path) != self.bench.read_base(path)


def find_reported(
    database: Database, run_id: str, failed: Iterable[FailedJob], aim: Aim
) -> Reported | None:
    """What was last reported of a state and is not reproduced here; None where that is nothing."""
    run = find_reported_run(database, run_id)
    if run is None:
        return None
    here = [error for job in failed for item in job.items for error in item.errors]
    known = {error.finding.fingerprint for error in here} | {_place_error(error) for error in here}
    found = tuple(
        one.found
        for one in read_errors(database, run.number)
        if aim.means(one.found)
        and not is_of_machine(one.found)
        and known.isdisjoint({one.fingerprint, _place_error(one.found)})
    )
    return Reported(run, found) if found else None


def _place_error(error: FoundError) -> tuple[bytes | None, int | None, str]:
    """What two tools that print the same complaint in other words agree about."""
    said = error.finding
    return (error.path, said.line, said.diagnostic.rule or said.diagnostic.message)


def fix_reported(
    reported: Reported, engine: Engine, bench: HealBench, taken: set[bytes]
) -> list[Outcome]:
    """An outcome for each file, but for those that have a fix already (``taken``)."""
    begin = reported.run.begin
    why = f"reported by the {begin.source} of check {reported.run.number}; no step here names it"
    desk = Desk(Draft(bench), bench)
    outcomes = []
    for item in make_items(reported.errors):
        before = desk.draft.keep()
        how: Sequence[str] = ()
        if item.path is not None and item.path not in taken:
            how = list(engine.fix_by_message(item, desk))
        changes = tuple(one for one in desk.draft.changes if one.path == item.path)
        frozen = [
            explain_frozen(one, Judges(), allow_tests=False, named=[one.path]) for one in changes
        ]
        _restore_files(desk.draft, before)
        if not changes or any(frozen):
            reason = next(filter(None, frozen), why)
            outcomes.append(Outcome(item, HealVerdict.LEFT, reason))
        else:
            attempts = (Attempt(", ".join(how)),)
            outcomes.append(Outcome(item, HealVerdict.UNVERIFIED, why, attempts, changes))
    return outcomes


def _restore_files(draft: Draft, before: Mapping[bytes, File | None]) -> None:
    draft.go_back(before, [change.path for change in draft.changes])
