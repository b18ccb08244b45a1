"""Operations of a file on objects of its types and of those that it sees."""

import ast
import functools
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from git_retcon.allium.extract.asked_classes import NO_STORES, Stores
from git_retcon.allium.extract.found_rows import list_changed_or_refused, open_finds
from git_retcon.allium.extract.grammar.element_types import read_elements
from git_retcon.allium.extract.grammar.statements import Statements
from git_retcon.allium.extract.grammar.syntax_nodes import Node, list_children, read_text
from git_retcon.allium.extract.grammar.translated_methods import Method, Parameter, make_method
from git_retcon.allium.extract.handed_objects import find_steps, run_steps
from git_retcon.allium.extract.python.rules.object_parts import find_part_type
from git_retcon.allium.extract.python.syntax.local_values import Function as Translated
from git_retcon.allium.extract.python.syntax.own_attributes import list_attributes
from git_retcon.allium.extract.service_operations import (
    find_service_operation,
    is_found,
    spell_called,
    spell_handers,
    spell_runners,
)
from git_retcon.allium.extract.source_facts import Evidence, ServiceOperation
from git_retcon.allium.extract.stored_updates import open_updates

_MAKING = "constructor"
_TAKING = ("required_parameter", "optional_parameter")  # of TypeScript
_DEFAULTS = {"true": ast.Constant(True), "false": ast.Constant(False), "null": ast.Constant(None)}
# A variable that gets a value: ``order = ``, ``order, err := ``, ``let order: Order = ``.
_GIVEN = r"(?<![.\w]){}\s*(?:,[\s\w,]+)?(?::[^:=;\n]+)?:?=(?![=>])\s*"
# What a function sets: ``.status = ``, ``.setStatus(``; what changes rows; and what refuses.
_SETS = re.compile(r"(?:\.\s*\w+|\])\s*=(?![=>])|\.set\w*\(|\w*[uU]pdate\w*\(|\bthrow\b")
# What it gives a state: ``door.move(State.Locked)``.
_GIVES = re.compile(
    r"\w\.#?\w+\((?:[^()]*,)?\s*[A-Z]\w*\.[A-Z]\w*\s*[,)]"
)  # ``move(State.Locked)``
_STEPS = re.compile(
    r"\bthis\.#?\w+\((?:[^()]*,)?\s*(?:[A-Z][\w.]*\.[A-Za-z]\w*|'[\w-]+'|\"[\w-]+\")\s*[,)]"
)
# What a function asks of its own object: ``this.state === State.Locked``, ``check(this.state)``.
_ASKS = re.compile(
    r"\bthis\.#?\w+\s*[!=]==?\s*(?:[\w.]*[A-Z]\w*|['\"]\w)|\bassert\.\w+\(\s*this\.#?\w+\s*,"
    r"|(?<![.\w])[a-z_]\w*\(\s*this\.#?\w+\s*[,)]"
)
# What a method sets of another object: ``line.status = ``, ``this.front.status = ``.
_SETS_OTHER = re.compile(r"(?:(?<![.\w])(?!this\b)[a-z_]\w*|\bthis\.#?\w+)\.#?\w+\s*=(?![=>])")
# The class that finds an object, or that is to be found: ``Order.findByPk``, ``(Order, id)``.
_FINDING = re.compile(
    r"^(?:await\s+)?&?([A-Z]\w*)(?:<[^()]*>)?(?:\.|::)|[(,]\s*([A-Z]\w*)(?:\.class)?\s*[,)]"
)


class Function(NamedTuple):
    """A function or a method: its symbol, its node, and what its body is in Python. ``name`` is
    what it is called, "" for the last part of its symbol; ``types`` are those of variables that it
    does not say itself.
    """

    symbol: str
    node: Node
    translate: Callable[[Node], Statements]
    name: str = ""
    types: Mapping[str, str] = {}


def list_services(
    path: bytes,
    functions: Iterable[Function],
    name_type: Callable[[Node], str],
    is_type: Callable[[str], bool],
    incomplete: Collection[str] = (),
    stores: Mapping[str, Stores] = {},
    constants: Mapping[str, ast.expr] = {},
    methods: Mapping[str, Mapping[str, Translated]] = {},
    endings: Mapping[str, str] = {},
    elements: Mapping[str, Mapping[str, str]] = {},
    parts: Mapping[str, Mapping[str, str]] = {},
) -> Iterator[ServiceOperation]:
    """The operations that these functions are. ``name_type`` is the dotted name of a written type,
    "" for one that is no name; ``is_type`` says whether a name may be a type's. Of
    ``incomplete`` classes, only other files tell what their ``methods`` do; ``stores`` are what
    classes keep rows of, ``constants`` those of the file, ``endings`` the only types that variables
    with these names may be of, ``elements`` what fields of classes have many of, ``parts`` what
    they have one of.
    """
    steps = {owner: find_steps(each) for owner, each in methods.items()}
    for function in functions:
        body = function.node.child_by_field_name("body")
        owner = function.symbol.rpartition(".")[0]
        is_open, own, kept = owner in incomplete, steps.get(owner, {}), stores.get(owner, NO_STORES)
        if body is None or not (_may_act(function, body, own) or (is_open and _asks(body))):
            continue
        symbol = function.name or function.symbol.rpartition(".")[2]
        method, place = _make_method(symbol, function), Evidence(path, function.symbol)
        types = _read_types(function, method.node, name_type, is_type)
        known = read_elements(method.node, elements.get(owner, {}), is_type) | types
        known |= {"self": owner} if is_open and symbol != _MAKING else {}
        changed = open_updates(run_steps(method.node, own), is_type, kept)
        asked = open_finds(changed.node, is_type, list_changed_or_refused, kept)
        known |= {**asked.types, **changed.types}
        find = functools.partial(find_part_type, own=parts.get(owner, {}), find_type=lambda _: None)
        found = find_service_operation(
            asked.node, place, known.get, is_type, constants, endings, find
        )
        if found is not None:
            known_steps = methods.get(owner, {}) if is_open else {}
            told = _tell_steps(found, function, method.node, known_steps)
            yield _add_answers(told, constants, [*_list_asked(asked.node, known_steps)])


def _make_method(name: str, function: Function) -> Method:
    parameters = [
        Parameter(name, read_text(node).strip(": ") in ("bool", "boolean"), default=default)
        for name, node, default in _list_parameters(function.node)
    ]
    return make_method(name, parameters, function.translate(function.node))


def _read_types(
    function: Function,
    node: Translated,
    name_type: Callable[[Node], str],
    is_type: Callable[[str], bool],
) -> dict[str, str]:
    """The types of a function's variables: written, known otherwise, or by what they get."""
    written = _list_written(function.node)
    types = {n: kind for n, each in written if (kind := name_type(each))} | {**function.types}
    body = read_text(function.node.child_by_field_name("body"))
    return types | _read_given(body, [*types, *_list_targets(node)], is_type)


def _tell_steps(
    found: ServiceOperation,
    function: Function,
    node: Translated,
    methods: Mapping[str, Translated],
) -> ServiceOperation:
    """An operation with the ``methods`` of its class that it runs, or that run it; these are none
    where the class is known without other files.
    """
    is_private = found.is_private or _is_private(function.node)
    # Many JavaScript sources write what is private with an underscore behind it.
    is_step = bool(methods) and (is_private or function.symbol.endswith("_"))
    text = _read_file(function.node) if is_step else ""
    return found._replace(
        is_private=is_private,
        called=spell_called(node, methods) if methods else (),
        runners=_find_runners(function, methods, found.place) if methods else (),
        handers=spell_handers(
            found.place, methods, text.encode(), may_be_lent=not _is_private(function.node)
        )
        if text
        else (),
    )


def sets_other(node: Node) -> bool:
    """Whether a method sets something of another object than its own."""
    return _SETS_OTHER.search(read_text(node.child_by_field_name("body"))) is not None


def _list_asked(node: Translated, methods: Mapping[str, Translated]) -> Iterator[Translated]:
    """The methods of its class that an operation asks, and those that these ask."""
    names = {*list_attributes(node)}
    for _ in range(2):
        names |= {
            word for each in names & methods.keys() for word in list_attributes(methods[each])
        }
    yield from (methods[each] for each in sorted(names & methods.keys()))


def _add_answers(
    operation: ServiceOperation, constants: Mapping[str, ast.expr], asked: Sequence[Translated]
) -> ServiceOperation:
    """An operation with the constants that the methods name which it asks, and the answers that
    those ask which it runs.
    """
    known = {name for name, _ in operation.constants}
    named = {word for each in asked for word in list_attributes(each) if word.isupper()}
    found = tuple(
        (name, ast.unparse(each))
        for name, each in sorted(constants.items())
        if name not in known
        and (
            any(f"{name}(" in code for code in operation.called)
            if isinstance(each, ast.Lambda)
            else name in named and isinstance(each, ast.List)
        )
    )
    return operation._replace(constants=(*operation.constants, *found)) if found else operation


def list_endings(types: Iterable[str]) -> Mapping[str, str]:
    """The last words of types that no other type has, as names of variables, with the type."""
    found: dict[str, list[str]] = {}
    for each in types:
        words = re.findall(r"[A-Z][a-z0-9]*", each)
        for at in range(1, len(words)) if "".join(words) == each else ():
            ending = "".join(words[at:])
            found.setdefault(ending[0].lower() + ending[1:], []).append(each)
    return {name: each[0] for name, each in found.items() if len(each) == 1}


def _may_act(function: Function, body: Node, steps: Iterable[str]) -> bool:
    """Whether a function may set anything; of one whose types are known, what it returns may."""
    text = read_text(body)
    return bool(function.types) or _may_set(text, steps) or _GIVES.search(text) is not None


def _may_set(text: str, steps: Iterable[str]) -> bool:
    """Whether a body sets anything, itself or by one of these steps."""
    named = (each.removesuffix("()") for each in steps)
    return _SETS.search(text) is not None or any(f".{each}(" in text for each in named)


def _asks(body: Node) -> bool:
    """Whether a body gives a method of its own object a member of an enum, or may refuse by one."""
    text = read_text(body)
    return _STEPS.search(text) is not None or _ASKS.search(text) is not None


def _is_private(node: Node) -> bool:
    if read_text(node.child_by_field_name("name")).startswith("#"):
        return True
    marks = (each for each in node.children if each.type.endswith(("modifier", "modifiers")))
    return any("private" in read_text(each).split() for each in marks)


def _find_runners(
    function: Function, methods: Mapping[str, Translated], place: Evidence
) -> tuple[str, ...]:
    """What runs a step of its class, if that is known to be all."""
    # What only has a private name, its base class may run.
    is_step = _is_private(function.node) and not _is_later(function.node)
    return spell_runners(place, methods, _read_file(function.node)) if is_step else ()


def _is_later(node: Node) -> bool:
    """Whether what a function does waits, or is only made where it is called."""
    return any(each.type in ("async", "*") for each in node.children)


def _read_file(node: Node) -> str:
    while node.parent is not None:
        node = node.parent
    return read_text(node)


def _read_given(text: str, names: Iterable[str], is_type: Callable[[str], bool]) -> dict[str, str]:
    """The types of variables by what they get, "" for objects that the function makes."""
    found: dict[str, str] = {}
    for name in dict.fromkeys(names):
        given = re.search(_GIVEN.format(re.escape(name)), text) if name in text else None
        value = _cut_expression(text[given.end() :]) if given is not None else ""
        if value and not is_found(value):
            found[name] = ""
        elif value and (finding := _FINDING.search(value)) is not None:
            kind = finding[1] or finding[2]
            found |= {name: kind} if is_type(kind) else {}
    return found


def _cut_expression(text: str) -> str:
    """What a text begins with, up to the end of a line at which no bracket is open."""
    depth = 0
    for at, letter in enumerate(text):
        depth += (letter in "([{") - (letter in ")]}")
        if depth < 0 or (depth == 0 and letter in ";\n"):
            return text[:at]
    return text


def _list_targets(node: ast.AST) -> Iterator[str]:
    for each in ast.walk(node):
        if isinstance(each, ast.Assign):
            for target in each.targets:
                inner = target.value if isinstance(target, ast.Attribute) else target
                if isinstance(inner, ast.Name):
                    yield inner.id


def _list_parameters(node: Node) -> Iterator[tuple[str, Node, ast.expr | None]]:
    """Each parameter with its type, or itself, and what it is where nothing is given."""
    listed = node.child_by_field_name("parameters")
    for number, each in enumerate(list_children(listed)):
        kind = each.child_by_field_name("type")
        names = [*_list_names(each)]
        if not names and each.type in _TAKING:
            names = [f"_{number}"]  # what takes an object apart has a place among the others
        default = _DEFAULTS.get(read_text(each.child_by_field_name("value")))
        if default is None and each.type == "optional_parameter":
            default = ast.Constant(None)
        for name in names:
            yield name, kind or each, default


def _list_written(node: Node) -> Iterator[tuple[str, Node]]:
    """Each variable of a function whose type is written beside it."""
    waiting = [node]
    while waiting:
        each = waiting.pop()
        waiting += reversed(each.named_children)
        kind = each.child_by_field_name("type")
        if kind is None:
            continue
        for name in _list_names(each):
            yield name, kind
        for declarator in list_children(each, "variable_declarator"):
            yield read_text(declarator.child_by_field_name("name")), kind


def _list_names(node: Node) -> Iterator[str]:
    for part in ("name", "pattern"):
        for each in node.children_by_field_name(part):
            text = read_text(each).removeprefix("mut ").strip()
            if text.isidentifier():
                yield text
