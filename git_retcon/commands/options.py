"""The options that the four commands share, read into one value."""

import functools
from collections.abc import Callable
from typing import TypeVar

import click

from git_retcon.commands.amounts import Amount, Count
from git_retcon.options import Output, Shared

R = TypeVar("R")
HELP = {"help_option_names": ["-h", "--help"], "max_content_width": 100}

_OUTPUT = (
    click.option("--json", is_flag=True, help="Print one JSON object on standard output."),
    click.option("-q", "--quiet", is_flag=True, help="Say nothing but errors and results."),
    click.option("-v", "--verbose", is_flag=True, help="Say more."),
    click.option(
        "--color",
        type=click.Choice(["auto", "always", "never"]),
        default="auto",
        is_flag=False,
        flag_value="always",
        metavar="WHEN",
        help="Colour: auto, always or never.",
    ),
)
_RUN = (
    click.option("--offline", is_flag=True, help="Use no model, whatever key is set."),
    click.option("--engine", type=click.Choice(["offline", "claude"]), help="Choose the engine."),
    click.option("--model", metavar="NAME", help="The model to ask."),
    click.option(
        "--max-cost",
        type=Amount("US dollars", least=0),
        metavar="USD",
        help="Stop before spending more.",
    ),
    click.option(
        "--max-tokens", type=Count("tokens", least=0), metavar="N", help="Stop before using more."
    ),
    click.option(
        "--sandbox",
        type=click.Choice(["auto", "require", "off"]),
        help="Confine what runs after a model wrote.",
    ),
    click.option("--yes", is_flag=True, help="Answer yes to every question."),
    click.option("-n", "--dry-run", is_flag=True, help="Print the plan; change nothing."),
    click.option("--events", is_flag=True, help="Print one JSON object a line, as it happens."),
    click.option("--show-prompt", is_flag=True, help="Print every prompt before it is sent."),
)


def output_options(function: Callable[..., R]) -> Callable[..., R]:
    """Give a command the options about output; it gets ``output=Output(...)``."""

    @functools.wraps(function)
    def wrapped(*args: object, **kwargs: object) -> R:
        kwargs["output"] = _output(kwargs)
        return function(*args, **kwargs)

    return _decorated(wrapped, _OUTPUT)


def shared_options(function: Callable[..., R]) -> Callable[..., R]:
    """Give a command all shared options; it gets ``shared=Shared(...)``."""

    @functools.wraps(function)
    def wrapped(*args: object, **kwargs: object) -> R:
        output = _output(kwargs)
        names = (
            "offline", "engine", "model", "max_cost", "max_tokens", "sandbox", "yes", "dry_run",
            "events", "show_prompt",
        )  # fmt: skip
        taken = {name: kwargs.pop(name) for name in names}
        kwargs["shared"] = Shared(output=output, **taken)  # type: ignore[arg-type]
        return function(*args, **kwargs)

    return _decorated(wrapped, _OUTPUT + _RUN)


def _output(kwargs: dict[str, object]) -> Output:
    return Output(
        json=bool(kwargs.pop("json")),
        quiet=bool(kwargs.pop("quiet")),
        verbose=bool(kwargs.pop("verbose")),
        color=str(kwargs.pop("color")),
    )


def _decorated(
    function: Callable[..., R], options: tuple[Callable[[Callable[..., R]], Callable[..., R]], ...]
) -> Callable[..., R]:
    for option in reversed(options):
        function = option(function)
    return function
