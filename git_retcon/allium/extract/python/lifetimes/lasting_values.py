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

from git_retcon.allium.extract.grammar.calls import is_made, name_call
from git_retcon.allium.extract.python.flow.assigned_states import ANY_STATE
from git_retcon.allium.extract.python.flow.moves import Function
from git_retcon.allium.extract.python.flow.renewed_states import BEGINNINGS
from git_retcon.allium.extract.python.flow.state_flow import StateFlow
from git_retcon.allium.extract.python.flow.unset_paths import Lasting, Moves, find_left
from git_retcon.allium.extract.python.lifetimes.given_places import (
    find_made,
    is_none,
    list_beside,
    list_given,
    list_places,
    name_given,
    takes_away,
)
from git_retcon.allium.extract.python.lifetimes.retaken_values import find_taker, list_retaken
from git_retcon.allium.extract.python.rules.handed_steps import list_reached
from git_retcon.allium.extract.python.syntax.conditions import Subject
from git_retcon.allium.extract.python.syntax.function_texts import answer_once
from git_retcon.allium.extract.python.syntax.names import get_last, is_private, spell_dotted
from git_retcon.allium.extract.python.syntax.nested_statements import walk_statements
from git_retcon.allium.extract.python.syntax.syntax_walks import walk_nodes
from git_retcon.allium.extract.source_facts import Edge, Evidence, Rule

# The rules of a class by what it is known to be.
ReadRules = Callable[[Subject], Sequence[Rule]]
_MOST = 2  # values of a class for which its rules are read again
# What never answers with nothing, beside classes.
_MAKES = re.compile(
    r"(?:create|make|spawn|submit|open|ensure_future|Popen)\w*|time|monotonic|perf_counter|utcnow|now"
    r"|uuid\d|count|len|sum|int|str"
)
_MIXED = re.compile(rb"\bObject\.assign\(\s*this\b|\bdelete this\b|\bthis\[")
# What is given with others at once, or what a framework or a base class gives.
_OTHERWISE = (
    rb"[\[,:]\s*this\.%s\s*(?:[,\]}][^;=]*)?[\]}]\s*=(?![=>])"
    rb"|(?:@[\w.]+(?:\([^;@]*?\))?|\bdeclare)\s+(?:\w+\s+)*%s\s*[?!:;=]"
)
_TAKES = (b"__dict__", b"setattr(", b"delattr(")  # what may take any attribute away


class _Case(NamedTuple):
    """The states of objects with such a value, or of those without, and what leads on then."""

    states: Set[str]
    edges: Mapping[object, Set[Edge]]  # by the place of a rule


def keep_begun(
    subject: Subject,
    content: bytes,
    read: ReadRules,
    beginning: Sequence[ast.stmt] | None = None,
) -> Sequence[Rule]:
    """The rules of a class without the transitions that an object makes before it has such a value,
    from states that it only comes to with one. ``content`` is the whole file; ``beginning`` is what
    its fields get before the constructor, where what gets nothing is nothing.
    """
    rules = read(subject)
    moved = {each.field for each in rules if each.edges}
    symbols = [each for each in subject.states if _name_field(each, subject) in moved]
    moving = [_find_key(each, subject.methods) for each in rules if each.edges]
    listed = [*_list_values(subject, moving, content, beginning)][:_MOST] if symbols else ()
    for value in listed:
        cases = [
            read(subject._replace(fixed={**subject.fixed, **value.list_truths(is_set=each)}))
            for each in (False, True)
        ]
        for symbol in symbols:
            if symbol != value.name:
                rules = _keep_edges(rules, subject, symbol, value, cases, beginning or ())
    return rules


def _find_key(rule: Rule, methods: Mapping[str, Function]) -> str:
    """The method that a rule is of, as bodies call it."""
    name = get_last(rule.evidence[0].symbol)
    return name if name in methods else name_call(name)


def _name_field(symbol: str, subject: Subject) -> str:
    return subject.fields[symbol].name if symbol in subject.fields else ""


def _list_values(
    subject: Subject,
    moving: Sequence[str],
    content: bytes,
    beginning: Sequence[ast.stmt] | None,
) -> Iterator[Lasting]:
    """The values that methods with transitions ask for."""
    asked = {
        key: {
            each.attr
            for test in _list_tests(subject.methods[key])
            for each in walk_nodes(test)
            if isinstance(each, ast.Attribute)
        }
        for key in {*moving, *_list_runners(moving, subject)}
        if key in subject.methods
    }
    names = _list_unset(subject, beginning, frozenset().union(*asked.values()))
    for name in sorted(names):
        setters = _list_setters(name, subject)
        # An operation that asks for it before it sets it runs once.
        if not any(name in asked[each] for each in asked.keys() & setters):
            continue
        value = Lasting(name, names[name], setters)
        begins = {n for n, each in subject.methods.items() if each.name in BEGINNINGS}
        if setters and setters.isdisjoint(begins) and _is_lasting(value, subject, content):
            yield value


def _list_unset(
    subject: Subject, beginning: Sequence[ast.stmt] | None, asked: Set[str]
) -> Mapping[str, bool]:
    """The attributes that an object begins without, with whether they are flags."""
    found: dict[str, bool] = {}
    given: set[str] = set()
    for body in _list_beginnings(subject, beginning or ()):
        for each in body:
            match each:
                case (
                    ast.Assign(targets=[ast.Attribute(ast.Name("self"), name)], value=begun)
                    | ast.AnnAssign(target=ast.Attribute(ast.Name("self"), name), value=begun)
                ):
                    if isinstance(begun, ast.Constant) and begun.value in (None, False):
                        found[name] = begun.value is False
        given |= {e.attr for part in body for e in walk_nodes(part) if isinstance(e, ast.Attribute)}
    unset = asked & subject.fields.keys() - given if beginning is not None else frozenset()
    return dict.fromkeys(unset, False) | found


def _list_beginnings(
    subject: Subject, beginning: Sequence[ast.stmt]
) -> Sequence[Sequence[ast.stmt]]:
    """What makes an object."""
    made = [each.body for each in subject.methods.values() if each.name in BEGINNINGS]
    return [[*beginning, *each] for each in made] or ([beginning] if beginning else [])


def _list_tests(method: Function) -> Iterator[ast.expr]:
    for each in walk_statements(method.body):
        if isinstance(each, ast.If | ast.While | ast.Assert):
            yield each.test


def _is_lasting(value: Lasting, subject: Subject, content: bytes) -> bool:
    """Whether nothing else sets it, and nothing takes it away again but with the state."""
    given = list_places(value.name, subject)
    found = re.findall(
        rb"\.%s\b *(?::[^=\n]*|\?\?|\|\||&&)?=(?![=>])" % value.name.encode(), content
    )
    set_elsewhere = sum(
        isinstance(each, ast.Attribute)
        and each.attr == value.name
        and isinstance(getattr(each, "ctx", None), ast.Store | ast.Del)
        for method in subject.methods.values()
        for each in walk_nodes(method)
    )
    if set_elsewhere > len(given) or len(found) > len(given):
        return False
    if any(each in content for each in _TAKES) or _MIXED.search(content):
        return False
    if re.search(_OTHERWISE % ((value.name.encode(),) * 2), content):
        return False
    later = [each for each in given if not _is_begun(each[0], subject)]
    sure = _list_demanded(subject)
    return all(
        takes_away(each) or _gives(find_made(block, each), sure, is_flag=value.is_flag)
        for block, each in later
    )


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


def _gives(given: ast.expr, sure: Set[str], *, is_flag: bool) -> bool:
    """Whether it is there behind what gives it."""
    value = given.value if isinstance(given, ast.Await) else given
    if is_flag or isinstance(value, ast.Constant):
        return isinstance(value, ast.Constant) and bool(value.value)
    if isinstance(value, ast.Call):
        if is_made(value):
            return True
        owner, _, called = spell_dotted(value.func).rpartition(".")
        if owner == called:  # "socket.socket()" makes one
            return bool(owner)
        return called.lstrip("_")[:1].isupper() or _MAKES.fullmatch(called) is not None
    return isinstance(value, ast.JoinedStr) or (isinstance(value, ast.Name) and value.id in sure)


def _list_setters(name: str, subject: Subject) -> Set[str]:
    """The methods that set an attribute, by themselves or by others."""
    runs = {key: _list_own(each) for key, each in subject.methods.items()}
    found = {
        key
        for key, each in subject.methods.items()
        if each.name not in BEGINNINGS and name in _list_names_given(each)
    }
    while more := {key for key, names in runs.items() if names & found} - found:
        found |= more
    return found


def _list_runners(names: Sequence[str], subject: Subject) -> Iterator[str]:
    """The methods that run some of these."""
    for key, each in subject.methods.items():
        if not _list_own(each).isdisjoint(names):
            yield key


@answer_once
def _list_names_given(method: Function) -> frozenset[str]:
    """The attributes that a method, or a function in it, gives something."""
    nodes = (each for each in walk_nodes(method) if isinstance(each, ast.Assign | ast.AnnAssign))
    return frozenset(filter(None, map(name_given, nodes)))


@answer_once
def _list_own(method: Function) -> frozenset[str]:
    """What a method names of its object."""
    nodes = (each for each in walk_nodes(method) if isinstance(each, ast.Attribute))
    return frozenset(
        e.attr for e in nodes if isinstance(e.value, ast.Name) and e.value.id == "self"
    )


def _keep_edges(
    rules: Sequence[Rule],
    subject: Subject,
    symbol: str,
    value: Lasting,
    cases: Sequence[Sequence[Rule]],
    beginning: Sequence[ast.stmt],
) -> Sequence[Rule]:
    field = subject.fields[symbol].name
    own = [each for each in rules if each.field == field]
    begun = _list_begun(subject, symbol, value, beginning)
    if begun is None:
        return rules
    without, having = ([each for each in found if each.field == field] for found in cases)
    setting = [e for e in own if _find_key(e, subject.methods) in value.setters]
    before = [e for e in without if _find_key(e, subject.methods) not in value.setters]
    moves = Moves(
        symbol, subject.states[symbol].read, _list_setters(symbol, subject), subject.methods
    )
    left = [_leave_unset(each, value, moves) for each in setting]
    none = frozenset[str]()
    unset = list_reached(begun, [*before, *left], none)
    blocks = [block for block, taken in list_places(value.name, subject) if takes_away(taken)]
    while more := list_retaken(blocks, subject, symbol, value, unset) - unset:
        unset = list_reached(unset | more, [*before, *left], none)
    sure = {e.evidence[0]: _follow_unset(e, subject, symbol, value, unset) for e in setting}
    given = {each.target for found in sure.values() for each in found}
    given |= {target for each in setting for target in _list_targets(each, begun and unset)}
    is_set = list_reached(unset | given, having, none)
    found = [
        _Case(unset, {each.evidence[0]: {*each.edges} for each in (*before, *setting)}),
        _Case(is_set, {each.evidence[0]: {*each.edges} for each in having}),
    ]
    # Where a step begins that others run, only what knows the states can say.
    if not subject.states[symbol].choices:
        rules = _begin_once(rules, setting, having, unset)
        own = [e for e in own if not is_private(get_last(e.evidence[0].symbol))]
    told = {each.evidence[0] for each in own}
    is_told = [each.field == field and each.evidence[0] in told for each in rules]
    return [_keep_known(e, found, sure) if t else e for e, t in zip(rules, is_told, strict=True)]


def _list_targets(rule: Rule, unset: Set[str]) -> Iterator[str]:
    """The states that a rule leads to from those of an object without the value, or from any."""
    for each in rule.edges:
        if not unset or each.source in unset or each.source == ANY_STATE:
            yield each.target


def _begin_once(
    rules: Sequence[Rule], setting: Sequence[Rule], having: Sequence[Rule], unset: Set[str]
) -> Sequence[Rule]:
    """Rules with where those begin that are in doubt, as the states are not known here, and do
    nothing of it to an object with the value.
    """
    late = {each.evidence[0] for each in having if each.doubted}
    once = {each.evidence[0] for each in setting if each.doubted} - late
    return [e._replace(begun=tuple(sorted(unset))) if e.evidence[0] in once else e for e in rules]


def _leave_unset(rule: Rule, value: Lasting, moves: Moves) -> Rule:
    """What a method does that sets the value, where it leaves an object without it."""
    method = moves.methods.get(_find_key(rule, moves.methods))
    targets = find_left(method, value, moves) if method is not None else {ANY_STATE}
    if ANY_STATE in targets:
        return rule
    ends = (
        Edge(source, target)
        for source in dict.fromkeys(each.source for each in rule.edges)
        for target in sorted(list_reached([source], [rule], frozenset()) & targets)
    )
    return rule._replace(edges=tuple(ends))


def _follow_unset(
    rule: Rule, subject: Subject, symbol: str, value: Lasting, unset: Set[str]
) -> Set[Edge]:
    """What a method goes on to do that gives the value itself, where it begins without."""
    states = subject.states[symbol]
    method = subject.methods.get(_find_key(rule, subject.methods))
    body = method.body if method is not None else ()
    gives = any(True for each in walk_statements(body) for _ in list_given(each, value.name))
    if method is None or not (gives and states.choices):
        return frozenset()
    truths = value.list_truths(is_set=False)
    known = subject._replace(fixed={**subject.fixed, **truths})
    flow = StateFlow(known, symbol, states)
    flow.run_method(method, frozenset(unset))
    return {*flow.edges}


def _keep_known(rule: Rule, cases: Sequence[_Case], sure: Mapping[Evidence, Set[Edge]]) -> Rule:
    """A rule with what objects do with the value, or without; with ``sure`` transitions, too."""
    edges: dict[Edge, None] = {}
    for each in rule.edges:
        if each in sure.get(rule.evidence[0], ()):
            edges[each] = None
            continue
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


def _list_begun(
    subject: Subject, symbol: str, value: Lasting, beginning: Sequence[ast.stmt]
) -> Set[str] | None:
    """The states of objects that have no value yet, or again; None where that is open."""
    found: set[str] = set()
    states = subject.states[symbol]
    for body in _list_beginnings(subject, beginning):
        given = [e for each in body for e in list_given(each, symbol)]
        if not _is_nothing(given):
            begun = StateFlow(subject, symbol, states).run(body, None)
            if begun is None:
                return None
            found |= begun
    for block, taken in list_places(value.name, subject):
        if takes_away(taken) and not _is_begun(block, subject):
            beside = list_beside(block, taken, subject, symbol)
            known = {states.read(each) for each in beside if not is_none(each)}
            if None in known or not (beside or find_taker(block, subject, symbol, value)):
                return None
            found |= {each for each in known if each is not None}
    return found


def _is_nothing(given: Sequence[ast.expr]) -> bool:
    return bool(given) and is_none(given[-1])
