"""Values that an object gets once and keeps: what has one has begun something.

::

    def launch(self, job):
        if self._job is not None:
            raise RuntimeError
        self._job = job
        self.status = Status.RUNNING

Nothing launches again what has begun to run.
"""

import ast
import re
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from typing import NamedTuple

from git_retcon.allium.extract.python.assigned_states import ANY_STATE
from git_retcon.allium.extract.python.conditions import Subject
from git_retcon.allium.extract.python.handed_steps import list_reached
from git_retcon.allium.extract.python.moves import Function
from git_retcon.allium.extract.python.names import get_last, is_private, spell_dotted
from git_retcon.allium.extract.python.nested_statements import BLOCKS, walk_statements
from git_retcon.allium.extract.python.renewed_states import BEGINNINGS
from git_retcon.allium.extract.python.retaken_values import find_taker, list_retaken
from git_retcon.allium.extract.python.state_flow import StateFlow
from git_retcon.allium.extract.python.syntax_walks import walk_nodes
from git_retcon.allium.extract.python.unset_paths import Lasting, Moves, find_left
from git_retcon.allium.extract.source_facts import Edge, Rule

# The rules of a class by what it is known to be.
ReadRules = Callable[[Subject], Sequence[Rule]]
_MOST = 2  # values of a class for which its rules are read again
# What never answers with nothing, beside classes.
_MAKES = re.compile(
    r"(?:create|make|spawn|submit|open|ensure_future|Popen)\w*|time|monotonic|perf_counter|utcnow|now"
    r"|uuid\d|count|len|sum|int|str"
)
_LEAVING = ast.Return | ast.Raise | ast.Continue | ast.Break
_TAKES = (b"__dict__", b"setattr(", b"delattr(")  # what may take any attribute away


class _Case(NamedTuple):
    """The states of objects with such a value, or of those without, and what leads on then."""

    states: Set[str]
    edges: Mapping[object, Set[Edge]]  # by the place of a rule


def keep_begun(subject: Subject, content: bytes, read: ReadRules) -> Sequence[Rule]:
    """The rules of a class without the transitions that an object makes before it has such a value,
    from states that it only comes to with one. ``content`` is the whole file.
    """
    rules = read(subject)
    moved = {each.field for each in rules if each.edges}
    symbols = [each for each in subject.states if _name_field(each, subject) in moved]
    moving = [get_last(each.evidence[0].symbol) for each in rules if each.edges]
    for value in [*_list_values(subject, moving, content)][:_MOST] if symbols else ():
        cases = [
            read(subject._replace(fixed={**subject.fixed, **value.list_truths(is_set=each)}))
            for each in (False, True)
        ]
        for symbol in symbols:
            if symbol != value.name:
                rules = _keep_edges(rules, subject, symbol, value, cases)
    return rules


def _name_field(symbol: str, subject: Subject) -> str:
    return subject.fields[symbol].name if symbol in subject.fields else ""


def _list_values(subject: Subject, moving: Sequence[str], content: bytes) -> Iterator[Lasting]:
    """The values that methods with transitions ask for."""
    names: dict[str, bool] = {}
    for method in subject.methods.values():
        if method.name in BEGINNINGS:
            for each in method.body:
                match each:
                    case (
                        ast.Assign(targets=[ast.Attribute(ast.Name("self"), name)], value=begun)
                        | ast.AnnAssign(target=ast.Attribute(ast.Name("self"), name), value=begun)
                    ):
                        if isinstance(begun, ast.Constant) and begun.value in (None, False):
                            names[name] = begun.value is False
    asked = {
        key: {
            each.attr
            for test in _list_tests(subject.methods[key])
            for each in walk_nodes(test)
            if isinstance(each, ast.Attribute)
        }
        for key in moving
        if key in subject.methods
    }
    for name in sorted(names):
        setters = _list_setters(name, subject)
        # An operation that asks for it before it sets it runs once.
        if not any(name in asked[each] for each in asked.keys() & setters):
            continue
        value = Lasting(name, names[name], setters)
        begins = {n for n, each in subject.methods.items() if each.name in BEGINNINGS}
        if setters and setters.isdisjoint(begins) and _is_lasting(value, subject, content):
            yield value


def _list_tests(method: Function) -> Iterator[ast.expr]:
    for each in walk_statements(method.body):
        if isinstance(each, ast.If | ast.While | ast.Assert):
            yield each.test


def _is_lasting(value: Lasting, subject: Subject, content: bytes) -> bool:
    """Whether nothing else sets it, and nothing takes it away again but with the state."""
    given = _list_places(value.name, subject)
    found = re.findall(rb"\.%s\b *(?::[^=\n]*)?=(?!=)" % value.name.encode(), content)
    set_elsewhere = sum(
        isinstance(each, ast.Attribute)
        and each.attr == value.name
        and not isinstance(each.ctx, ast.Load)
        for method in subject.methods.values()
        for each in walk_nodes(method)
    )
    if set_elsewhere > len(given) or len(found) > len(given):
        return False
    if any(each in content for each in _TAKES):
        return False
    later = [each for each in given if not _is_begun(each[0], subject)]
    sure = _list_demanded(subject)
    return all(_takes(each) or _gives(each, sure, is_flag=value.is_flag) for _, each in later)


def _list_demanded(subject: Subject) -> Set[str]:
    """The names of parameters that must be given wherever a method has one."""
    needed: set[str] = set()
    others: set[str] = set()
    for method in subject.methods.values():
        given = method.args
        first = len(given.args) - len(given.defaults)
        needed |= {each.arg for each in given.args[:first]}
        others |= {each.arg for each in (*given.args[first:], *given.kwonlyargs)}
    return needed - others


def _is_begun(block: Sequence[ast.stmt], subject: Subject) -> bool:
    methods = subject.methods.values()
    return any(each.body is block and each.name in BEGINNINGS for each in methods)


def _takes(given: ast.expr) -> bool:
    return isinstance(given, ast.Constant) and given.value in (None, False)


def _gives(given: ast.expr, sure: Set[str], *, is_flag: bool) -> bool:
    """Whether it is there behind what gives it."""
    value = given.value if isinstance(given, ast.Await) else given
    if is_flag or isinstance(value, ast.Constant):
        return isinstance(value, ast.Constant) and bool(value.value)
    if isinstance(value, ast.Call):
        owner, _, called = spell_dotted(value.func).rpartition(".")
        if get_last(owner) == called:  # "socket.socket()" makes one
            return bool(owner)
        return called.lstrip("_")[:1].isupper() or _MAKES.fullmatch(called) is not None
    return isinstance(value, ast.JoinedStr) or (isinstance(value, ast.Name) and value.id in sure)


def _list_places(name: str, subject: Subject) -> Sequence[tuple[Sequence[ast.stmt], ast.expr]]:
    """The blocks that give an attribute something, with what they do."""
    return [
        (block, given)
        for method in subject.methods.values()
        for block in _list_blocks(method.body)
        for each in block
        for given in _list_given(each, name)
    ]


def _list_blocks(body: Sequence[ast.stmt]) -> Iterator[Sequence[ast.stmt]]:
    yield body
    for each in walk_statements(body):
        for name in BLOCKS.get(each.__class__, ()):
            parts = getattr(each, name)
            is_listed = name in ("handlers", "cases")
            yield from [part.body for part in parts] if is_listed else [parts]


def _list_given(node: ast.stmt, name: str) -> Iterator[ast.expr]:
    """What a statement gives an attribute."""
    match node:
        case (
            ast.Assign(targets=[ast.Attribute(ast.Name("self"), symbol)], value=ast.expr() as given)
            | ast.AnnAssign(
                target=ast.Attribute(ast.Name("self"), symbol), value=ast.expr() as given
            )
        ) if symbol == name:
            yield given


def _list_setters(name: str, subject: Subject) -> Set[str]:
    """The methods that set an attribute, by themselves or by others."""
    runs = {key: {*_list_own(each)} for key, each in subject.methods.items()}
    found = {
        key
        for key, each in subject.methods.items()
        if each.name not in BEGINNINGS
        and any(
            [*_list_given(node, name)] for node in walk_nodes(each) if isinstance(node, ast.stmt)
        )
    }
    while more := {key for key, names in runs.items() if names & found} - found:
        found |= more
    return found


def _list_own(method: Function) -> Iterator[str]:
    for each in walk_nodes(method):
        match each:
            case ast.Attribute(value=ast.Name(id="self"), attr=name):
                yield name


def _keep_edges(
    rules: Sequence[Rule],
    subject: Subject,
    symbol: str,
    value: Lasting,
    cases: Sequence[Sequence[Rule]],
) -> Sequence[Rule]:
    field = subject.fields[symbol].name
    own = [each for each in rules if each.field == field]
    begun = _list_begun(subject, symbol, value)
    if begun is None:
        return rules
    without, having = ([each for each in found if each.field == field] for found in cases)
    setting = [each for each in own if get_last(each.evidence[0].symbol) in value.setters]
    before = [e for e in without if get_last(e.evidence[0].symbol) not in value.setters]
    moves = Moves(
        symbol, subject.states[symbol].read, _list_setters(symbol, subject), subject.methods
    )
    left = [_leave_unset(each, value, moves) for each in setting]
    none = frozenset[str]()
    unset = list_reached(begun, [*before, *left], none)
    blocks = [block for block, taken in _list_places(value.name, subject) if _takes(taken)]
    while more := list_retaken(blocks, subject, symbol, value, unset) - unset:
        unset = list_reached(unset | more, [*before, *left], none)
    known = {*unset, ANY_STATE}
    given = {e.target for each in setting for e in each.edges if e.source in known or not begun}
    is_set = list_reached(unset | given, having, none)
    found = [
        _Case(unset, {each.evidence[0]: {*each.edges} for each in (*before, *setting)}),
        _Case(is_set, {each.evidence[0]: {*each.edges} for each in having}),
    ]
    # Where a step begins that others run, only what knows the states can say.
    is_known = bool(subject.states[symbol].choices)
    return [
        _keep_known(each, found)
        if each.field == field and (is_known or not is_private(get_last(each.evidence[0].symbol)))
        else each
        for each in rules
    ]


def _leave_unset(rule: Rule, value: Lasting, moves: Moves) -> Rule:
    """What a method does that sets the value, where it leaves an object without it."""
    method = moves.methods.get(get_last(rule.evidence[0].symbol))
    targets = find_left(method, value, moves) if method is not None else {ANY_STATE}
    if ANY_STATE in targets:
        return rule
    ends = (
        Edge(source, target)
        for source in dict.fromkeys(each.source for each in rule.edges)
        for target in sorted(list_reached([source], [rule], frozenset()) & targets)
    )
    return rule._replace(edges=tuple(ends))


def _keep_known(rule: Rule, cases: Sequence[_Case]) -> Rule:
    edges: dict[Edge, None] = {}
    for each in rule.edges:
        making = [case for case in cases if each in case.edges.get(rule.evidence[0], ())]
        if each.source != ANY_STATE:
            is_reached = any(each.source in case.states for case in cases)
            if not is_reached or any(each.source in case.states for case in making):
                edges[each] = None
        elif len(making) == len(cases):
            edges[each] = None
        else:
            states = sorted({one for case in making for one in case.states})
            edges |= {Edge(one, each.target): None for one in states if one != each.target}
    if edges.keys() == {*rule.edges}:
        return rule
    begun = rule.begun or tuple(sorted({each.source for each in edges})) or ("",)
    return rule._replace(edges=tuple(edges), begun=begun)


def _list_begun(subject: Subject, symbol: str, value: Lasting) -> Set[str] | None:
    """The states of objects that have no value yet, or again; None where that is open."""
    found: set[str] = set()
    states = subject.states[symbol]
    for method in subject.methods.values():
        given = [e for each in method.body for e in _list_given(each, symbol)]
        if method.name in BEGINNINGS and not _is_nothing(given):
            begun = StateFlow(subject, symbol, states).run(method.body, None)
            if begun is None:
                return None
            found |= begun
    for block, taken in _list_places(value.name, subject):
        if _takes(taken) and not _is_begun(block, subject):
            given = _list_beside(block, taken, subject, symbol)
            known = {states.read(each) for each in given if not _is_none(each)}
            if None in known or not (given or find_taker(block, subject, symbol, value)):
                return None
            found |= {each for each in known if each is not None}
    return found


def _list_beside(
    block: Sequence[ast.stmt], taken: ast.expr, subject: Subject, symbol: str
) -> Sequence[ast.expr]:
    """What a field is given where a value is taken away: last before that, and all behind it; none
    where it may be given nothing.
    """
    at = next(n for n, each in enumerate(block) if getattr(each, "value", None) is taken)
    before = [e for each in block[:at] for e in _list_given(each, symbol)]
    behind: list[ast.expr] = []
    for around, place in _list_around(block, at, subject):
        rest = around[place + 1 :]
        behind += [e for each in walk_statements(rest) for e in _list_given(each, symbol)]
        if any(True for each in rest for _ in _list_given(each, symbol)):
            return behind
        if any(isinstance(each, _LEAVING) for each in rest):
            break
    return [*before[-1:], *behind] if before else []


def _list_around(
    block: Sequence[ast.stmt], at: int, subject: Subject
) -> Iterator[tuple[Sequence[ast.stmt], int]]:
    """A block with the place of a statement, and those around it that go on behind a condition."""
    yield block, at
    for method in subject.methods.values():
        for outer in _list_blocks(method.body):
            for place, each in enumerate(outer):
                if isinstance(each, ast.If) and (each.body is block or each.orelse is block):
                    yield from _list_around(outer, place, subject)


def _is_nothing(given: Sequence[ast.expr]) -> bool:
    return bool(given) and _is_none(given[-1])


def _is_none(given: ast.expr) -> bool:
    return isinstance(given, ast.Constant) and given.value is None
