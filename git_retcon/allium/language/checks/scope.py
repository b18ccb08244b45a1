"""What a file declares, and what its aliases lead to, for all checks."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeVar

from git_retcon.allium.language.declarations import (
    Braced,
    Declaration,
    Default,
    Deferred,
    Field,
    Invariant,
    Item,
    Literal,
    Parameter,
    Transitions,
    Use,
    Variant,
)
from git_retcon.allium.language.document import Document, spell_path
from git_retcon.allium.language.expressions import (
    Alternatives,
    Call,
    Expression,
    Name,
    Nullable,
    Qualified,
    Quoted,
)
from git_retcon.allium.language.plurals import list_singulars
from git_retcon.allium.language.traversal import Node, walk_tree

BUILT_IN: Final = frozenset({
    "String", "Integer", "Decimal", "Boolean", "Timestamp", "Duration", "List", "Set", "Map",
    "Sequence", "Any", "Void",
})  # fmt: skip
# The comment right above a declaration that was read from a source file.
_CITATION: Final = "-- Source: "
_WITH_FIELDS: Final = frozenset({"entity", "external entity", "value"})
_TYPES: Final = _WITH_FIELDS | {"enum", "actor"}
_NodeType = TypeVar("_NodeType", bound=tuple[Any, ...])


class Shape(NamedTuple):
    """An entity, external entity, value or variant, as the checks need it.

    ``states`` are the values of those fields that are enums. ``discriminators`` are the fields
    whose alternatives are capitalised: they list variants.
    """

    kind: str
    name: Name
    base: str
    fields: Mapping[str, Field]
    states: Mapping[str, tuple[str, ...]]
    graphs: Mapping[str, Transitions]
    discriminators: Mapping[str, Alternatives]


class Part(NamedTuple):
    """A declaration and all nodes of its tree by class, gathered in one walk."""

    declaration: Declaration
    nodes: Mapping[type, Sequence[Node]]

    def find(self, kind: type[_NodeType]) -> Sequence[_NodeType]:
        """Its nodes of one class, in reading order."""
        return self.nodes.get(kind, ())  # type: ignore[return-value]


class Scope:
    """One file's declarations by name. Of two with one name, the first counts.

    ``names`` holds those that are no types, by kind. ``importers`` are the files that import this
    one. ``aliases`` leads to the imported files, or to
    None where the file is not known.
    """

    __slots__ = (
        "_cited_lines", "_outside", "aliases", "config", "document", "importers", "names", "parts",
        "shapes", "shapes_by_name", "shapes_by_state", "types", "uses",
    )  # fmt: skip

    def __init__(self, document: Document) -> None:
        self.document = document
        # One walk for all checks: a walk for each would be half of the time of a check.
        self.parts = [Part(found, _gather_nodes(found)) for found in document.module.declarations]
        self.types: dict[str, Braced | Variant] = {}
        self.names: dict[str, set[str]] = defaultdict(set)
        self.config: dict[str, Parameter] = {}
        self.uses: list[Use] = []
        self.aliases: dict[str, Scope | None] = {}
        self.importers: list[Scope] = []
        self._outside: set[str] | None = None
        self._cited_lines = {
            found.line for found in document.comments if found.text.startswith(_CITATION)
        }
        for declaration in document.module.declarations:
            self._add_declaration(declaration)
        enums = {name: found for name, found in self.types.items() if _is_kind(found, "enum")}
        values = {name: list_literals(found.items) for name, found in enums.items()}
        self.shapes = {
            name: _make_shape(found, values)
            for name, found in self.types.items()
            if isinstance(found, Variant) or found.kind in _WITH_FIELDS
        }
        self.shapes_by_name = {simplify_name(name): found for name, found in self.shapes.items()}
        # Without this, each rule would look at each entity.
        self.shapes_by_state: dict[tuple[str, str], list[Shape]] = defaultdict(list)
        for shape in self.shapes.values():
            for field, states in shape.states.items():
                for state in states:
                    self.shapes_by_state[field, state].append(shape)

    def _add_declaration(self, declaration: Declaration) -> None:
        match declaration:
            case Use():
                self.uses.append(declaration)
            case Braced(kind="config", name=None):
                found = [item for item in declaration.items if isinstance(item, Parameter)]
                for parameter in found:
                    self.config.setdefault(parameter.name.text, parameter)
            case Braced(kind="given"):
                bound = [item for item in declaration.items if isinstance(item, Field)]
                self.names["given"].update(field.name.text for field in bound)
            case Braced(kind=kind, name=Name(text=text)) if kind in _TYPES:
                self.types.setdefault(text, declaration)
            case Braced(kind=kind, name=Name(text=text)):
                self.names[kind].add(text)
            case Variant(name=name):
                self.types.setdefault(name.text, declaration)
            case Default(name=name) | Invariant(name=name):
                self.names[type(declaration).__name__.lower()].add(name.text)
            case Deferred(path=path):
                self.names["deferred"].add(spell_path(path).split(".")[0])

    def find_braced(self, kind: str) -> Iterator[tuple[Braced, Part]]:
        """The declarations of one kind."""
        for part in self.parts:
            if isinstance(part.declaration, Braced) and part.declaration.kind == kind:
                yield part.declaration, part

    def is_cited(self, declaration: Declaration) -> bool:
        """Whether the line above says from which source it was read."""
        # Lines of comments count from 0.
        return self.document.source.line_at(declaration.start) - 2 in self._cited_lines

    def is_named_outside(self, name: str) -> bool:
        """Whether a file that imports this one names a declaration, or all of an entity."""
        if self._outside is None:
            found = {
                each.name.text
                for importer in self.importers
                for part in importer.parts
                for each in part.find(Qualified)
            }
            singulars = {singular for each in found for singular in list_singulars(each)}
            self._outside = found | singulars
        return name in self._outside

    def knows_type(self, name: str) -> bool:
        """Whether a name may be used as a type; an alias alone may, as a whole."""
        return name in self.types or name in BUILT_IN or name in self.aliases

    def offers(self, name: str) -> bool:
        """Whether ``alias/name`` finds something: a declaration, a trigger, all of an entity."""
        if name == "config" or name in self.types:
            return True
        if any(name in found for found in self.names.values()):
            return True
        # A trigger is declared by nobody: it is there because some rule calls it.
        if any(name in list_emissions(part) for part in self.parts):
            return True
        return any(singular in self.types for singular in list_singulars(name))


def _gather_nodes(declaration: Declaration) -> Mapping[type, Sequence[Node]]:
    nodes: dict[type, list[Node]] = defaultdict(list)
    for node in walk_tree(declaration):
        nodes[type(node)].append(node)
    return nodes


def simplify_name(name: str) -> str:
    """What ``OrderLine`` and ``order_line`` have in common."""
    return name.replace("_", "").lower()


def _is_kind(declaration: Braced | Variant, kind: str) -> bool:
    return isinstance(declaration, Braced) and declaration.kind == kind


def list_literals(items: Iterable[Item]) -> tuple[str, ...]:
    """The values of an enum's items."""
    return tuple(item.text for item in items if isinstance(item, Literal))


def _make_shape(found: Braced | Variant, enums: Mapping[str, tuple[str, ...]]) -> Shape:
    fields: dict[str, Field] = {}
    states: dict[str, tuple[str, ...]] = {}
    discriminators: dict[str, Alternatives] = {}
    for item in found.items:
        if not isinstance(item, Field) or item.name.text in fields:
            continue
        fields[item.name.text] = item
        kind = unwrap_type(item.value)
        if isinstance(kind, Name) and kind.text in enums:
            states[item.name.text] = enums[kind.text]
        elif isinstance(kind, Alternatives) and is_discriminator(kind):
            discriminators[item.name.text] = kind
        elif isinstance(kind, Alternatives):
            states[item.name.text] = list_states(kind)
    # Reversed, so that of two graphs of one field the first counts, as with fields.
    graphs = [item for item in reversed(found.items) if isinstance(item, Transitions)]
    base = found.base.text if isinstance(found, Variant) and isinstance(found.base, Name) else ""
    name = found.name or Name(found.start, found.start, "")
    by_field = {graph.field.text: graph for graph in graphs}
    kind_name = "variant" if isinstance(found, Variant) else found.kind
    return Shape(kind_name, name, base, fields, states, by_field, discriminators)


def unwrap_type(value: Expression) -> Expression:
    """A type without its ``?``."""
    return value.type if isinstance(value, Nullable) else value


def is_discriminator(alternatives: Alternatives) -> bool:
    """Whether any of them is capitalised, and so means a variant."""
    names = [item for item in alternatives.items if isinstance(item, Name)]
    return any(name.text[0].isupper() for name in names)


def list_states(value: Expression) -> tuple[str, ...]:
    """The names and backtick literals among alternatives, or the one that it is."""
    items = value.items if isinstance(value, Alternatives) else (value,)
    return tuple(
        item.text if isinstance(item, Name) else item.value
        for item in items
        if isinstance(item, Name | Quoted)
    )


def list_emissions(part: Part) -> set[str]:
    """The capitalised names that a declaration calls: triggers it listens for, emits or offers."""
    functions = [call.function for call in part.find(Call)]
    return {name.text for name in functions if isinstance(name, Name) and name.text[0].isupper()}
