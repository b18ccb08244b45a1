"""The tables of a completion script for zsh."""

from collections.abc import Iterator, Sequence

from git_retcon.commands.completion.program import HELP, VERSION, Option, Program, Value, Verb


def make_tables(program: Program) -> dict[str, str]:
    """The list of subcommands, what all of them take, and what each takes of its own."""
    shared = [
        option
        for option in program.verbs[0].options
        if all(option in verb.options for verb in program.verbs)
    ]
    return {
        "LIST": "".join(
            f"    {_quote_text(f'{verb.name}:{verb.meaning}')}\n" for verb in program.verbs
        ),
        "SHARED": "".join(f"    {_option_spec(option)}\n" for option in shared),
        "ARMS": "".join(_write_arm(verb, shared) for verb in program.verbs),
        "FIRST": "".join(_first_arm(program, shared)),
    }


def _first_arm(program: Program, shared: Sequence[Option]) -> Iterator[str]:
    """What the first word may be: a subcommand, an option of the default, or its argument."""
    verb = program.first_verb
    options = [option for option in verb.options if option not in shared] if verb.name else [HELP]
    common = "$shared " if verb.name else ""
    yield f"    _arguments -s -S {common}\\\n"
    for option in (VERSION, *options):
        yield f"      {_option_spec(option)} \\\n"
    first = next((argument.value.kind for argument in verb.arguments), "")
    kind = f" _@PROGRAM@_{first}" if first else ""
    # the space keeps _arguments from putting options of its own before the argument
    yield f"      '1: : _@PROGRAM@_first_word{kind}'\n"


def _write_arm(verb: Verb, shared: Sequence[Option]) -> str:
    specs = [_option_spec(option) for option in verb.options if option not in shared]
    for number, argument in enumerate(verb.arguments, 1):
        place = "*" if argument.is_repeated else str(number)
        specs.append(_quote_text(f"{place}:{_value_spec(argument.value)}"))
    lines = " \\\n".join(["_arguments -s -S $shared", *(f"        {spec}" for spec in specs)])
    return f"    {verb.name})\n      {lines}\n      ;;\n"


def _option_spec(option: Option) -> str:
    meaning = option.meaning.replace("[", "\\[").replace("]", "\\]")
    tail = f"[{meaning}]"
    if option.value is not None:
        tail += f"{':' * (1 + option.is_joined)}{_value_spec(option.value)}"
    names = [_spell_option(option, name) for name in option.names]
    if option in (HELP, VERSION):
        return f"'(-)'{_one_of(names)}{_quote_text(tail)}"
    if option.is_repeated:
        return f"'*'{_one_of(names)}{_quote_text(tail)}"
    if len(names) == 1:
        return _quote_text(names[0] + tail)
    return f"'({' '.join(option.names)})'{_one_of(names)}{_quote_text(tail)}"


def _spell_option(option: Option, name: str) -> str:
    """The name, and how its value follows: joined or not, with or without ``=``."""
    if option.is_joined:
        return f"{name}=-"
    if not option.takes_next_word:
        return name
    return f"{name}=" if name.startswith("--") else f"{name}+"


def _one_of(names: Sequence[str]) -> str:
    return "{" + ",".join(names) + "}" if len(names) > 1 else names[0]


def _value_spec(value: Value) -> str:
    if value.words:
        return f"{value.title}:({' '.join(value.words)})"
    return f"{value.title}:_@PROGRAM@_{value.kind}" if value.kind else value.title


def _quote_text(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"
