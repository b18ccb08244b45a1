"""Types that TypeScript files import from a package that the repository does not have.

``import { ConnectionState } from 'engine'`` and then ``this.state = ConnectionState.Open``, or
``status: Status = 'idle'``: nobody can tell all that there are. Those that a file names are the
states that its classes know.
"""

import re
from collections.abc import Iterable, Iterator, Mapping

from git_retcon.allium.extract.python.syntax.enum_members import is_named_for_states
from git_retcon.allium.extract.source_facts import DEFAULT, Choice, Import, Type
from git_retcon.allium.extract.spelling import is_plain, name_values, spell_variable
from git_retcon.allium.extract.symbol_finder import OUTSIDE

_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)


def list_outside_enums(content: bytes, imports: Mapping[str, Import]) -> Mapping[str, Type]:
    """The members that a file names of what may be such enums, by the names of these, which count
    where no import leads to them.
    """
    names = [each for each, found in imports.items() if _may_be_enum(each, found)]
    code = _COMMENT.sub("", content.decode("utf-8", "replace")) if names else ""
    return dict(_name_all((each, _list_members(each, code)) for each in names))


def _may_be_enum(name: str, imported: Import) -> bool:
    is_one = imported.symbol not in ("", "*", DEFAULT)
    return is_one and name[:1].isupper() and is_named_for_states(name)


def _list_members(name: str, code: str) -> Iterator[str]:
    """What a file gives or asks for of an enum; what is called, or has members, is no member."""
    found = re.findall(rf"(?<![\w$.]){re.escape(name)}\.([A-Za-z]\w*)\b(?!\s*[.(<\[`])", code)
    yield from (spell_variable(each).strip("_") for each in found)


def list_outside_texts(found: Iterable[tuple[str, Iterable[str]]]) -> Mapping[str, Type]:
    """The same of types that are texts, by what classes give the fields that have them."""
    return dict(_name_all(found))


def list_outside_choices(aliases: Mapping[str, Type]) -> Mapping[str, tuple[Choice, ...]]:
    """The states of such types, by the names of these."""
    return {
        name.removeprefix(OUTSIDE): tuple(Choice(each, "", each) for each in kind.values)
        for name, kind in aliases.items()
        if name.startswith(OUTSIDE)
    }


def _name_all(found: Iterable[tuple[str, Iterable[str]]]) -> Iterator[tuple[str, Type]]:
    listed: dict[str, dict[str, None]] = {}
    for name, values in found:
        listed.setdefault(name, {}).update(dict.fromkeys(values))
    for name, values in listed.items():
        if len(values) > 1 and all(map(is_plain, values)):
            yield OUTSIDE + name, Type("", values=name_values([*values]))
