"""Types as they are written in most languages: names, arguments, lists, what may be missing.

They are read from text, so that the outline of a file, which no grammar reads, has the same types.
"""

import functools
import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from git_retcon.allium.extract.source_facts import ANY, Type, collect, refer


class TypeNames(NamedTuple):
    """What a language calls its types.

    ``known`` are those that the specification has too. ``optionals`` may be missing, ``wrappers``
    are what is inside them. ``unknown`` say nothing that the specification could.
    """

    known: Mapping[str, Type]
    lists: frozenset[str] = frozenset()
    sets: frozenset[str] = frozenset()
    optionals: frozenset[str] = frozenset()
    wrappers: frozenset[str] = frozenset()
    unknown: frozenset[str] = frozenset()


def read_type_text(text: str, names: TypeNames) -> Type:
    """The type that a text means; ``Any``, with the source's own words, if it is none known."""
    text = text.strip()
    if text.endswith("?"):
        return read_type_text(text[:-1], names)._replace(is_optional=True)
    if text.endswith("[]"):
        return collect(read_type_text(text[:-2], names))
    found = _generic_pattern().fullmatch(text)
    if found is None:
        return ANY
    dotted = found[1].replace("::", ".")
    last = dotted.rpartition(".")[2]
    arguments = [*split_arguments(found[2] or found[3] or "")]
    inner = read_type_text(arguments[0], names) if arguments else ANY
    if last in names.optionals:
        return inner._replace(is_optional=True)
    if last in names.lists or last in names.sets:
        return collect(inner, "Set" if last in names.sets else "List")
    if last in names.wrappers and arguments:
        return inner
    known = names.known.get(dotted) or names.known.get(last)
    if known is not None:
        # A class of the source may have the name of a type of the language.
        return known._replace(source=dotted) if dotted == known.name else known
    return Type("Any", source=last) if last in names.unknown else refer(dotted)


def split_arguments(text: str) -> Iterator[str]:
    """The parts between the commas that are in no brackets."""
    depth = start = 0
    for at, letter in enumerate(text):
        depth += (letter in "<([{") - (letter in ">)]}")
        if letter == "," and not depth:
            yield text[start:at].strip()
            start = at + 1
    if text[start:].strip():
        yield text[start:].strip()


@functools.cache
def _generic_pattern() -> "re.Pattern[str]":
    return re.compile(r"([A-Za-z_][\w.:]*)\s*(?:<(.*)>|\[(.+)\])?", re.DOTALL)
