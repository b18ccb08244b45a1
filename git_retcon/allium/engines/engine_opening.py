"""Make the engine of a run, and the client that counts what it spends."""

import dataclasses
import os
import sys
from collections.abc import Callable

from git_retcon import settings
from git_retcon.allium.engine import Engine
from git_retcon.git.repository import Repository
from git_retcon.model.budget import Budget
from git_retcon.model.engine_choice import EngineName, EngineOptions, ModelChoice, choose
from git_retcon.options import SharedOptions
from git_retcon.settings import Settings


def choose_models(shared: SharedOptions, chosen: Settings) -> ModelChoice:
    """Engine and models. A run has no budget but what its options give: its estimate is agreed to.

    Raises as ``choose`` does.
    """
    choice = choose(EngineOptions.of(shared), chosen, settings.MAX_COST)
    return dataclasses.replace(choice, budget=Budget(shared.max_cost, shared.max_tokens))


def open_engine(
    repository: Repository,
    shared: SharedOptions,
    chosen: Settings,
    choice: ModelChoice,
    tell: Callable[[str], None],
) -> Engine:
    """The engine. ``tell`` gets lines for the user: waits, warnings.

    Raises NoCredentials, or Fatal for a bad price table or cassette.
    """
    # Late: an offline run loads nothing of the model room, nor the other way round.
    if choice.engine is EngineName.OFFLINE:
        from git_retcon.allium.engines.offline import OfflineEngine

        return OfflineEngine(repository)
    from git_retcon.allium.engines.claude_engine import ClaudeEngine, Models, Parts
    from git_retcon.model.client import Completer
    from git_retcon.model.connection import open_client
    from git_retcon.model.never_send import NeverSend
    from git_retcon.model.shown_prompts import ShownPrompts

    client = open_client(choice, os.environ, "allium", tell)
    completer: Completer = client
    if shared.show_prompt:
        completer = ShownPrompts(client, client.redactor, sys.stderr)
    return ClaudeEngine(
        repository,
        client,
        completer,
        Models(choice.model, choice.model if shared.model else choice.large_model),
        Parts(
            int(chosen.number(settings.ALLIUM_MAX_DIFF_TOKENS)),
            max(1, int(chosen.number(settings.ALLIUM_MAX_CONCURRENCY))),
        ),
        NeverSend(chosen.all(settings.NEVER_SEND)),
    )
