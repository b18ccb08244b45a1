"""What a hunk that is a whole entry changes, in words for people and for models.

A hunk of lines shows itself. Of a rename, a mode or a submodule the lines say nothing.
"""

from collections.abc import Iterator

from git_retcon.git.atoms import Atom, Kind
from git_retcon.git.trees import Entry
from git_retcon.show.style import show_path

_ID_LENGTH = 10


def describe_entry(atom: Atom) -> str:
    """The change in some words, as ``rename from old.py, mode 100644 to 100755``; "" for lines."""
    if atom.kind is Kind.LINES:
        return ""
    if atom.kind is Kind.RENAME:
        return ", ".join([f"rename from {show_path(atom.entries[0].path)}", *_describe_mode(atom)])
    if atom.kind is Kind.MODE:
        return "".join(_describe_mode(atom))
    if atom.kind is Kind.SYMLINK:
        return ", ".join([atom.kind.value, *_describe_mode(atom)])
    if atom.kind is Kind.SUBMODULE:
        return f"{atom.kind.value} {_describe_submodule(atom)}"
    return str(atom.kind.value)


def _describe_mode(atom: Atom) -> Iterator[str]:
    """The mode before and after, where both are there and they differ."""
    old, new = atom.entries[0].old, atom.entries[-1].new
    if old is not None and new is not None and old.mode != new.mode:
        yield f"mode {old.mode.decode()} to {new.mode.decode()}"


def _describe_submodule(atom: Atom) -> str:
    change = atom.entries[0]
    before, after = _name_commit(change.old), _name_commit(change.new)
    return f"at {after}" if change.old is None else f"{before} to {after}"


def _name_commit(entry: Entry | None) -> str:
    """The commit of a submodule, short; of anything else what it is."""
    if entry is None:
        return "nothing"
    if entry.is_submodule:
        return entry.oid[:_ID_LENGTH]
    return "a symlink" if entry.is_symlink else "a file"
