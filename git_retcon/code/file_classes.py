"""What a file is for, judged by its path."""

import enum
import functools
import re
from collections.abc import Iterator

from git_retcon.code.languages.known import known_files, language_of
from git_retcon.code.languages.language import Content, Files


class FileClass(enum.Enum):
    """What a file is for. A file may be of several."""

    TEST = "test"
    DOC = "doc"
    LOG = "log"
    BUILD = "build"
    GENERATED = "generated"
    CONF = "conf"
    DECLARATION = "declaration"
    CODE = "code"


# What a project of any language may have: names of files, and patterns of paths.
_ANY_TEST = Files(tests=rb"test_[^/]*|[^/]*[_.-](?:test|spec|tests)\.[^/]*")
_ANY_BUILD = Files(builds=rb"dockerfile|build\.[^/]*")
_ANY_GENERATED = Files(generated=rb"[^/]*\.lock")
_PATHS = {
    FileClass.TEST: rb"(?:^|/)(?:tests?|specs?|testing|__tests__|testdata|fixtures)/",
    FileClass.DOC: (
        rb"(?:^|/)(?:docs?|documentation|man|examples?)/"
        rb"|\.(?:md|rst|adoc|mdx|[1-9])$|(?:^|/)(?:readme|license|copying|authors)[^/]*$"
    ),
    FileClass.LOG: (
        rb"(?:^|/)(?:change|release|history|news)[^/]*(?:\.(?:md|rst|txt))?$"
        rb"|(?:^|/)(?:newsfragments|changelog\.d|changes)/"
    ),
    FileClass.BUILD: rb"(?:^|/)(?:\.github|\.ci|ci|scripts?)/",
    FileClass.GENERATED: rb"(?:^|/)(?:dist|vendor|generated)/",
    FileClass.CONF: (
        rb"\.(?:toml|ya?ml|ini|cfg|conf|json|properties|editorconfig|xml)$|(?:^|/)\.[a-z][^/]*$"
    ),
}


def file_classes(path: bytes) -> frozenset[FileClass]:
    """Every class that a path speaks of."""
    found = {kind for kind in FileClass if _is_called(path, kind)}
    if language_of(path).content in (Content.CODE, Content.STYLE):
        found.add(FileClass.CODE)
        # ``release.py`` releases something; a log of releases is no code.
        found.discard(FileClass.LOG)
    return frozenset(found)


def is_test(path: bytes) -> bool:
    """Whether a path speaks of a test; to ask for this alone takes less."""
    return _is_called(path, FileClass.TEST)


def _is_called(path: bytes, kind: FileClass) -> bool:
    pattern = _make_pattern(kind)
    return pattern is not None and pattern.search(path) is not None


@functools.cache
def _make_pattern(kind: FileClass) -> re.Pattern[bytes] | None:
    alternatives = list(_list_alternatives(kind))
    return re.compile(b"|".join(alternatives), re.IGNORECASE) if alternatives else None


def _list_alternatives(kind: FileClass) -> Iterator[bytes]:
    if kind in _PATHS:
        yield _PATHS[kind]
    files = (_ANY_TEST, _ANY_BUILD, _ANY_GENERATED, *known_files())
    names = {
        FileClass.TEST: [each.tests for each in files],
        FileClass.BUILD: [each.builds for each in files],
        FileClass.GENERATED: [each.generated for each in files],
        FileClass.DECLARATION: [each.declarations for each in files],
    }
    if said := list(filter(None, names.get(kind, ()))):
        yield rb"(?:^|/)(?:" + b"|".join(said) + rb")$"
