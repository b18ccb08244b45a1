"""What fish is offered: a line for each thing, with the quotes that it needs."""

from git_retcon.commands.completion.fish import make_tables
from git_retcon.commands.completion.program import read_program
from tests.commands.completion.walk import cli

TABLES = make_tables(read_program("git-walk", cli))


def test_each_option_has_a_line() -> None:
    lines = [line.removeprefix("complete -c @PROGRAM@ ") for line in TABLES["LINES"].splitlines()]
    assert lines == [
        "-n __@ID@_is_first -a walk -d 'walk from NAME'",
        "-n __@ID@_is_first -l version -d 'print the version'",
        "-s h -l help -d 'show the usage'",
        "-n '__@ID@_is_at walk 0' -ka '(__@ID@_revision)'",
        r"-n '__@ID@_is' -x -s e -l each -d 'don\'t stop at [one]'",
        "-n '__@ID@_is' -x -l skip -d 'leave one out'",
        "-n '__@ID@_is' -l color -d 'colour'",
        """-n "string match -q -- '--c*' (commandline -ct)" """
        "-a '--color=auto --color=never' -d 'colour'",
        "-n '__@ID@_is' -l far -d 'go on'",
    ]


def test_options_whose_value_is_the_next_word_are_known() -> None:
    assert TABLES["VALUED"].splitlines()[1].split() == [
        "contains", "--", "$argv[2]", "-e", "--each", "--skip",
    ]  # fmt: skip
