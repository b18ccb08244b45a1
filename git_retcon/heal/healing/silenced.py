"""What of a fix could hide an error in place of answering it: each needs a yes of its own."""

from collections.abc import Sequence

from git_retcon.files.protected import is_stub
from git_retcon.heal.engine import Item
from git_retcon.heal.healing.evasions import list_evasions
from git_retcon.heal.healing.tampering import is_harmless, list_suppressions
from git_retcon.heal.healing.work_items import names_file
from git_retcon.heal.patches import FileChange


def list_silenced(change: FileChange, items: Sequence[Item]) -> list[str]:
    """In words with the line; ``items`` are what the change answers."""
    return [
        *list_suppressions(change),
        *list_evasions(change),
        *_list_stub_changes(change, items),
    ]


def _list_stub_changes(change: FileChange, items: Sequence[Item]) -> list[str]:
    """A stub says what a type checker believes of a source: to change it can end a complaint of
    what is still wrong, unless the complaint is of the stub.
    """
    if not is_stub(change.path) or any(names_file(item, change.path) for item in items):
        return []
    if is_harmless(change):
        return []
    path = change.path.decode("utf-8", "replace")
    return [f"{path}  (checks read it in the place of a source)"]
