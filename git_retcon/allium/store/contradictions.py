"""Open questions about what people wrote and the source says otherwise: each is asked once."""

import enum
import functools
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

from git_retcon.allium.store.module_text import DeclarationText
from git_retcon.allium.store.three_way import BOTH_CHANGED, make_question

QUESTION = "open question"


class Contradiction(enum.StrEnum):
    """How a specification and a file may contradict each other, as people are asked about it."""

    UNDECLARED = (
        "{section} was written here by hand, and {path} does not declare it any more. "
        "Is it still true?"
    )
    COMMENTED = "{section}: {path} does not declare it any more. Is the comment above still needed?"
    NEEDED = (
        "{section}: {path} does not declare it any more, and it is named here. Is it still true?"
    )
    UNSAID = "{section}: {path} does not say it any more. Which one is right?"
    NEVER_SAID = "{section}: {path} does not say it. Which one is right?"
    DECLARED_OTHERWISE = "{section}: {path} declares it otherwise. Which one is right?"
    SAID_OTHERWISE = "{section}: {path} says it otherwise. Which one is right?"
    DECLARATION_REMOVED = "{section} was taken out here, and {path} declares it. Why?"
    ITEM_REMOVED = "{section}: {path} says it, and it was taken out here. Is it right?"

    def ask(self, section: str, path: str) -> str:
        """The question about a section such as "entity Order: field total"."""
        return self.format(section=section, path=path)


def find_section(declaration: DeclarationText) -> str | None:
    """What a question of ours is about; None for any other declaration."""
    found = _match_question(declaration)
    return found["section"] if found is not None else None


def find_source(declaration: DeclarationText) -> str | None:
    """The file that a question of ours names; None where it names none."""
    found = _match_question(declaration)
    return found.groupdict().get("path") if found is not None else None


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


def ask_about_comments(section: str, path: str, comments: Sequence[bytes]) -> DeclarationText:
    """A question in the place of a declaration that went, with the comments that people wrote at
    it.
    """
    question = make_question(Contradiction.COMMENTED.ask(section, path))
    return question._replace(text=b"\n".join([*comments, question.text]))


def is_about_comments(declaration: DeclarationText, sections: Collection[str]) -> bool:
    """Whether it is a question of ``ask_about_comments`` about one of these sections."""
    pattern = _list_patterns()[list(Contradiction).index(Contradiction.COMMENTED)]
    found = pattern.fullmatch(declaration.name) if declaration.kind == QUESTION else None
    return found is not None and found["section"] in sections


def drop_questions(
    declarations: Iterable[DeclarationText],
    kinds: Collection[Contradiction],
    sections: Collection[str],
) -> list[DeclarationText]:
    """The declarations without the questions of some kinds about these, and about what is in
    them.
    """

    def is_wanted(question: DeclarationText) -> bool:
        section = find_section(question) or ""
        return section.partition(": ")[0] in sections and is_asking(question, kinds)

    return drop_where(declarations, is_wanted)


def is_asking(question: DeclarationText, kinds: Collection[Contradiction]) -> bool:
    """Whether it is a question of one of these kinds."""
    if question.kind != QUESTION:
        return False
    patterns = zip(Contradiction, _list_patterns(), strict=True)
    return any(pattern.fullmatch(question.name) for kind, pattern in patterns if kind in kinds)


def drop_where(
    declarations: Iterable[DeclarationText], is_wanted: Callable[[DeclarationText], bool]
) -> list[DeclarationText]:
    """The declarations without some questions, each of which has the kind ``QUESTION``.

    The comments at a question stay behind the declaration before it.
    """
    kept: list[DeclarationText] = []
    for each in declarations:
        if each.kind != QUESTION or not is_wanted(each):
            kept.append(each)
            continue
        # What people wrote at the end of a module reads as written at a question that we added.
        comments = each.text.replace(make_question(each.name).text, b"").strip()
        if comments and kept:
            kept[-1] = kept[-1]._replace(text=kept[-1].text + b"\n\n" + comments)
        elif comments:
            kept.append(each)
    return kept


def _match_question(declaration: DeclarationText) -> "re.Match[str] | None":
    if declaration.kind != QUESTION:
        return None
    patterns = (*_list_patterns(), _merge_pattern())
    found = (pattern.fullmatch(declaration.name) for pattern in patterns)
    return next((each for each in found if each is not None), None)


def _find_above(section: str) -> str | None:
    declaration, _, item = section.partition(": ")
    word, found, _ = item.partition(": ")
    return f"{declaration}: {word}" if found else None


@functools.cache
def _merge_pattern() -> "re.Pattern[str]":
    """What ``ask_about`` asks of the sides of a merge."""
    return re.compile(rf"(?P<section>.+): [^:]+ {re.escape(BOTH_CHANGED)}; .+")


@functools.cache
def _list_patterns() -> tuple["re.Pattern[str]", ...]:
    parts = {"section": "(?P<section>.+)", "path": "(?P<path>[^:]+)"}
    return tuple(
        re.compile(re.sub(r"\\\{(\w+)\\\}", lambda found: parts[found[1]], re.escape(each)))
        for each in Contradiction
    )
