"""The options that the four commands share, read into one value.

``output_options`` is for every subcommand, ``run_options`` for those that may ask a model or run
other people's commands.
"""

import functools
import os
from collections.abc import Callable
from typing import NamedTuple, TypeVar

import click

from git_retcon.commands.amounts import Amount, Count
from git_retcon.options import Output, SharedOptions

R = TypeVar("R")


def _help_width() -> int:
    """Columns of a help text. click finds it out with shutil, whose import costs more than ours."""
    try:
        columns = int(os.environ.get("COLUMNS") or os.get_terminal_size().columns)
    except (ValueError, OSError):
        columns = 80
    return max(min(columns, 100) - 2, 50)


HELP = {"help_option_names": ["-h", "--help"], "terminal_width": _help_width()}
OUTPUT = "git_retcon.output"  # where the wrapper finds what was asked, in click's context

_OUTPUT = (
    click.option("--json", is_flag=True, help="Print one JSON object on standard output."),
    click.option("-q", "--quiet", is_flag=True, help="Print only errors and results."),
    click.option("-v", "--verbose", is_flag=True, help="Print more."),
    click.option(
        "--color",
        type=click.Choice(["auto", "always", "never"]),
        default="auto",
        metavar="[WHEN]",
        help="Colour: auto, always or never (as --color=WHEN; alone, always).",
    ),
)
_RUN = (
    click.option("--offline", is_flag=True, help="Use no model, even where a key is set."),
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


class RequestedOutput(NamedTuple):
    """Which JSON was asked for."""

    json: bool
    events: bool


def output_options(function: Callable[..., R]) -> Callable[..., R]:
    """Give a subcommand the options about output; it gets ``output=Output(...)``."""

    @functools.wraps(function)
    def call(*args: object, **kwargs: object) -> R:
        output = _take_output(kwargs)
        _remember_output(RequestedOutput(output.json, events=False))
        return function(*args, output=output, **kwargs)

    return _decorate_function(call, _OUTPUT)


def run_options(function: Callable[..., R]) -> Callable[..., R]:
    """Give a subcommand all shared options; it gets ``shared=SharedOptions(...)``."""

    @functools.wraps(function)
    def call(*args: object, **kwargs: object) -> R:
        output = _take_output(kwargs)
        taken = {name: kwargs.pop(name) for name in SharedOptions._fields if name != "output"}
        shared = SharedOptions(output, **taken)  # type: ignore[arg-type]
        _remember_output(RequestedOutput(output.json, shared.events))
        return function(*args, shared=shared, **kwargs)

    return _decorate_function(call, _OUTPUT + _RUN)


def _take_output(kwargs: dict[str, object]) -> Output:
    return Output(
        json=bool(kwargs.pop("json")),
        quiet=bool(kwargs.pop("quiet")),
        verbose=bool(kwargs.pop("verbose")),
        color=str(kwargs.pop("color")),
    )


def _remember_output(asked: RequestedOutput) -> None:
    click.get_current_context().meta[OUTPUT] = asked


def _decorate_function(
    function: Callable[..., R], options: tuple[Callable[[Callable[..., R]], Callable[..., R]], ...]
) -> Callable[..., R]:
    for option in reversed(options):
        function = option(function)
    return function
