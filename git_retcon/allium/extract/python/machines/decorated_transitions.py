"""The transitions of django-fsm, which decorate the methods that make them."""

import ast
from collections.abc import Iterator, Sequence

from git_retcon.allium.extract.python.flow.guards import open_blocks
from git_retcon.allium.extract.python.machines.machine_moves import ANY, OTHER, Move
from git_retcon.allium.extract.python.machines.transition_conditions import narrow_sources
from git_retcon.allium.extract.python.syntax.conditions import Subject
from git_retcon.allium.extract.python.syntax.constants import Constants, States, read_constants
from git_retcon.allium.extract.python.syntax.names import get_last, spell_dotted
from git_retcon.allium.extract.spelling import is_value

_LISTS = ast.List | ast.Tuple | ast.Set
_Function = ast.FunctionDef | ast.AsyncFunctionDef


def read_decorated(node: ast.ClassDef, field: str, subject: Subject) -> Iterator[Move]:
    """``@transition(field=status, source=[...], target=...)``."""
    states = subject.states.get(field)
    inner: Constants | None = None
    for item in node.body:
        for mark in item.decorator_list if isinstance(item, _Function) else ():
            words = _read_words(mark, field)
            if words is None or not isinstance(item, _Function):
                continue
            inner = _list_inner_constants(node) if inner is None else inner
            move = _read_move(item.name, words, states, inner)
            asked = words.get("conditions")
            if asked is not None:
                listed = asked.elts if isinstance(asked, _LISTS) else []
                left = narrow_sources(listed, move.sources, field, subject)
                # A condition may say from where, if nothing else does.
                is_open = "source" not in words and left == move.sources
                move = move._replace(sources=() if is_open else left)
            yield move


def _read_words(mark: ast.expr, field: str) -> dict[str, ast.expr] | None:
    """What a decorator says of a transition of this field; None for any other."""
    if not isinstance(mark, ast.Call):
        return None
    words = {each.arg: each.value for each in mark.keywords if each.arg}
    name = get_last(spell_dotted(mark)).removesuffix("()")
    # Projects wrap the decorator: @locking_transition(field=..., source=..., target=...).
    is_wrapped = name.endswith("_transition") and {"field", "source", "target"} <= {*words}
    if name != "transition" and not is_wrapped:
        return None
    words = {**dict(zip(("field", "source", "target"), mark.args, strict=False)), **words}
    place = words.get("field")
    named = place.value if isinstance(place, ast.Constant) else None
    is_here = place is not None and field in (named, get_last(spell_dotted(place)))
    return words if is_here else None


def _read_move(
    method: str, words: dict[str, ast.expr], states: States | None, inner: Constants
) -> Move:
    sources = _read_any(words.get("source", ast.Constant(ANY)), states, inner)
    target = words.get("target")
    is_kept = target is None or (isinstance(target, ast.Constant) and target.value is None)
    targets = () if is_kept or target is None else _read_targets(target, states, inner)
    if not sources or not (targets or is_kept) or {*targets} & {ANY, OTHER}:
        return Move(method)
    failed = words.get("on_error")
    return Move(method, sources, targets, _read_any(failed, states, inner) if failed else ())


def _read_targets(node: ast.expr, states: States | None, inner: Constants) -> tuple[str, ...]:
    """The state that a transition leads to, or those of which it chooses one."""
    if not isinstance(node, ast.Call):
        return _read_any(node, states, inner)
    if get_last(spell_dotted(node)) == "RETURN_VALUE":
        return _read_any(ast.List(elts=node.args), states, inner)
    if get_last(spell_dotted(node)) == "GET_STATE":
        listed = [each.value for each in node.keywords if each.arg == "states"] or node.args[1:2]
        return _read_any(listed[0], states, inner) if listed else ()
    return ()


def list_callers(node: ast.ClassDef, moves: Sequence[Move]) -> Iterator[Move]:
    """The operations that people call, where only they make the transitions: as these, by their
    own names.
    """
    private = {each.method for each in moves if each.method.startswith("_")}
    for item in node.body if private else ():
        if not isinstance(item, ast.FunctionDef) or item.name in private:
            continue
        for each in open_blocks(item.body):
            match each:
                case ast.Expr(
                    value=ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr=name))
                ):
                    if name in private:
                        found = (one for one in moves if one.method == name)
                        yield from (one._replace(method=item.name) for one in found)
                        break


def _list_inner_constants(node: ast.ClassDef) -> Constants:
    """The constants of a class and of the classes inside it, by dotted name: ``States.NEW``."""
    return {
        **{name: value for name, value in read_constants(node.body).items() if name.isupper()},
        **{
            f"{item.name}.{name}": value
            for item in node.body
            if isinstance(item, ast.ClassDef)
            for name, value in read_constants(item.body).items()
        },
    }


def _read_any(node: ast.expr, states: States | None, inner: Constants) -> tuple[str, ...]:
    """The states that are listed, or the one that is there; none where some cannot be read."""
    if isinstance(node, ast.Name) and isinstance(inner.get(node.id), _LISTS):
        node = inner[node.id]
    items = node.elts if isinstance(node, _LISTS) else [node]
    found: list[str] = []
    for item in items:
        known = states.read(item) if states is not None else None
        dotted = spell_dotted(item) if isinstance(item, ast.Attribute | ast.Name) else ""
        stored = inner.get(dotted, item)
        plain = (
            stored.value
            if isinstance(stored, ast.Constant) and isinstance(stored.value, str)
            else None
        )
        name = known or plain or _name_constant(item)
        if name is None:
            return ()
        found.append(name)
    return tuple(found)


def _name_constant(node: ast.expr) -> str | None:
    """A constant from elsewhere by its own name, as a member of an enum: ``states.DRAFT``."""
    name = get_last(spell_dotted(node)) if isinstance(node, ast.Name | ast.Attribute) else ""
    return name.lower() if name.isupper() and is_value(name.lower()) else None
