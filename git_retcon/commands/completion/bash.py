"""The tables of a completion script for bash."""

import shlex
from collections.abc import Iterator

from git_retcon.commands.completion.program import Program, Value, Verb, places


def make_tables(program: Program) -> dict[str, str]:
    """The arms of two ``case`` statements: by subcommand, and by place of a value."""
    alone = [] if program.default else [program.first_verb]
    return {
        "OPTIONS": "".join(_options_arm(verb) for verb in (*alone, *program.verbs)),
        "VALUES": "".join(_value_arms(program)),
    }


def _options_arm(verb: Verb) -> str:
    words = [
        f"{name}=" if option.value else name
        for option in verb.options
        for name in option.long_names
    ]
    valued = [name for option in verb.options if option.takes_next_word for name in option.names]
    return (
        f"    {verb.name or shlex.quote('')})\n"
        f"        options='{' '.join(words)}'\n"
        f"        valued='{' '.join(valued)}'\n"
        "        ;;\n"
    )


def _value_arms(program: Program) -> Iterator[str]:
    """One arm for each way of offering values, with all places that have it."""
    arms: dict[str, list[str]] = {}
    for verb in program.verbs:
        for place, value in places(verb):
            if offer := _offer_call(value):
                pattern = "[0-9]*" if place == "any" else place
                arms.setdefault(offer, []).append(f"{verb.name}:{pattern}")
    for offer, patterns in arms.items():
        yield f"    {' | '.join(patterns)}) {offer} ;;\n"


def _offer_call(value: Value) -> str:
    if value.words:
        return f"_@ID@_offer '{' '.join(value.words)}'"
    return f"_@ID@_offer_{value.kind}" if value.kind else ""
