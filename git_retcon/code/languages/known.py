"""Every language that is known, and which of them a file is written in."""

import functools
import re
from collections.abc import Mapping

from git_retcon.code.languages import (
    c,
    css,
    data,
    go,
    java,
    javascript,
    lua,
    make,
    php,
    prose,
    python,
    ruby,
    rust,
    shell,
)
from git_retcon.code.languages.language import Files, Language

# The first that proposes a command for a project is listened to: a project's own driver comes
# before those of its languages.
KNOWN = (
    make.MAKE,
    rust.RUST,
    go.GO,
    java.JAVA,
    c.C,
    javascript.JAVASCRIPT,
    python.PYTHON,
    ruby.RUBY,
    shell.SHELL,
    php.PHP,
    lua.LUA,
    css.CSS,
    data.JSON,
    data.TOML,
    data.YAML,
    prose.MARKDOWN,
    prose.RST,
    prose.LISTING,
    prose.TEXT,
)


def known_files() -> tuple[Files, ...]:
    """What each language says of its files."""
    return tuple(language.files for language in KNOWN)


@functools.lru_cache(maxsize=1 << 12)  # a file is asked about again for each of its versions
def language_of(path: bytes) -> Language:
    """The language of a file by its path; plain text where that says nothing."""
    name = path.rpartition(b"/")[2]
    # Makefile and CMakeLists.txt have no ending that says what they are.
    if (named := _by_name().get(name)) is not None:
        return named
    found = _by_ending().get(name.rpartition(b".")[2].lower(), prose.TEXT)
    # Patterns are for lists that people keep in plain text; code needs no look at them.
    if found is prose.TEXT:
        for pattern, language in _by_path():
            if pattern.search(path):
                return language
    return found


@functools.cache
def _by_name() -> Mapping[bytes, Language]:
    return {name: language for language in KNOWN for name in language.files.names.split()}


@functools.cache
def _by_ending() -> Mapping[bytes, Language]:
    return {ending: language for language in KNOWN for ending in language.files.endings.split()}


@functools.cache
def _by_path() -> tuple[tuple[re.Pattern[bytes], Language], ...]:
    return tuple(
        (re.compile(language.files.paths), language) for language in KNOWN if language.files.paths
    )


@functools.cache
def known_tools() -> frozenset[str]:
    """The programs that builds of the known languages run."""
    return frozenset(tool for language in KNOWN for tool in language.files.tools.split())
