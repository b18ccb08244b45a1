"""Names that may be written and names that never are, however they are spelled.

A name is first *cleaned*, then compared in a form in which everything is equal that some file
system takes for equal: case, Unicode composition, what HFS+ ignores, what NTFS cuts off (git's
own list, from its ``path.c`` and ``utf8.c``).
"""

import re
import unicodedata
from collections.abc import Iterable

_LONGEST_NAME = 255
_LONGEST_PATH = 4096
# Invisible characters: controls, formats (bidi marks, zero widths), surrogates, line separators.
_INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
_DRIVE = re.compile(rb"[A-Za-z]:")

# Whatever is in a repository's own folder, at any depth: a nested repository has one too.
_REPOSITORY_FOLDERS = frozenset({".git", "git~1", "git~2", "git~3", "git~4"})
_PROTECTED_FOLDERS = frozenset({"agent-config", "target"})
_PROTECTED_AT_TOP = frozenset({"build.sh", "coderollup.sh", "llminstructions.md"})
_PROTECTED_ANYWHERE = frozenset(
    {".gitignore", ".gitattributes", ".gitmodules", "userspecification.md"}
)
# NTFS gives `.gitignore` the short names GITIGN~1 to GITIGN~4, then a hash of its own: GI250A~1.
_SHORT = re.compile(r"(?:gitmod|gitign|gitatt|gi7eba|gi250a|gi7d29)~[0-9]+")
_LOCK_FILES = frozenset(
    {
        ".terraform.lock.hcl", "brewfile.lock.json", "buildscript-gradle.lockfile", "bun.lock",
        "bun.lockb", "cabal.project.freeze", "cargo.lock", "cartfile.resolved", "chart.lock",
        "composer.lock", "conan.lock", "conda-lock.yml", "deno.lock", "dub.selections.json",
        "flake.lock", "gemfile.lock", "gems.locked", "go.sum", "go.work.sum", "gradle.lockfile",
        "mix.lock", "module.bazel.lock", "npm-shrinkwrap.json", "package-lock.json",
        "package.resolved", "packages.lock.json", "paket.lock", "pdm.lock", "pipfile.lock",
        "pixi.lock", "pnpm-lock.yaml", "podfile.lock", "poetry.lock", "pubspec.lock",
        "rebar.lock", "renv.lock", "shard.lock", "stack.yaml.lock", "uv.lock", "yarn.lock",
    }
)  # fmt: skip
_PYLOCK = re.compile(r"pylock(?:\.[^.]+)?\.toml")


class ForbiddenPath(Exception):
    """A path that may not be written; the message says why, for whoever proposed it."""


def clean_path(name: bytes) -> bytes:
    """The path with ``.`` and doubled slashes taken out. Raises ForbiddenPath where it could
    lead anywhere but beneath the folder it starts from, or is no name for a file.
    """
    _refuse_unreadable(name)
    if name.startswith(b"/") or _DRIVE.match(name):
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
    return b"/".join(parts)


def protected_reason(path: bytes) -> str | None:
    """Why a clean path is protected by its name alone; None where it is not."""
    parts = [folded(part) for part in path.decode("utf-8", "surrogateescape").split("/")]
    for part in parts:
        if part in _REPOSITORY_FOLDERS:
            return "it is in git's own folder"
    if parts[0] in _PROTECTED_FOLDERS:
        return f"everything in '{parts[0]}/' is protected"
    name = parts[-1]
    if len(parts) == 1 and name in _PROTECTED_AT_TOP:
        return "this file is protected"
    if name in _PROTECTED_ANYWHERE or _SHORT.fullmatch(name):
        return "files of this name are protected"
    if is_lock_file(name):
        return "lock files are protected"
    return None


def is_lock_file(name: str) -> bool:
    """Whether a file's name is that of ``Cargo.lock`` or one of its kin."""
    name = folded(name)
    return name in _LOCK_FILES or _PYLOCK.fullmatch(name) is not None


def folded(name: str) -> str:
    """A name as every file system that git knows would compare it, or more loosely."""
    text = unicodedata.normalize("NFKC", name).casefold()
    text = "".join(char for char in text if unicodedata.category(char) not in _INVISIBLE)
    # NTFS: a stream is named behind a colon, and dots and blanks at the end do not count.
    return unicodedata.normalize("NFKC", text).partition(":")[0].rstrip(". ")


def spellings(path: bytes) -> tuple[bytes, ...]:
    """A path as it is, composed and decomposed: file systems store either."""
    text = path.decode("utf-8", "surrogateescape")
    forms = (text, unicodedata.normalize("NFC", text), unicodedata.normalize("NFD", text))
    return tuple(dict.fromkeys(form.encode("utf-8", "surrogateescape") for form in forms))


def folded_path(path: bytes) -> str:
    """A whole path in the form it is compared in."""
    return "/".join(map(folded, path.decode("utf-8", "surrogateescape").split("/")))


def parents(path: bytes) -> Iterable[bytes]:
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
