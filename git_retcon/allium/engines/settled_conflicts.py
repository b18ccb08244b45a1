"""What the specifications of a merge disagree about and its source has settled.

Where two sides of a specification conflict, so did their sources, mostly, and whoever merged those
chose. What the specification says then as the source does needs no question. But what people wrote
is of no source, so it is never given up without one.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from git_retcon.allium.engines.module_edits import Edit
from git_retcon.allium.extract.source_facts import Declaration
from git_retcon.allium.extract.spelling import spell_declaration
from git_retcon.allium.store.block_items import wrap_item
from git_retcon.allium.store.declared_facts import read_facts
from git_retcon.allium.store.merge_choice import Conflict
from git_retcon.allium.store.module_text import MARKER, cut_module
from git_retcon.allium.store.spec_store import SpecStore
from git_retcon.allium.store.type_names import Uses

# What a declaration says, by its items; "" is that it is there.
_Said = Mapping[str, str]


def list_settled(
    conflicts: Mapping[bytes, Sequence[Conflict]],
    edits: Mapping[bytes, Sequence[Edit]],
    store: SpecStore,
) -> Iterator[Conflict]:
    """Those of the conflicts, by module, of which both sides say what their own sources say: the
    specification, as it was edited, says what the merged one does.
    """
    for module, found in conflicts.items():
        forked = [each for each in edits.get(module, ()) if each.forks]
        if forked:
            declared = cut_module(store.module_spec(module) or b"").declarations
            uses = Uses(module, [each for each in declared if each.kind == "use"])
            for conflict in found:
                if any(_is_settled(conflict, each, uses) for each in forked):
                    yield conflict


def _is_settled(conflict: Conflict, edit: Edit, uses: Uses) -> bool:
    if conflict.why:
        return False
    ours, *others = (
        _find(found, conflict, uses) for found in (edit.before, *(fork.side for fork in edit.forks))
    )
    return _is_said(conflict, conflict.ours, ours) and any(
        _is_said(conflict, conflict.theirs, each) for each in others
    )


def _find(found: Iterable[Declaration], conflict: Conflict, uses: Uses) -> _Said:
    """What a file declares of what a conflict is about."""
    named = (each for each in found if each.name == conflict.name)
    spelled = (spell_declaration(each, uses.make_alias) for each in named)
    text = next((each.text for each in spelled if each.kind == conflict.kind), None)
    return {} if text is None else _read_text(MARKER + text)


def _read_text(text: bytes) -> _Said:
    return {item: said for (_, _, item), said in read_facts(text).items()}


def _is_said(conflict: Conflict, version: bytes | None, source: _Said) -> bool:
    """Whether the specification of a side had it from its source."""
    if version is None:
        return source.keys().isdisjoint(_read_version(conflict, conflict.base))
    return all(source.get(each) == text for each, text in _read_version(conflict, version).items())


def _read_version(conflict: Conflict, version: bytes | None) -> _Said:
    if version is None:
        return {}
    if not conflict.item:
        return _read_text(MARKER + version)
    said = _read_text(wrap_item(conflict.kind, version))
    return {each: text for each, text in said.items() if each}
