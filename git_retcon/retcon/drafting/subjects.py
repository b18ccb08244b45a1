"""Subjects for commits that nobody has described, as the project itself writes them.

Where most of a cluster came with one source commit, and that has a subject that says something,
it is taken. Else the subject says what comes, goes or changes, by the names of definitions.
"""

import functools
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from git_retcon.code.file_classes import FileClass
from git_retcon.retcon.planner.facts import Facts
from git_retcon.show.counting import some_of
from git_retcon.show.style import show_path

_MOST_NAMES = 2
_MOST_LENGTH = 72  # characters of a subject
_COMMON = 0.5  # of a project's subjects, from which on it has a style


class SubjectStyle(NamedTuple):
    """How a project writes subjects: ``type: …``, ``area: …``, or neither; "Add" or "add"."""

    has_types: bool
    has_areas: bool
    has_capital: bool


@functools.cache
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    return (
        re.compile(
            r"(?:feat|fix|docs?|tests?|refactor|chore|build|ci|perf|style)(?:\([^)]*\))?!?: "
        ),
        re.compile(r"[\w./-]+: "),
        re.compile(
            r"^(?:fixup|squash|amend)!|\b(?:wip|tmp|temp|oops|typos?|review|forgot|lint|stuff|more)\b",
            re.IGNORECASE,
        ),
    )


def read_style(subjects: Sequence[str]) -> SubjectStyle:
    """The style of a project's latest subjects; plain and capital where there are none."""
    types, areas, _ = _patterns()

    def is_common(found: Iterable[object]) -> bool:
        return sum(map(bool, found)) > _COMMON * len(subjects)

    first = [re.sub(r"^[\w./()!-]+: ", "", subject)[:1] for subject in subjects]
    return SubjectStyle(
        is_common(types.match(subject) for subject in subjects),
        is_common(areas.match(subject) for subject in subjects),
        not subjects or is_common(letter.isupper() for letter in first),
    )


def says_something(subject: str) -> bool:
    """Whether a source commit's subject is worth keeping."""
    return len(subject.split()) >= 3 and not _patterns()[2].search(subject)


def write_subject(facts: Sequence[Facts], style: SubjectStyle) -> str:
    """What these hunks do, in the style of the project."""
    verb, kind = _choose_verb(facts)
    text = f"{verb} {_name_object(facts)}"
    if not style.has_capital or style.has_types:
        text = text[:1].lower() + text[1:]
    if style.has_types:
        text = f"{kind}: {text}"
    elif style.has_areas:
        text = f"{_find_area(facts)}: {text}"
    return text if len(text) <= _MOST_LENGTH else text[: _MOST_LENGTH - 1].rstrip(" ,") + "…"


def _choose_verb(facts: Sequence[Facts]) -> tuple[str, str]:
    """The verb, and the type of a conventional commit."""
    classes = [one.classes for one in facts]
    if all(FileClass.TEST in each for each in classes):
        return "Test", "test"
    if all(each & {FileClass.DOC, FileClass.LOG} for each in classes):
        return "Document", "docs"
    if all(each & {FileClass.BUILD, FileClass.CONF, FileClass.GENERATED} for each in classes):
        return "Configure", "build"
    if _find_new_names(facts) or all(not one.removed for one in facts):
        return "Add", "feat"
    if all(not one.added for one in facts):
        return "Remove", "refactor"
    return "Change", "refactor"


def _find_new_names(facts: Sequence[Facts]) -> list[str]:
    gone = {name for one in facts for name in one.undefines}
    names = (name for one in facts for name in sorted(one.defines - gone))
    return list(dict.fromkeys(names))


def _name_object(facts: Sequence[Facts]) -> str:
    code = [one for one in facts if not one.classes & {FileClass.TEST, FileClass.DOC}] or facts
    names = _find_new_names(code) or [
        name
        for name, _ in Counter(
            one.names[-1] for one in code if one.names and one.language.brackets
        ).most_common()
    ]
    if names:
        return some_of(names, _MOST_NAMES)
    bases = dict.fromkeys(show_path(one.atom.path.rpartition(b"/")[2]) for one in code)
    return some_of(bases, _MOST_NAMES)


def _find_area(facts: Sequence[Facts]) -> str:
    """The file's stem, or the folder that all of them are in."""
    paths = sorted({show_path(one.atom.path) for one in facts})
    if len(paths) == 1:
        return paths[0].rpartition("/")[2].partition(".")[0] or paths[0]
    shared = [
        parts[0]
        for parts in zip(*(path.split("/")[:-1] for path in paths), strict=False)
        if len(set(parts)) == 1
    ]
    return shared[-1] if shared else "all"


def make_unique(subjects: Sequence[str]) -> list[str]:
    """The same subjects, the second of two equal ones with a number."""
    seen: Counter[str] = Counter()
    found: list[str] = []
    for subject in subjects:
        seen[subject] += 1
        found.append(subject if seen[subject] == 1 else f"{subject} ({seen[subject]})")
    return found
