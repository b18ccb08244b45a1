"""Fields of TypeScript that are texts by their type, and states by what their class sets them to.

``state: string`` goes through the texts that the class gives it, where it gives it no other, begins
with one of them, and asks for some: ``if (this.state === 'open')``. What a method of its own is
given for it, its calls say.
"""

import re
from collections.abc import Collection, Sequence
from typing import NamedTuple

from git_retcon.allium.extract.constant_groups import (
    is_group,
    join_names,
    name_alone,
    name_constants,
)
from git_retcon.allium.extract.grammar.syntax_nodes import (
    Node,
    list_children,
    list_inner,
    read_name,
    read_text,
)
from git_retcon.allium.extract.python.syntax.constants import States
from git_retcon.allium.extract.source_facts import (
    ANY,
    DECIMAL,
    STRING,
    Choice,
    Field,
    Type,
)
from git_retcon.allium.extract.spelling import is_value, name_values
from git_retcon.allium.extract.state_words import is_called_state
from git_retcon.allium.extract.typescript.bound_functions import list_bound_functions
from git_retcon.allium.extract.typescript.compared_values import (
    is_compared,
    list_compared,
    match_field,
)
from git_retcon.allium.extract.typescript.constant_values import Values, read_stored, spell_symbol
from git_retcon.allium.extract.typescript.constructors import (
    CONSTRUCTOR,
    find_constructor,
    name_member,
)
from git_retcon.allium.extract.typescript.handed_arguments import Handed, is_typed, list_handed
from git_retcon.allium.extract.typescript.known_names import OWN, KnownNames, are_called_states
from git_retcon.allium.extract.typescript.private_members import is_marked_private
from git_retcon.allium.extract.typescript.taken_constants import read_taken

_TEXT = re.compile(r"""(['"])([\w-]+)\1$""")
_WHOLE = re.compile(r"Object\.assign\(\s*this\s*[,)]")
# What a field is set to that has no state, yet or any more.
_EMPTY = frozenset({"''", '""', "null", "undefined"})
_NOTHING = "''"
# What another object has for a state.
_OTHER = re.compile(
    r"(?!this\s*\.\s*#?\w+$)[\w$]+(?:\s*[?!]?\.\s*#?\w+)*\s*[?!]?\.\s*\w*([sS]tate|[sS]tatus|[pP]hase)"
)
# What tells constants apart: a larger number is an amount.
_CODE = re.compile(r"-?1?\d|0x0*1?[\da-fA-F]|Symbol\(.*")
_DEEPEST = 4  # methods that hand on what they are given
# The call of an own method, and what a method answers.
_CALLED = re.compile(r"this\s*\.\s*#?(\w+)\([^()]*\)?")
_RETURNED = re.compile(r"\breturn\b\s*([^;\n}]*)")
# What is more than an answer: functions within, comments, and what sets something of the object.
_DOING = re.compile(
    r"=>|\bfunction\b|//|/\*|\bthis\s*\.\s*#?\w+\s*(?:(?:[^\w\s.,;:!<>=()]{1,3})?=(?![=>])|\+\+|--)"
)
_EITHER = re.compile(r"[^?]+\?\s*([\w.'\"-]+)\s*:\s*([\w.'\"-]+)")
# What something has answered, or else a text.
_DEFAULT = re.compile(r"""(?:await\s+)?[\w.]+\([^()]*\)\s*(?:\|\||\?\?)\s*(['"][\w-]+['"])""")


class TextStates(NamedTuple):
    """A field with its type, how its class writes the values that are constants, and those that it
    ``named`` of a type which only other files may declare. One that ``takes_over`` what another
    object has may leave any state.
    """

    field: Field
    states: States | None = None
    named: tuple[Choice, ...] = ()
    takes_over: bool = False


def find_text_states(
    field: Field, body: Node | None, known: KnownNames, *, is_made: bool = False
) -> TextStates:
    """The field with the texts that it may be, if its class tells all of them; where these are
    constants, with how these are named. One that ``is_made`` later has none before.
    """
    if body is None or field.type.is_optional:
        return TextStates(field)
    text = read_taken(body, known.taken)
    begun = _find_begun(field, text)
    if begun in known.values:
        field = field._replace(type=ANY)
    elif begun and not is_made and known.may_be_other(begun.partition(".")[0]):
        # The name of a file, or of a class with constants, may look like a type's.
        other = find_text_states(field._replace(type=ANY), body, known)
        is_read = other.states is not None or is_group(other.field.type.source)
        return other if is_read and not other.field.is_unasked else TextStates(field)
    if field.type not in (ANY, STRING, DECIMAL):
        return TextStates(field)
    place = match_field(body, field.symbol)
    is_asked = is_compared(place, text)
    if _WHOLE.search(text) or not (is_asked or is_called_state(field.symbol)):
        return TextStates(field)
    reader = _Reader(field.symbol, place, body, known)
    listed = reader.list_states(list_compared(place, text), is_begun=is_made, is_asked=is_asked)
    if not listed:
        return TextStates(field)
    field = field._replace(is_unasked=not is_asked)
    if _NOTHING in listed:
        field = field._replace(type=field.type._replace(is_optional=True))
    named = _name_listed(field, [each for each in listed if each != _NOTHING], known)
    return named._replace(takes_over=reader.takes_over)


def _name_listed(field: Field, found: Sequence[str], known: KnownNames) -> TextStates:
    """The field with texts in quotes, and constants, as its states."""
    if known.are_alone(found):
        # The files that have them say what they are.
        named = () if any(each in known.values for each in found) else name_alone(found)
        kind = field.type._replace(source=join_names(found))
        return TextStates(field._replace(type=kind), None, named)
    unknown = [*filter(known.may_name, found)]
    if unknown:
        return _name_unknown(field, found, known) if unknown == found else TextStates(field)
    return _name_states(field, found, known.values)


def _find_begun(field: Field, text: str) -> str:
    """The constant that a field begins with and that says its type; "" for none."""
    begun = re.search(rf"\b{re.escape(field.symbol)}\s*=\s*([\w$]+(?:\.[\w$]+){{1,2}})", text)
    is_said = begun is not None and begun[1].startswith(f"{field.type.source}.")
    return begun[1] if begun is not None and is_said and field.type.source else ""


def _name_states(field: Field, found: Sequence[str], constants: Values) -> TextStates:
    """The field with its states; ``found`` are texts in quotes and the names of constants."""
    owners = {each.rpartition(".")[0] for each in found if each[0] not in "'\""}
    if not owners:
        texts = [each[1:-1] for each in found]
        if field.type.name not in (STRING.name, ANY.name) or not all(map(is_value, texts)):
            return TextStates(field)
        return TextStates(
            field._replace(type=field.type._replace(name="", values=name_values(texts)))
        )
    stored = [constants.get(each, each) for each in found]
    if len(owners - {OWN}) > 1 or len({*stored}) < len(stored):
        return TextStates(field)
    owner = min(owners - {OWN}, default="")
    if not all(each in constants for each in found if each[0] not in "'\""):
        # The file that has them says what they are.
        return TextStates(field._replace(type=field.type._replace(source=owner)))
    if not all(each[0] in "'\"" or _CODE.fullmatch(each) for each in stored):
        return TextStates(field)
    names = name_constants(found, [*map(_read_named, stored)])
    if not names:
        return TextStates(field)
    choices = (
        Choice(read_stored(value), spell_symbol(symbol), name)
        for value, symbol, name in zip(stored, found, names, strict=True)
    )
    kind = field.type._replace(name="", source="", values=names)
    return TextStates(field._replace(type=kind), States(owner, tuple(choices)))


def _name_unknown(field: Field, found: Sequence[str], known: KnownNames) -> TextStates:
    """The field with constants of which this file knows the names alone; other files may say more
    of those that it imports.
    """
    owners = {each.rpartition(".")[0] for each in found}
    choices = name_alone(found)
    if len(owners) > 1 or not choices:
        return TextStates(field)
    if all(each.partition(".")[0] in known.imports for each in found):
        return TextStates(field._replace(type=Type("Any", source=join_names(found))), None, choices)
    choices = tuple(
        each._replace(symbol=spell_symbol(symbol))
        for each, symbol in zip(choices, found, strict=True)
    )
    kind = field.type._replace(name="", source="", values=tuple(each.name for each in choices))
    return TextStates(field._replace(type=kind), States(min(owners), choices))


def _read_named(value: str) -> object:
    """What a constant means, where its text is its name; None where only the constant has one."""
    return read_stored(value) if value[0] in "'\"" else None


class _Reader:
    """Reads what one class gives one field."""

    def __init__(self, symbol: str, place: str, body: Node, known: KnownNames) -> None:
        self._symbol = symbol
        self._place = place
        self._body = body
        self._known = known
        self.takes_over = False  # whether the field is given what other objects have for a state

    def read_value(self, value: str) -> str | None:
        """A text in quotes, or a constant's name; None for anything else."""
        value = value.strip()
        if _TEXT.match(value):
            return f"'{value[1:-1]}'"
        may_be = is_called_state(self._symbol) and self._known.may_name(value)
        return value if self._known.has(value) or may_be else None

    def list_states(
        self, compared: Sequence[str], *, is_begun: bool, is_asked: bool
    ) -> Sequence[str]:
        """All that the field may be: what the class gives it, and what is only ``compared`` with
        it; none where that is not known.
        """
        found = self._list_set(is_begun=is_begun)
        given = {*(found or ())} - {_NOTHING}
        others = frozenset(filter(None, map(self.read_value, compared))) - given
        is_known = len(given) > 1 and (is_asked or are_called_states(given))
        if found is None or not is_known or not self._may_come(given, others):
            return ()
        if self.takes_over:
            are_placed = all("." in each and each in self._known.values for each in given)
            if not is_asked or not are_placed:
                return ()
            others |= self._known.list_beside(given)
        return [*dict.fromkeys((*found, *sorted(others - given)))]

    def _may_come(self, given: Collection[str], others: frozenset[str]) -> bool:
        """Whether what a field is only asked for may be texts, or constants of its file, that
        others give it: of what is called a state they are states.
        """
        owners = {"'" if e[0] in "'\"" else e.rpartition(".")[0] for e in (*given, *others)}
        is_near = all(each in ("'", "", OWN) or each in self._known.bound for each in owners)
        is_near |= {*given, *others} <= self._known.values.keys()
        is_one = len(owners) == 1 and not any(map(self._known.is_foreign, others))
        return not others or (is_one and is_near and is_called_state(self._symbol))

    def _list_set(self, *, is_begun: bool) -> list[str] | None:
        """All that the class gives the field, in their order; None where one is not known, or the
        class does not begin with one.
        """
        found: list[str] = [_NOTHING] if is_begun else []
        members = list_children(self._body, "public_field_definition", "method_definition")
        constructor = find_constructor(self._body)
        for item in (*members, *list_bound_functions(self._body)):
            name, value = name_member(item, constructor), item.child_by_field_name("value")
            if (
                item.type == "public_field_definition"
                and name == self._symbol
                and value is not None
            ):
                given = self._list_read(read_text(value))
                is_begun = True
            else:
                given = self._list_given(item)
                is_begun |= name == CONSTRUCTOR and bool(given)
            if given is None:
                return None
            found += given
        return found if is_begun else None

    def _list_read(self, value: str) -> list[str] | None:
        """A value, or both of ``test ? one : other``; none for the one that the field has."""
        if re.fullmatch(self._place, value.strip()) or self._is_kept(value.strip()):
            return []
        either = _EITHER.fullmatch(value.strip())
        default = _DEFAULT.fullmatch(value.strip()) if is_called_state(self._symbol) else None
        parts = default.groups() if default else either.groups() if either else (value,)
        read = [_NOTHING if e.strip() in _EMPTY else self.read_value(e) for e in parts]
        known = [each for each in read if each is not None]
        return known if len(known) == len(read) else None

    def _list_given(self, item: Node) -> list[str] | None:
        """What one member of a class gives the field."""
        found: list[str] = []
        text = read_taken(item, self._known.taken)
        place = self._place
        if re.search(rf"{place}\s*(?:[-+*/|&?]{{1,2}}=|\+\+|--)|[\[,]\s*{place}[^\]]*\]\s*=", text):
            return None
        for each in re.finditer(rf"{place}\s*=(?![=>])\s*([^;\n]+)", text):
            value = each[1].strip().rstrip(",)} ")
            given = self._list_read(value)
            if given is None:
                given = self._list_answered(text, value)
            if given is None and value.isidentifier():
                is_known = _is_setter_of(item, value) or self._keeps(text, value)
                given = [] if is_known else self._list_called(item, value)
            if given is None and is_called_state(self._symbol) and _OTHER.fullmatch(value):
                given, self.takes_over = [], True
            if given is None:
                return None
            found += given
        return found

    def _is_kept(self, value: str) -> bool:
        """Whether another field only has what this one was before: ``this.before``."""
        other = re.fullmatch(r"this\s*\.\s*#?\w+", value)
        given = _list_named(read_text(self._body), other[0]) if other is not None else ()
        kept = [each.strip() for each in given if each.strip() not in _EMPTY]
        return bool(kept) and all(re.fullmatch(self._place, each) for each in kept)

    def _keeps(self, text: str, name: str) -> bool:
        """Whether a name only has what the field was before: ``const before = this.state``."""
        given = _list_named(text, name)
        return len(given) == 1 and re.fullmatch(self._place, given[0].strip()) is not None

    def _list_answered(self, text: str, value: str) -> list[str] | None:
        """What an own method answers, where a value is that, or a name that has only that."""
        named = _list_named(text, value) if value.isidentifier() else [value]
        called = _CALLED.fullmatch(named[0].strip()) if len(named) == 1 else None
        methods = list_children(self._body, "method_definition") if called is not None else ()
        found = [each for each in methods if called and read_name(each).lstrip("#") == called[1]]
        code = read_text(found[0]) if len(found) == 1 else ""
        if _DOING.search(code) or re.search(self._place, code):
            return None  # it may do more than to answer, or answer by what the field is
        answers = _RETURNED.findall(code)
        values = [self._list_read(each) for each in answers]
        known = [one for each in values if each is not None for one in each]
        if not known or None in values:
            return None
        name = re.escape(value)
        is_asked = re.search(rf"!{name}\b|\b{name}\s*===?\s*(?:null|undefined)\b", text)
        return [each for each in known if each != _NOTHING] if is_asked else known

    def _list_called(self, item: Node, parameter: str, depth: int = 0) -> list[str] | None:
        """What the calls of a method that is the class's own give one of its parameters. In
        JavaScript any may be: what others might give it is no more than what the class gives.
        """
        name = read_name(item)
        is_own = name.startswith(("_", "#_")) or is_marked_private(item)
        changed = re.search(rf"(?<![.#\w]){re.escape(parameter)}\s*=(?!=)", read_text(item))
        if changed is not None or depth > _DEEPEST or (not is_own and is_typed(item, parameter)):
            return None
        handed = list_handed(self._body, item, parameter)
        if handed is None or not (handed or is_own):
            return None
        if re.search(rf"\bif\s*\(\s*{re.escape(parameter)}\s*\)", read_text(item)):
            handed = [each for each in handed if each.text]  # without it, nothing is set
        values = [self._list_handed(each, depth) for each in handed]
        known = [each for each in values if each is not None]
        return [one for each in known for one in each] if len(known) == len(values) else None

    def _list_handed(self, handed: Handed, depth: int) -> list[str] | None:
        read = self._list_read(handed.text)
        if read is not None or not handed.text.isidentifier():
            return read
        if self._keeps(read_text(handed.item), handed.text):
            return []
        return self._list_called(handed.item, handed.text, depth + 1)


def _list_named(text: str, name: str) -> Sequence[str]:
    """What a name of a method is given."""
    return re.findall(rf"(?<![.#\w]){re.escape(name)}\s*=(?![=>])\s*([^;\n]+)", text)


def _is_setter_of(item: Node, parameter: str) -> bool:
    """Whether a member is a setter that is given this: who assigns to it names the state."""
    given = list_inner(item, "parameters")
    is_given = bool(given) and read_text(given[0].child_by_field_name("pattern")) == parameter
    return is_given and any(each.type == "set" for each in item.children)
