"""What could hide an error is named; a change that answers it is not."""

import pytest

from git_retcon.files.beneath import File
from git_retcon.heal.engine import Item
from git_retcon.heal.healing.silenced import list_silenced
from git_retcon.heal.patches import FileChange
from tests.heal.records.databases import find_error


def change(path: str, old: str, new: str) -> FileChange:
    return FileChange(path.encode(), File(old.encode(), 0o644), File(new.encode(), 0o644))


@pytest.mark.parametrize("path", ["src/app.pyi", "types/app.d.ts", "sig/app.rbs"])
def test_a_stub_that_no_error_names_needs_a_yes_of_its_own(path: str) -> None:
    made = change(path, "def f() -> int: ...\n", "def f() -> str: ...\n")
    about_source = Item(b"src/app.py", (find_error("src/app.py", 1, "str is no int"),))
    said = f"{path}  (checks read it in the place of a source)"
    assert list_silenced(made, [about_source]) == [said]
    about_stub = Item(path.encode(), (find_error(path, 1, "f is not what the source has"),))
    assert list_silenced(made, [about_stub]) == []
    assert list_silenced(made, [about_source, about_stub]) == []


def test_the_order_of_imports_in_a_stub_is_free() -> None:
    made = change("src/app.pyi", "import b\nimport a\nx: a.b\n", "import a\nimport b\nx: a.b\n")
    assert list_silenced(made, [Item(b"src/app.py", ())]) == []


def test_suppressions_and_evasions_are_named_too() -> None:
    item = Item(b"src/app.py", ())
    assert list_silenced(change("src/app.py", "f()\n", "f()  # noqa\n"), [item]) == ["f()  # noqa"]
    exits = change("src/app.py", "f()\n", "import sys\nsys.exit(0)\nf()\n")
    assert "sys.exit(0)" in list_silenced(exits, [item])
