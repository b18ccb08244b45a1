"""Lists of transitions as javascript-state-machine has them: ``{ name, from, to }``."""

from collections.abc import Iterator, Mapping

from git_retcon.allium.extract.grammar.syntax_nodes import Node
from git_retcon.allium.extract.python.machines.machine_moves import ANY, Move
from git_retcon.allium.extract.spelling import is_value, name_values, spell_words
from git_retcon.allium.extract.typescript.chart_moves import ChartField
from git_retcon.allium.extract.typescript.plain_objects import PlainObjects


def read_transition_list(node: Node, objects: PlainObjects) -> ChartField | None:
    """The states and transitions of a machine; None where some are not known."""
    known, is_open = objects.list_members(node)
    items = objects.list_items(known.get("transitions") or known.get("events"))
    if items is None or is_open:
        return None
    parts = [objects.list_members(each) for each in items]
    if any(each.is_open for each in parts):
        return None
    first = objects.read_text(known.get("init") or known.get("initial"))
    moves = [_read_move(each.known, objects) for each in parts]
    ends = [end for each in moves for end in (*each.sources, *each.targets) if end != ANY]
    stored = [*dict.fromkeys([*([first] if first else []), *ends])]
    values = name_values(map(spell_words, stored))
    if len(values) != len(stored) or len(values) < 2 or not all(map(is_value, values)):
        return None
    names = {ANY: ANY, **dict(zip(stored, values, strict=True))}
    named = tuple(_rename(each, names) for each in moves)
    return ChartField("state", values, named, (), {}, {}, frozenset(values))


def _read_move(known: Mapping[str, Node], objects: PlainObjects) -> Move:
    name, target = objects.read_text(known.get("name")), objects.read_text(known.get("to"))
    sources = [*_list_texts(known["from"], objects)] if "from" in known else [ANY]
    found = [each for each in sources if each is not None]
    if not name or len(found) < len(sources) or ("to" in known and target is None):
        return Move(name or "")
    return Move(name, tuple(found), (target,) if target and target != ANY else ())


def _list_texts(node: Node, objects: PlainObjects) -> Iterator[str | None]:
    for each in objects.list_items(node) or [node]:
        yield objects.read_text(each)


def _rename(move: Move, names: Mapping[str, str]) -> Move:
    sources, targets = (tuple(map(names.__getitem__, each)) for each in move[1:3])
    return Move(move.method, sources, targets)
