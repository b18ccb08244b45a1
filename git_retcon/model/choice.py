"""Which engine, which models and how much money: options beat environment, config, defaults."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from git_retcon.errors import Fatal, WrongUsage
from git_retcon.model.budget import Budget
from git_retcon.model.cassette import cassette_in
from git_retcon.model.credentials import credentials_in, required_credentials

SMALL_MODEL = "claude-haiku-5-5"
MODEL = "claude-sonnet-5-5"
LARGE_MODEL = "claude-opus-5-5"


class EngineName(StrEnum):
    """The engines there are."""

    OFFLINE = "offline"
    CLAUDE = "claude"


@dataclass(frozen=True, slots=True)
class Wishes:
    """What one source (the options, the environment, the configuration) asks for; None: nothing.

    Values are as written: "auto", "offline" or "claude"; US dollars; a count of tokens.
    """

    engine: str | None = None
    model: str | None = None
    small_model: str | None = None
    large_model: str | None = None
    max_cost: str | None = None
    max_tokens: str | None = None


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
    def first_line(self) -> str:
        """What every run says first: engine, model and budget."""
        if self.engine is EngineName.OFFLINE:
            return "engine: offline (no model, nothing leaves this machine)"
        return f"engine: claude, model: {self.model}, budget: {self.budget}"


def wishes_in(env: Mapping[str, str]) -> Wishes:
    """What the environment asks for (GIT_RETCON_ENGINE, _MODEL, _MAX_COST and so on)."""
    return Wishes(
        engine=env.get("GIT_RETCON_ENGINE") or None,
        model=env.get("GIT_RETCON_MODEL") or None,
        small_model=env.get("GIT_RETCON_SMALL_MODEL") or None,
        large_model=env.get("GIT_RETCON_LARGE_MODEL") or None,
        max_cost=env.get("GIT_RETCON_MAX_COST") or None,
        max_tokens=env.get("GIT_RETCON_MAX_TOKENS") or None,
    )


def choose(
    options: Wishes,
    config: Wishes,
    env: Mapping[str, str],
    *,
    max_cost: float | None,
    offline: bool = False,
    key: str | None = None,
) -> ModelChoice:
    """Decide. ``max_cost`` is the command's default budget; ``offline`` is the flag of that name;
    ``key`` an API key from elsewhere than the environment.

    Raises WrongUsage for options that contradict each other, Fatal for a value that means
    nothing, and NoCredentials where Claude is asked for and there is no key.
    """
    if offline and options.engine not in (None, EngineName.OFFLINE):
        raise WrongUsage(
            f"--offline and --engine {options.engine} contradict each other", hint="give one"
        )
    sources = (options, wishes_in(env), config)
    wanted = EngineName.OFFLINE if offline else _first("engine", sources) or "auto"
    engine, hint = _engine(wanted, env, key)
    cost, tokens = _first("max_cost", sources), _first("max_tokens", sources)
    return ModelChoice(
        engine=engine,
        model=_first("model", sources) or MODEL,
        small_model=_first("small_model", sources) or SMALL_MODEL,
        large_model=_first("large_model", sources) or LARGE_MODEL,
        budget=Budget(
            max_cost if cost is None else _dollars(cost), None if tokens is None else _count(tokens)
        ),
        hint=hint,
    )


def _first(field: str, sources: tuple[Wishes, ...]) -> str | None:
    given = (getattr(source, field) for source in sources)
    return next((value for value in given if value is not None), None)


def _engine(wanted: str, env: Mapping[str, str], key: str | None) -> tuple[EngineName, str | None]:
    if wanted == EngineName.OFFLINE:
        return EngineName.OFFLINE, None
    if wanted not in ("auto", EngineName.CLAUDE):
        raise Fatal(f"there is no engine '{wanted}'", hint="use auto, offline or claude")
    cassette = cassette_in(env)
    replayed = cassette is not None and cassette.mode == "replay"
    if replayed or credentials_in(env, key) is not None:
        return EngineName.CLAUDE, None
    if wanted == EngineName.CLAUDE:
        required_credentials(env, key)
    return EngineName.OFFLINE, "no API key, so offline; set ANTHROPIC_API_KEY to use Claude"


def _dollars(text: str) -> float:
    try:
        dollars = float(text.strip().removeprefix("$"))
    except ValueError:
        dollars = math.nan
    if not math.isfinite(dollars) or dollars < 0:
        raise Fatal(f"bad amount of money '{text}'", hint="give US dollars, as in 2 or 0.50")
    return dollars


def _count(text: str) -> int:
    digits = text.strip().replace(",", "").replace("_", "")
    if not (digits.isascii() and digits.isdigit()):
        raise Fatal(f"bad number of tokens '{text}'", hint="give a whole number, as in 200000")
    return int(digits)
