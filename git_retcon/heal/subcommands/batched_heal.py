"""``git heal --batch`` and ``--resume``: a model is asked about all files at once, for half the
price, and answers later. What it answers is proved and offered as ever.
"""

import time
from collections.abc import Callable
from typing import NamedTuple

from git_retcon.errors import Reason, Refused
from git_retcon.git.graph import resolve_commit
from git_retcon.git.short_ids import shorten_id
from git_retcon.heal.check_situation import Checkout, CheckRequest
from git_retcon.heal.engines.choose import make_offline, open_for_batches
from git_retcon.heal.engines.claude.batch_opening import (
    BatchOpening,
    Scope,
    open_answers,
    open_fetching,
    open_sending,
)
from git_retcon.heal.engines.claude.model_opening import ModelOpening
from git_retcon.heal.healing.heal_events import BatchAwaited, BatchSent, Tell
from git_retcon.heal.healing.heal_flow import Rules
from git_retcon.heal.healing.heal_run import HealRequest, HealRun, open_heal_run
from git_retcon.heal.healing.model_stage import Engines
from git_retcon.heal.healing.work_items import Aim
from git_retcon.heal.records.database import Database
from git_retcon.heal.records.sent_batches import (
    BatchState,
    StoredBatch,
    list_batches,
    set_batch_state,
)
from git_retcon.model.failures import ModelFailure
from git_retcon.options import SharedOptions
from git_retcon.run.working_state import open_state
from git_retcon.show.counting import count
from git_retcon.show.envelope import Ending
from git_retcon.show.events import EngineChosen
from git_retcon.show.notices import say, say_hint, say_line

_FIRST_PAUSE, _LONGEST_PAUSE = 1.0, 60.0  # seconds between looks at a batch
_OPEN = (BatchState.SENT, BatchState.ANSWERED)
_RESUME = [["git", "heal", "--resume"]]
_TAKES_UP = "'git heal --resume' takes it up"

Finish = Callable[[HealRun, HealRequest, Engines], Ending]


class BatchedHeal(NamedTuple):
    """One command. ``finish`` heals with some engines, offers what is proved, and ends."""

    checkout: Checkout
    database: Database
    shared: SharedOptions
    tell: Tell
    finish: Finish
    waits: bool
    sonnet: bool

    def send(self, request: HealRequest) -> Ending:
        """Ask about what the offline engine leaves, in one batch, and go on with its answers."""
        opening = self._open_model()
        with open_heal_run(self.checkout, request, self.tell) as heal:
            state = heal.checked.state
            known = _find_open(self.database, state.run_id)
            if known is not None:
                if not self.shared.output.quiet:
                    said = f"batch {known.identity} of these files was sent before"
                    say_line(f"{said}: it goes on")
                return self._go_on(heal, request, known, opening)
            service = open_sending(opening)
            if service is None:
                return self.finish(heal, request, Engines(make_offline(self.database)))
            opened, asker = service.open_asker()
            heal.ask(Engines(make_offline(self.database), lambda: opened), request.rules)
            if not asker.questions:
                return self.finish(heal, request, Engines(make_offline(self.database)))
            _warn_of_lost(self.database, state.run_id)
            scope = Scope(state.run_id, state.commit, _describe_request(request))
            number, status, dollars = service.send(asker.questions, scope)
            self.tell(BatchSent(status.identity, len(asker.questions), dollars))
            if not self.waits:
                if not self.shared.output.quiet:
                    say_line("'git heal --resume' takes up the answers")
                return _end_sent(heal, status.identity, len(asker.questions), dollars)
            (sent,) = (one for one in list_batches(self.database) if one.number == number)
            return self._go_on(heal, request, sent, opening, service)

    def resume(self, check: CheckRequest) -> Ending:
        """Go on with the batch of the files as they are. Raises Refused where there is none."""
        head = resolve_commit(self.checkout.repository, "HEAD") or ""
        with open_state(self.checkout.repository, self.checkout.top, head) as state:
            run_id = state.run_id
        batch = _find_open(self.database, run_id)
        if batch is None:
            raise _explain_none(self.database, run_id)
        opening = self._open_model()
        request = _read_request(batch, check)
        with open_heal_run(self.checkout, request, self.tell) as heal:
            return self._go_on(heal, request, batch, opening)

    def _open_model(self) -> ModelOpening:
        opening = open_for_batches(self.checkout, self.shared, self.database, sonnet=self.sonnet)
        described = f"offline first, then {opening.models.first} in a batch"
        self.tell(EngineChosen("claude", f"{described}, up to {opening.choice.budget}", ""))
        return opening

    def _go_on(
        self,
        heal: HealRun,
        request: HealRequest,
        batch: StoredBatch,
        opening: ModelOpening,
        service: BatchOpening | None = None,
    ) -> Ending:
        """Wait for the answers, unless they are here, and heal with them."""
        batches = None
        if batch.state is BatchState.SENT:
            service = service or open_fetching(opening)
            batches = service.batches
            try:
                self._wait(service, batch)
                service.fetch(batch)
            except ModelFailure as failure:
                _name_resume(failure, batch.identity)
                raise
        opened, answers = open_answers(opening, batch, batches)
        engines = Engines(make_offline(self.database), lambda: opened)
        ending = self.finish(heal, request, engines)
        if answers.is_used:
            set_batch_state(self.database, batch.number, BatchState.DONE)
        return ending._replace(data={**ending.data, "batch": {"id": batch.identity}})

    def _wait(self, service: BatchOpening, batch: StoredBatch) -> None:
        said, pause = -1, _FIRST_PAUSE
        try:
            while not (status := service.see(batch)).ended:
                if not self.waits:
                    raise Refused(
                        f"batch {batch.identity} is not answered yet "
                        f"({status.done} of {count(status.total, 'request')})",
                        hint="'git heal --resume' waits for it",
                        reason=Reason.UNAVAILABLE,
                        commands=_RESUME,
                    )
                if status.done != said:
                    self.tell(BatchAwaited(batch.identity, status.done, status.total))
                    said = status.done
                time.sleep(pause)
                pause = min(pause * 1.5, _LONGEST_PAUSE)
        except KeyboardInterrupt:
            say_hint(f"batch {batch.identity} goes on by itself; {_TAKES_UP}")
            raise


def _name_resume(failure: ModelFailure, identity: str) -> None:
    """Say on a failure what goes on with a batch that the service has."""
    if failure.reason.is_retryable or not failure.hint:
        failure.hint = f"batch {identity} goes on by itself; {_TAKES_UP}"
    else:
        failure.hint = f"{failure.hint}; then {_TAKES_UP}"
    failure.commands = _RESUME


def _find_open(database: Database, run_id: str) -> StoredBatch | None:
    """The last batch of a state that waits for its answers, or has them."""
    ours = (one for one in list_batches(database) if one.run_id == run_id)
    return next((one for one in ours if one.state in _OPEN), None)


def _warn_of_lost(database: Database, run_id: str) -> None:
    """Warn of a batch of these files that the service may have, and will bill."""
    if any(one.run_id == run_id and one.state is BatchState.SENDING
           for one in list_batches(database)):  # fmt: skip
        say(
            "warning",
            "whether the service has an earlier batch of these files is not known",
            "look at the batches of your account: both would be billed",
        )


def _explain_none(database: Database, run_id: str) -> Refused:
    """Why there is no batch to go on with."""
    every = list_batches(database)
    other = next((one for one in every if one.state in _OPEN), None)
    last = next((one for one in every if one.run_id == run_id), None)
    if other is not None:
        of = f"commit {shorten_id(other.commit)}" if other.commit else "files without a commit"
        return Refused(
            f"the files have changed since batch {other.identity} was sent: it is of {of}, "
            f"run {other.run_id}",
            hint="bring the files back as they were for 'git heal --resume', or ask about these "
            "with 'git heal --batch'",
            reason=Reason.STALE_PLAN,
        )
    if last is not None and last.state is BatchState.SENDING:
        return Refused(
            "whether the service has the last batch is not known: the command ended while it was "
            "sent",
            hint="look at the batches of your account; 'git heal --batch' sends another",
            commands=[["git", "heal", "--batch"]],
        )
    if every and every[0].state is BatchState.DONE:
        return Refused(
            f"batch {every[0].identity} was taken up already: nothing of it is applied twice",
            hint="'git heal' looks at the files as they are now",
            commands=[["git", "heal"]],
        )
    return Refused(
        "there is no batch to go on with",
        hint="'git heal --batch' sends one",
        commands=[["git", "heal", "--batch"]],
    )


def _describe_request(request: HealRequest) -> dict[str, object]:
    return {
        "paths": [path.decode("utf-8", "surrogateescape") for path in request.aim.paths],
        "error": request.aim.error,
        "workflow": request.check.workflow,
        "job": request.check.job,
        "allow_tests": request.rules.allow_tests,
    }


def _read_request(batch: StoredBatch, check: CheckRequest) -> HealRequest:
    asked = batch.asked
    paths = tuple(str(path).encode("utf-8", "surrogateescape") for path in asked["paths"])
    check = check._replace(workflow=asked["workflow"], job=asked["job"])
    return HealRequest(check, Aim(paths, asked["error"]), Rules(asked["allow_tests"]))


def _end_sent(heal: HealRun, identity: str, requests: int, dollars: float) -> Ending:
    sent = {"id": identity, "requests": requests, "estimate": dollars}
    return Ending(
        data={"run_id": heal.checked.state.run_id, "run": heal.checked.run, "batch": sent}
    )
