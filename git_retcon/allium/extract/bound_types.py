"""Types that are read in one file and spelled in another: what a class inherits names what the
file of its base class knows, so such a name remembers that file.
"""

from collections.abc import Iterator

from git_retcon.allium.extract.constant_groups import is_group
from git_retcon.allium.extract.source_facts import Field, Type, refer

# A name that was read in another file than the one it is spelled in: ``path`` NUL ``dotted``.
_BOUND = "\0"


def bind_type(kind: Type, path: bytes) -> Type:
    """The same type, which can be spelled in any file: its names are those of ``path``."""
    arguments = tuple(bind_type(each, path) for each in kind.arguments)
    is_unknown = kind.name == "Any" and not is_group(kind.source)
    if not kind.source or is_unknown or _BOUND in kind.source:
        return kind._replace(arguments=arguments)
    text = path.decode("utf-8", "surrogateescape")
    return kind._replace(arguments=arguments, source=f"{text}{_BOUND}{kind.source}")


def name_self(field: Field, symbol: str) -> Field:
    """A relation to the class itself is to the one that inherits it."""
    kind = field.type
    if any(strip_place(each.source) == "self" for each in kind.arguments):
        return field._replace(type=kind._replace(arguments=(refer(symbol, is_relation=True),)))
    if strip_place(kind.source) == "self":
        return field._replace(type=kind._replace(source=symbol))
    return field


def find_place(path: bytes, kind: Type) -> tuple[bytes, str]:
    """Which file knows the name of a type (``path`` where nothing says it), and the name."""
    bound, found, dotted = kind.source.rpartition(_BOUND)
    return (bound.encode("utf-8", "surrogateescape"), dotted) if found else (path, dotted)


def strip_place(source: str) -> str:
    """A name alone."""
    return source.rpartition(_BOUND)[2]


def list_names(kind: Type) -> Iterator[str]:
    """The last names of all that a type refers to."""
    if kind.source:
        yield strip_place(kind.source).rpartition(".")[2]
    for each in kind.arguments:
        yield from list_names(each)
