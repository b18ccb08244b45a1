"""Files that somebody else edited are named, with the command that goes on."""

import pytest

from git_retcon.errors import Reason, Refused
from git_retcon.files.transaction import EditedSince
from git_retcon.run.edited_files import refusing_edited


def test_the_same_command_goes_on_by_force() -> None:
    with pytest.raises(Refused) as caught, refusing_edited():
        raise EditedSince([b"a.py", b"b.py"])
    assert str(caught.value) == "changed since, by somebody else: a.py and b.py"
    assert caught.value.hint == "save them elsewhere, then run the same command with --force"
    assert (caught.value.reason, caught.value.again) == (Reason.UNSAVED_WORK, ["--force"])


def test_another_command_goes_on_where_this_one_has_no_force() -> None:
    with pytest.raises(Refused) as caught, refusing_edited(["git", "heal", "undo"]):
        raise EditedSince([b"a.py"])
    assert caught.value.hint == "save them elsewhere, then run 'git heal undo --force'"
    assert caught.value.commands == [["git", "heal", "undo", "--force"]]
