"""What zsh is offered: specifications of options, with the quotes that they need."""

from git_retcon.commands.completion.program import read_program
from git_retcon.commands.completion.zsh import make_tables
from tests.commands.completion.walk import cli


def test_options_say_whether_and_how_a_value_follows() -> None:
    assert make_tables(read_program("git-walk", cli))["SHARED"].splitlines() == [
        r"""    '(-e --each)'{-e+,--each=}'[don'\''t stop at \[one\]]:each'""",
        "    '*'--skip='[leave one out]:skip'",
        "    '--color=-[colour]::color:(auto never)'",
        "    '--far[go on]'",
        "    '(-)'{-h,--help}'[show the usage]'",
    ]


def test_an_argument_is_completed_by_its_kind() -> None:
    arms = make_tables(read_program("git-walk", cli))["ARMS"]
    assert "        '1:revision:_@PROGRAM@_revision'\n" in arms
