"""What people may type after a command, as values that every shell's script is made from."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import click

from git_retcon.commands.amounts import Amount, Count
from git_retcon.commands.kinds import Kind, PathKind, Suggestion
from git_retcon.commands.subcommands import DefaultToRun


class Value(NamedTuple):
    """What an option or an argument takes: one of ``words``, or something of a kind."""

    title: str
    words: tuple[str, ...] = ()
    kind: str = ""


class Option(NamedTuple):
    """An option; ``value`` is None for a flag.

    ``is_joined``: a value is part of the same word (``--color=never``) or missing.
    """

    names: tuple[str, ...]
    meaning: str
    value: Value | None
    is_joined: bool = False
    is_repeated: bool = False

    @property
    def takes_next_word(self) -> bool:
        return self.value is not None and not self.is_joined

    @property
    def long_names(self) -> tuple[str, ...]:
        return tuple(name for name in self.names if name.startswith("--"))


class Argument(NamedTuple):
    """A word that is no option; a repeated one is the last."""

    value: Value
    is_repeated: bool


class Verb(NamedTuple):
    """A subcommand."""

    name: str
    meaning: str
    options: tuple[Option, ...]
    arguments: tuple[Argument, ...]


class Program(NamedTuple):
    """A command with its subcommands. ``default`` is run where none is named; often empty."""

    name: str
    meaning: str
    verbs: tuple[Verb, ...]
    default: str

    @property
    def verb_names(self) -> tuple[str, ...]:
        return tuple(verb.name for verb in self.verbs)

    @property
    def first_verb(self) -> Verb:
        """What options alone are read by: the default, or the command without a subcommand."""
        alone = Verb("", "", (HELP,), ())
        return next((verb for verb in self.verbs if verb.name == self.default), alone)

    @property
    def kinds(self) -> frozenset[str]:
        """The kinds of things that are named anywhere."""
        return frozenset(value.kind for verb in self.verbs for _, value in places(verb))


HELP = Option(("-h", "--help"), "show the usage", None)
VERSION = Option(("--version",), "print the version", None)


def places(verb: Verb) -> Iterator[tuple[str, Value]]:
    """Each place for a value: an option's name, the number of an argument, ``any`` of many."""
    for option in verb.options:
        for name in option.names:
            if option.value is not None:
                yield name, option.value
    for number, argument in enumerate(verb.arguments):
        yield "any" if argument.is_repeated else str(number), argument.value


def read_program(name: str, cli: click.Group) -> Program:
    """What click knows of a command."""
    verbs = tuple(_read_verb(each, command) for each, command in cli.commands.items())
    default = "run" if isinstance(cli, DefaultToRun) else ""
    return Program(name, _read_meaning(cli.help), verbs, default)


def _read_verb(name: str, command: click.Command) -> Verb:
    options = [_read_option(each) for each in command.params if isinstance(each, click.Option)]
    arguments = [
        Argument(_read_value(each), each.nargs == -1)
        for each in command.params
        if isinstance(each, click.Argument)
    ]
    return Verb(name, _read_meaning(command.help), (*options, HELP), tuple(arguments))


def _read_option(option: click.Option) -> Option:
    return Option(
        _short_first(option.opts),
        _read_meaning(option.help),
        None if option.is_flag else _read_value(option),
        is_joined=(option.metavar or "").startswith("["),
        is_repeated=option.multiple,
    )


def _short_first(names: Sequence[str]) -> tuple[str, ...]:
    return tuple(sorted(names, key=lambda name: name.startswith("--")))


def _read_value(parameter: click.Parameter) -> Value:
    title = (parameter.name or "").rstrip("_")
    type_ = parameter.type
    if isinstance(type_, Amount | Count):
        return Value(type_.unit)
    if isinstance(type_, click.Choice):
        return Value(title, tuple(type_.choices))
    if isinstance(type_, Suggestion):
        return Value(type_.name, type_.words)
    return (
        Value(type_.name, kind=type_.name) if isinstance(type_, Kind | PathKind) else Value(title)
    )


def _read_meaning(text: str | None) -> str:
    """The first paragraph of a help text, as shells describe: in lower case, with no period."""
    sentence = " ".join((text or "").partition("\n\n")[0].split()).removesuffix(".")
    if sentence.endswith(")"):  # "(default: 3)", and how to spell the values that are offered
        sentence = sentence.rpartition(" (")[0]
    return sentence if sentence[1:2].isupper() else sentence[:1].lower() + sentence[1:]
