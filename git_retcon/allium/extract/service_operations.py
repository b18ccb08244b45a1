"""Operations that work on objects of other classes: functions, and methods of services.

A function says which objects it works on by the types that it names. Where it names none, the name
of an object is that of its type, as ``order`` is an ``Order``; then only what is done with its
states counts.
"""

import ast
import keyword
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Set

from git_retcon.allium.extract.grammar.calls import find_origin
from git_retcon.allium.extract.python.flow.moves import Function
from git_retcon.allium.extract.python.flow.renewed_states import BEGINNINGS
from git_retcon.allium.extract.python.rules.step_mentions import count_mentions
from git_retcon.allium.extract.python.syntax.function_texts import answer_once
from git_retcon.allium.extract.python.syntax.names import is_private
from git_retcon.allium.extract.python.syntax.node_copies import copy_node, copy_tree
from git_retcon.allium.extract.python.syntax.own_attributes import list_attributes
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes
from git_retcon.allium.extract.shared_states import list_complete
from git_retcon.allium.extract.source_facts import Evidence, Handled, ServiceOperation, Shape
from git_retcon.allium.extract.touched_objects import OWN, read_touched

# What gives an object that was there before; any other call makes a new one.
_FINDS = re.compile(
    r"(?:\b|_|(?<=[a-z])(?=[A-Z]))(?i:find|get|load|fetch|retriev|read|quer|select|first|one|lock"
    r"|look|requir|resolv|by_?id|pop|next|current|filter)\w*[?!]?\s*(?:<[^()]*>)?\("
)
# What is sent or given has states of others.
_MESSAGES = re.compile(
    r"(?i)dto|data|payload|input|event|message|response|result|reply|param|option|value|body|form"
    r"|arg|attr|field|filter|where|query|row|item|config|settings|props"
)
_NAME = re.compile(r"\W")  # what is behind the first name of a type
_CALLED = "()"  # behind the name of an own method, in a body that was translated
_LONGEST = 120  # nodes; what is longer is a table


def find_service_operation(
    node: Function,
    place: Evidence,
    find_type: Callable[[str], str | None],
    is_type: Callable[[str], bool],
    constants: Mapping[str, ast.expr],
    endings: Mapping[str, str] = {},
    find_part: Callable[[str], str] = lambda _: "",
) -> ServiceOperation | None:
    """The operation that a function is; None where it works on no object of another class.

    ``find_type`` gives the dotted type of a variable, "" for an object that the function makes
    itself, None where nothing says it; ``find_part`` that of what another object has, "" where
    nothing says it. ``is_type`` says whether a name may be a type's; ``endings`` are the only types
    whose names end as those of variables do.
    """
    touched = read_touched(node)
    handled = _find_handled(touched.names, find_type, is_type)
    handled |= _find_moved(touched.moved, find_type, is_type, endings, handled)
    chains = _find_chains(touched.chains, is_type, find_part)
    # Most functions work on nothing, and need not be searched as a whole.
    if not (handled or chains):
        return None
    words = _list_words(node)
    chains = {text: each for text, each in chains.items() if each.name not in words}
    handled |= {each.name: each for each in chains.values()}
    if not handled:
        return None
    try:
        names = {text: each.name for text, each in chains.items()}
        code = _spell_code(_Shortened(names).visit(copy_tree(node)) if names else node)
    except RecursionError:
        return None  # nested beyond anything that a person writes
    named = tuple(
        (name, ast.unparse(constants[name]))
        for name in sorted(_list_constants(constants, words, node))
        if is_short(constants[name])
    )
    is_private = place.symbol.rpartition(".")[2].startswith("_")
    return ServiceOperation(place, code, tuple(handled.values()), named, is_private)


def works_on_any(node: Function) -> bool:
    """Whether a function names anything that may be an object which it works on."""
    return any(read_touched(node))


def find_heirs(shapes: Iterable[Shape], imports: Collection[str]) -> Collection[str]:
    """Those of classes that have a base class in another file."""
    return {
        each.evidence[0].symbol
        for each in shapes
        if any(base.partition(".")[0] in imports for base in each.bases)
    }


def find_classes_with_imported_types(
    shapes: Iterable[Shape], imports: Collection[str]
) -> Collection[str]:
    """Those of classes that have a field of an imported type: there may be its states, and only
    with them is it known what methods do.
    """
    return {
        each.evidence[0].symbol
        for each in shapes
        if any(
            _NAME.split(field.type.source)[0] in imports and not field.type.is_relation
            for field in each.fields
        )
    }


def find_sharing(shapes: Iterable[Shape]) -> Collection[str]:
    """Those of classes that set attributes which a base class may begin, or that others set too."""
    return {
        each.evidence[0].symbol
        for each in shapes
        if each.shared and (each.bases or any(list_complete(each.shared)))
    }


@answer_once
def _list_words(node: Function) -> Set[str]:
    """The names that a function has."""
    nodes = [*walk_nodes(node)]
    words = {each.id for each in nodes if isinstance(each, ast.Name)}
    return words | {each.arg for each in nodes if isinstance(each, ast.arg)}


def _list_constants(constants: Collection[str], words: Set[str], node: Function) -> Iterator[str]:
    """The constants that a function names, also as members of a class: ``Order.mayFollow``."""
    for each in constants:
        owner, _, name = each.rpartition(".")
        if each in words or (owner in words and name in list_attributes(node)):
            yield each


@answer_once
def _spell_code(node: Function) -> str:
    renamed = _rename_keywords(node)
    for each in walk_nodes(renamed):
        # What was made here has no line; "unparse" looks for comments at that of a statement.
        if isinstance(each, ast.stmt) and not hasattr(each, "lineno"):
            each.lineno = 0
    return ast.unparse(renamed)


def _rename_keywords(node: Function) -> Function:
    """A function of another language whose names Python can read: ``task.import_``, ``S_task`` of
    ``$task``, and own methods without the mark of a call.
    """
    if all(_spell_name(each) == each for each in _list_spelled(node)):
        return node
    renamed: Function = _Renamed().visit(copy_tree(node))
    return renamed


def _list_spelled(node: Function) -> Iterator[str]:
    for each in walk_nodes(node):
        match each:
            case ast.Attribute(attr=name) | ast.Name(id=name) | ast.arg(arg=name):
                yield name
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield name


def _spell_name(name: str) -> str:
    word = name.removesuffix(_CALLED)
    # There may be a "_task", too.
    return re.sub(r"[^\w.]", "S_", word) + "_" * keyword.iskeyword(word)


def is_short(node: ast.expr) -> bool:
    """Whether a constant may be a list of states, or an answer, and is no table of data."""
    most = _LONGEST * (10 if isinstance(node, ast.Lambda) else 1)
    return all(number < most for number, _ in enumerate(ast.walk(node)))


def _find_handled(
    names: Iterable[str],
    find_type: Callable[[str], str | None],
    is_type: Callable[[str], bool],
) -> dict[str, Handled]:
    """The variables that are objects, by their names."""
    handled: dict[str, Handled] = {}
    for name in names:
        # What begins with a capital is a type itself.
        if name[:1].isupper():
            continue
        kind, guess = find_type(name), _guess_type(name)
        if name in OWN and not kind:
            continue
        if kind:
            handled[name] = Handled(name, kind)
        elif kind is None and is_type(guess):
            handled[name] = Handled(name, guess)
    return handled


def spell_answers(returned: Mapping[str, ast.expr]) -> Mapping[str, str]:
    """What properties and methods of a class return, as facts of its file."""
    return {
        name.removesuffix(_CALLED): ast.unparse(_Renamed().visit(copy_tree(each)))
        for name, each in returned.items()
    }


def spell_called(node: Function, methods: Mapping[str, Function]) -> tuple[str, ...]:
    """The methods of its class that a translated function runs, by itself or by others of them, as
    Python; ``methods`` are those of the class by the names that calls have for them.
    """
    found: dict[str, str] = {}
    waiting = [node]
    while waiting:
        for each in walk_nodes(waiting.pop()):
            match each:
                case ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr=name)):
                    method = methods.get(name)
                    if method is not None and name not in found and method is not node:
                        found[name] = spell_method(method, name)
                        waiting.append(method)
    return tuple(found.values())


def spell_runners(place: Evidence, methods: Mapping[str, Function], text: str) -> tuple[str, ...]:
    """The methods of a class that run the one at a place, as Python; none where others in the
    ``text`` of the file may run it.
    """
    name = place.symbol.rpartition(".")[2].lstrip("#")
    calls = {key: _count_calls(each, name) for key, each in methods.items()}
    mentioned = len(re.findall(rf"\b{re.escape(name)}\b", text))
    if mentioned != sum(calls.values()) + 1:
        return ()
    return tuple(spell_method(methods[key], key) for key, number in calls.items() if number)


def spell_handers(
    place: Evidence, methods: Mapping[str, Function], text: bytes, *, may_be_lent: bool
) -> tuple[str, ...]:
    """The methods of a class that run its step at a place, or have others run it, and what runs
    these, as Python; none where anything else in the ``text`` of the file may run it, or an object
    begins with it.
    """
    name = place.symbol.rpartition(".")[2].lstrip("#")
    if name.encode() not in text:
        return ()
    found = {key: _list_named(each, name) for key, each in methods.items()}
    known = [key for key, each in found.items() if each]
    if sum(map(len, found.values())) != count_mentions(text, name):
        return ()
    # Where a source can say what is private, a base class may run what only has such a name.
    is_only_run = not any(_hands_on(methods[key], name) for key in known)
    if is_only_run and may_be_lent and place.path.endswith((b".ts", b".tsx")):
        return ()
    # What hands on a private step that does so runs it, too.
    for key in known:
        step = key.removesuffix(_CALLED)
        for other, method in methods.items() if is_private(methods[key].name) else ():
            if other not in known and _list_named(method, step):
                known.append(other)
    if any(methods[key].name in BEGINNINGS for key in known):
        return ()
    return tuple(spell_method(methods[key], key) for key in known)


def _list_named(method: Function, name: str) -> Collection[object]:
    """Where a method calls a step of its own object, or hands it on."""
    found: set[object] = set()
    for each in walk_nodes(method):
        match each:
            case ast.Call(func=called) if _names_own(called, name + _CALLED):
                found.add(find_origin(each))
            case ast.Attribute() if _names_own(each, name):
                found.add(find_origin(each))
    return found


def _hands_on(method: Function, name: str) -> bool:
    parts = [*walk_nodes(method)]
    run = {id(each.func) for each in parts if isinstance(each, ast.Call)}
    named = (each for each in parts if isinstance(each, ast.Attribute) and id(each) not in run)
    return any(_names_own(each, name) for each in named)


def _names_own(node: ast.expr, name: str) -> bool:
    match node:
        case ast.Attribute(value=ast.Name(id="self"), attr=attr):
            return attr == name
    return False


def _count_calls(node: Function, name: str) -> int:
    """How often a method runs the one with this name of its own object."""
    found = (each.func for each in walk_nodes(node) if isinstance(each, ast.Call))
    return sum(
        isinstance(each, ast.Attribute)
        and each.attr.removesuffix(_CALLED) == name
        and isinstance(each.value, ast.Name)
        and each.value.id == "self"
        for each in found
    )


def spell_method(node: Function, name: str) -> str:
    """A translated method as Python, with the name that calls have for it."""
    named = copy_node(node)
    named.name = name.removesuffix(_CALLED)
    return _spell_code(named)


def is_found(code: str) -> bool:
    """Whether an expression finds an object, and makes none."""
    return _FINDS.search(code) is not None


def _find_moved(
    moved: Iterable[tuple[str, str]],
    find_type: Callable[[str], str | None],
    is_type: Callable[[str], bool],
    endings: Mapping[str, str],
    handled: Collection[str],
) -> Mapping[str, Handled]:
    """The objects that are known by nothing but the state that they get, or by a part of a name."""
    enums: dict[str, set[str]] = {}
    for name, enum in moved:
        if name not in handled and name not in OWN and find_type(name) is None:
            enums.setdefault(name, set()).add(enum)
    found: dict[str, Handled] = {}
    for name in sorted(enums):
        enum, *others = sorted(enums[name])
        if endings.get(name):
            found[name] = Handled(name, endings[name], is_guessed=True)
        elif not others and is_type(enum.partition(".")[0]) and not _MESSAGES.search(name):
            found[name] = Handled(name, enum)
    return found


def _find_chains(
    chains: Iterable[tuple[str, str]],
    is_type: Callable[[str], bool],
    find_part: Callable[[str], str],
) -> Mapping[str, Handled]:
    """Objects that are reached through others, ``self.order``, by a name of their own."""
    found: dict[str, dict[str, str]] = {}
    for name, chain in chains:
        guess = _guess_type(name)
        # An heir's state is that of the class which a name says.
        kind = guess if is_type(guess) else find_part(chain)
        if kind:
            found.setdefault(name, {})[chain] = kind
    return {
        text: Handled(name, kind)
        for name, kinds in found.items()
        if len(kinds) == 1 and name.isidentifier()
        for text, kind in kinds.items()
    }


def _guess_type(name: str) -> str:
    """The type that a name is like: ``order_line`` and ``orderLine`` → ``OrderLine``."""
    return "".join(word[:1].upper() + word[1:] for word in name.split("_"))


class _Renamed(ast.NodeTransformer):
    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        self.generic_visit(node)
        node.attr = _spell_name(node.attr)
        return node

    def visit_Name(self, node: ast.Name) -> ast.expr:
        node.id = _spell_name(node.id)
        return node

    def visit_arg(self, node: ast.arg) -> ast.arg:
        node.arg = _spell_name(node.arg)
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.name = _spell_name(node.name)
        return self.generic_visit(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        node.name = _spell_name(node.name)
        return self.generic_visit(node)


class _Shortened(ast.NodeTransformer):
    """A function whose chains are names."""

    def __init__(self, chains: Mapping[str, str]) -> None:
        self._chains = chains
        self._ends = {text.rpartition(".")[2] for text in chains}

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        name = self._chains.get(ast.unparse(node)) if node.attr in self._ends else None
        if name is not None:
            return ast.Name(name)
        self.generic_visit(node)
        return node
