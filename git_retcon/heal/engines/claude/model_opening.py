"""Open the Claude engine of a heal: its client, its budget, its sandbox."""

import contextlib
import os
import sys
from collections.abc import Iterator
from dataclasses import replace

from git_retcon import settings
from git_retcon.heal.check_situation import Checkout
from git_retcon.heal.engines.claude.draft_files import Discretion
from git_retcon.heal.engines.claude.engine import BookedRequest, ClaudeEngine, Models
from git_retcon.heal.healing.kept_engine import KeptEngine
from git_retcon.heal.healing.model_stage import OpenModel
from git_retcon.heal.healing.step_sandbox import SandboxWishes, StepSandbox
from git_retcon.heal.records.database import Database, open_database
from git_retcon.heal.records.heal_costs import Spending, record_spend, spent_this_month
from git_retcon.heal.records.sent_batches import estimate_open
from git_retcon.lazy_dataclass import dataclass
from git_retcon.model.budget import Budget
from git_retcon.model.client import Client, Completer
from git_retcon.model.connection import open_client
from git_retcon.model.engine_choice import ModelChoice
from git_retcon.model.messages import Usage
from git_retcon.model.never_send import NeverSend
from git_retcon.model.shown_prompts import ShownPrompts
from git_retcon.options import SharedOptions
from git_retcon.run.consent import Consent
from git_retcon.run.sandbox.level import Policy, Sandbox
from git_retcon.settings import Settings
from git_retcon.show.notices import say, say_line
from git_retcon.show.question import choose_asker

_TRUE = ("true", "yes", "on", "1")
_FALSE = ("false", "no", "off", "0")


def choose_models(
    choice: ModelChoice, shared: SharedOptions, chosen: Settings, *, sonnet: bool
) -> Models:
    """The model that is named has every attempt; else the larger one does, if asked for, or the
    second attempt under ``heal.escalate``.
    """
    if shared.model or sonnet:
        return Models(choice.model, choice.model)
    escalates = chosen.one_of(settings.HEAL_ESCALATE, (*_TRUE, *_FALSE)) in _TRUE
    return Models(choice.small_model, choice.model if escalates else choice.small_model)


@dataclass
class ModelOpening:
    """What opens the engine when something is left for it."""

    checkout: Checkout
    shared: SharedOptions
    chosen: Settings
    choice: ModelChoice
    models: Models
    database: Database

    def open(self) -> OpenModel | None:
        """The engine; None, which is said, where the month's money is spent."""
        budget = self.limit_month()
        if budget is None:
            return None
        choice = replace(self.choice, model=self.models.first, budget=budget)
        client = open_client(choice, os.environ, "heal", warn_user)
        never_send = NeverSend(self.chosen.all(settings.NEVER_SEND))

        @contextlib.contextmanager
        def open_beside(run_id: str) -> Iterator[KeptEngine]:
            with open_database(self.database.path, _drop_warning) as own:  # it serves one thread
                yield KeptEngine(self._make_engine(client, never_send, own), own, run_id)

        engine = self._make_engine(client, never_send, self.database)
        return OpenModel(engine, self.make_sandbox(never_send), open_beside)

    def _make_engine(
        self, client: Client, never_send: NeverSend, database: Database
    ) -> ClaudeEngine:
        """An engine that spends of the client's budget and records in a database."""
        requests: list[BookedRequest] = []
        client = _record_requests(client, database, requests)
        completer: Completer = client
        if self.shared.show_prompt:
            completer = ShownPrompts(client, client.redactor, sys.stderr)
        return ClaudeEngine(
            completer,
            self.models,
            Discretion(client.redactor, never_send),
            warn_user,
            requests,
            self.chosen.all(settings.HEAL_COMMAND),
        )

    def limit_month(self) -> Budget | None:
        """The budget with what is left of the month; None, which is said, where that is nothing.

        What batches may cost counts until their bill is known.
        """
        budget = self.choice.budget
        most = self.chosen.number(settings.HEAL_MAX_COST_MONTH)
        left = most - spent_this_month(self.database) - estimate_open(self.database)
        if left <= 0:
            hint = "raise 'heal.maxCostMonth', or wait for the next month"
            say("warning", f"no model is asked: this month's ${most:.2f} are spent", hint)
            return None
        cost = left if budget.max_cost is None else min(budget.max_cost, left)
        return replace(budget, max_cost=cost)

    def make_sandbox(self, never_send: NeverSend) -> StepSandbox:
        """What confines what a model writes."""
        policy = Policy.of(self.shared, self.chosen)
        consent = Consent(policy, choose_asker(self.shared), warn_user)
        return StepSandbox(SandboxWishes(consent, never_send.matches, _tell_sandbox))


def _record_requests(client: Client, database: Database, requests: list[BookedRequest]) -> Client:
    """The same client, which records each request in a database too."""

    def book(model: str, usage: Usage, dollars: float) -> None:
        spent = Spending(
            model, usage.input, usage.output, usage.cache_read, usage.cache_write, dollars
        )
        number = record_spend(database, spent)
        requests.append(BookedRequest(number, usage.total, dollars))
        client.book(model, usage, dollars)

    return replace(client, book=book)


def _drop_warning(message: str, hint: str) -> None:
    pass  # the main thread has opened the same file, and said it


def warn_user(message: str) -> None:
    """Say what stops nothing."""
    say("warning", message)


def _tell_sandbox(sandbox: Sandbox) -> None:
    say_line(sandbox.description)
