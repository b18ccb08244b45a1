"""What bash is offered: long options with "=" before a value, and values by their place."""

from git_retcon.commands.completion.bash import make_tables
from git_retcon.commands.completion.program import read_program
from tests.commands.completion.walk import cli

TABLES = make_tables(read_program("git-walk", cli))


def test_options_end_in_an_equals_sign_before_a_value() -> None:
    assert (
        "    walk)\n"
        "        options='--each= --skip= --color= --far --help'\n"
        "        valued='-e --each --skip'\n"
    ) in TABLES["OPTIONS"]


def test_each_way_of_offering_values_has_one_arm() -> None:
    assert TABLES["VALUES"] == (
        "    walk:--color) _@ID@_offer 'auto never' ;;\n    walk:0) _@ID@_offer_revision ;;\n"
    )
