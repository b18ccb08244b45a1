"""Open questions about what people wrote and the source says otherwise: each is asked once."""

import enum
import functools
import re
from collections.abc import Collection, Iterable, Iterator

from git_retcon.allium.store.module_text import DeclarationText
from git_retcon.allium.store.three_way import make_question

_QUESTION = "open question"


class Contradiction(enum.StrEnum):
    """How a specification and a file may contradict each other, as people are asked about it."""

    UNDECLARED = (
        "{section} was written here by hand, and {path} does not declare it any more. "
        "Is it still true?"
    )
    UNSAID = "{section}: {path} does not say it any more. Which one is right?"
    DECLARED_OTHERWISE = "{section}: {path} declares it otherwise. Which one is right?"
    SAID_OTHERWISE = "{section}: {path} says it otherwise. Which one is right?"
    DECLARATION_REMOVED = "{section} was taken out here, and {path} declares it. Why?"
    ITEM_REMOVED = "{section}: {path} says it, and it was taken out here. Is it right?"

    def ask(self, section: str, path: str) -> str:
        """The question about a section such as "entity Order: field total"."""
        return self.format(section=section, path=path)


def find_section(declaration: DeclarationText) -> str | None:
    """What a question of ours is about; None for any other declaration."""
    if declaration.kind != _QUESTION:
        return None
    found = (pattern.fullmatch(declaration.name) for pattern in _list_patterns())
    return next((each["section"] for each in found if each is not None), None)


def add_questions(
    declarations: Iterable[DeclarationText], questions: Iterable[str]
) -> Iterator[DeclarationText]:
    """Those of these questions that nobody has asked among the declarations of a module."""
    asked = {section for each in declarations if (section := find_section(each)) is not None}
    for text in questions:
        question = make_question(text)
        section = find_section(question) or question.name
        # "rule Pay: requires" is about each of its conditions.
        if section in asked or _find_above(section) in asked:
            continue
        asked.add(section)
        yield question


def drop_questions(
    declarations: Iterable[DeclarationText], kind: Contradiction, sections: Collection[str]
) -> list[DeclarationText]:
    """The declarations without the questions of one kind about these sections.

    The comments at a question stay behind the declaration before it.
    """
    pattern = _list_patterns()[list(Contradiction).index(kind)]
    kept: list[DeclarationText] = []
    for each in declarations:
        found = pattern.fullmatch(each.name) if each.kind == _QUESTION else None
        if found is None or found["section"] not in sections:
            kept.append(each)
            continue
        # What people wrote at the end of a module reads as written at a question that we added.
        comments = each.text.replace(make_question(each.name).text, b"").strip()
        if comments and kept:
            kept[-1] = kept[-1]._replace(text=kept[-1].text + b"\n\n" + comments)
        elif comments:
            kept.append(each)
    return kept


def _find_above(section: str) -> str | None:
    declaration, _, item = section.partition(": ")
    word, found, _ = item.partition(": ")
    return f"{declaration}: {word}" if found else None


@functools.cache
def _list_patterns() -> tuple["re.Pattern[str]", ...]:
    parts = {"section": "(?P<section>.+)", "path": "[^:]+"}
    return tuple(
        re.compile(re.sub(r"\\\{(\w+)\\\}", lambda found: parts[found[1]], re.escape(each)))
        for each in Contradiction
    )
