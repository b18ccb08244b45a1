"""Steps that a class finds by the name of the state that its object is in.

::

    def feed(self, text):
        getattr(self, f"_step_{self.state.name.lower()}")(text)

``_step_hello`` is run in ``HELLO`` alone, also where its name has no underscore and nothing else
in the file names it.
"""

import ast
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from git_retcon.allium.extract.python.syntax.constants import States
from git_retcon.allium.extract.python.syntax.function_texts import Function, answer_once
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes

_WAYS: Mapping[str, Callable[[str], str]] = {"lower": str.lower, "upper": str.upper}


def finds_steps(content: bytes) -> bool:
    """Whether a file may find steps by names."""
    return b"getattr(self" in content


def name_steps(
    methods: Iterable[Function], states: States, is_field: Callable[[ast.expr], bool]
) -> Mapping[str, frozenset[str]]:
    """The states in which methods are found so, by their names."""
    found: dict[str, set[str]] = {}
    for method in methods:
        calls = _list_found(method)
        held = _list_held(method) if calls else {}
        for parts in (_split_text(each, held) for each in calls):
            for step, state in _spell_names(parts, states, is_field):
                found.setdefault(step, set()).add(state)
    return {name: frozenset(each) for name, each in found.items()}


@answer_once
def _list_found(method: Function) -> Sequence[ast.expr]:
    """The names by which a method asks its object for something."""
    return [name for each in walk_nodes(method) if (name := _find_name(each)) is not None]


def _find_name(node: ast.AST) -> ast.expr | None:
    """The name by which the object is asked for something."""
    match node:
        case ast.Call(func=ast.Name(id="getattr"), args=[ast.Name(id="self"), name, *_]):
            return name
    return None


def _list_held(method: ast.AST) -> Mapping[str, ast.expr]:
    """What variables hold that a method sets once."""
    names = [each for each in walk_nodes(method) if isinstance(each, ast.Name)]
    count = Counter(each.id for each in names if isinstance(each.ctx, ast.Store))
    held: dict[str, ast.expr] = {}
    for node in walk_nodes(method):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if count[name] == 1:
                held[name] = value
    return held


def _split_text(node: ast.expr, held: Mapping[str, ast.expr]) -> Sequence[ast.expr]:
    """The parts that a text is made of."""
    match node:
        case ast.JoinedStr(values=values):
            parts = [e.value if isinstance(e, ast.FormattedValue) else e for e in values]
            return [part for each in parts for part in _split_text(each, held)]
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return [*_split_text(left, held), *_split_text(right, held)]
        case ast.Name(id=name) if name in held:
            return _split_text(held[name], {})
    return [node]


def _spell_names(
    parts: Sequence[ast.expr], states: States, is_field: Callable[[ast.expr], bool]
) -> Iterator[tuple[str, str]]:
    """What the parts make of each state, where all but one of them are texts."""
    for choice in states.choices:
        texts = [_spell_part(each, choice.symbol, choice.stored, is_field) for each in parts]
        if None not in texts and any(not isinstance(each, ast.Constant) for each in parts):
            yield "".join(map(str, texts)), choice.name


def _spell_part(
    node: ast.expr, symbol: str, stored: object, is_field: Callable[[ast.expr], bool]
) -> str | None:
    match node:
        case ast.Constant(value=str() as text):
            return text
        case ast.Call(func=ast.Attribute(value=inner, attr=way), args=[]) if way in _WAYS:
            written = _spell_part(inner, symbol, stored, is_field)
            return _WAYS[way](written) if written is not None else None
        case ast.Attribute(value=inner, attr="name") if is_field(inner):
            return symbol or None
        case ast.Attribute(value=inner, attr="value") if is_field(inner):
            return stored if isinstance(stored, str) else None
    return stored if is_field(node) and isinstance(stored, str) else None
