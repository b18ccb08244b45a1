"""What click knows of a command, as values."""

from git_retcon.commands.code_commit import cli as code_commit
from git_retcon.commands.completion.program import HELP, Option, Value, read_program
from tests.commands.completion.walk import cli


def test_options_and_arguments_are_read_with_what_they_take() -> None:
    program = read_program("git-walk", cli)
    (verb,) = program.verbs
    assert program.meaning == "keep it [all] of 'em"
    assert verb.arguments[0].value == Value("revision", kind="revision")
    assert verb.options == (
        Option(("-e", "--each"), "don't stop at [one]", Value("each")),
        Option(("--skip",), "leave one out", Value("skip"), is_repeated=True),
        Option(("--color",), "colour", Value("color", ("auto", "never")), is_joined=True),
        Option(("--far",), "go on", None),
        HELP,
    )


def test_what_options_alone_mean_is_a_run_where_that_is_the_default() -> None:
    assert read_program("git-code-commit", code_commit).first_verb.name == "run"
    assert read_program("git-walk", cli).first_verb.options == (HELP,)


def test_a_number_is_named_by_what_it_counts() -> None:
    (run, *_) = read_program("git-code-commit", code_commit).verbs
    values = {name: option.value for option in run.options for name in option.names}
    assert values["--max-cost"] == Value("US dollars")
    assert values["--file"] == values["-F"] == Value("file", kind="file")
