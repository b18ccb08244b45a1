"""``dataclass``, whose constructor is compiled when many values are made.

``dataclasses.dataclass`` compiles up to eight methods of each class while its module is imported:
half a millisecond each, for a hundred classes at every start, most of which that run never makes.
Here a class costs a twentieth of that, and its values are the same: frozen or not, with slots or
without; compared, hashed, shown and matched by their fields. ``field``, ``replace``, ``fields`` and
``asdict`` are those of ``dataclasses``.

Not supported, since nothing here needs it: inherited fields, ``order``, ``kw_only``, ``ClassVar``
and ``InitVar``.
"""

import dataclasses
import functools
import inspect
from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NoReturn

_FEW = 20  # values that take less than compiling

Fields = Mapping[str, "dataclasses.Field[Any]"]


def _make_decorator(
    cls: type | None = None, /, *, frozen: bool = False, slots: bool = False
) -> "type | Callable[[type], type]":
    """Make a dataclass of a class, as ``dataclasses.dataclass`` does with these options."""
    if cls is None:
        return lambda decorated: _make_class(decorated, frozen=frozen, slots=slots)
    return _make_class(cls, frozen=frozen, slots=slots)


if TYPE_CHECKING:
    # Type checkers know what a dataclass is, and what ``replace`` takes for one.
    from dataclasses import dataclass as dataclass
else:
    dataclass = _make_decorator


def _make_class(cls: type, *, frozen: bool, slots: bool) -> type:
    annotations = inspect.get_annotations(cls)
    fields = {name: _read_field(cls, name) for name in annotations}
    methods = _make_methods(fields, frozen=frozen)
    methods["__dataclass_fields__"] = _LazyFields(annotations, fields)
    if slots:
        return _with_slots(cls, fields, methods)
    for name, each in fields.items():
        if each.default is not dataclasses.MISSING:
            setattr(cls, name, each.default)
        elif name in vars(cls):
            delattr(cls, name)
    for name, method in methods.items():
        setattr(cls, name, method)
    return cls


def _read_field(cls: type, name: str) -> "dataclasses.Field[Any]":
    default = vars(cls).get(name, dataclasses.MISSING)
    if isinstance(default, dataclasses.Field):
        return default
    found: dataclasses.Field[Any] = dataclasses.field(default=default)
    return found


def _with_slots(cls: type, fields: Fields, methods: Mapping[str, object]) -> type:
    """The class made again: slots are laid out when a class is made."""
    left_out = {"__dict__", "__weakref__", *fields}
    own = {name: value for name, value in vars(cls).items() if name not in left_out}
    return type(cls)(cls.__name__, cls.__bases__, {**own, **methods, "__slots__": tuple(fields)})


def _make_methods(fields: Fields, *, frozen: bool) -> dict[str, object]:
    read_compared = _make_reader([name for name, each in fields.items() if each.compare])
    shown = [name for name, each in fields.items() if each.repr]

    number = 0

    def construct(self: Any, *values: object, **named: object) -> None:
        nonlocal number
        # Of most classes a run makes few values, each of which takes a fiftieth of compiling.
        if number >= _FEW or not _set_fields(self, fields, values, named):
            cls = type(self)
            cls.__init__ = _compile_constructor(cls, fields)
            self.__init__(*values, **named)
        number += 1

    def equals(self: object, other: object) -> Any:
        if other.__class__ is not self.__class__:
            return NotImplemented
        return read_compared(self) == read_compared(other)

    def compute_hash(self: object) -> int:
        return hash(read_compared(self))

    def describe(self: object) -> str:
        text = ", ".join(f"{name}={getattr(self, name)!r}" for name in shown)
        return f"{type(self).__qualname__}({text})"

    return {
        "__init__": construct,
        "__eq__": equals,
        "__hash__": compute_hash if frozen else None,
        "__repr__": describe,
        "__match_args__": tuple(name for name, each in fields.items() if each.init),
        **({"__setattr__": _refuse_change, "__delattr__": _refuse_change} if frozen else {}),
    }


def _make_reader(names: Sequence[str]) -> Callable[[object], tuple[object, ...]]:
    """A function that returns the values of some fields."""
    if len(names) > 1:
        return attrgetter(*names)
    return lambda value: tuple(getattr(value, name) for name in names)


def _refuse_change(self: object, name: str, *_: object) -> NoReturn:
    raise dataclasses.FrozenInstanceError(f"cannot change field {name!r}")


def _set_fields(
    value: Any, fields: Fields, values: Sequence[object], named: Mapping[str, object]
) -> bool:
    """Set the fields of one value; False where the arguments do not fit: a compiled constructor
    says best why."""
    names = [name for name, each in fields.items() if each.init]
    given = {**dict(zip(names, values, strict=False)), **named}
    if len(given) != len(values) + len(named) or not given.keys() <= set(names):
        return False
    for name, each in fields.items():
        if name not in given:
            if each.default_factory is not dataclasses.MISSING:
                given[name] = each.default_factory()
            elif each.default is not dataclasses.MISSING:
                given[name] = each.default
            elif each.init:
                return False
            else:
                continue  # set by somebody else, after __init__
        object.__setattr__(value, name, given[name])
    if hasattr(value, "__post_init__"):
        value.__post_init__()
    return True


def _compile_constructor(cls: type, fields: Fields) -> Callable[..., None]:
    known: dict[str, Any] = {"_set": object.__setattr__, "_unset": dataclasses.MISSING}
    parameters, lines = ["self"], []
    for name, each in fields.items():
        value, default = name, ""
        if each.default_factory is not dataclasses.MISSING:
            known[f"_make_{name}"] = each.default_factory
            value, default = f"_make_{name}()", "=_unset"
            if each.init:
                value += f" if {name} is _unset else {name}"
        elif each.default is not dataclasses.MISSING:
            known[f"_default_{name}"] = each.default
            value, default = name if each.init else f"_default_{name}", f"=_default_{name}"
        elif not each.init:
            continue  # set by somebody else, after __init__
        if each.init:
            parameters.append(name + default)
        lines.append(f"    _set(self, {name!r}, {value})\n")
    if hasattr(cls, "__post_init__"):
        lines.append("    self.__post_init__()\n")
    # Compiled of the names of fields alone, as ``dataclasses`` does it.
    exec(f"def __init__({', '.join(parameters)}):\n" + ("".join(lines) or "    pass"), known)
    made: Callable[..., None] = known["__init__"]
    return made


class _LazyFields:
    """``__dataclass_fields__``, by which ``dataclasses`` knows its own, made when it is read."""

    def __init__(self, annotations: Mapping[str, object], fields: Fields) -> None:
        self._members = [(name, annotations[name], each) for name, each in fields.items()]

    def __get__(self, value: object, owner: type) -> Fields:
        return self._fields

    @functools.cached_property
    def _fields(self) -> Fields:
        # No method of this class is ever called, and text here spares it a signature.
        made: Any = dataclasses.make_dataclass(
            "_", self._members, namespace={"__doc__": "-"}, init=False, eq=False, repr=False
        )
        fields: Fields = made.__dataclass_fields__
        return fields
