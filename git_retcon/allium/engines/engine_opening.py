"""Make the engine of a run, and the client that counts what it spends."""

import dataclasses
import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from git_retcon import settings
from git_retcon.allium.engine import Engine, Reconciler
from git_retcon.allium.reconcile.change_size import SelectSource
from git_retcon.allium.reconcile.scheduler import Scheduler, create_scheduler
from git_retcon.git.repository import Repository
from git_retcon.model.budget import Budget
from git_retcon.model.engine_choice import EngineName, EngineOptions, ModelChoice, choose_engine
from git_retcon.options import SharedOptions
from git_retcon.settings import Settings

if TYPE_CHECKING:
    from git_retcon.allium.reconcile.offline_reconciler import OfflineReconciler
    from git_retcon.allium.reconcile.source_reader import ReadLimits
    from git_retcon.allium.requests.talk import Models


class OpenedEngine(NamedTuple):
    """An engine, and how to open what compares specifications with their source; that is given
    which changes are to source files.
    """

    engine: Engine
    open_reconciler: Callable[[SelectSource], Reconciler]


def choose_models(shared: SharedOptions, chosen: Settings, key: str | None = None) -> ModelChoice:
    """Engine and models. A run has no budget but what its options give: its estimate is agreed to.

    Raises as ``choose`` does.
    """
    choice = choose_engine(EngineOptions.of(shared), chosen, settings.MAX_COST, key)
    return dataclasses.replace(choice, budget=Budget(shared.max_cost, shared.max_tokens))


def choose_estimated(shared: SharedOptions, chosen: Settings) -> ModelChoice:
    """The same for an estimate, which sends nothing: Claude needs no key where it is asked for."""
    from git_retcon.model.failures import NoCredentials

    try:
        return choose_models(shared, chosen)
    except NoCredentials:
        return choose_models(shared, chosen, key="never-sent")


def name_models(shared: SharedOptions, chosen: Settings, choice: ModelChoice) -> "Models":
    """The models of a run: the one that an option names does all but combine."""
    from git_retcon.allium.requests.talk import Models

    large = choice.model if shared.model else choice.large_model
    combining = chosen.get(settings.ALLIUM_RECONCILE_MODEL) or large
    return Models(choice.model, large, combining)


def open_engine(
    repository: Repository,
    shared: SharedOptions,
    chosen: Settings,
    choice: ModelChoice,
    tell: Callable[[str], None],
) -> OpenedEngine:
    """The engine. ``tell`` gets lines for the user: waits, warnings.

    Raises NoCredentials, or Fatal for a bad price table or cassette.
    """
    # Imports are late: an offline run loads nothing of the model room, nor the other way round.
    if choice.engine is EngineName.OFFLINE:
        return _open_offline_engine(repository)
    return _open_claude_engine(repository, shared, chosen, choice, tell)


def _open_offline_engine(repository: Repository) -> OpenedEngine:
    from git_retcon.allium.engines.offline import OfflineEngine
    from git_retcon.allium.reconcile.offline_reconciler import OfflineReconciler

    engine = OfflineEngine(repository)
    return OpenedEngine(
        engine,
        lambda select: OfflineReconciler(repository, engine.open_declarations, select),
    )


def _open_claude_engine(
    repository: Repository,
    shared: SharedOptions,
    chosen: Settings,
    choice: ModelChoice,
    tell: Callable[[str], None],
) -> OpenedEngine:
    from git_retcon.allium.engines.claude_engine import ClaudeEngine, Parts
    from git_retcon.allium.reconcile.model_reconciler import ModelReconciler, ReconcileModels
    from git_retcon.allium.reconcile.source_reader import SourceReader
    from git_retcon.allium.requests.concurrency import RequestLimit
    from git_retcon.allium.requests.talk import Talk
    from git_retcon.model.client import Completer
    from git_retcon.model.connection import open_client
    from git_retcon.model.never_send import NeverSend
    from git_retcon.model.shown_prompts import ShownPrompts

    client = open_client(choice, os.environ, "allium", tell)
    completer: Completer = client
    if shared.show_prompt:
        completer = ShownPrompts(client, client.redactor, sys.stderr)
    concurrency = max(1, chosen.whole_number(settings.ALLIUM_MAX_CONCURRENCY))
    # Steps are side by side, and the parts of each: together they ask no more at a time.
    completer = RequestLimit(completer, concurrency)
    models = name_models(shared, chosen, choice)
    withheld = NeverSend(chosen.all(settings.NEVER_SEND))
    parts = Parts(chosen.whole_number(settings.ALLIUM_MAX_DIFF_TOKENS), concurrency)
    limits = _read_limits(chosen)
    return OpenedEngine(
        ClaudeEngine(repository, client, completer, models, parts, withheld),
        lambda select: ModelReconciler(
            SourceReader(repository, select, withheld, limits),
            lambda: Talk(client, completer),
            ReconcileModels(models.usual, models.combining),
            parts.concurrency,
        ),
    )


def _read_limits(chosen: Settings) -> "ReadLimits":
    from git_retcon.allium.reconcile.source_reader import ReadLimits

    return ReadLimits(
        chosen.whole_number(settings.ALLIUM_MAX_SOURCE_TOKENS),
        chosen.whole_number(settings.ALLIUM_MAX_FILE_TOKENS),
        chosen.whole_number(settings.ALLIUM_MAX_DIFF_TOKENS),
    )


def open_offline(repository: Repository, select: SelectSource) -> "OfflineReconciler":
    """What compares specifications with their source offline, with any engine."""
    from git_retcon.allium.engines.offline import OfflineEngine
    from git_retcon.allium.reconcile.offline_reconciler import OfflineReconciler

    return OfflineReconciler(repository, OfflineEngine(repository).open_declarations, select)


def choose_scheduler(chosen: Settings) -> Scheduler:
    """When a run compares the specification with the source. Raises Fatal for a bad setting."""
    interval = None
    if chosen.get(settings.ALLIUM_INTERVAL) is not None:
        interval = chosen.whole_number(settings.ALLIUM_INTERVAL, 1)
    return create_scheduler(chosen.get(settings.ALLIUM_STRATEGY) or "", interval)
