"""Operations that work on objects of other classes: functions, and methods of services.

A function says which objects it works on by the types that it names. Where it names none, the name
of an object is that of its type, as ``order`` is an ``Order``; then only what is done with its
states counts.
"""

import ast
import keyword
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

from git_retcon.allium.extract.python.moves import Function
from git_retcon.allium.extract.python.names import spell_dotted
from git_retcon.allium.extract.python.nested_statements import walk_statements
from git_retcon.allium.extract.python.node_copies import copy_node, copy_tree
from git_retcon.allium.extract.python.syntax_walks import walk_nodes
from git_retcon.allium.extract.python.waiting_steps import is_waiting
from git_retcon.allium.extract.source_facts import Evidence, Handled, ServiceOperation, Shape

# What gives an object that was there before; any other call makes a new one.
_FINDS = re.compile(
    r"(?:\b|_|(?<=[a-z])(?=[A-Z]))(?i:find|get|load|fetch|retriev|read|quer|select|first|one|lock"
    r"|look|requir|resolv|by_?id|pop|next|current|filter)\w*[?!]?\s*(?:<[^()]*>)?\("
)
_OWN = frozenset({"self", "cls", "this"})
# What is sent or given has states of others.
_MESSAGES = re.compile(
    r"(?i)dto|data|payload|input|event|message|response|result|reply|param|option|value|body|form"
    r"|arg|attr|field|filter|where|query|row|item|config|settings|props"
)
_CALLED = "()"  # behind the name of an own method, in a body that was translated
_LONGEST = 120  # statements; what is longer is no one operation
_SETTER = "set"


def find_service_operation(
    node: Function,
    place: Evidence,
    find_type: Callable[[str], str | None],
    is_type: Callable[[str], bool],
    constants: Mapping[str, ast.expr],
    endings: Mapping[str, str] = {},
    find_part: Callable[[ast.Attribute], str] = lambda _: "",
) -> ServiceOperation | None:
    """The operation that a function is; None where it works on no object of another class.

    ``find_type`` gives the dotted type of a variable, "" for an object that the function makes
    itself, None where nothing says it; ``find_part`` that of what another object has, "" where
    nothing says it. ``is_type`` says whether a name may be a type's; ``endings`` are the only types
    whose names end as those of variables do.
    """
    statements = list(walk_statements(node.body))
    is_short = len(statements) <= _LONGEST
    touched = [*_list_touched(statements), *_list_waiting(statements)] if is_short else []
    if not touched:
        return None
    handled = _find_handled(touched, find_type, is_type)
    handled |= _find_moved(statements, find_type, is_type, endings, handled)
    chains = _find_chains(touched, is_type, find_part)
    # Most functions work on nothing, and need not be searched as a whole.
    if not (handled or chains):
        return None
    nodes = [*walk_nodes(node)]
    words = {each.id for each in nodes if isinstance(each, ast.Name)}
    words |= {each.arg for each in nodes if isinstance(each, ast.arg)}
    chains = {text: each for text, each in chains.items() if each.name not in words}
    handled |= {each.name: each for each in chains.values()}
    if not handled:
        return None
    try:
        names = {text: each.name for text, each in chains.items()}
        shortened = _Shortened(names).visit(copy_tree(node)) if names else node
        code = ast.unparse(ast.fix_missing_locations(_rename_keywords(shortened, nodes)))
    except RecursionError:
        return None  # nested beyond anything that a person writes
    named = tuple(
        (name, ast.unparse(constants[name]))
        for name in sorted(words & constants.keys())
        if _is_short(constants[name])
    )
    is_private = place.symbol.rpartition(".")[2].startswith("_")
    return ServiceOperation(place, code, tuple(handled.values()), named, is_private)


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
            field.type.source.partition(".")[0] in imports and not field.type.is_relation
            for field in each.fields
        )
    }


def find_sharing(shapes: Iterable[Shape]) -> Collection[str]:
    """Those of classes that set attributes which a base class may begin."""
    return {each.evidence[0].symbol for each in shapes if each.shared and each.bases}


def _rename_keywords(node: Function, nodes: Iterable[ast.AST]) -> Function:
    """A function of another language whose names Python can read: ``task.import_``, and own
    methods without the mark of a call. ``nodes`` have all its names.
    """
    names = (each for each in nodes if isinstance(each, ast.Attribute | ast.Name))
    words = (each.attr if isinstance(each, ast.Attribute) else each.id for each in names)
    if not any(keyword.iskeyword(each) or each.endswith(_CALLED) for each in words):
        return node
    renamed: Function = _Renamed().visit(copy_tree(node))
    return renamed


def _is_short(node: ast.expr) -> bool:
    """Whether a constant may be a list of states, and is no table of data."""
    return all(number < _LONGEST for number, _ in enumerate(ast.walk(node)))


def _find_handled(
    touched: Iterable[ast.expr],
    find_type: Callable[[str], str | None],
    is_type: Callable[[str], bool],
) -> dict[str, Handled]:
    """The variables that are objects, by their names."""
    handled: dict[str, Handled] = {}
    for name in dict.fromkeys(each.id for each in touched if isinstance(each, ast.Name)):
        # What begins with a capital is a type itself.
        if name[:1].isupper():
            continue
        kind, guess = find_type(name), _guess_type(name)
        if name in _OWN and not kind:
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


def spell_method(node: Function, name: str) -> str:
    """A translated method as Python, with the name that calls have for it."""
    named = copy_node(node)
    named.name = name.removesuffix(_CALLED)
    return ast.unparse(ast.fix_missing_locations(_rename_keywords(named, [*walk_nodes(node)])))


def is_found(code: str) -> bool:
    """Whether an expression finds an object, and makes none."""
    return _FINDS.search(code) is not None


def _list_touched(statements: Iterable[ast.stmt]) -> Iterator[ast.expr]:
    """The objects of which a function sets something, or that it refuses."""
    for each in statements:
        match each:
            case ast.If(test=test, body=[*_, ast.Raise()]):
                asked = (part for part in walk_nodes(test) if isinstance(part, ast.Attribute))
                yield from (part.value for part in asked if isinstance(part.value, ast.Name))
            case ast.Assert(test=test):
                yield from _list_asked(test)
            case ast.If(test=test, body=[*_, ast.Return(value=None | ast.Constant())]):
                yield from _list_asked(test)
            case ast.If(test=test, body=[*_, ast.Return()]):
                yield from _list_own_asked(test)
            case ast.Assign(targets=targets):
                yield from (t.value for t in targets if isinstance(t, ast.Attribute))
            case ast.AugAssign(target=ast.Attribute(value=owner)):
                yield owner
            case (
                ast.Expr(value=ast.Call() as call)
                | ast.Expr(value=ast.Await(value=ast.Call() as call))
            ):
                yield from _list_given_state(call)
        if not isinstance(each, ast.Expr):  # which keeps nothing
            yield from _list_own_steps(each)


def _list_given_state(node: ast.Call) -> Iterator[ast.expr]:
    """The object whose method is given a state, or sets what it is given."""
    if isinstance(node.func, ast.Attribute):
        given = [*node.args, *(each.value for each in node.keywords)]
        is_set = node.func.attr.startswith(_SETTER) and len(node.args) == 1
        if is_set or any(map(is_member, given)):
            yield node.func.value


def _list_asked(test: ast.expr) -> Iterator[ast.expr]:
    """The objects of which a condition asks something by a method, or compares what they have with
    a member of an enum; the object itself, where something that it has is compared.
    """
    for each in walk_nodes(test):
        match each:
            case ast.Call(func=ast.Attribute(value=ast.Name() as owner), args=[]):
                yield owner
            case ast.Compare(
                left=ast.Attribute(value=ast.Name(id=name) as owner), comparators=[right]
            ) if name in _OWN or any(map(is_member, _list_compared(right))):
                yield owner


def _list_compared(node: ast.expr) -> Sequence[ast.expr]:
    match node:
        case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Set(elts=parts):
            return parts
    return [node]


def _list_own_asked(test: ast.expr) -> Iterator[ast.expr]:
    """The object itself, where a condition compares something that it has."""
    for each in walk_nodes(test):
        match each:
            case ast.Compare(left=ast.Attribute(value=ast.Name(id=name) as owner)) if name in _OWN:
                yield owner


def _list_waiting(statements: Iterable[ast.stmt]) -> Iterator[ast.expr]:
    """The object itself, where something that waits sets or refuses something of it."""
    for each in filter(is_waiting, statements):
        inner = [*walk_statements(getattr(each, "body", ()))]
        owners = (*_list_touched(inner), *_list_waiting(inner))
        yield from (owner for owner in owners if spell_dotted(owner) in _OWN)


def _list_own_steps(node: ast.stmt) -> Iterator[ast.expr]:
    """The object itself, of which a statement asks or keeps what a method made of a state:
    ``if self._move(State.PAID)``.
    """
    asked = (
        getattr(node, "test", None) if isinstance(node, ast.If) else getattr(node, "value", None)
    )
    while isinstance(asked, ast.Await | ast.UnaryOp):
        asked = asked.value if isinstance(asked, ast.Await) else asked.operand
    match asked:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name) as owner), args=given):
            if name in _OWN and any(map(is_member, given)):
                yield owner


def is_member(node: ast.expr) -> bool:
    """Whether it has the name of a member of an enum."""
    match node:
        case ast.Attribute(value=ast.Name(id=owner) | ast.Attribute(attr=owner), attr=name):
            return owner.lstrip("_")[:1].isupper() and name.isupper()
    return False


def _find_moved(
    statements: Iterable[ast.stmt],
    find_type: Callable[[str], str | None],
    is_type: Callable[[str], bool],
    endings: Mapping[str, str],
    handled: Collection[str],
) -> Mapping[str, Handled]:
    """The objects that are known by nothing but the state that they get, or by a part of a name."""
    enums: dict[str, set[str]] = {}
    for name, enum in _list_moved(statements):
        if name not in handled and name not in _OWN and find_type(name) is None:
            enums.setdefault(name, set()).add(enum)
    found: dict[str, Handled] = {}
    for name in sorted(enums):
        enum, *others = sorted(enums[name])
        if endings.get(name):
            found[name] = Handled(name, endings[name], is_guessed=True)
        elif not others and is_type(enum.partition(".")[0]) and not _MESSAGES.search(name):
            found[name] = Handled(name, enum)
    return found


def _list_moved(statements: Iterable[ast.stmt]) -> Iterator[tuple[str, str]]:
    """The variables of which a field is set to a member of an enum, as it seems, and the enum."""
    for each in statements:
        match each:
            case ast.Assign(
                targets=[ast.Attribute(value=ast.Name(id=name))],
                value=ast.Attribute(value=ast.Name(id=owner) | ast.Attribute(attr=owner) as enum),
            ) if owner.lstrip("_")[:1].isupper():
                yield name, spell_dotted(enum)
            case ast.If(test=test, body=[*_, ast.Raise() | ast.Return()]):
                yield from _list_compared_enums(test)


def _list_compared_enums(test: ast.expr) -> Iterator[tuple[str, str]]:
    """The variables of which a condition compares a field with members of an enum."""
    for each in walk_nodes(test):
        match each:
            case ast.Compare(left=ast.Attribute(value=ast.Name(id=name)), comparators=[right]):
                for part in filter(is_member, _list_compared(right)):
                    if isinstance(part, ast.Attribute):
                        yield name, spell_dotted(part.value)


def _find_chains(
    touched: Iterable[ast.expr],
    is_type: Callable[[str], bool],
    find_part: Callable[[ast.Attribute], str],
) -> Mapping[str, Handled]:
    """Objects that are reached through others, ``self.order``, by a name of their own."""
    found: dict[str, dict[str, str]] = {}
    for each in touched:
        name = each.attr.strip("_") if isinstance(each, ast.Attribute) else ""
        if isinstance(each, ast.Attribute) and name[:1].islower() and _is_plain(each):
            guess = _guess_type(name)
            kind = find_part(each) or (guess if is_type(guess) else "")
            if kind:
                found.setdefault(name, {})[ast.unparse(each)] = kind
    return {
        text: Handled(name, kind)
        for name, kinds in found.items()
        if len(kinds) == 1 and name.isidentifier()
        for text, kind in kinds.items()
    }


def _is_plain(node: ast.expr) -> bool:
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name)


def _guess_type(name: str) -> str:
    """``order_line`` and ``orderLine`` → ``OrderLine``."""
    return "".join(word[:1].upper() + word[1:] for word in name.split("_"))


class _Renamed(ast.NodeTransformer):
    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        self.generic_visit(node)
        node.attr = node.attr.removesuffix(_CALLED) + "_" * keyword.iskeyword(node.attr)
        return node

    def visit_Name(self, node: ast.Name) -> ast.expr:
        node.id += "_" * keyword.iskeyword(node.id)
        return node


class _Shortened(ast.NodeTransformer):
    """A function whose chains are names."""

    def __init__(self, chains: Mapping[str, str]) -> None:
        self._chains = chains

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        name = self._chains.get(ast.unparse(node)) if self._chains else None
        if name is not None:
            return ast.Name(name)
        self.generic_visit(node)
        return node
