"""The options of one run, and everything that configuration decides."""

from collections.abc import Mapping

from git_retcon import settings
from git_retcon.code_commit.inputs import Question
from git_retcon.lazy_dataclass import dataclass
from git_retcon.model.engine_choice import EngineOptions, ModelChoice, choose_engine
from git_retcon.options import SharedOptions
from git_retcon.run.commands import DEFAULT_TIMEOUT
from git_retcon.run.sandbox.level import Policy
from git_retcon.settings import Settings


@dataclass(frozen=True)
class Request:
    """The command line of one run."""

    shared: SharedOptions
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
    def of(cls, shared: SharedOptions, options: Mapping[str, object]) -> "Request":
        """From parsed options, by their names."""
        return cls(shared, **options)  # type: ignore[arg-type]

    @property
    def question(self) -> Question:
        return Question(self.query, self.file)


@dataclass(frozen=True, slots=True)
class Decisions:
    """What one run does: options over environment over git config over defaults."""

    build: str | None
    patterns: tuple[str, ...]
    repairs: int
    timeout: float
    policy: Policy
    never_send: tuple[str, ...]


def decide(request: Request, chosen: Settings) -> Decisions:
    """Raises Fatal for a value that makes no sense."""

    return Decisions(
        build=request.build or chosen.get(settings.CODE_COMMIT_BUILD),
        patterns=chosen.all(settings.CODE_COMMIT_PROTECT),
        repairs=chosen.whole_number(settings.CODE_COMMIT_REPAIRS)
        if request.repairs is None
        else request.repairs,
        timeout=request.timeout or DEFAULT_TIMEOUT,
        policy=Policy.of(request.shared, chosen),
        never_send=chosen.all(settings.NEVER_SEND),
    )


def choose_model(request: Request, chosen: Settings, key: str | None) -> ModelChoice:
    """The engine, the model and the budget. An answer that is brought needs no engine."""
    offline = request.shared.offline or request.response is not None
    options = EngineOptions.of(request.shared._replace(offline=offline))
    return choose_engine(options, chosen, settings.CODE_COMMIT_MAX_COST, key)
