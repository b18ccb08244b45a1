"""What a declaration says, in facts that can be compared: each field, state, edge and clause.

A fact is named by the declaration and what it is in it: ``("entity", "Order", "field total")``; the
declaration itself is the fact named "". Layout, order and comments are none.
"""

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple, TypeAlias

from git_retcon.allium.language import list_entries, parse
from git_retcon.allium.language.declarations import (
    Braced,
    Clause,
    Declaration,
    Derived,
    Field,
    Invariant,
    Item,
    Literal,
    Parameter,
    Reverse,
    Transitions,
    Variant,
)
from git_retcon.allium.language.expressions import Alternatives, Name, Quoted
from git_retcon.allium.store.module_paths import MASTER
from git_retcon.allium.store.module_text import cut_comment, cut_module, list_comments
from git_retcon.allium.store.spec_store import SpecStore
from git_retcon.allium.store.spec_tree import list_changed_files

FactName: TypeAlias = tuple[str, str, str]
Facts: TypeAlias = Mapping[FactName, str]


class FactChange(NamedTuple):
    """One fact in two versions of a module; None is absent."""

    module: bytes
    name: FactName
    before: str | None
    after: str | None

    @property
    def title(self) -> str:
        """For people: "entity Order: field total"."""
        return name_fact(self.name)

    @property
    def summary(self) -> str:
        """The same with what changed: "entity Order: field total: Integer became String"."""
        if self.before is None or self.after is None:
            return self.title
        # A clause of a rule is called by the word that it begins with.
        was, now = (each.removeprefix(f"{self.name[2]}: ") for each in (self.before, self.after))
        return f"{self.title}: {was} became {now}"

    @property
    def kind(self) -> str:
        if self.before is None:
            return "added"
        return "removed" if self.after is None else "changed"


def name_fact(name: FactName) -> str:
    """For people: "entity Order: field total"."""
    kind, called, item = name
    whole = f"{kind} {called}".strip()
    return f"{whole}: {item}" if item else whole


def read_facts(content: bytes) -> Facts:
    """Every fact of a module; what it uses is none."""
    document = parse(content)
    found: dict[FactName, str] = {}
    for entry in list_entries(document):
        if entry.kind == "use":
            continue
        for item, text in _list_items(entry.declaration, content):
            name = (entry.kind, entry.name, item)
            # Two of one name are allowed by the language: both count.
            while name in found:
                name = (*name[:2], f"{name[2]}'")
            found[name] = text
    return found


def compare_facts(module: bytes, before: bytes, after: bytes) -> Iterator[FactChange]:
    """What differs; of a declaration that is new or gone, the declaration alone."""
    old, new = read_facts(before), read_facts(after)
    for name in dict.fromkeys([*old, *new]):
        one, two = old.get(name), new.get(name)
        whole = (*name[:2], "")
        is_part = bool(name[2]) and (whole not in old or whole not in new)
        if one != two and not is_part:
            yield FactChange(module, name, one, two)


def compare_stores(before: SpecStore, after: SpecStore) -> Sequence[FactChange]:
    """What differs between two specifications. A declaration that moved to another module is
    compared with what it was there: the move alone is no difference.
    """
    changes: list[FactChange] = []
    old: dict[FactName, Facts] = {}
    new: dict[FactName, Facts] = {}
    for path in sorted(list_changed_files(before, after)):
        one, two = (_read_module(store, path) for store in (before, after))
        changes += compare_facts(path, one, two)
        for facts, owners in ((read_facts(one), old), (read_facts(two), new)):
            owners.update((name, facts) for name in facts if not name[2])
    gone = {each.name for each in changes if not each.name[2] and each.after is None}
    come = {each.name for each in changes if not each.name[2] and each.before is None}
    moved = gone & come
    return [
        change
        for each in changes
        for change in (_compare_moved(each, old, new) if each.name in moved else [each])
    ]


def _compare_moved(
    change: FactChange, old: Mapping[FactName, Facts], new: Mapping[FactName, Facts]
) -> Iterator[FactChange]:
    """What differs within a declaration that moved, where it has arrived."""
    if change.before is not None:
        return
    one, two = (_select_facts(facts[change.name], change.name) for facts in (old, new))
    for name in dict.fromkeys([*one, *two]):
        if one.get(name) != two.get(name):
            yield FactChange(change.module, name, one.get(name), two.get(name))


def _select_facts(facts: Facts, whole: FactName) -> Facts:
    return {name: text for name, text in facts.items() if name[:2] == whole[:2]}


def name_comments(kind: str, name: str, text: bytes) -> Iterator[FactName]:
    """A name for each comment of a declaration, as if it were a fact."""
    yield from (name_comment(kind, name, comment) for comment in list_comments(text))


def name_comment(kind: str, name: str, comment: str) -> FactName:
    """The name of one comment at a declaration."""
    return kind, name, f"comment {comment}"


def is_comment(item: str) -> bool:
    """Whether a fact is a comment at a declaration."""
    return item.startswith("comment ")


def find_new_comments(before: SpecStore, after: SpecStore) -> AbstractSet[FactName]:
    """The comments that declarations have in one specification and did not have in another."""
    one, two = (
        {
            comment
            for path in list_changed_files(before, after)
            for each in cut_module(_read_module(store, path)).declarations
            for comment in name_comments(each.kind, each.name, each.text)
        }
        for store in (before, after)
    )
    return two - one


def _read_module(store: SpecStore, path: bytes) -> bytes:
    """A module or the master; empty where there is none."""
    return store.master_spec() if path == MASTER else store.module_spec(path) or b""


def _list_items(declaration: Declaration, data: bytes) -> Iterator[tuple[str, str]]:
    match declaration:
        case Braced(items=items):
            yield "", ""
        case Variant(base=base, items=items):
            yield "", _spell_line(data, base.start, base.end)
        case _:
            yield "", _spell_line(data, declaration.start, declaration.end)
            return
    for item in items:
        yield from _describe_item(item, data)


def _describe_item(item: Item, data: bytes) -> Iterator[tuple[str, str]]:
    text = _spell_line(data, item.start, item.end)
    match item:
        case Field(name=name, value=value, presence=presence):
            states = list(_list_states(value))
            when = _spell_line(data, presence.start, presence.end) if presence else ""
            shape = "one of its states" if states else _spell_line(data, value.start, value.end)
            yield f"field {name.text}", f"{shape} {when}".strip()
            yield from ((f"state {name.text}.{state}", "") for state in states)
        case Parameter(name=name) | Derived(name=name):
            yield f"field {name.text}", text.partition(":")[2].strip()
        case Reverse(path=path):
            yield f"field {_spell_line(data, path.start, path.end)}", text
        case Transitions(field=field, edges=edges, terminal=terminal):
            for edge in edges:
                yield f"edge {field.text}: {edge.source.text} -> {edge.target.text}", ""
            for state in terminal:
                yield f"terminal {field.text}: {state.text}", ""
        case Literal(text=value):
            yield f"value {value}", ""
        case Invariant(name=name):
            yield f"invariant {name.text}", text
        case Clause(keyword="when"):
            yield "when", text
        case _:
            yield text, ""


def _list_states(value: object) -> Iterator[str]:
    """The states of an inline enum: names in lower case between pipes."""
    if isinstance(value, Alternatives):
        for each in value.items:
            text = each.text if isinstance(each, Name) else getattr(each, "value", "")
            # Capitalized, they are the variants of a discriminator.
            if text[:1].islower() or isinstance(each, Quoted):
                yield text


def _spell_line(data: bytes, start: int, end: int) -> str:
    """A piece of text on one line, without the comments behind its lines."""
    lines = (cut_comment(line)[0] for line in data[start:end].splitlines())
    return " ".join(b" ".join(lines).decode("utf-8", "replace").split())
