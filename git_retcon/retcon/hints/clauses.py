"""A hint's text taken apart: what it asks for, and what it excludes.

Hints are wrapped, bulleted and punctuated as their author likes, and much of what they say is of
the code, not of the commit ("it now works without a header"). A marker counts only where it can
hardly mean anything else; what is not an exclusion for certain stays what it is, a wish.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from git_retcon.retcon.hints.exclusions import is_prose, names_something, names_surely, only_names

# A word in a name, an option or quotes is no word of a sentence.
_BEGIN, _END = r"(?<![\w`\"'./$-])", r"(?![\w`\"'(*/-])"
_MAY = r"(?:does|do|did|should|must|may|will|shall|can)(?:\s+not|\s+never|n't)"
_MARKER = re.compile(
    # begins a clause, or stands behind a comma, a bracket or a dash
    rf"{_BEGIN}(?:(?P<commit>{_MAY}\s+(?:yet\s+)?(?:include|contain|cover|bring)|not\s+included"
    r"|(?:not\s+(?:in\s+this(?:\s+\w+)?|here)|out\s+of\s+scope|(?:left\s+)?for\s+later|excluded)(?=:))"
    # the same, and nothing but names may follow
    rf"|(?P<verb>{_MAY}\s+(?:yet\s+)?(?:add|touch|change|alter|modify|take)|exclud(?:e|ing)"
    r"|leav(?:e|ing)\s+out|skip|omit)"
    # between names, or behind "all" of something
    r"|(?P<but>except(?:ing)?(?:\s+for)?|(?:apart|aside)\s+from|other\s+than|minus"
    r"|(?:everything|anything|all)\s+but(?:\s+not)?)"
    # behind names, as they may be said of the code
    r"|(?P<names>without|but\s+no[t]?|no|not(?!\s+(?:only|just|merely|yet|used|needed)\b))"
    rf"){_END}",
    re.IGNORECASE,
)
_ALL = re.compile(r"\b(?:all|any|everything|whole)\b", re.IGNORECASE)
_BEHIND = re.compile(
    r"(?:\s+(?:is|are|was|were)(?:\s+not|n't)\s+(?:part\s+of\s+(?:this|the)(?:\s+(?:commit|change|one))?"
    r"|included(?:\s+(?:here|yet|in\s+this(?:\s+\w+)?))?|in\s+this(?:\s+\w+)?|here|for\s+this.*)"
    r"|\s+not\s+(?:yet|here|included|part\s+of\s+this(?:\s+\w+)?|in\s+this(?:\s+\w+)?)"
    r"|\s+(?:is|are)\s+(?:excluded|left\s+out|omitted)|\s+stays?\s+out|\s+comes?\s+later"
    r"|\s+(?:comes?|follows?|goes|go|belongs?|is|are|moves?)\s+(?:to|into|in|for|with)"
    r"\s(?:an?|the|its)?\s?(?:own|next|later|following|another|other|separate)\b.*\bcommit\b.*)\W*$",
    re.IGNORECASE,
)
_LEFT_OUT = re.compile(
    rf"{_BEGIN}(?:leav(?:es?|ing)|keep(?:s|ing)?)\s+(\S.{{0,79}}?)\s+out{_END}", re.IGNORECASE
)
_DEFERRED = re.compile(
    r"(?:^|(?<=\())(?:leave|defer|keep)\s+(\S.{0,79}?)\s+(?:for|to)\s+(?:an?|the)\s+(?:next|later|following|other)"
    r"\b.*\bcommit\b.*$",
    re.IGNORECASE,
)
_BRACKETED = re.compile(
    r"\(\s*(?:not(?!\s+(?:only|just|yet|used)\b)|no|without|except(?:\s+for)?|excluding)\s+([^()]*)\)",
    re.IGNORECASE,
)
_RESUMES = re.compile(r"\s-{1,2}\s|\s[–—]\s|,?\s(?:but|just|only|plus|along with|and also)\s")
_ENDS = re.compile(r":\s|,?\s(?:which|since|because|until|so\s+that)\s", re.IGNORECASE)
_AGAIN = re.compile(r",?\s(?=(?:not|no|without)\s)", re.IGNORECASE)
_NEXT = re.compile(r",\s(?!(?:and|or|nor)\s)|[:(]|\s-{1,2}\s|\s[–—]\s")
_BULLET = re.compile(r"\s*(?:[-*+•]|\d+[.)])\s+")
_LEFT_OPEN = re.compile(
    r"[,&(]$|(?:\b(?:and|or|nor|not|no|never|include|contain|cover|bring|except|excluding|exclude"
    r"|without|than|for|in|inside|within|from|of|the|a|an)|n't)$",
    re.IGNORECASE,
)
_GOES_ON = re.compile(r"(?:and|or|nor|but)\b", re.IGNORECASE)
_REST = re.compile(
    r"(?:and )?(?:(?:everything|anything|all|whatever) (?:else|remains"
    r"|(?:that(?:'s| is) |is )?left)"
    r"|(?:all )?the (?:rest|remainder)"
    r"|all (?:the )?(?:other|remaining) (?:changes|pieces|files|edits|hunks|things|code))"
    r"(?: (?:of|in) (?:it|this|the (?:branch|changes|diff|source|work)))?\s*(?:[:,(–—-].*)?\W*",
    re.IGNORECASE,
)
_LONG = 50  # a line as long as this is wrapped where a small letter follows
_LONGEST = 2_000  # a clause beyond this is no enumeration by hand
_MOST_TRIES = 20


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
    is_listing = is_list_of_names = is_open = False
    for clause in _clauses(hints):
        more = is_open or (is_listing and (clause.lead == "-" or only_names(clause.text)))
        more = more or (clause.lead == ";" and is_list_of_names and only_names(clause.text))
        if clause.text and more:
            excluded.append(clause.text)
            is_listing, is_list_of_names, is_open = is_listing or is_open, True, False
            continue
        kept, found = _parted(clause.text)
        wanted.append(kept)
        excluded += (each for each in found if each.strip(" .:,"))
        ends = bool(found) and clause.text.rstrip(" .:,").endswith(found[-1].rstrip(" .:,"))
        is_list_of_names = ends and not kept.strip(" .:,")
        is_open = is_listing = bool(found) and not found[-1].strip(" .:,")
    claims_rest = any(_REST.fullmatch(kept) for kept in wanted)
    return Parted("\n".join(wanted), tuple(excluded), claims_rest)


def _clauses(hints: str) -> Iterator[_Clause]:
    """The clauses; an empty one ends a paragraph."""
    for line in _lines(hints):
        bullet = _BULLET.match(line)
        lead = "-" if bullet else ""
        for sentence in re.split(r"(?<=[.!?]) ", line[bullet.end() :] if bullet else line):
            for text in sentence.split(";"):
                if text.strip() or not line:
                    yield _Clause(text.strip(), lead)
                lead = ";"
            lead = ""


def _lines(hints: str) -> list[str]:
    """The lines, those that were wrapped in one."""
    found: list[str] = []
    for line in hints.replace("’", "'").splitlines():
        text, before = " ".join(line.split()), found[-1] if found else ""
        wrapped = len(before) >= _LONG and text[:1].islower() and before[-1:] not in ".;:!?"
        if before and text and not _BULLET.match(line) and (
            wrapped or _LEFT_OPEN.search(before[-20:]) or _GOES_ON.match(text)
        ):  # fmt: skip
            found[-1] = f"{before} {text}"
        else:
            found.append(text)
    return found


def _parted(clause: str) -> tuple[str, list[str]]:
    """A clause as what it asks for and what it excludes; "" is an exclusion still to come."""
    if len(clause) > _LONGEST:
        return clause, []
    found = [match[1] for match in _BRACKETED.finditer(clause) if only_names(match[1])]
    if found:
        clause = _BRACKETED.sub(lambda match: " " if only_names(match[1]) else match[0], clause)
    for pattern in (_LEFT_OUT, _DEFERRED):
        out = pattern.search(clause)
        if out is not None and only_names(out[1]):
            return f"{clause[: out.start()]} {clause[out.end() :]}", [*found, out[1]]
    behind = _BEHIND.search(clause)
    if behind is not None and only_names(clause[: behind.start()]):
        return "", [*found, clause[: behind.start()]]
    tries = list(_MARKER.finditer(clause))[:_MOST_TRIES]
    for marker in tries:
        unwanted, again = _ended(clause, marker)
        if _counts(clause, marker, unwanted):
            told, more = _parted(again.strip()) if again.strip() else ("", [])
            return f"{clause[: marker.start()]} {told}", [*found, unwanted, *more]
    for marker in tries:
        if marker["names"] and marker[0].lower() == "without":
            # what something does without another thing asks for neither
            end = _NEXT.search(clause, marker.end())
            rest = clause[end.start() :] if end else ""
            return f"{clause[: marker.start()]}{rest}", found
    return clause, found


def _ended(clause: str, marker: "re.Match[str]") -> tuple[str, str]:
    """What follows a marker, up to where wishes go on, and those."""
    before, rest = clause[: marker.start()], clause[marker.end() :].lstrip(": ")
    again = ""
    if before.count("(") > before.count(")"):
        rest, _, again = rest.partition(")")
    begins = not before.strip(" (,-–—")
    set_off = before.rstrip()[-1:] == "," or (begins and marker["but"] is not None)
    ends = [
        found for found in (pattern.search(rest) for pattern in (_RESUMES, _ENDS, _AGAIN)) if found
    ]
    if set_off and not marker["commit"]:  # an aside: "a.py, without f, and b.py"
        ends += [found for found in (re.search(r",\s", rest),) if found]
    if not ends:
        return rest, again
    first = min(ends, key=lambda found: found.start())
    told = rest[first.end() :]
    # "Does NOT include half: main() needs it": the reason is no wish
    explains = begins and marker["commit"] and _ENDS.fullmatch(first[0])
    return rest[: first.start()], f"{'' if explains else told} {again}"


def _counts(clause: str, marker: "re.Match[str]", unwanted: str) -> bool:
    """Whether a marker speaks of the commit where it stands."""
    before = clause[: marker.start()].strip()
    begins = not before or before[-1] in ",(-–—:" or before.lower() in _OF_COMMIT
    if marker["commit"]:
        return begins or before.lower().endswith(" but")
    if not unwanted.strip() or not only_names(unwanted):
        return False
    if marker["verb"]:
        if marker[0].lower() == "excluding" and only_names(before):
            return True
        return begins and (not before or before[-1] != ":" or only_names(before))
    if marker["but"]:
        return not before or only_names(before) or _ALL.search(before) is not None
    if marker["names"].lower().startswith("but "):
        return only_names(before) or names_surely(unwanted)
    is_behind_comma = before[-1:] in ",:-–—" and before != ""
    if marker["names"].lower() in ("no", "not"):
        if before[-1:] in ("-", "–", "—") and names_surely(unwanted):
            return True
        begins = not before and (len(marker[0]) == 3 or names_something(unwanted))
        return only_names(before) and (is_behind_comma or begins)
    return not before or (only_names(before) and (is_behind_comma or not is_prose(before)))


_OF_COMMIT = ("it", "this", "this commit", "but", "also", "please")
