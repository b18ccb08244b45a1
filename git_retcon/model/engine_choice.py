"""Which engine, which models and how much money, out of the options and the settings."""

import math
from collections.abc import Mapping
from enum import StrEnum
from typing import Self

from git_retcon import settings
from git_retcon.errors import Fatal, Reason, WrongUsage
from git_retcon.lazy_dataclass import dataclass
from git_retcon.model.budget import Budget
from git_retcon.options import SharedOptions
from git_retcon.settings import Key, Settings


class EngineName(StrEnum):
    """The engines there are."""

    OFFLINE = "offline"
    CLAUDE = "claude"


@dataclass(frozen=True, slots=True)
class EngineOptions:
    """What the options ask for; None is for the settings to say. ``max_cost`` is US dollars."""

    offline: bool = False
    engine: str | None = None
    model: str | None = None
    max_cost: float | None = None
    max_tokens: int | None = None

    @classmethod
    def of(cls, shared: SharedOptions) -> Self:
        """Those of a command line."""
        return cls(shared.offline, shared.engine, shared.model, shared.max_cost, shared.max_tokens)


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """What a run uses. ``hint`` says why it is offline where nobody asked for that."""

    engine: EngineName
    model: str
    small_model: str
    large_model: str
    budget: Budget
    hint: str | None = None

    @property
    def description(self) -> str:
        """Engine, model and budget, for the first line of every run."""
        if self.engine is EngineName.OFFLINE:
            return "offline (no model is asked)"
        return f"{self.model}, up to {self.budget}"


def choose_engine(
    options: EngineOptions, chosen: Settings, budget: Key, key: str | None = None
) -> ModelChoice:
    """Decide. ``budget`` is the command's own key for what a run may cost; ``key`` an API key
    from elsewhere than the environment.

    Raises WrongUsage for options that contradict each other, Fatal for a value that means
    nothing, and NoCredentials where Claude is asked for and there is no key.
    """
    if options.offline and options.engine not in (None, EngineName.OFFLINE):
        raise WrongUsage(
            f"--offline and --engine {options.engine} contradict each other", hint="give one"
        )
    configured = chosen.one_of(settings.ENGINE, ("auto", *EngineName))
    wanted = EngineName.OFFLINE if options.offline else options.engine or configured
    engine, hint = _choose_engine(wanted, chosen.env, key)
    return ModelChoice(
        engine=engine,
        model=options.model or chosen.get_required(settings.MODEL),
        small_model=chosen.get_required(settings.SMALL_MODEL),
        large_model=chosen.get_required(settings.LARGE_MODEL),
        budget=Budget(_read_dollars(options.max_cost, chosen, budget), options.max_tokens),
        hint=hint,
    )


def _choose_engine(
    wanted: str, env: Mapping[str, str], key: str | None
) -> tuple[EngineName, str | None]:
    if wanted == EngineName.OFFLINE:
        return EngineName.OFFLINE, None
    # Late: who wants no model reads no credentials.
    from git_retcon.model.cassette import cassette_in
    from git_retcon.model.credentials import credentials_in, required_credentials

    cassette = cassette_in(env)
    replayed = cassette is not None and cassette.mode == "replay"
    # A replay answers without a key, as it does on CI.
    if replayed or credentials_in(env, key) is not None:
        return EngineName.CLAUDE, None
    if wanted == EngineName.CLAUDE:
        required_credentials(env, key)
    return EngineName.OFFLINE, "no API key, so offline; set ANTHROPIC_API_KEY to use Claude"


def _read_dollars(option: float | None, chosen: Settings, budget: Key) -> float:
    if option is None:
        return chosen.number(budget)
    if not math.isfinite(option) or option < 0:
        raise Fatal(
            f"bad amount of money '{option}'",
            hint="give US dollars, as in 2 or 0.50",
            reason=Reason.INVALID,
        )
    return option
