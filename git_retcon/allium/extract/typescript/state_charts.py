"""Charts of states as XState has them: states in states, and what leads from one to another."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from git_retcon.allium.extract.grammar.syntax_nodes import Node, read_text
from git_retcon.allium.extract.typescript.plain_objects import Members, PlainObjects

_GUARDS = ("cond", "guard")
# How what a state runs may end, and what rules call that.
ENDS = {"onDone": "Done", "onError": "Failed"}
FINAL, PARALLEL, HISTORY, DEEP_HISTORY = "final", "parallel", "history", "deep history"
_MISSING = ("undefined", "null")


class Step(NamedTuple):
    """One way that an event may take: "" stays, None leads nobody knows here where. ``guard`` is
    the name of what allows it, "" for one without a name, None where nothing has to. What
    ``is_idle`` does nothing: it only keeps the event from all others.
    """

    target: str | None
    guard: str | None = None
    is_idle: bool = False


class Service(NamedTuple):
    """What follows when what a state runs is done or fails: ``symbol`` says which of both, and of
    what, "" for what has no name.
    """

    symbol: str
    steps: tuple[Step, ...]


class ChartState(NamedTuple):
    """A state with its own name as the last of ``path``. What it handles nobody knows all of where
    it ``is_open``. ``always`` happens at once, ``delayed`` by itself too, and ``done`` when its
    inner states are over.
    """

    path: tuple[str, ...]
    kind: str = ""
    id: str = ""
    initial: str | None = None
    inner: Mapping[str, "ChartState"] = {}
    events: Mapping[str, tuple[Step, ...]] = {}
    always: tuple[Step, ...] = ()
    delayed: tuple[tuple[Step, ...], ...] = ()
    services: tuple[Service, ...] = ()
    done: tuple[Step, ...] = ()
    is_open: bool = False


def read_chart(node: Node | None, objects: PlainObjects) -> ChartState | None:
    """The chart that an object is; None where not all of its states are known."""
    root = objects.list_members(node)
    states = objects.list_members(root.known.get("states"))
    if "states" not in root.known or states.is_open or not states.known:
        return None
    return _read_state((), root, objects)


def _read_state(path: tuple[str, ...], members: Members, objects: PlainObjects) -> ChartState:
    known = members.known
    states = objects.list_members(known["states"]) if "states" in known else Members({})
    events = objects.list_members(known["on"]) if "on" in known else Members({})
    steps = {name: _read_steps(each, objects) for name, each in events.known.items()}
    always = _read_steps(known["always"], objects) if "always" in known else ()
    always += steps.pop("", ())
    delayed: list[tuple[Step, ...]] = []
    is_open = members.is_open or states.is_open or events.is_open
    if "after" in known:
        timed = objects.list_members(known["after"])
        listed = objects.list_items(known["after"])
        is_open |= timed.is_open and listed is None
        delays = listed or timed.known.values()
        delayed = [_read_steps(each, objects) for each in delays]
    services = [*_list_services(known["invoke"], objects)] if "invoke" in known else []
    inner = {
        name: _read_state((*path, name), objects.list_members(each), objects)
        for name, each in states.known.items()
    }
    return ChartState(
        path, _read_kind(known, objects), objects.read_text(known.get("id")) or "",
        _read_initial(known.get("initial"), objects), {} if states.is_open else inner, steps,
        always, tuple(delayed), tuple(each for each in services if each is not None),
        _read_steps(known["onDone"], objects) if "onDone" in known else (),
        is_open or None in services,
    )  # fmt: skip


def _read_kind(known: Mapping[str, Node], objects: PlainObjects) -> str:
    kind = objects.read_text(known.get("type")) or ""
    if kind != HISTORY and "history" not in known:
        return kind
    return DEEP_HISTORY if objects.read_text(known.get("history")) == "deep" else HISTORY


def _read_initial(node: Node | None, objects: PlainObjects) -> str | None:
    found = objects.open(node)
    if found is not None and found.type == "object":
        return objects.read_text(objects.list_members(found).known.get("target"))
    return objects.read_text(node)


def _list_services(node: Node, objects: PlainObjects) -> Iterator[Service | None]:
    """What a state runs; None for what cannot be read."""
    for each in objects.list_items(node) or [node]:
        members = objects.list_members(each)
        if members.is_open:
            yield None
        name = _name_service(members.known, objects)
        for key in ("onDone", "onError", "onSnapshot"):
            if key in members.known:
                symbol = f"{key}.{name}" if name and key in ENDS else ""
                yield Service(symbol, _read_steps(members.known[key], objects))


def _name_service(known: Mapping[str, Node], objects: PlainObjects) -> str:
    source = known.get("src")
    if source is not None and source.type in ("identifier", "shorthand_property_identifier"):
        return read_text(source)
    if source is not None and source.type == "member_expression":
        return read_text(source.child_by_field_name("property"))
    named = objects.list_members(source).known.get("type")
    return (
        objects.read_text(source)
        or objects.read_text(named)
        or objects.read_text(known.get("id"))
        or ""
    )


def _read_steps(node: Node, objects: PlainObjects) -> tuple[Step, ...]:
    """The ways that are listed, the first that its guard allows comes first."""
    found = objects.open(node)
    if found is not None and found.type in _MISSING:
        return (Step("", is_idle=True),)
    if found is not None and found.type == "array":
        items = objects.list_items(found)
        if items is None:
            return (Step(None),)
        return tuple(step for each in items for step in _read_steps(each, objects))
    if found is None or found.type != "object":
        return (Step(objects.read_text(node)),)
    known, is_open = objects.list_members(found)
    guards = [_read_guard(known[each], objects) for each in _GUARDS if each in known]
    guards += [""] if "in" in known else []
    guard = guards[0] if len(guards) == 1 else "" if guards else None
    target = None if is_open else _read_target(known.get("target"), objects)
    return (Step(target, guard, is_idle=target == "" and "actions" not in known),)


def _read_target(node: Node | None, objects: PlainObjects) -> str | None:
    found = objects.open(node)
    if node is None or (found is not None and found.type in _MISSING):
        return ""
    items = objects.list_items(found)
    if items is not None:
        return objects.read_text(items[0]) if len(items) == 1 else None
    return objects.read_text(node)


def _read_guard(node: Node, objects: PlainObjects) -> str:
    if node.type in ("identifier", "shorthand_property_identifier"):
        return read_text(node)
    named = objects.list_members(node).known.get("type")
    return (objects.read_text(node) or objects.read_text(named) or "").rstrip("?!")


def list_states(state: ChartState) -> Sequence[ChartState]:
    """A state and all inside of it."""
    return [state, *(one for each in state.inner.values() for one in list_states(each))]
