"""Permissions as messages ask for them: of a script without the right to run, or of what has it and
is none.
"""

from typing import TYPE_CHECKING

from git_retcon.files.beneath import File

if TYPE_CHECKING:
    from git_retcon.heal.engine import Item

# Of ruff (flake8-executable), by rule, and of the hooks of pre-commit, by message.
_RULES = {"EXE001": b"100755", "EXE002": b"100644"}
_MESSAGES = {
    "has a shebang but is not marked executable": b"100755",
    "marked executable but has no (or invalid) shebang": b"100644",
}


def change_mode(item: "Item", file: File) -> File:
    """The item's file with the permissions that its errors ask for; as it is where none does, or
    where they contradict each other.
    """
    wanted = set()
    for error in item.errors:
        said = error.finding.diagnostic
        wanted |= {mode for text, mode in _MESSAGES.items() if text in said.message}
        wanted |= {mode for rule, mode in _RULES.items() if rule == said.rule}
    return file.with_git_mode(wanted.pop()) if len(wanted) == 1 else file
