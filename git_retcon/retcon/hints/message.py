"""What a commit message says about the change: its words, names, files, area and kind of work."""

import re
from collections import Counter
from collections.abc import Mapping

from git_retcon.lazy_dataclass import dataclass
from git_retcon.retcon.hints.words import STOP_WORDS, WORD, stems

_TRAILER = re.compile(
    r"[A-Z][\w-]*-(?:by|on|to|from|for|in|id|url)\s*:|(?:Fixes|Closes|Refs?)\s*:", re.I
)
_NUMBER = re.compile(r"\(?#\d+\)?")
_AREA = re.compile(r"([\w./*,+ -]{1,40}?)(?:\(([^)]{1,40})\))?!?:\s")
_TYPES = frozenset(
    {"feat", "feature", "fix", "bug", "docs", "doc", "test", "tests", "chore"}
    | {"refactor", "style", "perf", "build", "ci", "revert", "wip"}
)
_CODE = re.compile(r"`([^`\n]+)`|'([\w.:/-]+)'|\"([\w.:/-]+)\"")
_NAME = re.compile(
    r"\b(?:[A-Za-z_]\w*\(\)|[a-z]+_\w+|_\w+|[A-Za-z]\w*?[a-z0-9][A-Z]\w*|[A-Z][A-Z0-9_]{3,})"
)
_OPTION = re.compile(r"(?<![\w-])--?[a-z][\w-]+")
_FILE = re.compile(r"(?<![\w/.+-])(?:[\w.+-]+/)*(?:[\w+-]*\.)?[\w+-]+\.[A-Za-z]\w{0,9}\b(?!\()")
_PATH = re.compile(r"(?<![\w/.:+-])(?:[\w.+-]+/)+[\w.+-]*")
_BARE_FILE = re.compile(r"(?<![\w/.+-])\.?[A-Za-z][\w-]*(?![\w/(]|\.\w)")
_BEGINS_SENTENCE = re.compile(r"(?:^|[.!?:])\s*(?:(?:[-*+•]|\d+[.)])\s+)?$")
_FLAGS: tuple[re.Pattern[str], ...] = tuple(
    re.compile(rf"\b(?:{words})", re.IGNORECASE)
    for words in (
        r"tests?\b|testing|coverage|spec\b",
        r"docs?\b|document|readme|comment|typo|example",
        r"change-?log|news\b|release notes?|history\b",
        r"build|ci\b|makefile|cmake|workflow|travis|actions?\b|compile|tox\b",
        r"dep(?:s|end)|bump|upgrade|pin\b|lock\b|version",
        r"fix|bug|correct|repair|handle|crash|regress|broken",
        r"add|implement|introduce|new\b|create|support|feat",
        r"remov|drop|delete|clean|dead\b|unused|strip",
        r"renam|move",
        r"refactor|extract|split|simplif|reorgani|restructur|factor|rework|prep",
        r"style|lint|format|whitespace|indent|pep ?8|clippy|fmt\b|black\b|ruff\b|prettier",
        r"typ(?:e|es|ing|ed)\b|mypy|annotat|hint",
        r"revert|undo|back out",
        r"use\b|switch|replace|convert|migrate|adopt|instead",
        r"merge\b|review|address|feedback|suggest",
        r"example|demo|sample|tutorial|snippet",
        r"config|setting|option|flag|param|env\b",
    )
)
FLAG_COUNT = len(_FLAGS)


@dataclass(frozen=True, slots=True)
class Message:
    """A message read once. ``subject`` and ``body`` count stems; ``names`` are identifiers as
    written; ``files`` are base names, ``bare_files`` words that are one if a file of this name
    exists; ``paths`` have a slash; these three are in lower case."""

    subject: Mapping[str, int]
    body: Mapping[str, int]
    names: frozenset[str]
    words: frozenset[str]
    subject_words: frozenset[str]
    options: frozenset[str]
    files: frozenset[str]
    bare_files: frozenset[str]
    paths: frozenset[str]
    area: frozenset[str]
    subject_flags: tuple[int, ...]
    body_flags: tuple[int, ...]
    subject_length: int
    body_length: int


def read_message(message: str, more: str = "") -> Message:
    """Read a message; ``more`` (the hints, without what they exclude) counts as body."""
    subject, _, rest = message.strip().partition("\n")
    subject = _NUMBER.sub(" ", subject)
    body = _drop_quotations(rest) + ("\n" + more if more else "")
    both = subject + "\n" + body
    area, subject_text = _read_area(subject)
    words = frozenset(WORD.findall(both))
    return Message(
        subject=Counter(_list_stems(subject_text)),
        body=Counter(_list_stems(body)),
        names=names_in(both),
        words=frozenset(word.lower() for word in words),
        subject_words=frozenset(word.lower() for word in WORD.findall(subject)),
        options=frozenset(_OPTION.findall(both)),
        files=files_in(both),
        bare_files=bare_files_in(both),
        paths=paths_in(both),
        area=area,
        subject_flags=_find_flags(subject),
        body_flags=_find_flags(body),
        subject_length=len(WORD.findall(subject)),
        body_length=len(WORD.findall(body)),
    )


def names_in(text: str) -> frozenset[str]:
    """Identifiers: written like one (snake, camel, call), or quoted."""
    found = {name.rstrip("()") for name in _NAME.findall(text)}
    for groups in _CODE.findall(text):
        found.update(WORD.findall("".join(groups)))
    return frozenset(name for name in found if len(name) > 1 and name.lower() not in STOP_WORDS)


def files_in(text: str) -> frozenset[str]:
    """Base names of the files that a text mentions, in lower case."""
    return frozenset(path.rpartition("/")[2].lower() for path in _FILE.findall(text))


def bare_files_in(text: str) -> frozenset[str]:
    """Words that name a file without an ending if there is one of this name, in lower case.

    ``.gitignore`` and ``Makefile`` are hardly anything else. Of other words those count that are
    quoted, or written with capitals where a sentence has none: "the build" is not ``BUILD``.
    """
    return frozenset(
        found[0].lower()
        for line in text.split("\n")
        for found in _BARE_FILE.finditer(line)
        if _may_be_file(found[0], line[: found.start()], line[found.end() :])
    )


def _may_be_file(word: str, before: str, after: str) -> bool:
    if word.startswith(".") or (before[-1:] == after[:1] != "" and before[-1:] in "`'\""):
        return True
    if word.lower().endswith("file") and word.lower() not in ("file", "profile"):
        return True
    if not word[0].isupper() or len(word) < 3:
        return False
    return word.isupper() or _BEGINS_SENTENCE.search(before) is None


def paths_in(text: str) -> frozenset[str]:
    """Paths with a slash that a text mentions, in lower case, without the last slash or period."""
    return frozenset(path.lower().rstrip("/.") for path in _PATH.findall(text) if len(path) > 3)


def _drop_quotations(text: str) -> str:
    kept = (
        line
        for line in text.split("\n")
        # Names of people and quoted replies say nothing of the change.
        if not _TRAILER.match(line.strip()) and not line.startswith(">")
    )
    return _NUMBER.sub(" ", "\n".join(kept)).strip()


def _read_area(subject: str) -> tuple[frozenset[str], str]:
    """The stems of ``area:`` or ``type(scope):`` before a subject, and the rest."""
    found = _AREA.match(subject)
    if found is None:
        return frozenset(), subject
    named = f"{found[1]} {found[2] or ''}"
    area = {
        stem for word in WORD.findall(named) if word.lower() not in _TYPES for stem in stems(word)
    }
    # A type ("fix") is no word of the change, an area ("parser: …") is one.
    kept = "" if found[1].strip().lower() in _TYPES else found[1]
    return frozenset(area), f"{kept} {found[2] or ''} {subject[found.end() :]}"


def _list_stems(text: str) -> list[str]:
    return [stem for word in WORD.findall(text) for stem in stems(word)]


def _find_flags(text: str) -> tuple[int, ...]:
    if not text:  # the body of most messages
        return (0,) * FLAG_COUNT
    return tuple(int(pattern.search(text) is not None) for pattern in _FLAGS)
