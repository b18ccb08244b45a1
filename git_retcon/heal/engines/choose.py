"""Make the engines of a heal from what options and settings decide."""

import contextlib
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from git_retcon import settings
from git_retcon.heal.check_situation import Checkout
from git_retcon.heal.engines.offline import OfflineEngine
from git_retcon.heal.healing.heal_events import HealEvent
from git_retcon.heal.healing.model_stage import Engines
from git_retcon.heal.records.database import Database, open_database
from git_retcon.heal.records.heals import list_proved_heals
from git_retcon.model.engine_choice import EngineName, EngineOptions, choose_engine
from git_retcon.options import SharedOptions
from git_retcon.settings import Settings
from git_retcon.show.events import EngineChosen

if TYPE_CHECKING:
    from git_retcon.heal.engines.claude.model_opening import ModelOpening


def open_for_batches(
    checkout: Checkout, shared: SharedOptions, database: Database, *, sonnet: bool
) -> "ModelOpening":
    """What batches of a heal need of engines. Raises as ``choose_engines``."""
    from git_retcon.heal.engines.claude.model_opening import ModelOpening, choose_models

    chosen = Settings.of(checkout.repository.config)
    choice = choose_engine(EngineOptions.of(shared), chosen, settings.HEAL_MAX_COST)
    models = choose_models(choice, shared, chosen, sonnet=sonnet)
    return ModelOpening(checkout, shared, chosen, choice, models, database)


def make_offline(database: Database) -> OfflineEngine:
    """The engine without a model, which knows what healed an error before."""
    return OfflineEngine(lambda fingerprint: list_proved_heals(database, fingerprint))


def choose_engines(
    checkout: Checkout,
    shared: SharedOptions,
    tell: Callable[[HealEvent], None],
    database: Database,
    *,
    sonnet: bool,
) -> Engines:
    """The offline engine, and the model's where options, settings and keys name one.

    ``sonnet``: the larger model has every attempt. Raises as ``model/engine_choice``.
    """
    chosen = Settings.of(checkout.repository.config)
    offline = make_offline(database)

    @contextlib.contextmanager
    def open_beside() -> Iterator[OfflineEngine]:
        with open_database(database.path, lambda *said: None) as own:  # it serves one thread
            yield make_offline(own)

    choice = choose_engine(EngineOptions.of(shared), chosen, settings.HEAL_MAX_COST)
    if choice.engine is EngineName.OFFLINE:
        tell(EngineChosen("offline", choice.description, choice.hint or ""))
        return Engines(offline, beside=open_beside)
    # Late: an offline heal loads nothing of the model room.
    from git_retcon.heal.engines.claude.model_opening import ModelOpening, choose_models

    models = choose_models(choice, shared, chosen, sonnet=sonnet)
    described = f"offline first, then {models}, up to {choice.budget}"
    tell(EngineChosen("claude", described, ""))
    if shared.dry_run:
        return Engines(offline, lambda: None)
    opening = ModelOpening(checkout, shared, chosen, choice, models, database)
    return Engines(offline, opening.open, open_beside)
