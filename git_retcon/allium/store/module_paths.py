"""Which paths a module may have: the gate before anything of a specification is written.

Module paths come from models, from people and from folders of the source. They are relative to
``spec/``, end in ``.allium``, and name different files on every file system.
"""

import functools
import unicodedata
from collections.abc import Iterable

from git_retcon.errors import Fatal, Reason
from git_retcon.files.untrusted_paths import ForbiddenPath, clean_path, fold_path
from git_retcon.show.style import show_path

MASTER = b"_master.allium"
SUFFIX = b".allium"

# Letters of two alphabets that look alike, by the Latin one (Unicode TR 39, the common part).
_LOOK_ALIKES = {
    "а": "a", "в": "b", "с": "c", "е": "e", "һ": "h", "і": "i", "ј": "j", "к": "k", "м": "m",
    "н": "h", "о": "o", "р": "p", "ѕ": "s", "т": "t", "у": "y", "х": "x", "ԁ": "d", "ԛ": "q",
    "ԝ": "w", "α": "a", "ε": "e", "ι": "i", "κ": "k", "ν": "v", "ο": "o", "ρ": "p", "τ": "t",
    "υ": "u", "χ": "x", "ı": "i",
}  # fmt: skip


class BadModulePath(Fatal):
    """A path that no module may have. Nothing was written."""

    reason = Reason.INVALID


def check_module_path(path: bytes) -> bytes:
    """The path itself. Raises BadModulePath with the reason where no module may have it."""
    if (why := _find_fault(path)) is not None:
        raise BadModulePath(
            f"'{show_path(path)}' is no path of a module: {why}",
            hint="modules are relative to spec/ and end in .allium, as in entities/user.allium",
        )
    return path


@functools.lru_cache(maxsize=1 << 12)
def is_module_path(path: bytes) -> bool:
    """Whether a module may have this path."""
    return _find_fault(path) is None


@functools.lru_cache(maxsize=1 << 12)
def fold_module_path(path: bytes) -> str:
    """The form in which two paths are equal that a file system or a reader takes for one."""
    return "".join(_LOOK_ALIKES.get(letter, letter) for letter in fold_path(path))


def find_collision(path: bytes, others: Iterable[bytes]) -> bytes | None:
    """One of the others that is another spelling of the path, or None."""
    form = fold_module_path(path)
    return next((each for each in others if each != path and fold_module_path(each) == form), None)


def _find_fault(path: bytes) -> str | None:
    try:
        cleaned = clean_path(path)
    except ForbiddenPath as error:
        return str(error)
    if cleaned != path:
        return "empty and dot components are not allowed"
    if not path.endswith(SUFFIX):
        return "it does not end in .allium"
    *folders, name = path.split(b"/")
    if name == SUFFIX:
        return "it has no name"
    # A file and a folder of one name cannot be in one tree.
    if any(fold_path(folder).endswith(".allium") for folder in folders):
        return "a folder may not be named like a module"
    # A ``use`` line has the path in quotes, and the language knows no escape.
    if b'"' in path:
        return "it holds a quote"
    text = path.decode()
    if unicodedata.normalize("NFKC", text) != text:
        return "it holds look-alikes of other characters"
    if any(_mixes_alphabets(part) for part in text.removesuffix(SUFFIX.decode()).split("/")):
        return "a name mixes alphabets that look alike"
    # Folded: where case is ignored, "_MASTER.allium" would overwrite the master.
    if fold_module_path(path) == MASTER.decode():
        return "this is the master"
    return None


def _mixes_alphabets(name: str) -> bool:
    """Whether a name has Latin letters beside letters of others that look like Latin ones."""
    if name.isascii():
        return False
    is_latin = any(unicodedata.name(letter, "").startswith("LATIN") for letter in name)
    return is_latin and any(letter in _LOOK_ALIKES for letter in name)
