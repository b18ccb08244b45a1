"""Types of a source tree as types of its specification.

What leads nowhere is ``Any``, with the source's own name beside it; a relation that leads nowhere
is to an external entity.
"""

from typing import Protocol

from git_retcon.allium.extract.bound_types import find_place, strip_place
from git_retcon.allium.extract.constant_groups import is_group
from git_retcon.allium.extract.inherited_shapes import InheritedShapes
from git_retcon.allium.extract.source_facts import (
    Contract,
    Enumeration,
    Evidence,
    Shape,
    Type,
)
from git_retcon.allium.extract.spelling import is_value, spell_type_name
from git_retcon.allium.extract.symbol_finder import DEEPEST, Found, SymbolFinder

_TEXT = "String"


class Layout(Protocol):
    """Where declarations lie in the specification, and what they are called there."""

    def find_module(self, path: bytes) -> bytes | None:
        """The module of a source file; None where it may have none."""

    def find_name(self, place: Evidence, kind: str, name: str) -> str:
        """The name of a declaration, so that no other of its module has it."""


class SpecifiedTypes:
    """The types of a source tree by the names and modules of its specification."""

    def __init__(self, finder: SymbolFinder, shapes: InheritedShapes, layout: Layout) -> None:
        self._finder = finder
        self._shapes = shapes
        self._layout = layout

    def spell(
        self,
        path: bytes,
        kind: Type,
        place: Evidence,
        external: dict[str, Shape],
        left: int = DEEPEST,
    ) -> Type:
        if kind.values:
            if not all(map(is_value, kind.values)):
                return Type("String", is_optional=kind.is_optional)
            return kind
        if kind.arguments:
            arguments = tuple(self.spell(path, a, place, external, left) for a in kind.arguments)
            # An enum without a name cannot be the element of a collection.
            plain = tuple(Type("String") if each.values else each for each in arguments)
            return kind._replace(arguments=plain)
        if not kind.source or (kind.name == "Any" and not is_group(kind.source)):
            return kind._replace(source=strip_place(kind.source))
        found = self._finder.find_symbol(*find_place(path, kind))
        if found is None and kind.is_relation:
            found = self._finder.find_by_name(*find_place(path, kind))
        if found is not None:
            spelled = self._spell_found(found, kind, place, external, left)
            if spelled is not None:
                return spelled
        if kind.name:
            return kind._replace(source="")
        if not kind.is_relation:
            return Type("Any", source=strip_place(kind.source), is_optional=kind.is_optional)
        return self._make_external(kind, place, external)

    def _spell_found(
        self, found: Found, kind: Type, place: Evidence, external: dict[str, Shape], left: int
    ) -> Type | None:
        meaning = found.meaning
        if isinstance(meaning, Type):
            if not left:
                return None  # names that mean each other
            spelled = self.spell(found.path, meaning, place, external, left - 1)
            return spelled._replace(is_optional=kind.is_optional or spelled.is_optional)
        if isinstance(meaning, Contract):
            return None
        name, declared = meaning.name, "enum"
        if isinstance(meaning, Shape):
            if kind.name == _TEXT and strip_place(kind.source).rpartition(".")[2] != _TEXT:
                return None  # a class that has a list of choices is no type of a field
            whole = self._shapes.join(found.path, meaning)
            if whole is None or whole.is_abstract or (whole.kind == "plain"):
                return None
            declared = whole.kind
        module = self._layout.find_module(meaning.evidence[0].path)
        if module is None:
            return None
        is_own = module == self._layout.find_module(place.path)
        return kind._replace(
            name=self._layout.find_name(meaning.evidence[0], declared, name),
            module=None if is_own else module, source="",
        )  # fmt: skip

    def _make_external(self, kind: Type, place: Evidence, external: dict[str, Shape]) -> Type:
        source = strip_place(kind.source)
        # Django's setting names the model that a project uses as its user.
        last = "User" if source.endswith("AUTH_USER_MODEL") else source.rpartition(".")[2]
        name = spell_type_name(last)
        if name is None or last == "self":
            return Type("Any", source=source, is_optional=kind.is_optional)
        spelled = self._layout.find_name(place._replace(symbol=""), "external entity", name)
        known = external.get(spelled)
        evidence = (*known.evidence, place) if known else (place,)
        external[spelled] = Shape("external entity", spelled, evidence)
        return (
            kind._replace(name=spelled, source="", back="", module=None)
            if not kind.back
            else Type("List", (Type(spelled),))
        )

    def spell_contract(
        self, path: bytes, contract: Contract, external: dict[str, Shape]
    ) -> Contract:
        place = contract.evidence[0]

        def spell_plain(kind: Type) -> Type:
            # An enum without a name cannot be written there.
            found = self.spell(path, kind, place, {})
            return Type("String", is_optional=found.is_optional) if found.values else found

        operations = tuple(
            each._replace(
                parameters=tuple(p._replace(type=spell_plain(p.type)) for p in each.parameters),
                result=spell_plain(each.result) if each.result is not None else None,
            )
            for each in contract.operations
        )
        return contract._replace(
            name=self._layout.find_name(place, "contract", contract.name), operations=operations
        )

    def find_enum(self, path: bytes, kind: Type, depth: int = 0) -> Enumeration:
        """The enum that a type is, or the values that it has; one without any for other types."""
        if kind.values:
            return Enumeration("", (), kind.values)
        found = self._finder.find_symbol(*find_place(path, kind)) if kind.source else None
        if found is not None and isinstance(found.meaning, Enumeration):
            return found.meaning
        if found is not None and isinstance(found.meaning, Type) and depth < DEEPEST:
            return self.find_enum(found.path, found.meaning, depth + 1)
        return Enumeration("", (), ())
