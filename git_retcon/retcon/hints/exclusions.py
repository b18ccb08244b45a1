"""Enumerations of names, read word by word: ``half, main in cli.py and `Cart.close` ``.

An item names something if it is one name, perhaps with words that add nothing ("the half
function"). Longer prose ("the actual OAuth flow") names nothing for certain.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

_TOKEN = re.compile(
    r"`[^`]*`|\"[^\"]*\"|(?<!\w)'[^']*'(?!\w)"  # quoted
    r"|(?<![\w$.:#~/*-])[\w$.:#~/*-]{0,80}\w\([^()]{0,80}\)"  # a call
    r"|[,;&()]|:(?=\s|$)|[^\s,;&()`\"]+?(?=:?(?:[\s,;&()`\"]|$))"
)
_MARKS = {"(", ")", ":"}
_LIST_ENDS = {"and", "or", "nor", "&"}
_JOINS = {",", ";", ":", "&", "and", "or", "nor"}
_AS_WELL = re.compile(r"\s+as\s+well\s+as\s+", re.IGNORECASE)
_PLACES = {"in", "inside", "within", "from", "of", "under"}
_MOST_TOKENS = 30  # a place is looked for among so many: reading each costs
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


class Name(NamedTuple):
    """One name as written.

    ``path`` is it as a path or pattern in lower case, where it may be one; ``parts`` is it as a
    name in code, outermost first, or an option as it is typed. ``is_plain`` says that it may also
    be an ordinary word.
    """

    path: str
    parts: tuple[str, ...]
    is_plain: bool = False

    @property
    def is_option(self) -> bool:
        return self.parts[:1] != () and self.parts[0].startswith("-")

    @property
    def is_file(self) -> bool:
        return any(mark in self.path for mark in "./*")


class Exclusion(NamedTuple):
    """One item.

    ``name`` is None where a whole place is meant, or nothing was understood; ``is_rest`` where the
    item is what else a place has. ``borrows_place`` is true where the place was written with a
    later item ("f or g in a.py"): it may be meant for that one alone.
    """

    text: str
    name: Name | None = None
    places: tuple[Name, ...] = ()
    is_rest: bool = False
    borrows_place: bool = False

    @property
    def is_understood(self) -> bool:
        return self.name is not None or bool(self.places)

    @property
    def is_file(self) -> bool:
        return self.name is not None and not self.places and self.name.is_file


def read_enumeration(text: str) -> tuple[Exclusion, ...]:
    """The items of an enumeration, in order; none for an empty text."""
    found: list[Exclusion] = []
    text = _BEHIND_PROSE.sub(_open_bracket, _AS_WELL.sub(" and ", text))
    unplaced = 0  # how many at the end wait for "in FILE" of a later one
    for joins, tokens in _split_items(_TOKEN.findall(text)):
        item = _read_item(tokens)
        if joins & _LIST_ENDS and found:
            if found[-1].places and item.is_file and item.name is not None:
                # "half in a.py and b.py": one more place of the same
                found[-1] = found[-1]._replace(places=(*found[-1].places, item.name))
                continue
            if item.name is not None and item.places:
                _lend_place(found, unplaced, item)
        found.append(item)
        unplaced = 0 if item.places or item.name is None else unplaced + 1
    return tuple(found)


def _lend_place(found: list[Exclusion], unplaced: int, item: Exclusion) -> None:
    """Give the place of an item to those before it that have none."""
    for at in range(len(found) - unplaced, len(found)):
        if not found[at].is_file:
            found[at] = found[at]._replace(places=item.places, borrows_place=True)


def _open_bracket(match: "re.Match[str]") -> str:
    """Names in brackets for the prose that they explain: "the exchange (get_code, refresh)"."""
    head, inside = match[1], match[2]
    named = [read_name(token) for token in _find_names(_TOKEN.findall(head))]
    if any(each is not None and not each.is_plain for each in named) or not named:
        return match[0]
    items = read_enumeration(inside) if has_only_names(inside) else ()
    if not items or all(item.is_file for item in items):
        return match[0]
    return f" {inside} "


def has_only_names(text: str) -> bool:
    """Whether a text is names, and words that add nothing."""
    items = read_enumeration(text)
    return all(item.is_understood or not _find_names(_TOKEN.findall(item.text)) for item in items)


def has_only_certain_names(text: str) -> bool:
    """Whether each item of an enumeration is a name that is no ordinary word."""
    items = read_enumeration(text)
    return bool(items) and all(item.name is not None and not item.name.is_plain for item in items)


def has_certain_name(text: str) -> bool:
    """Whether all items of an enumeration are understood, and one is no ordinary word."""
    items = read_enumeration(text)
    names = [item.name for item in items if item.name is not None]
    return all(item.is_understood for item in items) and any(not name.is_plain for name in names)


def has_only_plain_words(text: str) -> bool:
    """Whether a text names nothing but what may be ordinary words, of which it has some."""
    named = [read_name(token) for token in _find_names(_TOKEN.findall(text))]
    return bool(named) and all(each is None or each.is_plain for each in named)


def read_name(token: str) -> Name | None:
    """What a token may name; None for punctuation."""
    bare = token.strip("`\"'").rstrip(".,:;!")
    if _OPTION.fullmatch(bare):
        return Name("", (bare,))
    name, bracket, _ = bare.partition("(")
    if "/" in name or "*" in name:
        return Name(name.lower().removeprefix("./"), ())
    if not _WORD.search(name):
        return None
    parts = tuple(part for part in _PARTS.split(name) if part)
    # "cli.py" is a file as well as a dotted name, so it keeps both readings; "cli::main" is no
    # file.
    if len(parts) > 1:
        is_code = bool(bracket) or "::" in name or "#" in name
        return Name("" if is_code else name.lower(), parts)
    is_quoted = token[:1] in "`\"'"
    is_certain = is_quoted or bool(bracket) or _SURE.fullmatch(name) is not None
    return Name("" if bracket else name.lower(), parts, is_plain=not is_certain)


def _split_items(tokens: Sequence[str]) -> Iterator[tuple[frozenset[str], list[str]]]:
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


def _read_item(tokens: Sequence[str]) -> Exclusion:
    text = " ".join(tokens).rstrip(" .:!")
    head, places = _split_place(tokens)
    if _has_numbers(head):
        return Exclusion(text)
    words = _find_names(head)
    names = [word for word in words if word.lower() not in _REMAINDER]
    is_rest = len(names) < len(words)
    if len(names) == 1 and not is_rest:
        return _read_one(text, names[0], places)
    if names or not places:
        # a single word is a name even if it is a common one: "Does NOT include new."
        alone = [token for token in head if token not in _MARKS]
        is_alone = len(alone) == 1 and not words
        return Exclusion(text, read_name(alone[0]) if is_alone else None)
    if is_rest:
        return Exclusion(text, None, places, is_rest=True)
    return Exclusion(text, places[0]) if len(places) == 1 else Exclusion(text, None, places)


def _read_one(text: str, word: str, places: tuple[Name, ...]) -> Exclusion:
    """An item that is one name; also one with its file, as a test is named: test_a.py::test_b."""
    within = _IN_FILE.fullmatch(word)
    if within is not None and (place := read_name(within[1])) is not None:
        return Exclusion(text, read_name(within[2]), (place,))
    return Exclusion(text, read_name(word), places)


def _split_place(tokens: Sequence[str]) -> tuple[list[str], tuple[Name, ...]]:
    """What is written before "in FILE", "(FILE)" or after "FILE's", and that place."""
    owner = next((at for at, token in enumerate(tokens) if token.endswith("'s")), None)
    if owner is not None:
        place = read_name(tokens[owner].removesuffix("'s"))
        head = [*tokens[:owner], *tokens[owner + 1 :]]
        return head, (place,) if place else ()
    for at, token in enumerate(tokens[:_MOST_TOKENS]):
        if token.lower() in _PLACES or token == "(":
            behind = _find_names(tokens[at + 1 :])
            place = read_name(behind[0]) if len(behind) == 1 else None
            if place is not None:
                return list(tokens[:at]), (place,)
    return list(tokens), ()


def _has_numbers(tokens: Sequence[str]) -> bool:
    """Whether something is there that is no name, such as a number."""
    return any(token[0].isdigit() and read_name(token) is None for token in tokens)


def _find_names(tokens: Sequence[str]) -> list[str]:
    """The tokens that name something: neither punctuation nor words that add nothing."""
    return [
        token
        for token in tokens
        if token not in _MARKS
        and token.lower().rstrip(".,:!") not in _GENERIC
        and read_name(token) is not None
    ]
