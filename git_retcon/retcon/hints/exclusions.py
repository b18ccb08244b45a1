"""What an enumeration names: ``half, main in cli.py and `Cart.close` `` taken apart word by word.

A name counts where it is all that an item says, besides words that say nothing more of it: longer
prose ("the actual OAuth flow") names nothing for certain.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

_TOKEN = re.compile(
    r"`[^`]*`|\"[^\"]*\"|(?<!\w)'[^']*'(?!\w)"  # quoted
    r"|(?<![\w$.:#~/*-])[\w$.:#~/*-]{0,80}\w\([^()]{0,80}\)"  # a call
    r"|[,;&()]|:(?=\s|$)|[^\s,;&()`\"]+?(?=:?(?:[\s,;&()`\"]|$))"
)
_MARKS = {"(", ")", ":"}
_JOINS = {",", ";", ":", "&", "and", "or", "nor"}
_AS_WELL = re.compile(r"\s+as\s+well\s+as\s+", re.IGNORECASE)
_PLACES = {"in", "inside", "within", "from", "of", "under"}
_MOST_TOKENS = 30
_REASONS = {"which", "that", "who", "since", "because", "so", "as", "while", "when", "until"}
_REMAINDER = {"else", "other", "others", "rest", "remaining"}
_SAYS_LITTLE = """
    a about all also an any anything at both but change changes class classes code commit concerning
    component constant constants definition definitions directory edit edits either enum everything
    exception field fields file files flag flags folder for function functions helper helpers here
    hook interface it its itself later macro method methods module modules new now of only option
    options part parts piece pieces please property related setting settings some still struct the
    their these things this those to trait type types variable variables work yet
"""
_GENERIC = {*_SAYS_LITTLE.split(), *_PLACES}
_SURE = re.compile(r"\w*[a-z0-9][A-Z]\w*|\w+_\w*|_\w+|[A-Z][A-Z0-9_]{3,}")
_BEHIND_PROSE = re.compile(r"([^,;()]*)(?<=\s)\(([^()]+)\)")
_IN_FILE = re.compile(r"(.+\.\w{1,5})::?(\w+)")
_OPTION = re.compile(r"--?[A-Za-z][\w-]*")
_PARTS = re.compile(r"::|->|[.#]")
_WORD = re.compile(r"[A-Za-z_$]\w*")


@dataclass(frozen=True, slots=True)
class Target:
    """One name as written. ``path`` is it as a path or pattern in lower case, where it may be one;
    ``parts`` as a name in code, outermost first, or an option as it is typed. ``is_plain`` says
    that it may be a mere word."""

    path: str
    parts: tuple[str, ...]
    is_plain: bool = False

    @property
    def is_option(self) -> bool:
        return self.parts[:1] != () and self.parts[0].startswith("-")


@dataclass(frozen=True, slots=True)
class Exclusion:
    """One item. ``what`` is None where a whole place is meant, or nothing was understood;
    ``is_rest`` where it is what else a place has; ``is_lent`` where its place stands with a later
    item ("f or g in a.py") and may be meant for that alone."""

    text: str
    what: Target | None = None
    places: tuple[Target, ...] = ()
    is_rest: bool = False
    is_lent: bool = False

    @property
    def is_understood(self) -> bool:
        return self.what is not None or bool(self.places)


def enumerated(text: str) -> tuple[Exclusion, ...]:
    """The items of an enumeration, in order; none for an empty text."""
    found: list[Exclusion] = []
    text = _BEHIND_PROSE.sub(_unbracketed, _AS_WELL.sub(" and ", text))
    unplaced = 0  # how many at the end wait for "in FILE" of a later one
    for joins, tokens in _items(_TOKEN.findall(text)):
        item = _item(tokens)
        ends_list = bool(joins & {"and", "or", "nor", "&"})
        if ends_list and found and found[-1].places and _is_file(item):
            # "half in a.py and b.py": one more place of the same
            assert item.what is not None
            found[-1] = replace(found[-1], places=(*found[-1].places, item.what))
            continue
        if ends_list and item.what is not None and item.places:
            for at in range(len(found) - unplaced, len(found)):
                if not _is_file(found[at]):
                    found[at] = replace(found[at], places=item.places, is_lent=True)
        found.append(item)
        unplaced = 0 if item.places or item.what is None else unplaced + 1
    return tuple(found)


def _unbracketed(match: "re.Match[str]") -> str:
    """Names in brackets for the prose that they explain: "the exchange (get_code, refresh)"."""
    head, inside = match[1], match[2]
    named = [target(token) for token in _telling(_TOKEN.findall(head))]
    if any(each is not None and not each.is_plain for each in named) or not named:
        return match[0]
    items = enumerated(inside) if only_names(inside) else ()
    if not items or all(_is_file(item) for item in items):
        return match[0]
    return f" {inside} "


def names_surely(text: str) -> bool:
    """Whether all items of an enumeration name something that is no mere word."""
    items = enumerated(text)
    whats = [item.what for item in items if item.what is not None]
    return bool(items) and len(whats) == len(items) and not any(what.is_plain for what in whats)


def names_something(text: str) -> bool:
    """Whether all items of an enumeration are understood, and one is no mere word."""
    items = enumerated(text)
    whats = [item.what for item in items if item.what is not None]
    return all(item.is_understood for item in items) and any(not what.is_plain for what in whats)


def only_names(text: str) -> bool:
    """Whether a stretch of text is names, or nothing that tells."""
    items = enumerated(text)
    return all(item.is_understood or not _telling(_TOKEN.findall(item.text)) for item in items)


def is_prose(text: str) -> bool:
    """Whether a stretch of text has mere words in it, and no more."""
    named = [target(token) for token in _telling(_TOKEN.findall(text))]
    return bool(named) and all(each is None or each.is_plain for each in named)


def target(token: str) -> Target | None:
    """A token as what it may name; None for punctuation."""
    bare = token.strip("`\"'").rstrip(".,:;!")
    is_quoted = token[:1] in "`\"'"
    if _OPTION.fullmatch(bare):
        return Target("", (bare,))
    name, bracket, _ = bare.partition("(")
    if not _WORD.search(name) and not any(mark in name for mark in "*/"):
        return None
    if "/" in name or "*" in name:
        return Target(name.lower().removeprefix("./"), ())
    parts = tuple(part for part in _PARTS.split(name) if part)
    if len(parts) > 1:
        path = "" if bracket or "::" in name or "#" in name else name.lower()
        return Target(path, parts)
    is_sure = is_quoted or bool(bracket) or _SURE.fullmatch(name) is not None
    return Target("" if bracket else name.lower(), parts, is_plain=not is_sure)


def _items(tokens: Sequence[str]) -> Iterator[tuple[frozenset[str], list[str]]]:
    """The tokens between joining words, each time with the joining words before them."""
    joins: set[str] = set()
    held: list[str] = []
    for token in tokens:
        if token.lower() in _JOINS and held[-1:] != ["("]:
            if held:
                yield frozenset(joins), held
                joins, held = set(), []
            joins.add(token.lower())
        elif token.lower() in _REASONS and not held:
            return  # "half, which is in cli.py": what follows only explains
        else:
            held.append(token)
    if held:
        yield frozenset(joins), held


def _item(tokens: Sequence[str]) -> Exclusion:
    text = " ".join(tokens).rstrip(" .:!")
    head, places = _placed(tokens)
    telling = _telling(head)
    is_rest = any(word.lower() in _REMAINDER for word in telling)
    telling = [word for word in telling if word.lower() not in _REMAINDER]
    if _has_numbers(head):
        return Exclusion(text)
    if len(telling) == 1 and not is_rest:
        within = _IN_FILE.fullmatch(telling[0])  # as a test is named: tests/test_a.py::test_b
        if within is not None and (place := target(within[1])) is not None:
            return Exclusion(text, target(within[2]), (place,))
        return Exclusion(text, target(telling[0]), places)
    if telling or not places:
        # a single word is a name even if it is a common one: "Does NOT include new."
        words = [word for word in head if word not in _MARKS]
        only = target(words[0]) if len(words) == 1 and not telling and not is_rest else None
        return Exclusion(text, only)
    if is_rest:
        return Exclusion(text, None, places, is_rest=True)
    return Exclusion(text, places[0]) if len(places) == 1 else Exclusion(text, None, places)


def _placed(tokens: Sequence[str]) -> tuple[list[str], tuple[Target, ...]]:
    """What stands before "in FILE", "(FILE)" or behind "FILE's", and that place."""
    own = next((at for at, token in enumerate(tokens) if token.endswith("'s")), None)
    if own is not None:
        place = target(tokens[own].removesuffix("'s"))
        head = [*tokens[:own], *tokens[own + 1 :]]
        return head, (place,) if place else ()
    for at, token in enumerate(tokens[:_MOST_TOKENS]):
        if token.lower() in _PLACES or token == "(":
            behind = _telling(tokens[at + 1 :])
            place = target(behind[0]) if len(behind) == 1 else None
            if place is not None:
                return list(tokens[:at]), (place,)
    return list(tokens), ()


def _has_numbers(tokens: Sequence[str]) -> bool:
    """Whether something is there that is no name, such as a number."""
    return any(token[0].isdigit() and target(token) is None for token in tokens)


def _telling(tokens: Sequence[str]) -> list[str]:
    return [
        token
        for token in tokens
        if token not in _MARKS
        and token.lower().rstrip(".,:!") not in _GENERIC
        and target(token) is not None
    ]


def _is_file(item: Exclusion) -> bool:
    found = item.what
    return found is not None and not item.places and any(mark in found.path for mark in "./*")
