"""What hints name: files, directories, definitions, and what they exclude.

An exclusion decides where it is written like a name (a path, ``snake_case``, ``f()``, quoted) and
where one word alone is excluded ("does NOT include half"), if something has that name. Longer
prose ("the actual OAuth flow") is no wish, and excludes nothing.
"""

import functools
import re
from collections.abc import Sequence
from dataclasses import dataclass

from git_retcon.retcon.offline.messages import files_in, names_in, paths_in
from git_retcon.retcon.offline.words import STOP_WORDS, WORD

_EXCLUDES = re.compile(
    r"\b(?:(?:does|do|should|must|may|will)(?:\s+not|n't)\s+(?:include|contain|add|touch|change"
    r"|cover|bring|take)|(?:don't|doesn't|shouldn't|not)\s+(?:include|add|touch|change|yet|in\s+this"
    r"|here|including)|exclud(?:e|es|ing)|leave[sd]?\s+out|leaving\s+out|except(?:\s+for)?|but\s+not"
    r"|without|other\s+than|not)\b",
    re.IGNORECASE,
)
_WEAK = re.compile(r"(?:not|without)$", re.IGNORECASE)
_YET = re.compile(r"\b(?:yet|in this commit|here)\b", re.IGNORECASE)
_CLAUSE = re.compile(r"(?:[^.;\n]|\.(?=\S))+")
_ITEMS = re.compile(r"[,;&\n]|:\s|\((?!\))|(?<!\()\)|\s(?:and|or|nor)\s")
_IN_FILE = re.compile(r"\s(?:in|inside|within|from|of)\s+(?=\S*[./]\S)")
# What may stand beside a name without saying more of it.
_GENERIC = """
    anything class classes code concerning directory everything file files folder function functions
    helper helpers method methods module modules part parts related type types
"""
_BESIDE_NAMES = STOP_WORDS.union(_GENERIC.split())
_RESUMES = re.compile(r"\s-{1,2}\s|\s[–—]\s|,?\s+(?:but|just|only)\s")


@dataclass(frozen=True, slots=True)
class Names:
    """Names in one stretch of text. ``words`` are all its words as written."""

    files: frozenset[str]
    paths: frozenset[str]
    names: frozenset[str]
    words: frozenset[str]


@dataclass(frozen=True, slots=True)
class Exclusion:
    """One thing excluded. ``alone`` is the plain word that is all it says; ``place`` names the
    files to which it is confined, where it does ("half in calc.py")."""

    what: Names
    alone: str = ""
    place: Names | None = None


@dataclass(frozen=True, slots=True)
class Hint:
    """The hints of one logical commit, read. ``text`` is what they say less what they exclude."""

    text: str
    wanted: Names
    unwanted: tuple[Exclusion, ...]

    @property
    def is_empty(self) -> bool:
        return not self.text.strip() and not self.unwanted


def read_hint(hints: str) -> Hint:
    """Read hints clause by clause."""
    kept: list[str] = []
    excluded: list[str] = []
    for clause in _CLAUSE.findall(hints):
        wanted, unwanted = _parted(clause)
        kept.append(wanted)
        excluded.append(unwanted)
    text = "\n".join(kept)
    items = _ITEMS.split("\n".join(excluded))
    return Hint(text, _names(text), tuple(_exclusion(item) for item in items if item.strip()))


def _parted(clause: str) -> tuple[str, str]:
    """A clause as what it asks for and what it excludes."""
    found = _EXCLUDES.search(clause)
    if found is None:
        return clause, ""
    rest = clause[found.end() :]
    if found[0].lower() == "not" and not _YET.search(rest):
        return clause, ""
    resumed = _RESUMES.search(rest)
    unwanted = rest[: resumed.start()] if resumed else rest
    again = rest[resumed.end() :] if resumed else ""
    if _YET.match(found[0].split()[-1]) and not unwanted.strip(" .,"):
        return again, clause[: found.start()]
    return clause[: found.start()] + " " + again, unwanted


def _names(text: str) -> Names:
    return Names(
        files=files_in(text),
        paths=paths_in(text),
        names=names_in(text),
        words=frozenset(
            word for word in WORD.findall(text) if len(word) > 2 and word.lower() not in STOP_WORDS
        ),
    )


def _exclusion(item: str) -> Exclusion:
    found = _IN_FILE.search(item)
    if found is None:
        return Exclusion(_names(item), _alone(item))
    what, place = item[: found.start()], _names(item[found.end() :])
    if all(word.lower() in _BESIDE_NAMES for word in WORD.findall(what)):
        return Exclusion(place)
    return Exclusion(_names(what), _alone(what), place)


def _alone(item: str) -> str:
    """The one word that an item consists of, or the one that tells anything."""
    words = WORD.findall(item)
    telling = [word for word in words if word.lower() not in _BESIDE_NAMES]
    return next((only[0] for only in (words, telling) if len(only) == 1), "")


def names_path(path: str, names: Names) -> bool:
    """Whether a file (lower case path) is named: by its base name, its path, or a directory."""
    base = path.rpartition("/")[2]
    return base in names.files or any(_covers(named, path) for named in names.paths)


def names_directory(path: str, names: Names) -> bool:
    """Whether a directory above a file is named by a path with a slash."""
    return any(_covers(named, path) and not path.endswith(named) for named in names.paths)


def _covers(named: str, path: str) -> bool:
    return f"/{path}/".find(f"/{named}/") >= 0


def matches_any(path: bytes, globs: Sequence[str]) -> bool:
    """Whether a path matches patterns as ``.gitignore`` reads them; the last match decides."""
    text = path.decode("utf-8", "surrogateescape")
    decided = False
    for pattern in globs:
        denies = pattern.startswith("!")
        if _glob(pattern.removeprefix("!")).search(text):
            decided = not denies
    return decided


@functools.lru_cache(maxsize=1024)
def _glob(pattern: str) -> re.Pattern[str]:
    """A gitignore pattern as a regular expression over whole paths (gitignore(5))."""
    body = pattern.strip("/") if pattern != "/" else ""
    anchored = "/" in pattern.rstrip("/")
    out = "" if anchored else "(?:^|.*/)"
    at = 0
    while at < len(body):
        if body.startswith("**/", at):
            out += "(?:.*/)?"
            at += 3
        elif body.startswith("**", at):
            out += ".*"
            at += 2
        elif body[at] == "*":
            out += "[^/]*"
            at += 1
        elif body[at] == "?":
            out += "[^/]"
            at += 1
        elif body[at] == "[" and "]" in body[at + 2 :]:
            stop = body.index("]", at + 2)
            inner = body[at + 1 : stop].replace("\\", "\\\\")
            out += "[" + ("^" + inner[1:] if inner[0] in "!^" else inner) + "]"
            at = stop + 1
        else:
            at += body[at] == "\\" and at + 1 < len(body)
            out += re.escape(body[at])
            at += 1
    ending = "/" if pattern.endswith("/") else "(?:/|$)"
    return re.compile(f"^{out}{ending}", re.DOTALL)
