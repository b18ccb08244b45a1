"""Names of constants in a Python file, and the values of choices."""

import ast
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from git_retcon.allium.extract.python.syntax.names import get_last, spell_dotted
from git_retcon.allium.extract.python.syntax.node_copies import copy_tree
from git_retcon.allium.extract.source_facts import Choice
from git_retcon.allium.extract.spelling import is_value, name_value, name_values, spell_member
from git_retcon.allium.extract.state_words import cut_shared_words

LISTS = ast.List | ast.Tuple
_DEFINING = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_COPIES = frozenset({"dict", "list", "tuple", "OrderedDict"})
_MANY = 30  # members of an enum that are searched by an index
_DEEPEST = 5  # constants that are made of constants
_MOST_LISTED = 20  # values of a list that may be one of states
_MOST_CHOICES = 24  # of a list that fields of other files may have

Constants = Mapping[str, ast.expr]


class _Index(NamedTuple):
    """The members of a large enum by their symbols, and their names here."""

    choices: tuple[Choice, ...]
    symbols: Mapping[str, str]
    names: frozenset[str]


_INDEXES: dict[int, _Index] = {}  # that of the enum that was asked last


class States(NamedTuple):
    """How the source writes the values of one field. ``enum`` is the dotted name of its enum, whose
    members ``is_small`` where a field gets one that is written small.
    """

    enum: str = ""
    choices: tuple[Choice, ...] = ()
    is_small: bool = False

    def read(self, node: ast.expr) -> str | None:
        """The value that an expression means for certain."""
        if isinstance(node, ast.Subscript | ast.Call):
            return self._read_made(node)
        if isinstance(node, ast.Constant):
            if isinstance(node.value, bool):
                return None
            word = name_value(node.value) if isinstance(node.value, str) else None
            found = (
                c.name for c in self.choices if c.stored == node.value or (word and c.name == word)
            )
            return next(found, None)
        dotted = spell_dotted(node) if isinstance(node, ast.Name | ast.Attribute) else ""
        if self.enum and dotted.endswith((".value", ".name")):
            dotted = dotted.rpartition(".")[0]
        owner, _, name = dotted.rpartition(".")
        if self.enum and owner and get_last(owner) == get_last(self.enum):
            if not name.isidentifier() or name.startswith("_"):
                return None
            if not self.choices:
                # What is written small may be anything else that the enum has.
                return None if name.islower() and not self.is_small else spell_member(name)
            # A second name for a value is none of the names that the values have here.
            return find_member(self.choices, name)
        # A constant of the class, by the name that the class has here; what is written small may be
        # a field of the same name, unless it is one of such constants.
        is_named = get_last(owner).isupper() or not name.islower()
        symbols = self.choices if name and is_named else ()
        named = next((each.name for each in symbols if each.symbol == name), None)
        # django-model-utils has its members by what is stored: STATUSES.draft.
        stored = symbols if named is None and get_last(owner).isupper() else ()
        return next((each.name for each in stored if each.stored == name), named)

    def find_key(self, node: ast.expr) -> ast.expr | None:
        """What a member of the enum is taken by: ``State["OPEN"]``, ``State("open")``."""
        match node:
            case (
                ast.Subscript(value=owner, slice=ast.expr() as key)
                | ast.Call(func=owner, args=[key], keywords=[])
            ) if self.enum and isinstance(owner, ast.Name | ast.Attribute):
                return key if get_last(spell_dotted(owner)) == get_last(self.enum) else None
        return None

    def _read_made(self, node: ast.Subscript | ast.Call) -> str | None:
        """The member of the enum that is taken by a text, or by a number."""
        key = self.find_key(node)
        if isinstance(node, ast.Call) or not isinstance(key, ast.Constant):
            stored = key.value if isinstance(key, ast.Constant) else None
            found = (e.name for e in self.choices if stored is not None and e.stored == stored)
            return next(found, None)
        name = str(key.value)
        return find_member(self.choices, name) if self.choices else spell_member(name)


def find_member(choices: tuple[Choice, ...], name: str) -> str | None:
    """The value of an enum's member, by its symbol, or else by how it is called here."""
    if len(choices) < _MANY:
        names = (each.name for each in choices if name == each.symbol)
        others = (each.name for each in choices if spell_member(name) == each.name)
        return next(names, next(others, None))
    known = _INDEXES.get(id(choices))
    if known is None or known.choices is not choices:
        _INDEXES.clear()
        symbols = {each.symbol: each.name for each in reversed(choices)}
        known = _Index(choices, symbols, frozenset(each.name for each in choices))
        _INDEXES[id(choices)] = known
    spelled = spell_member(name)
    return known.symbols.get(name, spelled if spelled in known.names else None)


def read_constants(body: list[ast.stmt]) -> Constants:
    """What names are assigned once, at the top of a file or a class."""
    found: dict[str, ast.expr] = {}
    for node in body:
        if isinstance(node, _DEFINING):  # as most
            continue
        match node:
            case ast.Assign(targets=targets, value=value):
                # STATES = (OPEN, CLOSED) = ("open", "closed") lists those names.
                names = next((each for each in targets if isinstance(each, ast.Tuple)), value)
                for each in targets:
                    found |= _assign(each, value if isinstance(each, ast.Tuple) else names)
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                found |= _assign(target, value)
    return found


def _assign(target: ast.expr, value: ast.expr) -> Mapping[str, ast.expr]:
    """What each name of a target is."""
    match target, value:
        case ast.Name(id=name), _:
            return {name: value}
        case ast.Tuple(elts=names), ast.Tuple(elts=values) | ast.List(elts=values):
            pairs = zip(names, values, strict=False)
            return {each.id: found for each, found in pairs if isinstance(each, ast.Name)}
        case ast.Tuple(elts=names), ast.Call() as call:
            # OPEN, CLOSED = range(2): each has a value of its own.
            counted = call.args[0] if call.args and spell_dotted(call) in _COPIES else call
            if isinstance(counted, ast.Call) and spell_dotted(counted) == "range":
                return {each.id: counted for each in names if isinstance(each, ast.Name)}
    return {}


def read_choices(node: ast.expr, constants: Constants) -> tuple[Choice, ...]:
    """The choices of a field: a list of pairs, or of constants, maybe by its name.

    Empty where not all of them can be read.
    """
    found: dict[object, Choice] = {}
    opened = _open_choices(_follow_names(node, constants, _DEEPEST))
    listed, members = opened if opened is not None else (None, {})
    for pair in list_pairs(listed or node, constants):
        if pair is None:
            return ()
        stored, label = pair
        symbol = get_last(spell_dotted(stored))
        if listed is not None and isinstance(stored, ast.Constant):
            symbol = members.get(stored.value, str(stored.value))
        value = _count_name(symbol, _follow_names(stored, constants, _DEEPEST), constants)
        if not isinstance(value, ast.Constant) or value.value is None:
            return ()
        # Lists that are made of others name some values twice.
        name = _name_choice(value.value, symbol, label)
        found.setdefault(value.value, Choice(value.value, symbol, name))
    return name_choices(_cut_shared([*found.values()]))


def _count_name(name: str, value: ast.expr, constants: Constants) -> ast.expr:
    """The number that a name of ``OPEN, CLOSED = range(2)`` is; any other value as it is."""
    match value:
        case ast.Call(func=ast.Name(id="range"), args=[ast.Constant(value=int())]):
            first = 0
        case ast.Call(func=ast.Name(id="range"), args=[ast.Constant(value=int(first)), _]):
            pass
        case _:
            return value
    counted = [each for each, range_ in constants.items() if range_ is value]
    return ast.Constant(first + counted.index(name)) if name in counted else value


def _cut_shared(found: Sequence[Choice]) -> Sequence[Choice]:
    """Those that are named by their constants, without what all of these begin with."""
    symbols = [each.symbol for each in found]
    if any(each.name != each.symbol.lower() for each in found):
        return found
    names = cut_shared_words(symbols)
    return [each._replace(name=name) for each, name in zip(found, names, strict=True)]


def name_choices(found: Sequence[Choice]) -> tuple[Choice, ...]:
    """Choices with names that the language can write; none where they are not apart."""
    if len({each.name for each in found}) < len(found):
        # Labels and constants that are not apart: the stored values always are.
        found = [each._replace(name=str(each.stored)) for each in found]
    names = name_values(each.name for each in found)
    if len(names) < len(found):
        return ()
    found = [each._replace(name=name) for each, name in zip(found, names, strict=True)]
    return tuple(found) if all(is_value(each.name) for each in found) else ()


def _open_choices(node: ast.expr) -> tuple[ast.Tuple, Mapping[object, str]] | None:
    """The pairs of ``Choices("draft", (1, "sent", "Sent"))``, as django-model-utils has it, and the
    names of members that are not what is stored; None for anything else.
    """
    if not isinstance(node, ast.Call) or get_last(spell_dotted(node)) != "Choices":
        return None
    pairs: list[ast.expr] = []
    members: dict[object, str] = {}
    for each in node.args:
        match each:
            # Three of them are what is stored, the name of the member, and a label.
            case ast.Tuple(
                elts=[ast.Constant(value=stored) as first, ast.Constant(value=str(name)), label]
            ):
                members[stored] = name
                pairs.append(ast.Tuple(elts=[first, label], ctx=ast.Load()))
            case ast.Tuple(elts=[_, _, _]):
                return None
            case _:
                pairs.append(each)
    return None if node.keywords else (ast.Tuple(elts=pairs, ctx=ast.Load()), members)


def read_named_choices(constants: Constants) -> Mapping[str, tuple[Choice, ...]]:
    """The lists of pairs, value and label, that constants of a file name for its own fields and
    those of others.
    """
    found = {
        name: read_choices(value, constants)
        for name, value in constants.items()
        if name.isupper() and has_pairs(_follow_names(value, constants, _DEEPEST))
    }
    # A list of all countries is data, and no type.
    return {name: choices for name, choices in found.items() if 1 < len(choices) <= _MOST_CHOICES}


def spell_lists(constants: Constants) -> Mapping[str, str]:
    """The constants that list others, or values, as Python: operations elsewhere may name them."""
    return spell_all_lists({name: each for name, each in constants.items() if name.isupper()})


def spell_all_lists(constants: Constants) -> Mapping[str, str]:
    """Those of a language whose constants have names of any kind."""
    return {
        name: ast.unparse(value)
        for name, value in constants.items()
        if isinstance(value, ast.List | ast.Tuple | ast.Set)
        and 0 < len(value.elts) <= _MOST_LISTED
        and all(isinstance(each, ast.Constant | ast.Name | ast.Attribute) for each in value.elts)
    }


def has_pairs(node: ast.expr) -> bool:
    """Whether a node lists pairs, as choices are."""
    return isinstance(node, LISTS) and all(
        isinstance(e, ast.Tuple | ast.List) and len(e.elts) == 2 for e in node.elts
    )


def share_constants(content: bytes, statements: Iterable[ast.stmt]) -> Constants:
    """The constants of classes, by ``Class.NAME``, where others may have them as choices."""
    classes = (each for each in statements if isinstance(each, ast.ClassDef))
    listed = map(_qualify_constants, classes) if b"hoices" in content else ()
    return {name: value for each in listed for name, value in each.items()}


def _qualify_constants(node: ast.ClassDef) -> Constants:
    own = read_constants(node.body)
    names = _Qualified(node.name, own.keys())
    return {
        f"{node.name}.{name}": value if isinstance(value, ast.Constant) else _qualify(value, names)
        for name, value in own.items()
        if name.isupper() and isinstance(value, ast.Constant | ast.BinOp | ast.Call | LISTS)
    }


def _qualify(value: ast.expr, names: "_Qualified") -> ast.expr:
    found: ast.expr = names.visit(copy_tree(value))
    return found


class _Qualified(ast.NodeTransformer):
    """Names of a class's own constants as they are written outside of it."""

    def __init__(self, owner: str, names: Collection[str]) -> None:
        self._owner = owner
        self._names = names

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id not in self._names:
            return node
        return ast.Attribute(ast.Name(self._owner, ast.Load()), node.id, ast.Load())


def _follow_names(node: ast.expr, constants: Constants, left: int) -> ast.expr:
    node = _open_setting(node)
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        member = _find_member(constants.get(node.value.id), node.attr)
        if member is not None:
            return member
    name = spell_dotted(node) if isinstance(node, ast.Name | ast.Attribute) else ""
    name = name if name in constants else get_last(name)
    if not left or name not in constants or constants[name] is node:
        return node
    return _follow_names(constants[name], constants, left - 1)


def _open_setting(node: ast.expr) -> ast.expr:
    """What a project has where its users set nothing: ``getattr(settings, "NAME", default)``."""
    match node:
        case ast.Call(
            func=ast.Name(id="getattr"), args=[_, ast.Constant(value=str(name)), default]
        ) if name.isupper():
            return default
    return node


def _find_member(node: ast.expr | None, name: str) -> ast.expr | None:
    """The value of ``SimpleNamespace(NEW="new")`` with a name."""
    if not isinstance(node, ast.Call) or get_last(spell_dotted(node)) != "SimpleNamespace":
        return None
    return next((each.value for each in node.keywords if each.arg == name), None)


def list_pairs(
    node: ast.expr, constants: Constants, left: int = _DEEPEST
) -> Iterator[tuple[ast.expr, str] | None]:
    """Value and label of each choice; None for what cannot be read."""
    node = _open_call(_follow_names(node, constants, left))
    node = _follow_names(node, constants, left)
    if isinstance(node, ast.Dict):
        for key, value in zip(node.keys, node.values, strict=True):
            yield (key, _read_label(value)) if key is not None else None
        return
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add) and left:
        yield from list_pairs(node.left, constants, left - 1)
        yield from list_pairs(node.right, constants, left - 1)
        return
    if not isinstance(node, ast.List | ast.Tuple | ast.Set):
        yield None
        return
    for item in node.elts:
        if isinstance(item, ast.Starred) and left:
            yield from list_pairs(item.value, constants, left - 1)
            continue
        each = _follow_names(item, constants, left)
        if isinstance(each, ast.Tuple | ast.List) and len(each.elts) == 2:
            inner = each.elts[1]
            if isinstance(inner, ast.Tuple | ast.List) and left:  # a group with a name
                yield from list_pairs(inner, constants, left - 1)
            else:
                yield each.elts[0], _read_label(inner)
        else:
            yield (item, "") if isinstance(each, ast.Constant) else None


def _open_call(node: ast.expr) -> ast.expr:
    """What ``list(...)``, ``OrderedDict(...)`` and ``(...).items()`` have in them."""
    match node:
        case ast.Call(func=ast.Name(id=name), args=[value], keywords=[]) if name in _COPIES:
            return _open_call(value)
        case ast.Call(func=ast.Attribute(value=value, attr="items"), args=[], keywords=[]):
            return _open_call(value)
    return node


def _read_label(node: ast.expr) -> str:
    if isinstance(node, ast.Call) and node.args:  # _("Paid")
        return _read_label(node.args[0])
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def _name_choice(stored: object, symbol: str, label: str) -> str:
    """The name that reads best: a word as stored, else the constant's, else the label's."""
    text = stored if isinstance(stored, str) else ""
    if len(text) > 1 and not text.isdigit():
        return text
    slug = re.sub(r"[^a-z0-9]+", "_", label.lower()).strip("_") if label.isascii() else ""
    return symbol.lower() or slug or str(stored)
