"""``NamedTuple``, whose constructor is compiled when many values are made.

``typing.NamedTuple`` compiles a constructor of each class while its module is imported, and makes
five methods of it: a tenth of a millisecond each, for a hundred classes of a heal, of most of which
that run makes few values or none. Here a class costs a fifth of that, and its values are the same:
tuples with names for their places.

Not supported, since nothing here needs it: ``Generic`` classes, and the functional form.
"""

from collections.abc import Iterable, Mapping
from importlib import import_module
from operator import itemgetter
from typing import TYPE_CHECKING, Any, TypeVar

try:
    # As ``collections.namedtuple`` does.
    from _collections import _tuplegetter as _get_place  # type: ignore[import-not-found]
except ImportError:

    def _get_place(at: int, doc: str) -> property:
        return property(itemgetter(at), doc=doc)


# So many values take less without a compiled constructor than it takes to compile one.
_FEW = 20

T = TypeVar("T", bound=tuple[Any, ...])


class _Maker(type):
    """Makes a class of tuples of the annotations in its body."""

    def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> type:
        fields = _list_fields(body)
        defaults = {field: body.pop(field) for field in fields if field in body}
        body.pop("__orig_bases__", None)
        body.setdefault("__doc__", f"{name}({', '.join(fields)})")
        places = {field: _get_place(at, field) for at, field in enumerate(fields)}
        made = {
            **_SHARED, **body, **places, "__slots__": (), "_fields": fields,
            "_field_defaults": defaults, "__match_args__": fields,
            "__new__": _make_constructor(fields, defaults),
        }  # fmt: skip
        return type.__new__(type, name, (tuple,), made)


def _list_fields(body: Mapping[str, Any]) -> tuple[str, ...]:
    if "__annotations__" in body:
        return tuple(body["__annotations__"])
    try:
        # From Python 3.14 on they are computed when asked for (PEP 649); as ``typing.NamedTuple``.
        annotations = import_module("annotationlib")
    except ImportError:
        return ()
    compute = annotations.get_annotate_from_class_namespace(body)
    forward = annotations.Format.FORWARDREF
    return tuple(annotations.call_annotate_function(compute, forward)) if compute else ()


def _make_constructor(fields: tuple[str, ...], defaults: Mapping[str, object]) -> Any:
    number = 0

    def construct(cls: Any, *values: object, **named: object) -> Any:
        nonlocal number
        known = {**defaults, **dict(zip(fields, values, strict=False)), **named}
        fits = len(values) <= len(fields) and not named.keys() & set(fields[: len(values)])
        # A compiled constructor says best why arguments do not fit; it is also the faster one.
        fits = fits and len(known) == len(fields) and known.keys() <= set(fields)
        if number >= _FEW or not fits:
            cls.__new__ = _compile_constructor(fields, defaults)
            return cls(*values, **named)
        number += 1
        return tuple.__new__(cls, [known[field] for field in fields])

    return construct


def _compile_constructor(fields: tuple[str, ...], defaults: Mapping[str, object]) -> Any:
    known: dict[str, Any] = {"_new": tuple.__new__, "_defaults": defaults}
    given = [f"{one}=_defaults[{one!r}]" if one in defaults else one for one in fields]
    places = "".join(f"{one}, " for one in fields)
    # Compiled of the names of fields alone, as ``collections.namedtuple`` does it.
    exec(f"def __new__(_cls, {', '.join(given)}):\n    return _new(_cls, ({places}))\n", known)
    return known["__new__"]


def _make(cls: type[T], values: Iterable[object]) -> T:
    """A value of the values of all fields."""
    made = tuple.__new__(cls, values)
    if len(made) != len(cls._fields):  # type: ignore[attr-defined]
        raise TypeError(f"Expected {len(cls._fields)} arguments, got {len(made)}")  # type: ignore[attr-defined]
    return made


def _replace(self: Any, /, **named: object) -> Any:
    """The value with some fields replaced."""
    made = self._make(map(named.pop, self._fields, self))
    if named:
        raise ValueError(f"Got unexpected field names: {list(named)!r}")
    return made


def _asdict(self: Any) -> dict[str, object]:
    """The values by the names of their fields."""
    return dict(zip(self._fields, self, strict=True))


def _describe(self: Any) -> str:
    text = ", ".join(f"{name}={value!r}" for name, value in _asdict(self).items())
    return f"{type(self).__name__}({text})"


def _list_values(self: tuple[object, ...]) -> tuple[object, ...]:
    """What ``copy`` and ``pickle`` make the value of again."""
    return tuple(self)


_SHARED: dict[str, object] = {
    "_make": classmethod(_make),
    "_replace": _replace,
    "_asdict": _asdict,
    "__repr__": _describe,
    "__getnewargs__": _list_values,
}

if TYPE_CHECKING:
    # Type checkers know what a named tuple is.
    from typing import NamedTuple as NamedTuple
else:

    class _Base:
        """What a class body names; it stays no base of the class."""

        def __mro_entries__(self, bases: tuple[object, ...]) -> tuple[type, ...]:
            return (_BASE,)

    _BASE = type.__new__(_Maker, "NamedTuple", (), {})
    NamedTuple = _Base()
