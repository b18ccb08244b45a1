"""What the names of an operation mean: states, constants, what an entity says of itself."""

import ast
import functools
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

from git_retcon.allium.extract.bound_types import find_place
from git_retcon.allium.extract.constant_groups import find_group, is_group
from git_retcon.allium.extract.python.classes.classes import find_states
from git_retcon.allium.extract.python.syntax.constants import States
from git_retcon.allium.extract.python.syntax.names import get_last, spell_dotted
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes
from git_retcon.allium.extract.source_facts import (
    DEFAULT,
    Choice,
    Enumeration,
    Evidence,
    Field,
    Import,
    ServiceOperation,
    Shape,
    Type,
)
from git_retcon.allium.extract.state_setters import parse_answer, parse_function, parse_value
from git_retcon.allium.extract.symbol_finder import DEEPEST, Found, SymbolFinder
from git_retcon.allium.extract.traced_tree import SourceTree


class FoundStates(NamedTuple):
    """The values of a field, and where they are declared if that is not at the field itself."""

    states: States
    place: Evidence | None = None


NO_STATES = FoundStates(States())
# How what a function of another file answers begins.
_ANSWERS = "lambda "
_MOST = 1 << 11  # pieces of syntax


class _Names(NamedTuple):
    """The dotted names in a piece of syntax, in their order: all, those of what it calls with
    something, and those of what it searches.
    """

    dotted: tuple[str, ...]
    called: frozenset[str]
    searched: frozenset[str]


class _SpokenName(NamedTuple):
    dotted: str
    is_called: bool
    is_searched: bool


class UsedNames:
    """Looks names up in the files of one source tree."""

    def __init__(self, tree: SourceTree, finder: SymbolFinder) -> None:
        self._tree = tree
        self._finder = finder

    def find_values(self, shape: Shape, field: Field) -> "FoundStates":
        """The values of a field, and where they are declared if that is not at the field itself."""
        path = self._tree.locate(shape.evidence[0])
        states = find_states(field.type)
        own = self._list_own_choices(shape, field.symbol or field.name)
        if own or not states.enum:
            return FoundStates(States(choices=own) if own else states)
        where, name = find_place(path, field.type)
        name = self._finder.open_group(where, name)
        if is_group(name):
            group = find_group(self._tree.read, where, name)
            return FoundStates(States(choices=group)) if group else NO_STATES
        found = self._finder.find_symbol(where, name)
        for _ in range(DEEPEST):
            if found is None or not isinstance(found.meaning, Type) or not found.meaning.source:
                break
            # Another name for it.
            where, name = find_place(found.path, found.meaning)
            found = self._finder.find_symbol(where, name)
        if found is not None and isinstance(found.meaning, Type):
            listed = self._list_choices(found.path, name.rpartition(".")[2])
            listed = listed or self._list_exported(found)
            return FoundStates(States(name if listed and found.meaning.values else "", listed))
        if found is None or not isinstance(found.meaning, Enumeration):
            return NO_STATES
        place = found.meaning.evidence[0]
        choices = self._list_choices(self._tree.locate(place), place.symbol) or tuple(
            Choice(each, "", each) for each in found.meaning.values
        )
        return FoundStates(States(place.symbol, choices), place)

    def find_constants(
        self, operation: ServiceOperation, nodes: Iterable[ast.AST]
    ) -> Mapping[str, ast.expr]:
        """The constants that an operation names, and what it asks, of its own file and lists of
        others.
        """
        found = {name: parse_value(code) for name, code in operation.constants}
        facts = self._tree.read(self._tree.locate(operation.place))
        imports = facts.imports if facts is not None else {}
        for name in _list_spoken(nodes, imports) if imports else ():
            owner, _, rest = name.dotted.partition(".")
            last = get_last(name.dotted)
            is_named = last.isupper() or name.is_searched or (rest and not name.is_called)
            if last not in found and is_named:
                code = self._find_list(imports[owner], rest)
                found |= {last: parse_value(code)} if code else {}
            elif name.is_called and name.dotted not in found:
                code = self._find_list(imports[owner], rest)
                found |= {name.dotted: parse_value(code)} if code.startswith(_ANSWERS) else {}
        return found

    def asks_rules(self, operation: ServiceOperation, node: ast.AST) -> bool:
        """Whether an operation asks what other files answer about what it gives them."""
        steps = filter(None, map(parse_function, operation.called))
        found = self.find_constants(operation, [node, *steps])
        return any(isinstance(each, ast.Lambda) for each in found.values())

    def _find_list(self, imported: Import, rest: str) -> str:
        """The list that an imported name, and the ``rest`` of what is written behind it, means in
        the file that it comes from, as Python; "" for none.
        """
        whole = f"{imported.symbol}.{rest}".strip(".").split(".")
        lists = (f.lists for f in map(self._tree.read, imported.targets) if f is not None)
        # A class of groups may be in another one; a list at the top has one name.
        names = (".".join(whole[-2:]), *(whole[-1:] if whole[-1].isupper() else ()))
        return next((each[name] for each in lists for name in names if name in each), "")

    def find_answers(self, shape: Shape, name: str) -> Mapping[str, ast.expr]:
        """What the entity says of itself, of an object of this name."""
        found: dict[str, ast.expr] = {}
        for place in reversed(shape.evidence):
            facts = self._tree.read(self._tree.locate(place))
            answers = facts.answers.get(place.symbol, {}) if facts is not None else {}
            for each, code in answers.items():
                answer = parse_answer(code, name)
                found |= {each: answer} if answer is not None else {}
        return found

    def find_member_answers(self, found: Iterable[FoundStates]) -> Mapping[str, ast.expr]:
        """What enums of other files say of a member, which is ``self``; nothing that two say."""
        answers: dict[str, ast.expr] = {}
        names: list[str] = []
        for place in {each.place for each in found if each.place is not None}:
            facts = self._tree.read(self._tree.locate(place))
            own = facts.answers.get(place.symbol, {}) if facts is not None else {}
            names += own
            answers |= {name: parse_value(code) for name, code in own.items()}
        return {name: each for name, each in answers.items() if names.count(name) == 1}

    def _list_own_choices(self, shape: Shape, field: str) -> tuple[Choice, ...]:
        """The values that a class, or the base class that gives it a field, lists for this."""
        for place in shape.evidence:
            found = self._list_choices(self._tree.locate(place), f"{place.symbol}.{field}")
            if found:
                return found
        return ()

    def _list_exported(self, found: Found) -> tuple[Choice, ...]:
        """The values of the constants that a file has for its one export, if these are meant."""
        facts = self._tree.read(found.path)
        name = facts.aliases[DEFAULT].source if facts and DEFAULT in facts.aliases else ""
        name = name or DEFAULT
        is_meant = facts is not None and facts.aliases.get(name) == found.meaning
        return self._list_choices(found.path, name) if is_meant else ()

    def _list_choices(self, path: bytes, name: str) -> tuple[Choice, ...]:
        facts = self._tree.read(path)
        return tuple(facts.choices.get(name, ())) if facts is not None else ()


def _list_spoken(nodes: Iterable[ast.AST], imports: Collection[str]) -> Iterator[_SpokenName]:
    """The imported names that pieces of syntax have, as they come."""
    listed = [*map(_read_names, nodes)]
    called = frozenset().union(*(each.called for each in listed))
    searched = frozenset().union(*(each.searched for each in listed))
    for dotted in dict.fromkeys(name for each in listed for name in each.dotted):
        if dotted.partition(".")[0] in imports:
            yield _SpokenName(dotted, dotted in called, dotted in searched)


@functools.lru_cache(maxsize=_MOST)
def _read_names(node: ast.AST) -> _Names:
    """The names in a piece of syntax. Nobody changes it: most is parsed once for a history."""
    parts = [*walk_nodes(node)]
    calls = (e.func for e in parts if isinstance(e, ast.Call) and (e.args or e.keywords))
    named = (each for each in parts if isinstance(each, ast.Name | ast.Attribute))
    return _Names(
        tuple(dict.fromkeys(map(spell_dotted, named))),
        frozenset(map(spell_dotted, calls)),
        frozenset(map(spell_dotted, _list_searched(parts))),
    )


def _list_searched(nodes: Iterable[ast.AST]) -> Iterator[ast.expr]:
    """What is asked whether something is in it."""
    for node in nodes:
        match node:
            case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[among]):
                yield among
