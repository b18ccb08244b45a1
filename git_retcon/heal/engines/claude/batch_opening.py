"""What a batch of a heal takes: the service, the budget, and the engines that ask and answer."""

import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from git_retcon import settings
from git_retcon.errors import UserError
from git_retcon.heal.engines.claude.batch_engine import (
    BatchAnswers,
    BatchAsker,
    Question,
    read_batch_reply,
)
from git_retcon.heal.engines.claude.draft_files import Discretion
from git_retcon.heal.engines.claude.model_opening import ModelOpening, warn_user
from git_retcon.heal.healing.model_stage import OpenModel
from git_retcon.heal.records.heal_costs import Spending, list_batch_bills, record_spend
from git_retcon.heal.records.sent_batches import (
    BatchedRequest,
    BatchState,
    NewBatch,
    StoredBatch,
    begin_batch,
    forget_batch,
    list_requests,
    make_request,
    name_batch,
    record_answer,
    set_batch_state,
)
from git_retcon.lazy_dataclass import dataclass
from git_retcon.lazy_named_tuple import NamedTuple
from git_retcon.model.budget import Budget
from git_retcon.model.message_batches import (
    Batches,
    BatchGone,
    BatchResult,
    BatchStatus,
    ResultsCut,
    SendingUnclear,
    open_batches,
)
from git_retcon.model.messages import Request
from git_retcon.model.never_send import NeverSend
from git_retcon.model.shown_prompts import show_request


class Scope(NamedTuple):
    """What a batch is about: a state, and what of it was asked for, as an object of JSON."""

    run_id: str
    commit: str
    asked: Mapping[str, Any]


@dataclass
class BatchOpening:
    """Asks in batches with what a heal has opened. ``batches`` may be spent within a budget."""

    opening: ModelOpening
    batches: Batches

    @property
    def _never_send(self) -> NeverSend:
        return NeverSend(self.opening.chosen.all(settings.NEVER_SEND))

    def open_asker(self) -> tuple[OpenModel, BatchAsker]:
        """What collects the questions of a heal."""
        redactor, never_send = self.batches.redactor, self._never_send
        asker = BatchAsker(
            self.opening.models.first, Discretion(redactor, never_send), self._make_show()
        )
        return OpenModel(asker, self.opening.make_sandbox(never_send), attempts=1), asker

    def _make_show(self) -> Callable[[Request], None]:
        if not self.opening.shared.show_prompt:
            return lambda _: None
        return lambda request: show_request(request, self.batches.redactor, sys.stderr)

    def send(self, questions: Sequence[Question], scope: Scope) -> tuple[int, BatchStatus, float]:
        """Send questions: the number of the batch here, how far it is, what it costs at most.

        It is recorded before it is sent, and its id as soon as that is known. Raises BudgetSpent
        before anything is sent, ModelFailure where the service does not take it, and
        SendingUnclear where that is not known.
        """
        bodies = self.batches.make_bodies([one.request for one in questions])
        estimate = self.batches.spending.estimate_batch(bodies)
        token = f"{time.time_ns():x}"
        rows = [
            make_request(f"heal-{scope.run_id}-{token}-{at:04}", one.subject, one.request.model)
            for at, one in enumerate(questions)
        ]
        database = self.opening.database
        new = NewBatch(scope.run_id, scope.commit, scope.asked, estimate, rows)
        number = begin_batch(database, new)
        try:
            status = self.batches.send(
                [(row.name, body) for row, body in zip(rows, bodies, strict=True)]
            )
        except SendingUnclear:
            raise
        except UserError:
            forget_batch(database, number)
            raise
        name_batch(database, number, status.identity)
        return number, status, estimate

    def see(self, batch: StoredBatch) -> BatchStatus:
        """How far a batch is. Raises BatchGone, once it is recorded, and ModelFailure."""
        try:
            return self.batches.see(batch.identity)
        except BatchGone:
            set_batch_state(self.opening.database, batch.number, BatchState.GONE)
            raise

    def fetch(self, batch: StoredBatch) -> None:
        """Record all results of a batch that has ended, and what they cost, each once.

        Raises ResultsCut where some are to be fetched again, and ModelFailure.
        """
        database = self.opening.database
        known = {one.name: one for one in list_requests(database, batch.number)}
        try:
            for result in self.batches.read_results(batch.identity):
                row = known.get(result.name)
                if row is not None and not row.outcome:
                    known[row.name] = self._record_result(batch, row, result)
        except ResultsCut:
            # What broke off may be of a request that is none of these.
            if not all(row.outcome for row in known.values()):
                raise
        for row in known.values():
            if not row.outcome:
                lost = row._replace(outcome="missing", reason="the service sent no result for it")
                record_answer(database, batch.number, lost)
        set_batch_state(database, batch.number, BatchState.ANSWERED)

    def _record_result(
        self, batch: StoredBatch, row: BatchedRequest, result: BatchResult
    ) -> BatchedRequest:
        database, spend = self.opening.database, None
        dollars = 0.0
        answer, why = "", result.why
        if result.reply is not None:
            answer, why = read_batch_reply(result.reply)
        with database.transaction():
            if result.usage.total:
                dollars = self.batches.spending.add_batched(row.model, result.usage)
                spend = record_spend(
                    database,
                    Spending(row.model, *_list_counts(result), dollars, batch=batch.number),
                )
            done = row._replace(outcome=result.outcome, answer=answer, reason=why, spend=spend)
            record_answer(database, batch.number, done)
        if spend is not None:
            self.batches.book(row.model, result.usage, dollars)
        return done


def open_sending(opening: ModelOpening) -> BatchOpening | None:
    """What sends batches; None, which is said, where the month's money is spent."""
    budget = opening.limit_month()
    if budget is None:
        return None
    return BatchOpening(opening, open_batches(budget, os.environ, warn_user))


def open_fetching(opening: ModelOpening) -> BatchOpening:
    """What fetches the answers of batches: what is sent is paid for, so no limit ends it."""
    return BatchOpening(opening, open_batches(Budget(), os.environ, warn_user))


def open_answers(
    opening: ModelOpening, batch: StoredBatch, batches: Batches | None
) -> tuple[OpenModel, BatchAnswers]:
    """The engine that has the answers of a batch."""
    from git_retcon.model.known_secrets import secrets_in
    from git_retcon.model.redaction import Redactor

    never_send = NeverSend(opening.chosen.all(settings.NEVER_SEND))
    redactor = batches.redactor if batches is not None else Redactor(secrets_in(os.environ))
    answers = BatchAnswers(
        list_requests(opening.database, batch.number),
        list_batch_bills(opening.database, batch.number),
        Discretion(redactor, never_send),
    )
    return OpenModel(answers, opening.make_sandbox(never_send), attempts=1), answers


def _list_counts(result: BatchResult) -> tuple[int, int, int, int]:
    used = result.usage
    return used.input, used.output, used.cache_read, used.cache_write
