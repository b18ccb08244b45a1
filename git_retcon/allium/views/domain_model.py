"""What a specification is about, for a picture: modules, types, their relations, their states."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from git_retcon.allium.language import list_entries, parse
from git_retcon.allium.language.declarations import (
    Braced,
    Declaration,
    Field,
    Item,
    Literal,
    Transitions,
    Variant,
)
from git_retcon.allium.store.module_paths import MASTER, SUFFIX
from git_retcon.allium.store.module_text import cut_document
from git_retcon.allium.store.spec_store import SpecStore
from git_retcon.allium.store.type_names import Uses, list_references

# What has a box in a picture; the rest are sentences, which are counted.
BOXED = ("entity", "external entity", "value", "enum", "variant", "contract", "actor")

TypeName = tuple[bytes, str]


class Machine(NamedTuple):
    """The states of a field, and the ways between them."""

    field: str
    edges: Sequence[tuple[str, str]]
    terminal: frozenset[str]

    @property
    def states(self) -> Sequence[str]:
        """Each once, in the order in which the edges name them."""
        return list(
            dict.fromkeys([end for edge in self.edges for end in edge] + sorted(self.terminal))
        )


class TypeBox(NamedTuple):
    """A type with its lines, such as "total: Integer", and the types that these name."""

    module: bytes
    kind: str
    name: str
    lines: Sequence[str]
    targets: Sequence[TypeName]
    machines: Sequence[Machine] = ()

    @property
    def key(self) -> TypeName:
        return self.module, self.name


class DomainModule(NamedTuple):
    """One module; ``others`` counts what has no box, by kind."""

    path: bytes
    boxes: Sequence[TypeBox]
    others: Mapping[str, int]

    @property
    def name(self) -> str:
        return (
            "all modules"
            if self.path == MASTER
            else self.path.removesuffix(SUFFIX).decode("utf-8", "replace")
        )


def read_domain(store: SpecStore) -> Sequence[DomainModule]:
    """Every module that declares something, the master first."""
    texts = {MASTER: store.master_spec(), **store.all_modules()}
    modules = [_read_module(path, text) for path, text in texts.items()]
    known = {box.key for module in modules for box in module.boxes}
    return [
        module._replace(
            boxes=[
                box._replace(targets=[each for each in box.targets if each in known])
                for box in module.boxes
            ]
        )
        for module in modules
        if module.boxes or module.others
    ]


def _read_module(path: bytes, text: bytes) -> DomainModule:
    document = parse(text, path)
    uses = Uses(path, [each for each in cut_document(document).declarations if each.kind == "use"])
    boxes: list[TypeBox] = []
    others: dict[str, int] = {}
    for entry in list_entries(document):
        if entry.kind in BOXED:
            targets = list(_list_targets(entry.declaration, text, path, uses))
            boxes.append(
                TypeBox(
                    path, entry.kind, entry.name, list(_list_lines(entry.declaration, text)),
                    [each for each in dict.fromkeys(targets) if each != (path, entry.name)],
                    list(_list_machines(entry.declaration)),
                )
            )  # fmt: skip
        elif entry.kind != "use":
            others[entry.kind] = others.get(entry.kind, 0) + 1
    return DomainModule(path, boxes, others)


def _list_items(declaration: Declaration) -> Sequence[Item]:
    return declaration.items if isinstance(declaration, Braced | Variant) else ()


def _list_lines(declaration: Declaration, data: bytes) -> Iterator[str]:
    for item in _list_items(declaration):
        if isinstance(item, Literal):
            yield item.text
        elif isinstance(item, Field):
            yield " ".join(data[item.start : item.end].decode("utf-8", "replace").split())


def _list_targets(
    declaration: Declaration, data: bytes, path: bytes, uses: Uses
) -> Iterator[TypeName]:
    for item in _list_items(declaration):
        if isinstance(item, Field):
            for each in list_references(data[item.start : item.end]):
                module = uses.find_target(each.alias) if each.alias else path
                if module is not None:
                    yield module, each.name
    if isinstance(declaration, Variant):
        for each in list_references(data[declaration.base.start : declaration.base.end]):
            module = uses.find_target(each.alias) if each.alias else path
            if module is not None:
                yield module, each.name


def _list_machines(declaration: Declaration) -> Iterator[Machine]:
    for item in _list_items(declaration):
        if isinstance(item, Transitions):
            edges = [(edge.source.text, edge.target.text) for edge in item.edges]
            yield Machine(item.field.text, edges, frozenset(each.text for each in item.terminal))
