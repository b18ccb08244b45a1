"""The tables of a completion script for fish."""

from collections.abc import Iterator

from git_retcon.commands.completion.program import HELP, VERSION, Option, Program, Value, places

_COMPLETE = "complete -c @PROGRAM@"


def make_tables(program: Program) -> dict[str, str]:
    """Which options take a value, and one ``complete`` for each thing that is offered."""
    return {
        "VALUED": "".join(_valued_arms(program)),
        "LINES": "".join(f"{_COMPLETE} {line}\n" for line in _list_lines(program)),
    }


def _valued_arms(program: Program) -> Iterator[str]:
    for verb in program.verbs:
        valued = [name for each in verb.options if each.takes_next_word for name in each.names]
        if valued:
            yield f"        case {verb.name}\n            contains -- $argv[2] {' '.join(valued)}\n"


def _list_lines(program: Program) -> Iterator[str]:
    for verb in program.verbs:
        yield f"-n __@ID@_is_first -a {verb.name} -d {_quote_text(verb.meaning)}"
    yield f"-n __@ID@_is_first {_spell_option(VERSION)} -d {_quote_text(VERSION.meaning)}"
    yield f"{_spell_option(HELP)} -d {_quote_text(HELP.meaning)}"
    for verb in program.verbs:
        for place, value in places(verb):
            if (offer := _offer_values(value)) and not place.startswith("-"):
                condition = f"'__@ID@_is_at {verb.name} {place}'"
                yield f"-n {condition} -ka {offer}"
    for option, names in _by_option(program).items():
        all_of_them = names == program.verb_names
        condition = _quote_text(f"__@ID@_is {'' if all_of_them else ' '.join(names)}".rstrip())
        yield from _option_lines(option, condition)


def _by_option(program: Program) -> dict[Option, tuple[str, ...]]:
    """Each option with the subcommands that have it."""
    found: dict[Option, tuple[str, ...]] = {}
    for verb in program.verbs:
        for option in verb.options:
            if option != HELP:
                found[option] = (*found.get(option, ()), verb.name)
    return found


def _option_lines(option: Option, condition: str) -> Iterator[str]:
    meaning = f"-d {_quote_text(option.meaning)}"
    if option.value is None:
        yield f"-n {condition} {_spell_option(option)} {meaning}"
    elif option.is_joined:  # for fish, an option has a value always or never
        yield f"-n {condition} {_spell_option(option)} {meaning}"
        for name in option.long_names:
            values = " ".join(f"{name}={word}" for word in option.value.words)
            typed = f"\"string match -q -- '{name[:3]}*' (commandline -ct)\""
            yield f"-n {typed} -a '{values}' {meaning}"
    else:
        offer = _offer_values(option.value)
        words = f" -a {offer}" if offer else ""
        yield f"-n {condition} -x {_spell_option(option)}{words} {meaning}"


def _spell_option(option: Option) -> str:
    return " ".join(
        f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in option.names
    )


def _offer_values(value: Value) -> str:
    if value.words:
        return _quote_text(" ".join(value.words))
    return f"'(__@ID@_{value.kind})'" if value.kind else ""


def _quote_text(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
