"""The gate for paths that a model, a pasted answer or a file from elsewhere names.

A name is first *cleaned*, then compared in a form in which everything is equal that some file
system takes for equal: case, Unicode composition, what HFS+ ignores, what NTFS cuts off or
shortens (git's own rules, from its ``path.c`` and ``utf8.c``). Which names a feature protects
beyond git's own folder is in ``protected.py``.
"""

import unicodedata
from collections.abc import Iterable

_LONGEST_NAME = 255
_LONGEST_PATH = 4096
# Invisible characters: controls, formats (bidi marks, zero widths), surrogates, line separators.
_INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
_SHORT_NAME = 7  # letters and digits of a short name, without the tilde
_LETTERS = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")


class ForbiddenPath(Exception):
    """A path that may not be written; the message says why, for its author."""


def clean_path(name: bytes) -> bytes:
    """The path with ``.`` and doubled slashes taken out. Raises ForbiddenPath where it could
    lead anywhere but beneath the folder it starts from, into git's own folder, or names no file.
    """
    _refuse_unreadable(name)
    if name.startswith(b"/") or (name[1:2] == b":" and name[0] in _LETTERS):
        raise ForbiddenPath("absolute paths are not allowed")
    if b"\\" in name:
        raise ForbiddenPath("backslashes are not allowed in paths; use '/'")
    if name.endswith((b"/", b"/.")):
        raise ForbiddenPath("this names a folder, not a file")
    parts = [part for part in name.split(b"/") if part not in (b"", b".")]
    if b".." in parts:
        raise ForbiddenPath("path traversal ('..') is not allowed")
    if not parts:
        raise ForbiddenPath("this names no file")
    if len(name) > _LONGEST_PATH or any(len(part) > _LONGEST_NAME for part in parts):
        raise ForbiddenPath("the path is too long")
    path = b"/".join(parts)
    if is_in_git_folder(path):
        raise ForbiddenPath("it is in git's own folder")
    return path


def is_in_git_folder(path: bytes) -> bool:
    """Whether any part of a path is ``.git``, however it is spelled: a nested repository's counts.

    NTFS calls that folder ``GIT~1``, or by a later number where that name is taken.
    """
    parts = fold_path(path).split("/")
    return any(part == ".git" or is_short_name(part, "git") for part in parts)


def is_short_name(name: str, *stems: str) -> bool:
    """Whether a folded name is a stem with the number that NTFS adds to a name it shortens.

    NTFS takes the first six letters of a name, so that ``.gitignore`` is also ``GITIGN~1``; a
    longer number takes letters away.
    """
    stem, _, number = name.partition("~")
    if not number.isdecimal():
        return False
    return any(stem in (each, each[: max(1, _SHORT_NAME - len(number))]) for each in stems)


def fold_name(name: str) -> str:
    """A name as every file system that git knows would compare it, or more loosely."""
    text = unicodedata.normalize("NFKC", name).casefold()
    text = "".join(char for char in text if unicodedata.category(char) not in _INVISIBLE)
    # NTFS: a stream is named behind a colon, and dots and blanks at the end do not count.
    return unicodedata.normalize("NFKC", text).partition(":")[0].rstrip(". ")


def fold_path(path: bytes) -> str:
    """A whole path in the form it is compared in."""
    return "/".join(map(fold_name, path.decode("utf-8", "surrogateescape").split("/")))


def list_spellings(path: bytes) -> tuple[bytes, ...]:
    """A path as it is, composed and decomposed: file systems store either."""
    text = path.decode("utf-8", "surrogateescape")
    forms = (text, unicodedata.normalize("NFC", text), unicodedata.normalize("NFD", text))
    return tuple(dict.fromkeys(form.encode("utf-8", "surrogateescape") for form in forms))


def list_parents(path: bytes) -> Iterable[bytes]:
    """The folders above a path, the outermost first."""
    parts = path.split(b"/")
    return (b"/".join(parts[:length]) for length in range(1, len(parts)))


def _refuse_unreadable(name: bytes) -> None:
    try:
        text = name.decode()
    except UnicodeDecodeError as error:
        raise ForbiddenPath("the path is not UTF-8") from error
    if any(unicodedata.category(char) in _INVISIBLE for char in text):
        raise ForbiddenPath("the path holds invisible characters")
