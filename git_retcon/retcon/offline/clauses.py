"""A hint's text taken apart: what it asks for, and what it excludes.

Hints are wrapped, bulleted and punctuated as their author likes. An exclusion goes on over the end
of a line that is not the end of what it says, over a semicolon before more names, and over the
bullets below a colon.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from git_retcon.retcon.offline.exclusions import is_prose, only_names

_MAY = r"(?:does|do|did|should|must|may|will|shall|can)(?:\s+not|\s+never|n't)"
_MARKER = re.compile(
    # of the commit, whatever stands before
    rf"\b(?P<any>{_MAY}\s+(?:yet\s+)?(?:include|contain|cover|bring)|not\s+(?:yet\s+)?includ(?:ed|ing)"
    r"|exclud(?:ing|ed?)|leav(?:es?|ing)\s+out|except(?:ing)?(?:\s+for)?|(?:apart|aside)\s+from"
    r"|other\s+than|minus|(?:everything|anything|all)\s+but(?:\s+not)?)\b"
    # perhaps of what the code does: behind names only, and more than a word
    r"|(?P<names>(?:,\s*|\bbut\s+)(?:not|no)\b|^not\b)|(?P<list>\b(?:without|excludes)\b)"
    # at the beginning only
    rf"|\b(?P<first>{_MAY}\s+(?:yet\s+)?(?:add|touch|change|alter|modify|take)|skip|omit)\b",
    re.IGNORECASE,
)
_BEHIND = re.compile(
    r"\s+(?:(?:is|are)\s+)?(?:not\s+(?:yet|here|part\b.*|included.*|in\s+(?:this|here).*)"
    r"|stays?\s+out.*|comes?\s+later.*|(?:goes|go|belongs?)\s+(?:to|into|in)\s.*\bcommit\b.*)\W*$",
    re.IGNORECASE,
)
_LEFT_OUT = re.compile(r"\bleav(?:es?|ing)\s+(.{1,80}?)\s+out\b", re.IGNORECASE)
_BRACKETED = re.compile(r"\(\s*(?:not|no|without|except|excluding)\s+([^()]*)\)", re.IGNORECASE)
_WITHOUT = re.compile(r"\bwithout\b", re.IGNORECASE)
_RESUMES = re.compile(r"\s-{1,2}\s|\s[–—]\s|,?\s+(?:but|just|only)\s")
_EXPLAINS = re.compile(r":\s|,?\s+(?:which|since|because|until|so\s+that)\s", re.IGNORECASE)
_BULLET = re.compile(r"\s*(?:[-*+•]|\d+[.)])\s+")
_LEFT_OPEN = re.compile(
    r"[,&(]$|(?:\b(?:and|or|nor|not|no|never|include|contain|cover|bring|except|excluding|exclude"
    r"|without|than|for|in|inside|within|from|of|the|a|an)|n't)$",
    re.IGNORECASE,
)
_GOES_ON = re.compile(r"(?:and|or|nor|but)\b", re.IGNORECASE)
_REST = re.compile(
    r"(?:and\s+)?(?:(?:everything|anything|all|whatever)\s+(?:else|is\s+left|remains)"
    r"|(?:all\s+)?the\s+(?:rest|remainder)|all\s+(?:the\s+)?(?:other|remaining)\s+\w+)"
    r"(?:\s+(?:of|in)\s+(?:the|this|it)\b.*)?\W*",
    re.IGNORECASE,
)
_LONG = 50  # a line as long as this is wrapped where a small letter follows


@dataclass(frozen=True, slots=True)
class Parted:
    """``wanted`` has a line for each clause; ``excluded`` are enumerations. ``claims_rest`` says
    that everything else is wanted, whatever it is."""

    wanted: str
    excluded: tuple[str, ...]
    claims_rest: bool


@dataclass(frozen=True, slots=True)
class _Clause:
    """``lead`` is what it began with: a bullet's mark, a semicolon, or nothing."""

    text: str
    lead: str = ""


def part(hints: str) -> Parted:
    """Read hints clause by clause."""
    wanted: list[str] = []
    excluded: list[str] = []
    is_listing = was_excluded = is_open = False
    for clause in _clauses(hints):
        more = is_open or (is_listing and clause.lead == "-")
        if not more and clause.lead == ";" and was_excluded:
            more = bool(clause.text) and only_names(clause.text)
        if more:
            excluded.append(clause.text)
            is_listing, was_excluded, is_open = is_listing or is_open, True, False
            continue
        kept, found = _parted(clause.text)
        wanted.append(kept)
        excluded += (each for each in found if each.strip(" .:,"))
        was_excluded = bool(found)
        is_open = is_listing = bool(found) and not found[-1].strip(" .:,")
    claims_rest = any(_REST.fullmatch(kept) for kept in wanted)
    return Parted("\n".join(wanted), tuple(excluded), claims_rest)


def _clauses(hints: str) -> Iterator[_Clause]:
    for line in _lines(hints):
        bullet = _BULLET.match(line)
        lead = "-" if bullet else ""
        for sentence in re.split(r"(?<=[.!?])\s+", line[bullet.end() :] if bullet else line):
            for text in re.split(r"\s*;\s*", sentence):
                if text.strip():
                    yield _Clause(text.strip(), lead)
                lead = ";"
            lead = ""


def _lines(hints: str) -> list[str]:
    """The lines, those that were wrapped in one."""
    found: list[str] = []
    for line in hints.replace("’", "'").splitlines():
        text, before = line.strip(), found[-1] if found else ""
        wrapped = len(before) >= _LONG and text[:1].islower() and before[-1:] not in ".;:!?"
        if before and text and not _BULLET.match(line) and (
            wrapped or _LEFT_OPEN.search(before) or _GOES_ON.match(text)
        ):  # fmt: skip
            found[-1] = f"{before} {text}"
        else:
            found.append(text)
    return found


def _parted(clause: str) -> tuple[str, list[str]]:
    """A clause as what it asks for and what it excludes; "" is an exclusion still to come."""
    found = [match[1] for match in _BRACKETED.finditer(clause)]
    clause = _BRACKETED.sub(" ", clause)
    out = _LEFT_OUT.search(clause)
    if out is not None:
        return f"{clause[: out.start()]} {clause[out.end() :]}", [*found, out[1]]
    behind = _BEHIND.search(clause)
    if behind is not None and only_names(clause[: behind.start()]):
        return "", [*found, clause[: behind.start()]]
    marker = next((match for match in _MARKER.finditer(clause) if _counts(clause, match)), None)
    if marker is None:
        # what something does without another thing asks for neither
        without = _WITHOUT.search(clause)
        if without is not None:
            return clause[: without.start()], found
        return clause, found
    unwanted, again = _ended(clause[marker.end() :].lstrip(": "), marker)
    return f"{clause[: marker.start()]} {again}", [*found, unwanted]


def _ended(rest: str, marker: "re.Match[str]") -> tuple[str, str]:
    """What follows a marker, up to where wishes go on, and those; explanations left out."""
    resumed = _RESUMES.search(rest)
    unwanted = rest[: resumed.start()] if resumed else rest
    again = rest[resumed.end() :] if resumed else ""
    explained = _EXPLAINS.search(unwanted)
    if explained is None:
        return unwanted, again
    # "no change of behaviour: f becomes g" only begins with what is not there
    told = "" if marker["any"] else unwanted[explained.end() :]
    return unwanted[: explained.start()], f"{told} {again}"


def _counts(clause: str, marker: "re.Match[str]") -> bool:
    """Whether a marker speaks of the commit where it stands."""
    before = clause[: marker.start()]
    if marker["any"]:
        return True
    if marker["names"]:
        return only_names(before)
    if marker["list"]:
        return only_names(before) and (before.rstrip()[-1:] in ",:" or not is_prose(before))
    return not before.strip(" ,(") or before.strip().lower() in ("it", "this", "this commit")
