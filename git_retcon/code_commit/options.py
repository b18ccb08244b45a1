"""One run as it was asked for, and everything that configuration decides."""

from collections.abc import Mapping
from dataclasses import dataclass

from git_retcon import settings
from git_retcon.code_commit.inputs import Question
from git_retcon.errors import Fatal, Reason
from git_retcon.model.engine_choice import EngineOptions, ModelChoice, choose
from git_retcon.options import Shared
from git_retcon.run.sandbox.level import Policy
from git_retcon.run.shell import DEFAULT_TIMEOUT
from git_retcon.settings import Settings


@dataclass(frozen=True)
class Asked:
    """The command line of one run."""

    shared: Shared
    query: str | None = None
    file: str | None = None
    response: str | None = None
    build: str | None = None
    repairs: int | None = None
    timeout: float | None = None
    force: bool = False
    commit: bool = False
    message: str | None = None

    @classmethod
    def of(cls, shared: Shared, options: Mapping[str, object]) -> "Asked":
        """From options as they were parsed, by their names."""
        return cls(shared, **options)  # type: ignore[arg-type]

    @property
    def question(self) -> Question:
        return Question(self.query, self.file)


@dataclass(frozen=True, slots=True)
class Decided:
    """How one run is to go: options over environment over git config over defaults."""

    build: str | None
    patterns: tuple[str, ...]
    repairs: int
    timeout: float
    policy: Policy
    never_send: tuple[str, ...]


def decide(asked: Asked, chosen: Settings) -> Decided:
    """Raises Fatal for a value that makes no sense."""

    return Decided(
        build=asked.build or chosen.get(settings.CODE_COMMIT_BUILD),
        patterns=chosen.all(settings.CODE_COMMIT_PROTECT),
        repairs=_repairs(chosen) if asked.repairs is None else asked.repairs,
        timeout=asked.timeout or DEFAULT_TIMEOUT,
        policy=Policy.of(asked.shared, chosen),
        never_send=chosen.all(settings.NEVER_SEND),
    )


def choose_model(asked: Asked, chosen: Settings, key: str | None) -> ModelChoice:
    """The engine, the model and the budget. An answer that is brought needs no engine."""
    offline = asked.shared.offline or asked.response is not None
    options = EngineOptions.of(asked.shared._replace(offline=offline))
    return choose(options, chosen, settings.CODE_COMMIT_MAX_COST, key)


def _repairs(chosen: Settings) -> int:
    value = chosen.number(settings.CODE_COMMIT_REPAIRS)
    if value != int(value):
        raise Fatal(
            "bad number for 'codecommit.repairs'",
            hint="use a whole number such as 3",
            reason=Reason.INVALID,
        )
    return int(value)
