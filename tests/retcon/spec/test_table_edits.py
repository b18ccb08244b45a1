"""An edit of one key changes nothing else, or it is refused."""

import pytest
from tomlkit.items import InlineTable, Table

from git_retcon.retcon.spec.layout import UnwritableTable
from git_retcon.retcon.spec.table_edits import edit_inline, edit_section, write_worktree

BODY = 'message = "m"\n'
INLINE = 'commit = [{ message = "m" }]\n'


def change_message(table: Table | InlineTable) -> None:
    table["message"] = "other"


def add_ticket(table: Table | InlineTable) -> None:
    table["ticket"] = 17


@pytest.mark.parametrize("edit", [change_message, add_ticket])
def test_a_change_of_another_key_is_refused(edit: object) -> None:
    assert callable(edit)
    with pytest.raises(UnwritableTable):
        edit_section(BODY, "history", None, edit)
    with pytest.raises(UnwritableTable):
        edit_inline(INLINE, 0, "history", None, edit)


def test_a_key_without_its_value_is_refused() -> None:
    with pytest.raises(UnwritableTable):
        edit_section(BODY, "ticket", 18, add_ticket)
    assert edit_section(BODY, "ticket", 17, add_ticket) == 'message = "m"\nticket = 17\n'


def test_tables_are_no_inline_tables() -> None:
    with pytest.raises(UnwritableTable):
        edit_inline("[[commit]]\n" + BODY, 0, "ticket", 17, add_ticket)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            '# top\nsource = "a" # mine\n\nx = 1\n',
            '# top\nsource = "a" # mine\nworktree = true\n\nx = 1\n',
        ),
        ('source = """\na"""\n', 'worktree = true\nsource = """\na"""\n'),
        ('worktree=false # true\nsource = "a"\n', 'worktree=true # true\nsource = "a"\n'),
        ('source = "a"\n"worktree" = false\n', 'source = "a"\n"worktree" = true\n'),
    ],
)
def test_the_state_is_written_below_the_source(before: str, after: str) -> None:
    assert write_worktree(before, wanted=True) == after
    assert write_worktree(after, wanted=False) == after.replace("= true", "= false").replace(
        "=true", "=false"
    )


def test_a_state_without_a_place_is_refused() -> None:
    with pytest.raises(UnwritableTable):
        write_worktree('worktree = "x"\nsource = "a"\n', wanted=True)
