"""Operations of a Python file on objects of its classes and of those that it imports."""

import ast
import functools
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Set
from typing import NamedTuple

from git_retcon.allium.extract.found_rows import OpenedFinds, may_find, open_finds
from git_retcon.allium.extract.python.classes.classes import ReadClass
from git_retcon.allium.extract.python.flow.moves import Function
from git_retcon.allium.extract.python.rewriting.local_answers import is_listed
from git_retcon.allium.extract.python.rules.behaviour import is_operation
from git_retcon.allium.extract.python.rules.object_parts import (
    Container,
    find_element_type,
    find_looped_type,
    find_part_type,
)
from git_retcon.allium.extract.python.rules.step_runners import list_runners
from git_retcon.allium.extract.python.syntax.constants import read_constants
from git_retcon.allium.extract.python.syntax.function_texts import answer_once, may_have
from git_retcon.allium.extract.python.syntax.names import get_last, spell_class, spell_dotted
from git_retcon.allium.extract.python.syntax.nested_statements import walk_statements
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes
from git_retcon.allium.extract.python.syntax.type_hints import read_type
from git_retcon.allium.extract.service_operations import (
    find_service_operation,
    is_found,
    is_short,
    works_on_any,
)
from git_retcon.allium.extract.source_facts import Evidence, ServiceOperation
from git_retcon.allium.extract.spelling import spell_words
from git_retcon.allium.extract.stored_updates import (
    OpenedUpdates,
    may_update,
    open_updates,
)

_SKIPPED = frozenset({"property", "cached_property", "overload", "abstractmethod", "fixture"})

_UNBOUND = frozenset({"staticmethod", "classmethod"})
_MAY_ASK = re.compile(rb"\bif\s+\(?\s*[A-Za-z_]\w*\(")


def list_services(
    path: bytes,
    content: bytes,
    functions: Iterable[tuple[str, Function]],
    types: Collection[str],
    constants: Mapping[str, ast.expr],
    incomplete: Collection[str] = (),
    parts: Mapping[str, Mapping[str, str]] = {},
    containers: Mapping[str, Mapping[str, Container]] = {},
    owned: Mapping[str, Mapping[str, str]] = {},
) -> Iterator[ServiceOperation]:
    """The operations that these functions, by their symbols, are. ``types`` are the names that may
    be classes; of those that are ``incomplete``, only other files tell what their methods do.
    ``parts`` are what objects of the classes have, ``containers`` where they keep others, ``owned``
    the lists and tables of the classes.
    """
    is_type = frozenset(types).__contains__
    functions = [*functions]
    methods = _list_methods(functions, incomplete)
    endings, acronyms = _list_endings(types), _list_acronyms(types)
    may_change, may_ask = may_update(content), may_find(content)
    for symbol, node in functions:
        owner = symbol.rpartition(".")[0]
        # Of a class that is read here as a whole, "with" and calls are operations.
        is_special = node.name.startswith("__") and not (owner in incomplete and is_operation(node))
        if is_special or not _list_marks(node).isdisjoint(_SKIPPED):
            continue
        changed = open_updates(node, is_type) if may_change else OpenedUpdates(node, {})
        own = {_name_self(node): owner} if owner in incomplete else {}
        asked = open_finds(changed.node, is_type) if may_ask else OpenedFinds(changed.node, {})
        if not works_on_any(asked.node):  # as most
            continue
        own |= {**asked.types, **changed.types}
        kept = containers.get(owner, {})
        find_type = _Variables(node, is_type, own, acronyms, kept).find
        place = Evidence(path, symbol)
        find_part = functools.partial(find_part_type, own=parts.get(owner, {}), find_type=find_type)
        found = find_service_operation(
            asked.node, place, find_type, is_type, constants, endings, find_part
        )
        if found is not None:
            found = _add_owned(found, owned.get(owner, {}))
            yield _tell_steps(found, node, methods.get(owner, {}), content)


def _add_owned(found: ServiceOperation, owned: Mapping[str, str]) -> ServiceOperation:
    """An operation with the lists and tables of its class, beside those of the file."""
    known = {**owned, **dict(found.constants)}
    return found._replace(constants=tuple(sorted(known.items())))


def list_owned(
    classes: Iterable[tuple[str, ast.ClassDef]], incomplete: Collection[str]
) -> Mapping[str, Mapping[str, str]]:
    """The lists and tables of classes of which only other files tell what their methods do, as
    Python, by the symbols of the classes.
    """
    return {
        symbol: {
            name: ast.unparse(each)
            for name, each in read_constants(node.body).items()
            if name.isupper() and is_listed(each) and is_short(each)
        }
        for symbol, node in classes
        if symbol in incomplete
    }


def _tell_steps(
    found: ServiceOperation, node: Function, methods: Mapping[str, Function], content: bytes
) -> ServiceOperation:
    """An operation with the ``methods`` of its class that it runs, or that run it."""
    owner = found.place.symbol.rpartition(".")[0]
    runners = list_runners(node.name, methods, content, owner) if methods else ()
    # What they ask before they run it says where it begins, too.
    asked = (one for each in (node, *runners) for one in _list_called(each, methods))
    called = [each for each in dict.fromkeys(asked) if each is not node]
    return found._replace(
        called=tuple(map(_spell_method, called)), handers=tuple(map(_spell_method, runners))
    )


def list_asking(
    classes: Mapping[str, tuple[ast.ClassDef, ReadClass]], imports: Collection[str]
) -> Iterator[str]:
    """The classes with states that ask for lists and rules of other files: only with these is it
    known from which states their methods lead.
    """
    lists = {name for name in imports if name.isupper()}
    for symbol, (node, read) in classes.items() if imports else ():
        states = read.states.values()
        has_choices = any(each.choices for each in states)
        if has_choices and lists:
            names = {each.id for each in walk_nodes(node) if isinstance(each, ast.Name)}
            if not names.isdisjoint(lists):
                yield symbol
                continue
        if (has_choices or any(each.enum for each in states)) and _asks_rules(node, imports):
            yield symbol


def _asks_rules(node: ast.ClassDef, imports: Collection[str]) -> bool:
    """``if OrderMustBeDraft(self.status): raise ...``."""
    methods = (each for each in node.body if isinstance(each, Function))
    asking = (each for each in methods if may_have(each, _MAY_ASK))
    for each in (statement for method in asking for statement in walk_statements(method.body)):
        match each:
            case ast.If(test=ast.Call(func=ast.Name(id=name)), body=[ast.Raise()]):
                if name in imports:
                    return True
    return False


def _list_methods(
    functions: Iterable[tuple[str, Function]], incomplete: Collection[str]
) -> Mapping[str, Mapping[str, Function]]:
    """The methods of classes that only other files tell the states of, by the classes."""
    found: dict[str, dict[str, Function]] = {}
    for symbol, node in functions:
        owner, _, name = symbol.rpartition(".")
        if owner in incomplete:
            found.setdefault(owner, {})[name] = node
    return found


def _list_called(node: Function, methods: Mapping[str, Function]) -> Iterable[Function]:
    """The methods of its class that a function runs, by itself or by others of them."""
    found: dict[str, Function] = {}
    waiting = [node]
    while waiting:
        for name in _list_own_calls(waiting.pop()):
            if name in methods and name not in found and methods[name] is not node:
                found[name] = methods[name]
                waiting.append(methods[name])
    return found.values()


@answer_once
def _list_own_calls(node: Function) -> Collection[str]:
    """The names of the methods of its object that a function calls."""
    names: list[str] = []
    for each in walk_nodes(node):
        match each:
            case ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr=name)):
                names.append(name)
    return names


@answer_once
def _spell_method(node: Function) -> str:
    return ast.unparse(node)


def _list_endings(types: Iterable[str]) -> Mapping[str, str]:
    """The last words of classes that no other class has, as names of variables: the class."""
    found: dict[str, list[str]] = {}
    for each in types:
        for ending in _list_name_endings(each):
            found.setdefault(ending, []).append(each)
    return {name: each[0] for name, each in found.items() if len(each) == 1}


# The versions of a file name the same classes again and again.
@functools.lru_cache(maxsize=8192)
def _list_name_endings(name: str) -> tuple[str, ...]:
    words = re.findall(r"[A-Z][a-z0-9]+", name)
    is_whole = "".join(words) == name
    return tuple("_".join(words[at:]).lower() for at in range(1, len(words)) if is_whole)


def _list_acronyms(types: Iterable[str]) -> Mapping[str, str]:
    """Classes whose names begin with several capitals, by what variables of them are called."""
    return {spell_words(each): each for each in types if each[:2].isalpha() and each[:2].isupper()}


class _Written(NamedTuple):
    """What a function says of its variables: what they are annotated as, and given first; what
    loops go through, by its identity; and those that are another object behind what was done with
    the first.
    """

    annotated: Mapping[str, ast.expr]
    given: Mapping[str, ast.expr]
    looped: Set[int]
    replaced: Set[str]


@answer_once
def _read_written(node: Function) -> _Written:
    listed = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
    annotated = {each.arg: each.annotation for each in listed if each.annotation is not None}
    given: dict[str, ast.expr] = {}
    looped: set[int] = set()
    changed: set[str] = set()
    replaced: set[str] = set()
    for each in walk_statements(node.body):
        match each:
            case ast.Assign(targets=[ast.Attribute(value=ast.Name(id=name))]):
                changed.add(name)
            case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation):
                annotated.setdefault(name, annotation)
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                given.setdefault(name, value)
                replaced |= {name} & changed if isinstance(value, ast.Call) else set()
            case (
                ast.For(target=ast.Name(id=name), iter=value)
                | ast.AsyncFor(target=ast.Name(id=name), iter=value)
            ):
                given.setdefault(name, value)
                looped.add(id(value))
    return _Written(annotated, given, looped, replaced)


class _Variables:
    """The types of a function's variables; each is read only where it is asked for."""

    def __init__(
        self,
        node: Function,
        is_type: Callable[[str], bool],
        known: Mapping[str, str],
        acronyms: Mapping[str, str],
        containers: Mapping[str, Container],
    ) -> None:
        self._known = known
        self._containers = containers
        self._acronyms = acronyms
        self._node = node
        self._is_type = is_type

    def find(self, name: str) -> str | None:
        """The dotted type of a variable, "" for what a function makes, None where nothing says."""
        if name in self._known:
            return self._known[name]
        written = _read_written(self._node)
        annotation, value = written.annotated.get(name), written.given.get(name)
        if name in written.replaced:
            return ""
        kind = _name_type(annotation) if annotation is not None else ""
        if kind or value is None:
            return kind or self._acronyms.get(name)
        return self._find_type(value, is_looped=id(value) in written.looped)

    def _find_type(self, value: ast.expr, *, is_looped: bool) -> str | None:
        """``Order.objects.get(...)``, ``get_object_or_404(Order, ...)``: an order."""
        node = value.value if isinstance(value, ast.Await) else value
        find_kept = find_looped_type if is_looped else find_element_type
        kept = find_kept(node, self._containers) if self._containers else None
        if kept is not None:
            return kept
        # What is called gave a class: ``self.get_class()(...)``.
        is_made = isinstance(node, ast.Call) and isinstance(node.func, ast.Call)
        if is_made or (isinstance(node, ast.Call) and not is_found(ast.unparse(node))):
            return ""
        while isinstance(node, ast.Call | ast.Attribute | ast.Subscript):
            first = node.args[0] if isinstance(node, ast.Call) and node.args else node
            if self._is_class(first):
                return spell_class(first)
            node = node.func if isinstance(node, ast.Call) else node.value
        return spell_class(node) if self._is_class(node) else None

    def _is_class(self, node: ast.expr) -> bool:
        name = spell_class(node)
        return get_last(name)[:1].isupper() and self._is_type(name.partition(".")[0])


def _list_marks(node: Function) -> frozenset[str]:
    return frozenset(get_last(spell_dotted(each)) for each in node.decorator_list)


def _name_self(node: Function) -> str:
    arguments = [*node.args.posonlyargs, *node.args.args]
    return arguments[0].arg if arguments and _list_marks(node).isdisjoint(_UNBOUND) else ""


def _name_type(annotation: ast.expr) -> str:
    kind = read_type(annotation)
    return "" if kind.arguments else kind.source
