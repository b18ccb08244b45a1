"""What expressions of a class name that may be a table of transitions, or may ask one.

``new in NEXT[self.status]`` names ``NEXT``, ``self._may_become(new)`` what that method names, and
``self.status.may_become(new)`` what the enum says.
"""

import ast
from collections.abc import Collection, Iterator, Mapping, Sequence, Set

from git_retcon.allium.extract.python.flow.moves import Function
from git_retcon.allium.extract.python.syntax.conditions import Subject, find_field
from git_retcon.allium.extract.python.syntax.constants import States
from git_retcon.allium.extract.python.syntax.function_texts import answer_once
from git_retcon.allium.extract.python.syntax.names import TABLE, spell_dotted
from git_retcon.allium.extract.python.syntax.nested_statements import walk_statements
from git_retcon.allium.extract.python.syntax.own_attributes import list_attributes
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes

_DEEPEST = 3  # methods that ask by others


class TableNames:
    """Reads the names of one class, about one field. ``methods`` are those that may ask, ``known``
    the names that may be or have tables.
    """

    def __init__(
        self,
        owner: str,
        field: str,
        subject: Subject,
        methods: Mapping[str, Function],
        known: Collection[str],
    ) -> None:
        self._owner = owner
        self._field = field
        self._subject = subject
        self._enum = subject.states.get(field, States()).enum
        self._methods = methods
        self._known = known
        self._has_stars = any(each.startswith("*") for each in known)
        self._names: dict[str, frozenset[str]] = {}  # what methods name

    def _may_be_table(self, name: str) -> bool:
        return name not in self._subject.fields

    def _is_known(self, name: str) -> bool:
        return name in self._known or (self._has_stars and name.isupper())

    def may_ask(self) -> bool:
        """Whether the class names anything that may be a table, or may have one."""
        heads = {self._owner, self._enum.partition(".")[0]}
        if self._has_stars or not heads.isdisjoint(self._known):
            return True
        return any(not _list_words(e).isdisjoint(self._known) for e in self._methods.values())

    def list_asked(self) -> Iterator[str]:
        """What methods ask about the field that set none."""
        for name, method in self._methods.items():
            if name.startswith("__") or self._field not in list_attributes(method):
                continue
            for each in _list_questions(method):
                match each:
                    case ast.Compare():
                        yield from self.list_names(each, method)
                    case ast.Call(func=ast.Attribute(value=of)) if self._is_field(of, method):
                        yield from self.list_names(each.func, method)

    def list_entry(self, node: ast.stmt, method: Function) -> frozenset[str]:
        """What names the table that a field gets an entry of: ``NEXT[self.state, event]``."""
        value = getattr(node, "value", None)
        if isinstance(value, ast.Name):
            value = _list_local(method).get(value.id)
        key: ast.expr | None = None
        while isinstance(value, ast.Subscript | ast.Call):
            match value:
                case ast.Subscript(value=table, slice=key):
                    pass
                case ast.Call(func=ast.Attribute(value=table, attr="get"), args=[key, *others]):
                    if not all(_is_nothing(e) or self._is_field(e, method) for e in others):
                        return frozenset()
                case _:
                    return frozenset()
            value = table
        first = key.elts[0] if isinstance(key, ast.Tuple) and key.elts else key
        if value is None or first is None or not self._is_field(first, method):
            return frozenset()
        return self.list_names(value, method)

    def list_names(self, node: ast.expr, method: Function, left: int = _DEEPEST) -> frozenset[str]:
        """What an expression of a method names, itself or by variables and other methods."""
        return frozenset(self._name(node, method, left)) if left > 0 else frozenset()

    def _name(self, node: ast.AST, method: Function, left: int) -> Iterator[str]:
        local = _list_local(method)
        for each in walk_nodes(node):
            match each:
                case ast.Dict():
                    yield from [getattr(each, TABLE)] if hasattr(each, TABLE) else []
                case ast.Name(id=name):
                    if name in local:
                        yield from self.list_names(local[name], method, left - 1)
                    elif self._is_known(name):
                        yield name
                case ast.Attribute(value=of, attr=attr):
                    run = self.find_method(each, method)
                    dotted = spell_dotted(of)
                    if run is not None:
                        yield from self._list_named(attr, run, left)
                    elif self._is_field(of, method):
                        yield from [f"{self._enum}.{attr}"] if self._enum else []
                    elif dotted in (method.args.args[0].arg, "cls", self._owner):
                        yield from [f"{self._owner}.{attr}"] if self._may_be_table(attr) else []
                    elif self._is_known(dotted.partition(".")[0]):
                        yield f"{dotted}.{attr}"

    def _list_named(self, name: str, run: Function, left: int) -> frozenset[str]:
        """What a method names that another one runs."""
        if name not in self._names:
            self._names[name] = frozenset()
            parts = (part for each in run.body for part in self._name(each, run, left - 1))
            self._names[name] = frozenset(parts)
        return self._names[name]

    def _is_field(self, node: ast.expr, method: Function) -> bool:
        local = _list_local(method)
        if isinstance(node, ast.Name):
            node = local.get(node.id, node)
        subject = self._subject._replace(name=method.args.args[0].arg)
        found = find_field(node, subject)
        return found is not None and found.symbol == self._field

    def find_method(self, node: ast.expr, method: Function) -> Function | None:
        """The method of the class that an expression of a method names."""
        match node:
            case ast.Attribute(value=ast.Name(id=name), attr=attr):
                return self._methods.get(attr) if name == method.args.args[0].arg else None
        return None


def _is_nothing(node: ast.expr) -> bool:
    is_empty = isinstance(node, ast.Dict) and not node.keys
    return is_empty or (isinstance(node, ast.Constant) and node.value is None)


@answer_once
def _list_questions(method: Function) -> Sequence[ast.AST]:
    """Where a method asks what is in a collection, or anything of an object."""
    found: list[ast.AST] = []
    for each in walk_nodes(method):
        match each:
            case ast.Compare(ops=[ast.In() | ast.NotIn()]) | ast.Call(func=ast.Attribute()):
                found.append(each)
    return found


@answer_once
def _list_words(method: Function) -> Set[str]:
    return {each.id for each in walk_nodes(method) if isinstance(each, ast.Name)}


@answer_once
def _list_local(method: Function) -> Mapping[str, ast.expr]:
    """What the variables of a method are, of those that it gives one value."""
    found: dict[str, ast.expr] = {}
    twice: set[str] = set()
    for each in walk_statements(method.body):
        match each:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                twice |= {name} if name in found else set()
                found[name] = value
    return {name: value for name, value in found.items() if name not in twice}
