"""What was asked on a command line, as values: shared by the commands and the features."""

from typing import NamedTuple


class Output(NamedTuple):
    """How a command speaks. ``color`` is "auto", "always" or "never"."""

    json: bool = False
    quiet: bool = False
    verbose: bool = False
    color: str = "auto"


class SharedOptions(NamedTuple):
    """Engine, budget, safety and output of one run; None is for the configuration to say."""

    output: Output
    offline: bool = False
    engine: str | None = None
    model: str | None = None
    max_cost: float | None = None
    max_tokens: int | None = None
    sandbox: str | None = None
    yes: bool = False
    dry_run: bool = False
    events: bool = False
    show_prompt: bool = False
