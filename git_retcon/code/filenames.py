"""Which file a tool means: by a path of another folder, a module's dotted name, an include."""

import functools
import posixpath
import re
from collections.abc import Iterable

from git_retcon.code.languages.known import known_files
from git_retcon.code.lazy_pattern import LazyPattern

_PLAIN_NAME = LazyPattern(rb"[\w+-]+(?:\.[\w+-]+)*\.[A-Za-z]{1,6}")
_TEST_MARKS = rb"^test_?|_?(?:tests?|spec)$|Tests?$"

# Files that list the sources of a build; what has to be installed is in `files/lockfiles.py`.
BUILD_FILES = LazyPattern(
    rb"(?:^|/)(?:tsconfig[\w.]*\.json|(?:GNU)?[Mm]akefile(?:\.\w+)?|BUILD(?:\.bazel)?|\w+\.mk)$"
)


def find_same_file(named: bytes, paths: Iterable[bytes]) -> bytes | None:
    """The path that a tool means, in any folder that it ran in: the longest that fits."""
    fitting = [
        path
        for path in paths
        if path == named or named.endswith(b"/" + path) or path.endswith(b"/" + named)
    ]
    return max(fitting, key=lambda path: (path == named, len(path), path), default=None)


def score_fit(wanted: bytes, importer: bytes | None, path: bytes) -> int:
    """How well ``path`` is what a tool wanted, 0 (not at all) to 5 (exactly).

    ``importer`` is the path of the file that wanted it; relative names are resolved from it.
    """
    wanted = wanted.rstrip(b"/")
    forms = _list_forms(path)
    if wanted.startswith(b".") and importer is not None:
        exact = _resolve_name(wanted, importer)
        bare = _resolve_name(re.sub(rb"\.[cm]?jsx?$", b"", wanted), importer)  # TypeScript says .js
        return 5 if exact in forms or bare in forms else 0
    return max(_score_suffix(parts, forms) for parts in _split_wanted(wanted)) if wanted else 0


def select_likely(wanted: bytes, paths: Iterable[bytes]) -> list[bytes]:
    """The paths that ``score_fit`` could like at all: a cheap sieve before it."""
    # The last two: a suffix may be another one (.js for .ts), and then the name before it decides.
    words = re.findall(rb"[\w+-]+", wanted)[-2:]
    return [path for path in paths if not words or any(word in path for word in words)]


def find_import_name(path: bytes) -> bytes:
    """The name by which other files import this one."""
    folder, name = posixpath.split(path)
    if folder and _folder_files().match(name):
        return posixpath.basename(folder)
    return name.partition(b".")[0]


def find_subject(path: bytes) -> bytes:
    """What a file is about, by its name without folder, suffix, and the marks of a test."""
    name = posixpath.basename(path).partition(b".")[0]
    return _test_marks().sub(b"", name).lower()


@functools.cache
def _folder_files() -> re.Pattern[bytes]:
    """Names of files that other files import by the name of their folder."""
    return re.compile(rb"(?:" + _any_of(files.folder_files for files in known_files()) + rb")$")


@functools.cache
def _test_marks() -> re.Pattern[bytes]:
    return re.compile(_any_of((_TEST_MARKS, *(files.test_marks for files in known_files()))))


@functools.cache
def _root_words() -> frozenset[bytes]:
    """Words of an import that name no folder and no file."""
    words = (word for files in known_files() for word in files.root_words.split())
    return frozenset((b"", b".", b"..", *words))


def _any_of(patterns: Iterable[bytes]) -> bytes:
    return b"|".join(filter(None, patterns))


def _list_forms(path: bytes) -> tuple[tuple[bytes, ...], ...]:
    """The path in parts: whole, without suffix, and its folder, which it may be imported as."""
    parts = tuple(path.split(b"/"))
    plain = re.sub(rb"(?:\.d)?\.[^.]+$", b"", parts[-1])
    bare = (*parts[:-1], plain or parts[-1])
    return (parts, bare, parts[:-1]) if len(parts) > 1 else (parts, bare)


def _resolve_name(wanted: bytes, importer: bytes) -> tuple[bytes, ...]:
    joined = posixpath.normpath(posixpath.join(posixpath.dirname(importer), wanted))
    return tuple(joined.split(b"/"))


def _split_wanted(wanted: bytes) -> list[tuple[bytes, ...]]:
    if b"/" in wanted:
        words = wanted.split(b"/")
        bare = (*words[:-1], re.sub(rb"\.[a-z]{1,4}$", b"", words[-1]))
        found = [words, list(bare)]
    elif b"::" in wanted:
        found = [wanted.split(b"::")]
    else:
        found = [wanted.split(b".")]
        if _PLAIN_NAME.fullmatch(wanted):
            found.append([wanted])
    roots = _root_words()
    return [tuple(part for part in parts if part not in roots) for parts in found]


def _score_suffix(parts: tuple[bytes, ...], forms: tuple[tuple[bytes, ...], ...]) -> int:
    if not parts:
        return 0
    for score, form in zip((4, 3, 2), forms, strict=False):
        if form[-len(parts) :] == parts:
            return score
    for form in forms:
        if len(form) < len(parts) and parts[-len(form) :] == form:
            return 1
    return 0
