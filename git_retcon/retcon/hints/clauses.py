"""The clauses of hints: what they ask for, and what they exclude.

Hints are wrapped, bulleted and punctuated as their author likes, and much of what they say is about
the code, not about the commit ("it now works without a header"). A marker ("without", "not") counts
only where it can hardly mean anything else; what is not an exclusion for certain stays a wish.
"""

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from git_retcon.retcon.hints.exclusions import (
    has_certain_name,
    has_only_certain_names,
    has_only_names,
    has_only_plain_words,
)

# A word inside a name, an option or quotes is no word of a sentence.
_BEGIN, _END = r"(?<![\w`\"'./$-])", r"(?![\w`\"'(*/-])"
_MAY = r"(?:does|do|did|should|must|may|will|shall|can)(?:\s+not|\s+never|n't)"
_MARKER = re.compile(
    # begins a clause, or follows a comma, a bracket or a dash
    rf"{_BEGIN}(?:(?P<commit>{_MAY}\s+(?:yet\s+)?(?:include|contain|cover|bring)|not\s+included"
    r"|(?:not\s+(?:in\s+this(?:\s+\w+)?|here)|out\s+of\s+scope|(?:left\s+)?for\s+later|excluded)(?=:))"
    # the same, and only names may follow
    rf"|(?P<verb>{_MAY}\s+(?:yet\s+)?(?:add|touch|change|alter|modify|take)|exclud(?:e|ing)"
    r"|leav(?:e|ing)\s+out|skip|omit)"
    # between names, or after "all" of something
    r"|(?P<but>except(?:ing)?(?:\s+for)?|(?:apart|aside)\s+from|other\s+than|minus"
    r"|(?:everything|anything|all)\s+but(?:\s+not)?)"
    # after names, as these words may be about the code
    r"|(?P<names>without|but\s+no[t]?|no|not(?!\s+(?:only|just|merely|yet|used|needed)\b))"
    rf"){_END}",
    re.IGNORECASE,
)
_ALL = re.compile(r"\b(?:all|any|everything|whole)\b", re.IGNORECASE)
_NOT_PART = re.compile(
    r"(?:\s+(?:is|are|was|were)(?:\s+not|n't)\s+(?:part\s+of\s+(?:this|the)(?:\s+(?:commit|change|one))?"
    r"|included(?:\s+(?:here|yet|in\s+this(?:\s+\w+)?))?|in\s+this(?:\s+\w+)?|here|for\s+this.*)"
    r"|\s+not\s+(?:yet|here|included|part\s+of\s+this(?:\s+\w+)?|in\s+this(?:\s+\w+)?)"
    r"|\s+(?:is|are)\s+(?:excluded|left\s+out|omitted)|\s+stays?\s+out|\s+comes?\s+later"
    r"|\s+(?:comes?|follows?|goes|go|belongs?|is|are|moves?)\s+(?:to|into|in|for|with)"
    r"\s(?:an?|the|its)?\s?(?:own|next|later|following|another|other|separate)\b.*\bcommit\b.*)\W*$",
    re.IGNORECASE,
)
_KEEP_OUT = re.compile(
    rf"{_BEGIN}(?:leav(?:es?|ing)|keep(?:s|ing)?)\s+(\S.{{0,79}}?)\s+out{_END}", re.IGNORECASE
)
_DEFER = re.compile(
    r"(?:^|(?<=\())(?:leave|defer|keep)\s+(\S.{0,79}?)\s+(?:for|to)\s+(?:an?|the)\s+(?:next|later|following|other)"
    r"\b.*\bcommit\b.*$",
    re.IGNORECASE,
)
_BRACKETS = re.compile(
    r"\(\s*(?:not(?!\s+(?:only|just|yet|used)\b)|no|without|except(?:\s+for)?|excluding)\s+([^()]*)\)",
    re.IGNORECASE,
)
_RESUMES = re.compile(r"\s-{1,2}\s|\s[–—]\s|,?\s(?:but|just|only|plus|along with|and also)\s")
_ENDS = re.compile(r":\s|,?\s(?:which|since|because|until|so\s+that)\s", re.IGNORECASE)
_AGAIN = re.compile(r",?\s(?=(?:not|no|without)\s)", re.IGNORECASE)
_COMMA = re.compile(r",\s")
_NEXT = re.compile(r",\s(?!(?:and|or|nor)\s)|[:(]|\s-{1,2}\s|\s[–—]\s")
_BULLET = re.compile(r"\s*(?:[-*+•]|\d+[.)])\s+")
_LEFT_OPEN = re.compile(
    r"[,&(]$|(?:\b(?:and|or|nor|not|no|never|include|contain|cover|bring|except|excluding|exclude"
    r"|without|than|for|in|inside|within|from|of|the|a|an)|n't)$",
    re.IGNORECASE,
)
_CONTINUES = re.compile(r"(?:and|or|nor|but)\b", re.IGNORECASE)
_REST = re.compile(
    r"(?:and )?(?:(?:everything|anything|all|whatever) (?:else|remains"
    r"|(?:that(?:'s| is) |is )?left)"
    r"|(?:all )?the (?:rest|remainder)"
    r"|all (?:the )?(?:other|remaining) (?:changes|pieces|files|edits|hunks|things|code))"
    r"(?: (?:of|in) (?:it|this|the (?:branch|changes|diff|source|work)))?\s*(?:[:,(–—-].*)?\W*",
    re.IGNORECASE,
)
_LONG = 50  # a line of this length is wrapped if the next one begins with a small letter
_LONGEST = 2_000  # no person writes a longer enumeration; bounds the searches below
_MOST_MARKERS = 20
_PUNCTUATION = " .:,"


# What may be the subject of "does not include": more of a sentence may be about the code.
_COMMIT_WORDS = ("it", "this", "this commit", "but", "also", "please")
_DASHES = ("-", "–", "—")


class Clauses(NamedTuple):
    """``wanted`` has a line for each clause; ``excluded`` are enumerations of what is not wanted.
    ``claims_rest`` says that everything else is wanted."""

    wanted: str
    excluded: tuple[str, ...]
    claims_rest: bool


class _Clause(NamedTuple):
    """``lead`` is what it began with: a bullet's mark, a semicolon, or nothing."""

    text: str
    lead: str = ""


class _Split(NamedTuple):
    """A clause taken apart. An exclusion without names announces a list that follows."""

    wanted: str
    excluded: tuple[str, ...] = ()


def read_clauses(hints: str) -> Clauses:
    """Read hints clause by clause."""
    reader = _Reader()
    for clause in _split_clauses(hints):
        reader.read(clause)
    claims_rest = any(_REST.fullmatch(wanted) for wanted in reader.wanted)
    return Clauses("\n".join(reader.wanted), tuple(reader.excluded), claims_rest)


class _Reader:
    """What was read so far, and whether the next clause may continue an exclusion."""

    def __init__(self) -> None:
        self.wanted: list[str] = []
        self.excluded: list[str] = []
        self._is_announced = False  # "Does NOT include:", and no name yet
        self._is_list = False  # names on lines of their own follow an announcement
        self._is_bulleted = False  # and each of them has a bullet
        self._is_names = False  # the last clause was an exclusion: "; name" continues it

    def read(self, clause: _Clause) -> None:
        if clause.text and self._continues_exclusion(clause):
            self.excluded.append(clause.text)
            if self._is_announced:
                self._is_bulleted = clause.lead == "-"
            self._is_list = self._is_list or self._is_announced
            self._is_names, self._is_announced = True, False
            return
        split = _split_clause(clause.text)
        self.wanted.append(split.wanted)
        self.excluded += (each for each in split.excluded if each.strip(_PUNCTUATION))
        last = split.excluded[-1].rstrip(_PUNCTUATION) if split.excluded else None
        ends = last is not None and clause.text.rstrip(_PUNCTUATION).endswith(last)
        self._is_names = ends and not split.wanted.strip(_PUNCTUATION)
        self._is_announced = self._is_list = last is not None and not last.strip(_PUNCTUATION)

    def _continues_exclusion(self, clause: _Clause) -> bool:
        if self._is_announced:
            return True
        if self._is_list and clause.lead == "-":
            return True
        # A line without a bullet ends a list that has them.
        is_listed = self._is_list and not self._is_bulleted
        may_continue = is_listed or (self._is_names and clause.lead == ";")
        return may_continue and has_only_names(clause.text)


def _split_clauses(hints: str) -> Iterator[_Clause]:
    """The clauses; an empty one ends a paragraph."""
    for line in _join_lines(hints):
        bullet = _BULLET.match(line)
        lead = "-" if bullet else ""
        for sentence in re.split(r"(?<=[.!?]) ", line[bullet.end() :] if bullet else line):
            for text in sentence.split(";"):
                if text.strip() or not line:
                    yield _Clause(text.strip(), lead)
                lead = ";"
            lead = ""


def _join_lines(hints: str) -> list[str]:
    """The lines; one that was wrapped is joined again."""
    found: list[str] = []
    # Word processors write "doesn’t"; the patterns know one apostrophe.
    for line in hints.replace("’", "'").splitlines():
        text, before = " ".join(line.split()), found[-1] if found else ""
        if before and text and not _BULLET.match(line) and _is_wrapped(before, text):
            found[-1] = f"{before} {text}"
        else:
            found.append(text)
    return found


def _is_wrapped(before: str, text: str) -> bool:
    """Whether a line continues the sentence of the line before it."""
    if len(before) >= _LONG and text[:1].islower() and before[-1:] not in ".;:!?":
        return True
    # Only the end of the line matters, and the pattern searches from every place.
    return bool(_LEFT_OPEN.search(before[-20:]) or _CONTINUES.match(text))


def _split_clause(clause: str) -> _Split:
    """Take a clause apart."""
    if len(clause) > _LONGEST:
        return _Split(clause)
    # Brackets first: a marker outside would take the bracket for part of its list.
    rest, bracketed = _cut_brackets(clause)
    split = _split_at_phrase(rest) or _split_at_marker(rest) or _Split(_cut_without(rest))
    return _Split(split.wanted, (*bracketed, *split.excluded))


def _cut_brackets(clause: str) -> tuple[str, list[str]]:
    """A clause less "(not this, that)", and what was excluded so."""
    found = [match[1] for match in _BRACKETS.finditer(clause) if has_only_names(match[1])]
    if not found:
        return clause, []
    kept = _BRACKETS.sub(lambda match: " " if has_only_names(match[1]) else match[0], clause)
    return kept, found


def _split_at_phrase(clause: str) -> _Split | None:
    """Phrases around names: "keep X out", "leave X for the next commit", "X comes later"."""
    for pattern in (_KEEP_OUT, _DEFER):
        found = pattern.search(clause)
        if found is not None and has_only_names(found[1]):
            return _Split(f"{clause[: found.start()]} {clause[found.end() :]}", (found[1],))
    found = _NOT_PART.search(clause)
    if found is not None and has_only_names(clause[: found.start()]):
        return _Split("", (clause[: found.start()],))
    return None


def _split_at_marker(clause: str) -> _Split | None:
    """At the first word that begins an exclusion, as far as that goes."""
    for marker in _find_markers(clause):
        unwanted, again = _find_end(clause, marker)
        if _is_exclusion(clause, marker, unwanted):
            rest = _split_clause(again.strip())
            return _Split(f"{clause[: marker.start()]} {rest.wanted}", (unwanted, *rest.excluded))
    return None


def _cut_without(clause: str) -> str:
    """Drop "without X" said of the code: it neither asks for X nor excludes it."""
    for marker in _find_markers(clause):
        if marker[0].lower() == "without":
            end = _NEXT.search(clause, marker.end())
            return f"{clause[: marker.start()]}{clause[end.start() :] if end else ''}"
    return clause


def _find_markers(clause: str) -> "Iterator[re.Match[str]]":
    return islice(_MARKER.finditer(clause), _MOST_MARKERS)


def _find_end(clause: str, marker: "re.Match[str]") -> tuple[str, str]:
    """What follows a marker up to where wishes continue, and these wishes."""
    before, rest = clause[: marker.start()], clause[marker.end() :].lstrip(": ")
    outside = ""
    # A marker inside a bracket ends with it: "a.py (without half) and b.py".
    if before.count("(") > before.count(")"):
        rest, _, outside = rest.partition(")")
    begins = not before.strip(" (,-–—")
    patterns = [_RESUMES, _ENDS, _AGAIN]
    is_aside = before.rstrip()[-1:] == "," or (begins and marker["but"] is not None)
    if is_aside and not marker["commit"]:
        patterns.append(_COMMA)  # "a.py, without f, and b.py"
    ends = [found for pattern in patterns if (found := pattern.search(rest)) is not None]
    if not ends:
        return rest, outside
    first = min(ends, key=lambda found: found.start())
    # "Does NOT include half: main() needs it": the reason is no wish
    explains = begins and marker["commit"] and _ENDS.fullmatch(first[0])
    return rest[: first.start()], f"{'' if explains else rest[first.end() :]} {outside}"


def _is_exclusion(clause: str, marker: "re.Match[str]", unwanted: str) -> bool:
    """Whether a marker is about the commit, by what is before it and what is after it."""
    before, word = clause[: marker.start()].strip(), marker[0].lower()
    if marker["commit"]:
        return _is_new_clause(before) or before.lower().endswith(" but")
    if not unwanted.strip() or not has_only_names(unwanted):
        return False
    if marker["verb"]:
        return _excludes_by_verb(before, word)
    if marker["but"]:
        return has_only_names(before) or _ALL.search(before) is not None
    if word.startswith("but "):
        return has_only_names(before) or has_only_certain_names(unwanted)
    if word in ("no", "not"):
        return _excludes_by_not(before, word, unwanted)
    # "without" describes code in a sentence ("it works without a header")
    is_set_off = before[-1:] in (",", ":", *_DASHES)
    return not before or (
        has_only_names(before) and (is_set_off or not has_only_plain_words(before))
    )


def _is_new_clause(before: str) -> bool:
    """Whether a clause, or a part of it that is set off, begins after some text."""
    if not before or before[-1] in (",", "(", ":", *_DASHES):
        return True
    return before.lower() in _COMMIT_WORDS


def _excludes_by_verb(before: str, word: str) -> bool:
    """As in "skip half" and "a.py, excluding half"; within a sentence the code does it."""
    if word == "excluding" and has_only_names(before):
        return True
    return _is_new_clause(before) and (before[-1:] != ":" or has_only_names(before))


def _excludes_by_not(before: str, word: str, unwanted: str) -> bool:
    """As in "a.py, not half" and "Not half"; elsewhere "no" and "not" are too common."""
    if before[-1:] in _DASHES and has_only_certain_names(unwanted):
        return True
    if before:
        return before[-1:] in (",", ":", *_DASHES) and has_only_names(before)
    return word == "not" or has_certain_name(unwanted)
