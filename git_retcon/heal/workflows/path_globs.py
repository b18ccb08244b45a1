"""Patterns of paths as micromatch reads them, which actions of others filter changes with.

Only what has one meaning in all of its versions: ``*``, ``**``, ``?``, ``{a,b}``, and ``!`` at the
start.
"""

import functools
import itertools
import re
from collections.abc import Iterable, Iterator

from git_retcon.lazy_named_tuple import NamedTuple

_OBSCURE = frozenset("()[]|\\\"'^$")
_MOST = 64  # alternatives of one pattern


class ObscurePattern(Exception):
    """A pattern whose meaning is not known here; the message says which."""


class PathGlob(NamedTuple):
    """``negative``: it matches what its pattern does not."""

    pattern: re.Pattern[str]
    negative: bool

    def matches(self, path: str) -> bool:
        """Whether a path, with slashes, is one of those that the pattern means."""
        return (self.pattern.fullmatch(path) is None) is self.negative


@functools.lru_cache(1024)
def read_glob(text: str) -> PathGlob:
    """Raises ObscurePattern."""
    negative = text.startswith("!")
    plain = text.removeprefix("!").removeprefix("./")
    is_odd = plain[:1] in ("", "!", "/") or plain.endswith("**/")
    is_odd = is_odd or "***" in plain or "**/**" in plain
    # `**.md` is one in any folder, but only alone.
    is_deep = _starts_deep().search(plain) and (negative or not _any_named().fullmatch(plain))
    if is_odd or is_deep or _OBSCURE & set(plain):
        raise ObscurePattern(text)
    shapes = "|".join(map(_translate, _expand_braces(plain, text)))
    return PathGlob(re.compile(shapes, re.DOTALL), negative)


@functools.cache
def _starts_deep() -> re.Pattern[str]:
    """Two stars that begin a name, and are not all of it."""
    return re.compile(r"(?:^|[/{,])\*\*(?!/|$|[,}])")


@functools.cache
def _any_named() -> re.Pattern[str]:
    return re.compile(r"\*\*\.\w+")


def select_paths(globs: Iterable[PathGlob], paths: Iterable[str]) -> list[str]:
    """The paths that several patterns select: the last one that has a say about a path decides,
    and where all of them take away, the rest is selected.
    """
    known = tuple(globs)
    every = all(glob.negative for glob in known)
    return [path for path in paths if _is_selected(known, path, every)]


def _is_selected(globs: tuple[PathGlob, ...], path: str, selected: bool) -> bool:
    for glob in globs:
        if glob.negative is not glob.matches(path):
            selected = not glob.negative
    return selected


def _expand_braces(plain: str, text: str) -> Iterator[str]:
    """Each alternative as a pattern of its own. Raises ObscurePattern."""
    parts = re.split(r"\{([^{}]*)\}", plain)
    choices = [part.split(",") if at % 2 else [part] for at, part in enumerate(parts)]
    is_strange = any("{" in part or "}" in part for part in parts[::2])
    ranges = any("," not in part or ".." in part for part in parts[1::2])
    count = functools.reduce(lambda total, one: total * len(one), choices, 1)
    if is_strange or ranges or count > _MOST:
        raise ObscurePattern(text)
    return map("".join, itertools.product(*choices))


def _translate(plain: str) -> str:
    """A pattern without braces as a regular expression."""
    found: list[str] = []
    at = 0
    while at < len(plain):
        starts = at == 0 or plain[at - 1] == "/"
        if starts and plain.startswith("**/", at):
            found.append("(?:.*/)?")
            at += 3
        elif plain[at] == "*":
            end = at + len(plain[at:]) - len(plain[at:].lstrip("*"))
            at, stars = end, end - at
            if not (starts and stars > 1):
                # Within a name two stars are no more than one.
                found.append("[^/]*")
            elif end == len(plain) and found and found[-1] == "/" and found[-2] != "[^/]*":
                # ``a/**`` is ``a`` too, and ``*/**`` only what is in a folder.
                found[-1] = "(?:/.*)?"
            else:
                found.append(".*")
        else:
            found.append("[^/]" if plain[at] == "?" else re.escape(plain[at]))
            at += 1
    return "".join(found)
